from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from reidrisk.stats import distinctness
from reidrisk.stats.distinctness import (
    Kinds,
    distinct_people,
    expected_distinct,
    expected_matches,
    occupied_bins,
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
