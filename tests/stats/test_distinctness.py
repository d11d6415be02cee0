from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from reidrisk.errors import InvalidSetting
from reidrisk.stats import distinctness
from reidrisk.stats.distinctness import (
    Kinds,
    bins_of_size,
    distinct_people,
    distinct_people_uneven,
    expected_distinct,
    expected_matches,
    occupied_bins,
    occupied_bins_uneven,
)

KINDS = st.lists(st.tuples(st.integers(1, 30_000), st.integers(1, 2_000)), min_size=1, max_size=6)
SIZES = st.lists(st.integers(1, 40_000), min_size=1, max_size=8, unique=True)


def kinds(pairs: Sequence[tuple[float, float]], members: list[list[float]] | None = None) -> Kinds:
    people, bins = np.array(pairs, dtype=np.float64).T
    return Kinds(people, bins, csr_matrix(np.array(members or [people.tolist()])))


@given(KINDS, SIZES)
def test_the_windows_lose_nothing(pairs: list[tuple[int, int]], sizes: list[int]) -> None:
    asked = np.array(sorted(sizes))
    found = expected_distinct(kinds(pairs), asked)[0]
    whole = sum(distinct_people(asked, people, bins) for people, bins in pairs)
    np.testing.assert_allclose(found, whole, rtol=1e-9, atol=1e-290)


@pytest.mark.parametrize("people", [10_000_000, 7_300_000])
@pytest.mark.parametrize("bins", [365, 1825, 1])
def test_large_groups_and_every_g(people: int, bins: int) -> None:
    sizes = np.arange(1, 20_001)
    found = expected_distinct(kinds([(people, bins)]), sizes)[0]
    some = np.array([1, 5, 3_000, 4_000, 5_479, 19_000, 20_000])
    np.testing.assert_allclose(found[some - 1], distinct_people(some, people, bins), rtol=1e-9, atol=1e-280)
    assert np.all(np.diff(found) >= 0)


def test_products_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(people, bins) for people in range(1, 60_000, 997) for bins in (2, 12, 365, 1461 / 4)]
    sizes = np.append(np.arange(1, 2_001), [3_000, 70_000])
    members = [[float(people) for people, _ in pairs], [float(at % 5) for at in range(len(pairs))]]
    many = kinds(pairs, members)
    quick = expected_distinct(many, sizes)
    monkeypatch.setattr(distinctness, "MANY", 10**9)
    np.testing.assert_allclose(quick, expected_distinct(many, sizes), rtol=1e-10, atol=1e-280)


@pytest.mark.parametrize("bins", [1 + 1e-9, 1.25, 2, 3])
def test_products_of_few_bins_lose_nobody(monkeypatch: pytest.MonkeyPatch, bins: float) -> None:
    """With two bins the chance to be alone is no number any more long before the mean is 600."""
    monkeypatch.setattr(distinctness, "MANY", 1)
    pairs = [(people, bins) for people in range(700, 1_900, 25)]
    found = expected_distinct(kinds(pairs), np.arange(1, 3_001))[0]
    some = np.array([300, 600, 900, 2_000])
    whole = sum(distinct_people(some, people, own) for people, own in pairs)
    np.testing.assert_allclose(found[some - 1], whole, rtol=1e-9)


def test_products_alone() -> None:
    pairs = [(people, 365) for people in range(1, 20_000, 50)]
    found = expected_distinct(kinds(pairs), np.arange(1, 1_001))[0]
    whole = sum(distinct_people(np.array([1, 20, 1_000]), people, bins) for people, bins in pairs)
    np.testing.assert_allclose(found[[0, 19, 999]], whole, rtol=1e-10)


def test_chances_far_below_the_usual_are_kept() -> None:
    """A ratio of two risks may be of numbers as small as these."""
    found = expected_distinct(kinds([(1_700, 5)]), np.array([1, 2]))[0]
    assert found[0] == pytest.approx(1_700 * 0.8**1_699, rel=1e-9)
    assert 0 < found[0] < found[1] < 1e-150


def test_areas_and_parts_of_a_group() -> None:
    """Three of 200 in one area, the rest in another: j of n."""
    two = kinds([(200, 365), (4, 1)], [[3.0, 0.0], [197.0, 4.0]])
    distinct = expected_distinct(two, np.array([1, 5]))
    assert distinct[0].tolist() == pytest.approx([3 / 200 * 115.8578099973399, 3 / 200 * 199.95087148835003])
    assert distinct[1, 1] == pytest.approx(197 / 200 * 199.95087148835003 + 4)
    assert expected_matches(two).tolist() == pytest.approx(
        [2.3120817870726196, 197 / 3 * 2.3120817870726196 + 1]
    )


def test_pieces_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(people, 365) for people in range(1, 400, 7)]
    sizes = np.arange(1, 30)
    whole = expected_distinct(kinds(pairs), sizes)
    monkeypatch.setattr(distinctness, "CELLS", 50)
    np.testing.assert_allclose(expected_distinct(kinds(pairs), sizes), whole, rtol=1e-12)


@given(st.integers(1, 500), st.integers(1, 400), st.floats(0.01, 1))
def test_a_list_of_some_people(people: int, bins: int, coverage: float) -> None:
    """Expected occupied bins of a list in which everybody is with the same chance."""
    found = float(expected_matches(kinds([(people, bins)]), coverage)[0])
    sizes = np.arange(people + 1)
    from scipy.stats import binom

    listed = binom.pmf(sizes, people, coverage) @ occupied_bins(sizes, bins)
    assert found == pytest.approx(listed, rel=1e-9)
    assert found >= coverage * float(occupied_bins(people, bins)) * (1 - 1e-9)


