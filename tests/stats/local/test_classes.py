"""Local recoding of a few tuples, and its parts: by definition, cell by cell."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from reidrisk.errors import InvalidSetting
from reidrisk.stats.lattice.inputs import Recoding, Tuples
from reidrisk.stats.local import search
from reidrisk.stats.local.search import (
    FEWEST,
    MOST,
    SUPPRESSED_CELL,
    WORK,
    LocalRecoding,
    LocalRequest,
    most_nodes,
    nodes_in_order,
    recode_locally,
)
from reidrisk.stats.local.tables import share_lost
from tests.stats.local.small import HALVES, PAIRS

pytestmark = pytest.mark.usefixtures("plain_loops")
Table = tuple[Tuples, list[Recoding]]


def table_of(
    seed: int, *, tuples: int = 8, highest: tuple[int | None, int | None] = (None, None), lowest: int = 0
) -> Table:
    rng = np.random.default_rng(seed)
    every = np.array(list(product(range(5), range(4))), dtype=np.int32)
    codes = every[rng.permutation(len(every))[:tuples]]
    recodings = [
        Recoding.of_rows(PAIRS, lowest=lowest, highest=highest[0]),
        Recoding.of_rows(HALVES, highest=highest[1]),
    ]
    return Tuples(codes, rng.integers(1, 4, tuples)), recodings


def recoded(
    table: Table,
    cell_size: int,
    *,
    stars: bool = True,
    looks: int = 10**6,
    weights: tuple[float, ...] | None = None,
    stop: Callable[[], bool] | None = None,
) -> LocalRecoding:
    request = LocalRequest(cell_size, weights, stars=stars, looks=looks)
    return recode_locally(*table, request, rng=np.random.default_rng(7), stop=stop)


def check(table: Table, done: LocalRecoding, cell_size: int) -> None:
    """Classes are large enough, alike, and no more general than their values need."""
    tuples, recodings = table
    for group in set(done.group.tolist()) - {-1}:
        members = np.flatnonzero(done.group == group)
        assert tuples.counts[members].sum() >= cell_size
        for place, one in enumerate(recodings):
            values = tuples.codes[members, place]
            joined = [
                level
                for level in range(one.lowest, one.top + 1)
                if len(set(one.levels[level][values].tolist())) == 1
            ]
            assert set(done.levels[members, place].tolist()) == {joined[0] if joined else SUPPRESSED_CELL}
    assert (done.levels[done.group < 0] == SUPPRESSED_CELL).all()


def loss(table: Table, done: LocalRecoding) -> float:
    """Mean loss of the cells, 1 for a suppressed one."""
    tuples, recodings = table
    lost = 0.0
    for row, levels in enumerate(done.levels.tolist()):
        for place, level in enumerate(levels):
            share = (
                1.0
                if level == SUPPRESSED_CELL
                else share_lost(recodings[place], level)[tuples.codes[row, place]]
            )
            lost += float(share) * int(tuples.counts[row])
    return lost / tuples.records / len(recodings)


def top_sizes(table: Table) -> list[int]:
    """The records that agree with each tuple at the highest levels."""
    tuples, recodings = table
    tops = np.stack([one.levels[one.top][tuples.codes[:, at]] for at, one in enumerate(recodings)], axis=1)
    return [int(tuples.counts[(tops == top).all(axis=1)].sum()) for top in tops]


@pytest.mark.parametrize("highest", [(None, None), (1, None), (2, 1), (0, 0)])
@pytest.mark.parametrize("stars", [False, True])
def test_classes_are_large_enough_alike_and_no_more_general_than_needed(
    highest: tuple[int | None, int | None], stars: bool
) -> None:
    alone = 0
    for seed, cell_size in product(range(4), (2, 4, 9)):
        table = table_of(seed, highest=highest, lowest=seed % 2 if highest[0] is None else 0)
        done = recoded(table, cell_size, stars=stars)
        check(table, done, cell_size)
        sizes = top_sizes(table)
        if stars:
            left = table[0].counts[done.group < 0].sum()
            assert left < cell_size or left == table[0].records
        else:
            assert [group < 0 for group in done.group.tolist()] == [size < cell_size for size in sizes]
        alone += min(sizes) < cell_size
        tops = [one.top - one.lowest + 1 for one in table[1]]
        assert (done.lattice, done.complete, done.stopped) == (tops[0] * tops[1], True, False)
    assert alone or highest == (None, None)


def test_moving_tuples_lowers_the_loss_and_never_raises_it() -> None:
    better = 0
    for seed, cell_size in product(range(8), (2, 3, 5)):
        table = table_of(seed)
        first = loss(table, recoded(table, cell_size, stars=False, looks=0))
        moved = loss(table, recoded(table, cell_size, stars=False))
        assert moved <= first + 1e-9
        better += moved < first - 1e-6
    assert better >= 3


def test_suppressed_cells_are_used_only_where_no_level_helps() -> None:
    """Without the top, 0 and 1 make a class of pairs; 2 is alone, and is suppressed with another."""
    pairs = Recoding.of_rows(HALVES, highest=1)
    table = Tuples(np.array([[0], [1], [2]], dtype=np.int32), np.array([1, 1, 1])), [pairs]
    done = recoded(table, 2)
    assert done.levels[:, 0].tolist() == [1, 1, SUPPRESSED_CELL]
    assert done.group.tolist()[2] == -1
    four = Tuples(np.array([[0], [1], [2]], dtype=np.int32), np.array([3, 1, 2])), [pairs]
    assert recoded(four, 4).group.tolist() == [0, 0, -1]
    both = Tuples(np.array([[0], [2]], dtype=np.int32), np.array([1, 1])), [pairs]
    done = recoded(both, 2)
    assert done.group.tolist() == [0, 0]
    assert done.levels[:, 0].tolist() == [SUPPRESSED_CELL, SUPPRESSED_CELL]
    assert recoded(both, 2, stars=False).group.tolist() == [-1, -1]


def test_the_walk_ends_when_all_tuples_are_in_classes() -> None:
    table = Tuples(np.array([[0], [1]], dtype=np.int32), np.array([3, 2])), [Recoding.of_rows(HALVES)]
    assert [recoded(table, size).walked for size in (1, 2, 3, 6)] == [1, 1, 3, 3]
    assert recoded(table, 3).group.tolist() == [0, 0]
    starred = (
        Tuples(np.array([[0], [2]], dtype=np.int32), np.array([1, 1])),
        [Recoding.of_rows(HALVES, highest=1)],
    )
    assert recoded(starred, 2).walked == 2 + 3


def test_nodes_come_by_their_mean_loss() -> None:
    means = [np.array([0.0, 0.5, 2.0]), np.array([0.0, 0.25])]
    nodes, complete = nodes_in_order(means, 6, np.random.default_rng(1))
    assert complete
    assert nodes.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]
    _, chained = nodes_in_order(means, 5, np.random.default_rng(1))
    assert not chained


@pytest.mark.parametrize(("most", "chains"), [(1, 1), (7, 1), (13, 1), (14, 2), (21, 3)])
def test_chains_climb_one_step_at_a_time(most: int, chains: int) -> None:
    means = [np.arange(3.0), np.arange(2.0), np.arange(4.0)]  # six steps from the lowest to the highest
    sizes = []
    for seed in range(10):
        nodes, complete = nodes_in_order(means, most, np.random.default_rng(seed))
        assert not complete
        found = {tuple(node) for node in nodes.tolist()}
        assert len(found) == len(nodes) <= 7 * chains
        assert {(0, 0, 0), (2, 1, 3)} <= found
        by_height = [[node for node in found if sum(node) == height] for height in range(7)]
        assert all(1 <= len(some) <= chains for some in by_height)
        for height in range(1, 7):
            for node in by_height[height]:
                assert any(
                    sum(abs(a - b) for a, b in zip(node, one, strict=True)) == 1
                    for one in by_height[height - 1]
                )
        sizes.append(len(nodes))
    assert min(sizes) >= 7
    assert (max(sizes) > 7 * (chains - 1)) or chains == 3


def test_few_nodes_are_walked_where_there_are_many_tuples() -> None:
    assert [
        most_nodes(number) for number in (0, 1, WORK // MOST, WORK // 1000, WORK // FEWEST, 10 * WORK)
    ] == [
        MOST,
        MOST,
        MOST,
        1000,
        FEWEST,
        FEWEST,
    ]
    assert (WORK // 1, MOST, FEWEST) == (10**9, 10**5, 200)


def test_weights_are_shares_and_say_where_it_hurts() -> None:
    assert search._shares(None, 4).tolist() == [0.25] * 4
    assert search._shares((1.0, 3.0, 0.0), 3).tolist() == [0.25, 0.75, 0.0]
    for wrong in ((1.0,), (1.0, -0.5), (0.0, 0.0), (1.0, np.inf), (np.nan, 1.0), (1.0, 1.0, 1.0)):
        with pytest.raises(InvalidSetting, match="weights do not match"):
            search._shares(wrong, 2)
    tree = Recoding.of_rows([[0, 1], [0, 0]])
    rows = Tuples(np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int32), np.ones(4, dtype=np.int64))
    for weights, levels in (((5.0, 1.0), [0, 1]), ((1.0, 5.0), [1, 0])):
        done = recoded((rows, [tree, tree]), 2, weights=weights)
        assert done.levels.tolist() == [levels] * 4


def test_a_cell_size_below_one_is_refused() -> None:
    assert LocalRequest(1).cell_size == 1
    with pytest.raises(InvalidSetting, match="cell size cannot be 0"):
        LocalRequest(0)


def run_of(table: Table, cell_size: int, *, star: bool) -> search._LocalRun:
    from reidrisk.stats.local.tables import column_of, new_state, space_of

    columns = [column_of(one, 0.5, star=star) for one in table[1]]
    space = space_of(table[0], columns, cell_size)
    return search._LocalRun(table[0], columns, space, new_state(space), np.random.default_rng(7))


@pytest.mark.parametrize("star", [False, True])
@pytest.mark.parametrize("highest", [(1, None), (2, 1), (None, None)])
def test_means_and_reach_of_the_highest_levels(highest: tuple[int | None, int | None], star: bool) -> None:
    for seed in range(4):
        table = table_of(seed, highest=highest)
        tuples, recodings = table
        run = run_of(table, 5, star=star)
        assert run._reaches_cell_size().tolist() == [size >= 5 for size in top_sizes(table)]
        for place, one in enumerate(recodings):
            expected = [
                0.5
                * float(np.dot(tuples.counts, share_lost(one, level)[tuples.codes[:, place]]))
                / tuples.records
                for level in range(one.lowest, one.top + 1)
            ]
            assert run._means(place, stars=False).tolist() == pytest.approx(expected)
            suppressed = [1000.0] if run.columns[place].has_star else []
            assert run._means(place, stars=True).tolist() == pytest.approx(expected + suppressed)


def test_a_class_of_exactly_the_cell_size_is_reached() -> None:
    table = (
        Tuples(np.array([[0], [1], [2]], dtype=np.int32), np.array([3, 2, 4])),
        [Recoding.of_rows(HALVES, highest=1)],
    )
    assert run_of(table, 5, star=True)._reaches_cell_size().tolist() == [True, True, False]
    assert run_of(table, 4, star=True)._reaches_cell_size().tolist() == [True, True, True]


def test_a_stop_leaves_the_classes_of_the_walk() -> None:
    table = table_of(1)
    stopped = recoded(table, 3, stop=lambda: True)
    assert stopped.stopped
    assert stopped.levels.tolist() == recoded(table, 3, looks=0).levels.tolist()
    assert not recoded(table, 3, stop=lambda: False).stopped
    assert not recoded(table, 3, looks=0, stop=lambda: True).stopped


def test_a_search_looks_at_no_more_groups_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """In pieces of one look, the caller is asked before each; together they end where one piece does."""
    monkeypatch.setattr(search, "AT_ONCE", 1)
    found = {}
    for seed in range(6):
        table = table_of(seed)
        asked: list[int] = []

        def stop(asked: list[int] = asked) -> bool:
            asked.append(1)
            return False

        pieces = recoded(table, 3, stop=stop)
        monkeypatch.setattr(search, "AT_ONCE", 5_000_000)
        whole = recoded(table, 3)
        monkeypatch.setattr(search, "AT_ONCE", 1)
        assert pieces.levels.tolist() == whole.levels.tolist()
        assert pieces.group.tolist() == whole.group.tolist()
        found[seed] = len(asked)
        few: list[int] = []
        recoded(table, 3, looks=1, stop=lambda few=few: bool(few.append(1)))  # type: ignore[misc]
        assert len(few) <= 1
    assert max(found.values()) > 3


def test_rounds_go_on_until_the_gain_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(1, tuples=10)
    rest = recoded(table, 5)
    monkeypatch.setattr(search, "SMALL_GAIN", 1e9)
    once = recoded(table, 5)
    assert loss(table, rest) < loss(table, once)


def test_at_the_end_no_tuple_gains_by_moving() -> None:
    looked = 0
    for seed, cell_size in product(range(6), (2, 3, 5)):
        table = table_of(seed)
        done = recoded(table, cell_size, stars=False)
        before = loss(table, done)
        for row, own in enumerate(done.group.tolist()):
            left = np.flatnonzero(done.group == own)
            if table[0].counts[left].sum() - table[0].counts[row] < cell_size:
                continue
            for other in set(done.group.tolist()) - {own}:
                group = done.group.copy()
                group[row] = other
                assert loss_of(table, group) >= before - 1e-4
                looked += 1
    assert looked > 20


def loss_of(table: Table, group: np.ndarray) -> float:
    """The mean loss of classes that take the lowest levels."""
    levels = np.zeros_like(table[0].codes, dtype=np.int64)
    for own in set(group.tolist()):
        members = np.flatnonzero(group == own)
        for place, one in enumerate(table[1]):
            values = table[0].codes[members, place]
            levels[members, place] = next(
                level
                for level in range(one.lowest, one.top + 1)
                if len(set(one.levels[level][values].tolist())) == 1
            )
    return loss(table, LocalRecoding(group, levels, 1, 1, complete=True))


def test_a_walk_with_suppressed_cells_over_some_nodes_is_not_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two levels are walked as a whole; with suppression there are three nodes."""
    table = (
        Tuples(np.array([[0], [2]], dtype=np.int32), np.array([1, 1])),
        [Recoding.of_rows(HALVES, highest=1)],
    )
    for most, complete in ((3, True), (2, False), (1, False)):
        monkeypatch.setattr(search, "most_nodes", lambda _tuples, most=most: most)
        assert recoded(table, 2).complete is complete
