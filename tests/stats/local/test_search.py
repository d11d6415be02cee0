"""Classes of local recoding: large enough, alike, and no more general than they must be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.lattice.inputs import Recoding, Tuples
from reidrisk.stats.local import search
from reidrisk.stats.local.search import (
    FEWEST,
    MOST,
    SUPPRESSED_CELL,
    LocalRecoding,
    LocalRequest,
    most_nodes,
    nodes_in_order,
    recode_locally,
)
from reidrisk.stats.local.tables import share_lost
from tests.stats.lattice.adult import COLUMNS, adult
from tests.stats.lattice.tables import tables


def recoded(
    table: tuple[Tuples, list[Recoding]], cell_size: int, *, stars: bool = True, looks: int = 10**6
) -> LocalRecoding:
    request = LocalRequest(cell_size, stars=stars, looks=looks)
    return recode_locally(*table, request, rng=np.random.default_rng(7))


def granularity(table: tuple[Tuples, list[Recoding]], done: LocalRecoding) -> float:
    """By definition, cell by cell."""
    tuples, recodings = table
    lost = 0.0
    for place, one in enumerate(recodings):
        shares = np.stack([share_lost(one, level) for level in range(one.height + 1)])
        level = done.levels[:, place]
        share = np.where(level == SUPPRESSED_CELL, 1.0, shares[level, tuples.codes[:, place]])
        lost += float(tuples.counts @ share)
    return 1 - lost / (tuples.records * len(recodings))


@settings(max_examples=60, deadline=None)
@given(table=tables(), cell_size=st.integers(1, 6), stars=st.booleans())
def test_classes_are_large_enough_alike_and_no_more_general_than_needed(
    table: tuple[Tuples, list[Recoding]], cell_size: int, stars: bool
) -> None:
    tuples, recodings = table
    done = recoded(table, cell_size, stars=stars)
    for group in np.unique(done.group[done.group >= 0]):
        members = np.flatnonzero(done.group == group)
        assert tuples.counts[members].sum() >= cell_size
        for place, one in enumerate(recodings):
            [level] = np.unique(done.levels[members, place])
            values = tuples.codes[members, place]
            joined = [
                number
                for number in range(one.lowest, one.top + 1)
                if len(np.unique(one.levels[number][values])) == 1
            ]
            assert level == (joined[0] if joined else SUPPRESSED_CELL)
            assert stars or level != SUPPRESSED_CELL
    assert (done.levels[done.group < 0] == SUPPRESSED_CELL).all()


@settings(max_examples=40, deadline=None)
@given(table=tables(), cell_size=st.integers(1, 6))
def test_only_records_that_no_level_helps_are_in_no_class(
    table: tuple[Tuples, list[Recoding]], cell_size: int
) -> None:
    tuples, recodings = table
    done = recoded(table, cell_size, stars=False)
    tops = np.stack([one.levels[one.top][tuples.codes[:, at]] for at, one in enumerate(recodings)], axis=1)
    for row, top in enumerate(tops):
        alike = tuples.counts[(tops == top).all(axis=1)].sum()
        assert (done.group[row] < 0) == (alike < cell_size)
    left = tuples.counts[recoded(table, cell_size).group < 0].sum()
    assert left < cell_size or left == tuples.records


@settings(max_examples=60, deadline=None)
@given(table=tables(), cell_size=st.integers(2, 5))
def test_moving_tuples_never_costs_anything(table: tuple[Tuples, list[Recoding]], cell_size: int) -> None:
    first = granularity(table, recoded(table, cell_size, stars=False, looks=0))
    moved = granularity(table, recoded(table, cell_size, stars=False))
    assert moved >= first - 1e-9


def test_adult_keeps_more_than_the_peer(shared: Path) -> None:
    """ARX's local recoding keeps 0.932 with the same hierarchies and cell size."""
    table = adult(shared / "adult", COLUMNS)
    done = recoded(table, 5, looks=search.LOOKS)
    assert done.complete
    assert granularity(table, done) > 0.948


