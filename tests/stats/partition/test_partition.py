"""Groups of Mondrian and of microaggregation: large enough, whole, and where they should be cut."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.lattice.inputs import Recoding, Tuples
from reidrisk.stats.local.tables import share_lost
from reidrisk.stats.partition import mdav, mdav_kernel
from reidrisk.stats.partition import mondrian as mondrian_module
from reidrisk.stats.partition.mdav import microaggregate
from reidrisk.stats.partition.mondrian import MondrianAxis, lowest_step, mondrian, span
from tests.stats.lattice.tables import tables


def axis_of(recoding: Recoding) -> MondrianAxis:
    levels = range(recoding.lowest, recoding.top + 1)
    return MondrianAxis(
        1.0,
        tuple(recoding.levels[level] for level in levels),
        tuple(share_lost(recoding, level) for level in levels),
        is_halved=False,
    )


def ordered(values: int, missing: int = -1) -> MondrianAxis:
    codes = np.arange(values, dtype=np.int32)
    return MondrianAxis(1.0, (codes,), (np.zeros(values),), is_halved=True, missing=missing)


@settings(max_examples=100, deadline=None)
@given(table=tables(), cell_size=st.integers(1, 6))
def test_parts_of_hierarchies_are_large_enough_and_cannot_be_cut_again(
    table: tuple[Tuples, list[Recoding]], cell_size: int
) -> None:
    tuples, recodings = table
    axes = [axis_of(one) for one in recodings]
    group = mondrian(tuples, axes, cell_size)
    sizes = np.bincount(group, weights=tuples.counts)
    assert sizes.min() >= min(cell_size, tuples.records)
    for number in range(len(sizes)):
        rows = np.flatnonzero(group == number)
        part = Tuples(tuples.codes[rows], tuples.counts[rows])
        assert len(np.unique(mondrian(part, axes, cell_size))) == 1


def test_numbers_are_halved_and_missing_ones_stay_apart() -> None:
    tuples = Tuples(np.arange(9, dtype=np.int32)[:, None], np.array([1, 1, 1, 1, 1, 1, 1, 1, 3]))
    group = mondrian(tuples, [ordered(9, missing=8)], 2)
    parts = sorted(np.flatnonzero(group == each).tolist() for each in np.unique(group))
    assert parts == [[0, 1], [2, 3], [4, 5], [6, 7], [8]]


def test_the_least_exact_column_is_cut_first() -> None:
    rows = np.array([[0, 0], [0, 1], [9, 0], [9, 1]], dtype=np.int32)
    group = mondrian(Tuples(rows, np.ones(4, dtype=np.int64)), [ordered(10), ordered(10)], 2)
    assert group[0] == group[1] != group[2] == group[3]


POINTS = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=30, unique=True)


@settings(max_examples=50, deadline=None)
@given(points=POINTS, cell_size=st.integers(1, 5), data=st.data(), block=st.sampled_from([4, 10**4]))
def test_microaggregated_groups_are_large_enough_and_not_needlessly_large(
    points: list[tuple[int, int]], cell_size: int, data: st.DataObject, block: int
) -> None:
    counts = np.array(data.draw(st.lists(st.integers(1, 4), min_size=len(points), max_size=len(points))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mdav, "BLOCK", block)
        group = microaggregate(np.array(points, dtype=np.float64), counts, cell_size)
    sizes = np.bincount(group, weights=counts)
    assert group.min() >= 0
    assert sizes[sizes > 0].min() >= min(cell_size, counts.sum())
    alone = counts >= cell_size
    assert len(np.unique(group[alone])) == alone.sum() or counts.sum() < 2 * cell_size


def test_near_points_are_grouped() -> None:
    points = np.array([[0.0], [0.1], [10.0], [10.1], [20.0], [20.1]])
    group = microaggregate(points, np.ones(6, dtype=np.int64), 2)
    assert group[0] == group[1]
    assert group[2] == group[3]
    assert group[4] == group[5]
    assert len(set(group.tolist())) == 3


def test_spans_of_groups() -> None:
    low, high = span(np.array([0, 1, 0]), np.array([3, 5, 1], dtype=np.int32))
    assert (low.tolist(), high.tolist()) == ([1, 5, 1], [3, 5, 3])


@pytest.mark.parametrize(
    ("points", "counts", "size", "words"),
    [
        ([[0.0]], [1], 0, "cell size cannot be 0"),
        ([[np.nan]], [1], 2, "do not match"),
        ([[0.0]], [1, 2], 2, "do not match"),
    ],
)
def test_refusals(points: Any, counts: list[int], size: int, words: str) -> None:
    with pytest.raises(InvalidSetting, match=words):
        microaggregate(np.array(points), np.array(counts), size)
    with pytest.raises(InvalidSetting, match="cell size cannot be 0"):
        mondrian(Tuples(np.array([[0]], dtype=np.int32), np.array([1])), [ordered(1)], 0)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("want", [1, 3, 6])
def test_the_nearest_tuples_are_those_of_sorting_all(seed: int, want: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 5, (8, 2)).astype(float)
    counts, left = rng.integers(1, 3, 8), np.array([0, 1, 3, 4, 5, 7])
    out = np.zeros(want + 1, dtype=np.int64)
    number = mdav_kernel.nearest(points, counts, left, 3, want, out)
    distance = ((points[left] - points[3]) ** 2).sum(axis=1)
    ordered = left[np.argsort(distance, kind="stable")]
    enough = int(np.searchsorted(np.cumsum(counts[ordered]), want)) + 1
    assert out[:number].tolist() == ordered[:enough].tolist()


def test_the_farthest_tuple_is_the_first_of_those_as_far() -> None:
    points = np.array([[0.0, 0.0], [3.0, 4.0], [9.0, 9.0], [-3.0, -4.0], [1.0, 1.0]])
    assert mdav_kernel.farthest(points, np.array([4, 3, 1, 0]), np.zeros(2)) == 3
    assert mdav_kernel.farthest(points, np.array([0]), np.zeros(2)) == 0


def test_what_is_left_after_a_group_was_taken() -> None:
    counts, group, left = np.array([1, 2, 3, 4]), np.full(4, -1), np.array([3, 1, 0])
    assert mdav_kernel.take(counts, group, left, np.array([1]), 5) == (2, 5)
    assert group.tolist() == [-1, 5, -1, -1]
    assert left[:2].tolist() == [3, 0]
    total, records = mdav_kernel.begin(
        np.array([[1.0, 2], [0, 1], [5, 5], [1, 0]]), counts, np.array([0, 1, 3])
    )
    assert (total.tolist(), records) == ([5.0, 4.0], 7)


def test_tuples_without_a_group_join_that_of_the_nearest() -> None:
    points = np.array([[0.0], [1.0], [7.0], [8.0], [5.0], [4.0]])
    group = np.array([0, -1, 2, -1, -1, -1])
    mdav_kernel.join(points, group, np.arange(6))
    assert group.tolist() == [0, 0, 2, 2, 2, 2]  # of the last two, neither had a group
    part = np.array([3, -1, -1, 1])
    mdav_kernel.join(points[:4], part, np.array([0, 1]))
    assert part.tolist() == [3, 3, -1, 1]


def mdav_by_hand(points: Any, cell_size: int) -> list[set[int]]:
    """Domingo-Ferrer and Mateo-Sanz 2002, with one record for each point."""
    left, groups = list(range(len(points))), []

    def apart(one: Any, other: Any) -> float:
        return float(((one - other) ** 2).sum())

    while len(left) >= 2 * cell_size:
        middle = points[left].mean(axis=0)
        first = max(left, key=lambda at: apart(points[at], middle))
        second = max(left, key=lambda at: apart(points[at], points[first]))
        for start in (first, second):
            if start in left and len(left) >= 2 * cell_size:
                near = sorted(left, key=lambda at: apart(points[at], points[start]))[:cell_size]
                groups.append(set(near))
                left = [at for at in left if at not in near]
    return [*groups, set(left)]


@pytest.mark.parametrize("seed", range(8))
def test_groups_are_those_of_the_paper(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(seed).normal(size=(11 + seed % 3, 2))
    expected = mdav_by_hand(points, 3)
    assert len(expected[-1]) >= 3
    monkeypatch.setattr(mdav, "ROUNDS", 1 + seed % 2)
    found = microaggregate(points, np.ones(len(points), dtype=np.int64), 3)
    groups = [set(np.flatnonzero(found == each).tolist()) for each in range(int(found.max()) + 1)]
    assert groups == expected


def test_few_records_are_one_group_and_large_tuples_are_left_alone() -> None:
    points = np.array([[0.0], [1.0], [2.0], [9.0]])
    assert microaggregate(points, np.array([1, 1, 1, 2]), 3).tolist() == [0, 0, 0, 0]
    found = microaggregate(points, np.array([1, 1, 1, 3]), 3)
    assert found[0] == found[1] == found[2] != found[3]
    # The two tuples left are too few for a group: each joins the nearest.
    joined = microaggregate(points, np.array([3, 1, 1, 4]), 3)
    assert joined.tolist() == [0, 0, 0, 1]
    stopped = microaggregate(np.arange(8.0)[:, None], np.ones(8, dtype=np.int64), 2, stop=lambda: True)
    assert stopped.tolist() == [0] * 8


def test_large_tables_are_halved_where_they_are_widest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdav, "BLOCK", 2)
    points = np.array([[0.0, 5.0], [21.0, 0.0], [1.0, 4.0], [20.0, 1.0], [50.0, 2.0]])
    counts = np.array([2, 1, 2, 1, 2])
    found = mdav._blocks(points, counts, np.array([0, 1, 2, 3, 4]))
    # In the order 0, 2, 3, 1, 4, a part ends before the tuple with which it has half of what is left.
    assert sorted(block.tolist() for block in found) == [[0], [1, 4], [2], [3]]
    assert [block.tolist() for block in mdav._blocks(points, counts, np.array([4, 1]))] == [[1, 4]]


def test_a_tuple_with_half_of_all_records_is_a_part_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes first in the order, so that there is nothing before it."""
    monkeypatch.setattr(mdav, "BLOCK", 2)
    found = mdav._blocks(np.array([[0.0], [1.0], [2.0]]), np.array([9, 1, 1]), np.arange(3))
    assert sorted(block.tolist() for block in found) == [[0], [1, 2]]


