"""Groups of Mondrian and of microaggregation: large enough, whole, and where they should be cut."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.lattice.inputs import Recoding, Tuples
from reidrisk.stats.local.tables import share_lost
from reidrisk.stats.partition import mdav
from reidrisk.stats.partition.mdav import microaggregate
from reidrisk.stats.partition.mondrian import MondrianAxis, mondrian, span
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