def everybody(people: int, bins: int) -> list[float]:
    """Expected number of people with fewer than g others in their bin, for each g, over all assignments."""
    found = np.zeros(people)
    for places in product(range(bins), repeat=people):
        sizes = np.bincount(places, minlength=bins)
        for one in places:
            found[sizes[one] - 1 :] += 1 / bins**people
    return found.tolist()


@pytest.mark.parametrize(("people", "bins"), [(1, 1), (1, 3), (2, 2), (4, 3), (3, 1), (5, 2)])
@pytest.mark.parametrize("many", [1, 10**9])
def test_every_assignment_to_bins(monkeypatch: pytest.MonkeyPatch, people: int, bins: int, many: int) -> None:
    """By products and by windows; also where only some sizes are asked for."""
    monkeypatch.setattr(distinctness, "MANY", many)
    expected = everybody(people, bins)
    sizes = np.arange(1, people + 1)
    assert expected_distinct(kinds([(people, bins)]), sizes)[0] == pytest.approx(expected)
    assert distinct_people(sizes, people, bins) == pytest.approx(expected)
    longer = expected_distinct(kinds([(people, bins)]), np.array([1, people + 1, people + 9]))[0]
    assert longer == pytest.approx([expected[0], people, people])
    later = expected_distinct(kinds([(people, bins)]), np.array([people]))[0]
    assert later == pytest.approx([expected[-1]])


def test_bins_of_every_size_hold_everybody() -> None:
    for people, bins in ((4, 3), (1, 1), (5, 2)):
        expected = np.zeros(people + 1)
        for places in product(range(bins), repeat=people):
            expected += np.bincount(np.bincount(places, minlength=bins), minlength=people + 1) / bins**people
        found = [float(bins_of_size(size, people, bins)) for size in range(people + 1)]
        assert found == pytest.approx(expected.tolist())
        assert float(occupied_bins(people, bins)) == pytest.approx(expected[1:].sum())


def test_bins_of_different_probabilities() -> None:
    """Three people, bins of 1/2, 1/2 and 0, and of 1/4 and 3/4: all eight assignments."""
    even = everybody(3, 2)
    assert distinct_people_uneven([1, 2, 3], 3, [0.5, 0.5, 0.0]) == pytest.approx(even)
    uneven = [0.0, 0.0, 0.0]
    occupied = 0.0
    for places in product(range(2), repeat=3):
        chance = prod((0.25, 0.75)[place] for place in places)
        occupied += chance * len(set(places))
        for place in places:
            for g in range(places.count(place), 4):
                uneven[g - 1] += chance
    assert distinct_people_uneven([1, 2, 3], 3, [0.25, 0.75]) == pytest.approx(uneven)
    assert float(occupied_bins_uneven(3, [0.25, 0.75, 0.0])) == pytest.approx(occupied)


def test_groups_and_shares_that_cannot_be_are_refused() -> None:
    for shares in ([0.5, 0.6], [-0.5, 1.5]):
        with pytest.raises(InvalidSetting, match="do not add up to 1"):
            distinct_people_uneven(1, 3, shares)
    for people, bins in ((-1, 2), (2, 0.9)):
        with pytest.raises(InvalidSetting, match="0 or more"):
            distinct_people(1, people, bins)
    assert float(distinct_people(1, 0, 1)) == 0.0


@pytest.mark.parametrize("cells", [1, 2, 3, 7])
def test_pieces_cover_every_kind_once(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    monkeypatch.setattr(distinctness, "CELLS", cells)
    for lengths in ([], [5], [1, 1, 1, 1], [2, 1, 3], [4, 4], [1, 9, 1]):
        found = list(distinctness._pieces(np.array(lengths, dtype=np.int64)))
        covered = [at for first, last in found for at in range(first, last)]
        assert covered == list(range(len(lengths)))
        for first, last in found:
            assert last - first == 1 or sum(lengths[first:last]) <= cells + max(lengths[first:last])


@pytest.mark.parametrize("many", [1, 10**9])
def test_pieces_of_products_and_of_windows(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    """Kinds of which some are certain, some are asked for in gaps, and each in its own piece or together."""
    pairs = [(1, 1), (3, 2), (4, 3), (2, 9), (6, 1)]
    members = [[1.0, 3, 4, 0, 6], [0.0, 1, 2, 2, 3]]
    whole = [
        [
            sum(row[at] * everybody(*pair)[min(g, pair[0]) - 1] / pair[0] for at, pair in enumerate(pairs))
            for g in (1, 2, 3, 4)
        ]
        for row in members
    ]
    monkeypatch.setattr(distinctness, "MANY", many)
    for cells in (1, 4, 10**6):
        monkeypatch.setattr(distinctness, "CELLS", cells)
        np.testing.assert_allclose(expected_distinct(kinds(pairs, members), np.arange(1, 5)), whole)
        gaps = expected_distinct(kinds(pairs, members), np.array([2, 4]))
        np.testing.assert_allclose(gaps, np.array(whole)[:, [1, 3]])


@pytest.mark.parametrize("people", [500, 501, 502])
@pytest.mark.parametrize("bins", [2.3, 2.305, 2.31])
def test_a_group_whose_chance_to_be_alone_is_almost_no_number(
    monkeypatch: pytest.MonkeyPatch, people: int, bins: float
) -> None:
    monkeypatch.setattr(distinctness, "MANY", 1)
    sizes = np.arange(1, people + 2)
    np.testing.assert_allclose(
        expected_distinct(kinds([(people, bins)]), sizes)[0], distinct_people(sizes, people, bins), rtol=1e-9
    )