def test_the_share_of_a_column_that_a_part_covers() -> None:
    axis = ordered(11, missing=10)
    some = np.array([2, 7], dtype=np.int32)
    assert mondrian_module._loss(axis, some) == 0.5
    assert mondrian_module._loss(axis, some[:1]) == 0.0
    assert mondrian_module._loss(axis, np.array([2, 10], dtype=np.int32)) == 1.0
    assert mondrian_module._loss(axis, np.array([10, 10], dtype=np.int32)) == 0.0
    assert mondrian_module._loss(ordered(1), np.array([0, 0], dtype=np.int32)) == 0.0
    steps = (np.array([0, 1, 2, 3], dtype=np.int32), np.array([0, 0, 1, 1], dtype=np.int32))
    tree = MondrianAxis(1.0, steps, (np.zeros(4), np.array([0.3, 0.3, 0.4, 0.4])), is_halved=False)
    for values, expected in (([1, 1], 0.0), ([0, 1], 0.3), ([3, 2], 0.4), ([1, 2], 1.0)):
        assert mondrian_module._loss(tree, np.array(values, dtype=np.int32)) == expected


def test_a_cut_is_where_both_sides_are_closest_in_size() -> None:
    values, counts = np.array([0, 1, 2, 3, 3], dtype=np.int32), np.array([5, 1, 1, 2, 1])
    assert mondrian_module._halves(values, counts, 2) is not None
    for cell_size, expected in ((2, [0, 1, 1, 1, 1]), (5, [0, 1, 1, 1, 1]), (6, None)):
        found = mondrian_module._halves(values, counts, cell_size)
        assert (None if found is None else found.tolist()) == expected
    apart = mondrian_module._halves(np.array([4, 0, 4, 9], dtype=np.int32), np.array([1, 3, 2, 4]), 4)
    assert apart is not None
    assert apart.tolist() == [0, 0, 0, 1]