def test_the_same_table_gives_the_same_classes(shared: Path) -> None:
    table = adult(shared / "adult", COLUMNS[:4])
    done, again = (recoded(table, 5, looks=search.LOOKS) for _ in range(2))
    assert np.array_equal(done.levels, again.levels)


def test_a_class_that_can_spare_a_tuple_lends_it() -> None:
    """Values 0, 1 are near each other, and so are 2, 3; two records of each pair make a class."""
    pairs = Recoding.of_rows([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]])
    table = Tuples(np.array([[0], [1], [2], [3]], dtype=np.int32), np.array([1, 1, 1, 1]))
    done = recoded((table, [pairs]), 2)
    assert done.levels[:, 0].tolist() == [1, 1, 1, 1]
    assert len(set(done.group.tolist())) == 2


def test_a_stop_leaves_the_classes_of_the_walk(shared: Path) -> None:
    table = adult(shared / "adult", COLUMNS[:4])
    done = recode_locally(*table, LocalRequest(5), rng=np.random.default_rng(7), stop=lambda: True)
    assert done.stopped
    assert np.bincount(done.group, weights=table[0].counts).min() >= 5


def test_weights_say_where_it_hurts() -> None:
    tree = Recoding.of_rows([[0, 1], [0, 0]])
    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int32)
    table = Tuples(rows, np.array([1, 1, 1, 1]))
    for weights, spared in (((5.0, 1.0), 0), ((1.0, 5.0), 1)):
        request = LocalRequest(2, weights)
        done = recode_locally(table, [tree, tree], request, rng=np.random.default_rng(7))
        assert (done.levels[:, spared] == 0).all()
        assert (done.levels[:, 1 - spared] == 1).all()


def test_a_large_lattice_is_walked_along_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    means = [np.linspace(0, 1, 4)] * 12
    nodes, complete = nodes_in_order(means, 1000, np.random.default_rng(7))
    assert not complete
    assert nodes[0].tolist() == [0] * 12
    assert nodes[-1].tolist() == [3] * 12
    assert len(nodes) <= 1000 + 37
    assert (np.diff(nodes.sum(axis=1)) >= 0).all(), "the least loss first"
    monkeypatch.setattr(search, "most_nodes", lambda _tuples: 3)
    pairs = Recoding.of_rows([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]])
    rows = np.array([[0, 0], [1, 1], [2, 2], [3, 3]], dtype=np.int32)
    done = recoded((Tuples(rows, np.array([1, 1, 1, 1])), [pairs, pairs]), 2)
    assert not done.complete
    assert (done.levels == 1).all()


def test_the_more_tuples_the_fewer_nodes() -> None:
    assert [most_nodes(number) for number in (1, 10**6, 10**9)] == [MOST, 1000, FEWEST]


def test_refusals() -> None:
    with pytest.raises(InvalidSetting, match="cell size cannot be 0"):
        LocalRequest(0)
    tree = Recoding.of_rows([[0, 1], [0, 0]])
    table = Tuples(np.array([[0]], dtype=np.int32), np.array([1]))
    with pytest.raises(InvalidSetting, match="weights"):
        recode_locally(table, [tree], LocalRequest(2, (-1.0,)), rng=np.random.default_rng(7))


@pytest.mark.usefixtures("plain_loops")
def test_a_search_ends_after_any_number_of_looks_and_more_of_them_cost_nothing() -> None:
    """Also where a tuple takes exactly the looks that are left."""
    tree = Recoding.of_rows([[value >> level for value in range(8)] for level in range(4)])
    codes = np.unique(np.random.default_rng(0).integers(0, 8, (16, 2)), axis=0).astype(np.int32)
    table = Tuples(codes, np.ones(len(codes), dtype=int)), [tree, tree]
    kept = [granularity(table, recoded(table, 3, stars=False, looks=looks)) for looks in range(30)]
    assert np.diff(kept).min() >= 0
    assert kept[-1] > kept[0]