def test_a_cut_by_hierarchy_is_the_highest_that_tells_values_apart() -> None:
    steps = (np.array([0, 1, 2, 3], dtype=np.int32), np.array([0, 0, 1, 1], dtype=np.int32))
    tree = MondrianAxis(1.0, steps, (np.zeros(4), np.full(4, 0.5)), is_halved=False)

    def parts(values: list[int], counts: list[int], cell_size: int) -> list[int] | None:
        found = mondrian_module._parts(tree, np.array(values, dtype=np.int32), np.array(counts), cell_size)
        return None if found is None else found.tolist()

    assert parts([0, 1, 2, 3], [1, 1, 1, 1], 2) == [0, 0, 1, 1]
    assert parts([0, 1, 2, 3], [1, 1, 1, 1], 3) is None
    assert parts([0, 1, 0], [1, 2, 1], 2) == [0, 1, 0]
    assert parts([2, 2], [1, 2], 1) is None
    halved = ordered(6, missing=5)
    missing = mondrian_module._parts(halved, np.array([5, 1, 5], dtype=np.int32), np.array([1, 2, 1]), 2)
    assert missing is not None
    assert missing.tolist() == [1, 0, 1]
    assert mondrian_module._parts(halved, np.array([5, 1], dtype=np.int32), np.array([1, 2]), 2) is None
    assert mondrian_module._parts(halved, np.array([5, 5], dtype=np.int32), np.array([2, 2]), 2) is None


def test_the_heaviest_column_is_cut_first_and_then_what_can_be_cut() -> None:
    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int32)
    light, heavy = ordered(2), replace(ordered(2), weight=3.0)
    group = mondrian(Tuples(rows, np.array([2, 2, 2, 2])), [light, heavy], 4)
    assert group[0] == group[2] != group[1] == group[3]
    # The heavy one cannot be cut into parts of 3; the other can.
    group = mondrian(Tuples(rows, np.array([1, 2, 1, 2])), [light, heavy], 3)
    assert group[0] == group[1] != group[2] == group[3]
    nothing = replace(ordered(2), weight=0.0)
    assert mondrian(Tuples(rows, np.array([2, 2, 2, 2])), [nothing, nothing], 2).tolist() == [0, 0, 0, 0]
    assert (
        mondrian(Tuples(rows, np.array([2, 2, 2, 2])), [light, heavy], 2, stop=lambda: True).tolist()
        == [0] * 4
    )
    every = mondrian(Tuples(rows, np.array([2, 2, 2, 2])), [light, heavy], 2)
    assert sorted(every.tolist()) == [0, 1, 2, 3]


def test_the_first_step_on_which_a_group_is_one() -> None:
    steps = [np.array([0, 1, 2, 3], dtype=np.int32), np.array([0, 0, 1, 2], dtype=np.int32)]
    values = np.array([0, 1, 2, 3, 2, 2], dtype=np.int32)
    assert lowest_step(np.array([0, 0, 1, 1, 2, 2]), values, steps).tolist() == [1, 1, 2, 2, 0, 0]


def test_of_two_nearest_tuples_the_first_one_gives_its_group() -> None:
    points = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 0.0]])
    for first, last in ((4, 7), (7, 4)):
        group = np.array([first, -1, last, last])  # the second is at a distance of 1 from each other tuple
        mdav_kernel.join(points, group, np.arange(4))
        assert group[1] == first
        mdav_kernel.join(points, other := np.array([first, -1, last, last]), np.array([3, 2, 1, 0]))
        assert other[1] == last
