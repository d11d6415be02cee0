"""Baselines and the parts of a large table: worked examples, and clusters by looking at all their rows."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.stats.suppress import block, large
from reidrisk.stats.suppress.block import choose_sets
from reidrisk.stats.suppress.bound import way_out_bound
from reidrisk.stats.suppress.large import (
    added_cost,
    among_risky,
    greedy,
    nearest,
    no_moves,
    search_large,
    times_too_large,
    whole_records,
    with_helpers,
)
from reidrisk.stats.suppress.result import SuppressionMoves, cost, smallest_class
from reidrisk.stats.suppress.table import Budget, Request, SuppressionTable, make_table
from tests.stats.suppress.small import fewest, small_table

pytestmark = pytest.mark.usefixtures("plain_loops")


def never() -> bool:
    return False


def one_column(*counts: int, k: int) -> SuppressionTable:
    return make_table(np.arange(len(counts), dtype=np.int32)[:, None], np.array(counts), Request(k))


def rows_of(moves: SuppressionMoves) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in moves), strict=True))


def test_the_cost_of_a_union_counts_what_differs_or_is_suppressed() -> None:
    """Columns of weight 1, 2, 4: equal, different, suppressed in both; in one of the two."""
    values = np.array([[1, 1, -1], [1, 2, -1], [-1, 1, 3]], dtype=np.int32)
    weights = np.array([1.0, 2.0, 4.0])
    assert added_cost(values, weights, (0, 1), 5, np.inf) == 5 * (2 + 4)
    assert added_cost(values, weights, (0, 2), 5, np.inf) == 5 * (1 + 4)
    assert added_cost(values, weights, (0, 0), 5, np.inf) == 5 * 4
    assert added_cost(values, weights, (1, 1), 1, 0.0) == 4.0
    assert added_cost(values, weights, (0, 1), 5, 11.0) == 30.0
    assert added_cost(values, weights, (0, 1), 5, 10.0) == 10.0, "no more is added than is asked for"


def clusters(table: SuppressionTable) -> list[list[int]]:
    """The agglomeration by its definition, every cost from the rows themselves."""
    own = {row: [row] for row in range(len(table.counts))}

    def size(rows: list[int]) -> int:
        return int(table.counts[rows].sum())

    def cells(rows: list[int]) -> float:
        differ = [len(set(table.codes[rows, column].tolist())) > 1 for column in range(len(table.weights))]
        return float(np.dot(differ, table.weights)) * size(rows)

    for small in range(1, table.k):
        for name in range(len(table.counts)):
            if name not in own or size(own[name]) != small or len(own) == 1:
                continue
            added = {
                other: cells(own[name] + rows) - cells(own[name]) - cells(rows)
                for other, rows in own.items()
                if other != name
            }
            best = min(sorted(added), key=lambda other: round(added[other], 9))
            own[best] = own[best] + own.pop(name)
    return sorted(sorted(rows) for rows in own.values())


@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_smallest_cluster_joins_the_nearest(k: int) -> None:
    for seed in range(8):
        table = small_table(seed, k=k, records=10, columns=3, weighted=seed % 2 == 1)
        expected = np.zeros(len(table.counts), dtype=np.int64)
        for rows in clusters(table):
            for column in range(3):
                expected[rows] |= (len(set(table.codes[rows, column].tolist())) > 1) << column
        done = greedy(table)
        assert done.tuples.tolist() == list(range(len(table.counts)))
        assert done.masks.tolist() == expected.tolist()
        assert done.numbers.tolist() == table.counts.tolist()
        assert smallest_class(done, table) >= k


def test_an_emptied_cluster_is_nobodys_neighbor() -> None:
    values = np.array([[0, 0], [0, 0], [0, 1], [1, 1]], dtype=np.int32)
    sizes, costs = np.array([1, 0, 2, 2]), np.zeros(4)
    assert nearest(values, sizes, costs, np.ones(2), 0) == 2
    assert nearest(values, np.array([1, 0, 0, 0]), costs, np.ones(2), 0) == -1
    # A cluster with cells already costs less to join: 3 records lose 1 more, 2 had it before.
    values = np.array([[0, 0], [0, -1], [5, 0]], dtype=np.int32)
    assert nearest(values, np.array([1, 2, 1]), np.array([0.0, 1.0, 0.0]), np.ones(2), 0) == 1


def test_untouched_rows_keep_their_records() -> None:
    table = one_column(4, 5, 6, k=2)
    assert rows_of(no_moves(table, np.array([0, 2]))) == [(0, 0, 4), (2, 0, 6)]


def test_whole_records_of_small_classes_and_enough_others_are_suppressed() -> None:
    for counts, k, expected in [
        ((2, 3), 2, [(0, 0, 2), (1, 0, 3)]),
        ((1, 1, 3), 2, [(0, 1, 1), (1, 1, 1), (2, 0, 3)]),
        ((1, 3, 3), 2, [(0, 1, 1), (1, 0, 2), (1, 1, 1), (2, 0, 3)]),  # one is spared
        ((1, 2, 3), 2, [(0, 1, 1), (1, 0, 2), (2, 0, 2), (2, 1, 1)]),
        ((2, 5, 5, 9), 5, [(0, 1, 2), (1, 0, 5), (2, 0, 5), (3, 0, 6), (3, 1, 3)]),
        ((1, 4, 5), 3, [(0, 1, 1), (1, 0, 3), (1, 1, 1), (2, 0, 4), (2, 1, 1)]),  # one from each
        ((1, 4, 4), 4, [(0, 1, 1), (1, 1, 4), (2, 0, 4)]),  # none can spare: the first of the smallest
        ((1, 6, 4), 4, [(0, 1, 1), (1, 0, 6), (2, 1, 4)]),
        ((1, 6, 5), 4, [(0, 1, 1), (1, 0, 4), (1, 1, 2), (2, 0, 4), (2, 1, 1)]),
        ((3, 3, 9), 4, [(0, 1, 3), (1, 1, 3), (2, 0, 9)]),
    ]:
        table = one_column(*counts, k=k)
        assert rows_of(whole_records(table)) == expected
        assert smallest_class(whole_records(table), table) >= k


def test_all_columns_of_a_whole_record_are_suppressed() -> None:
    table = small_table(0, k=2, columns=3)
    done = whole_records(table)
    assert set(done.masks.tolist()) <= {0, 7}
    assert smallest_class(done, table) >= 2


def test_how_many_times_a_table_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    table = small_table(0, columns=3)
    cells = len(table.codes) * 8
    for most, times in [(cells, 1), (cells + 1, 1), (cells - 1, 2), (cells // 2, 2), (1, cells)]:
        monkeypatch.setattr(large, "MOST_CELLS", most)
        assert times_too_large(table) == times
    monkeypatch.setattr(large, "MOST_CELLS", 1)
    monkeypatch.setattr(large, "MOST_SETS", 5)
    assert times_too_large(table) == len(table.codes) * 5


def test_helpers_are_the_largest_of_the_nearest_while_there_is_room() -> None:
    codes = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 2], [5, 5, 0], [6, 5, 0], [7, 7, 7]], dtype=np.int32)
    table = make_table(codes, np.array([1, 6, 8, 2, 9, 50]), Request(5))
    assert with_helpers(table, 100).tolist() == [0, 2, 3, 4]
    assert with_helpers(table, 4).tolist() == [0, 2, 3, 4]
    assert with_helpers(table, 3).tolist() == [0, 3, 4]
    for room in (0, 1, 2):
        assert with_helpers(table, room).tolist() == [0, 3]


def test_a_tuple_with_a_helper_asks_for_no_farther_one() -> None:
    """Row 00 has a helper one cell away, 01; row 77 none nearer than two: the largest of all."""
    codes = np.array([[0, 0], [0, 1], [3, 0], [7, 7], [8, 8]], dtype=np.int32)
    table = make_table(codes, np.array([1, 6, 7, 1, 60]), Request(5, (1.0, 3.0)))
    assert with_helpers(table, 10).tolist() == [0, 2, 3, 4]


@pytest.mark.parametrize("cells", [10**6, 30, 1])
def test_only_risky_tuples_and_their_helpers_are_touched(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (large, block):
        monkeypatch.setattr(module, "MOST_CELLS", cells)
    saved = 0.0
    for seed in range(3):
        rows = small_table(seed, k=3, records=9, columns=2, values=4)
        table = rows._replace(counts=rows.counts + np.where(np.arange(len(rows.counts)) % 3 == 2, 4, 0))
        assert table.risky >= 3
        rng = np.random.default_rng(seed)
        done = among_risky(table, Budget(ascents=10, rounds=0), rng, never)
        placed = np.bincount(done.tuples, weights=done.numbers, minlength=len(table.counts))
        assert placed.tolist() == table.counts.tolist()
        chosen = with_helpers(table, cells // 4)
        others = np.setdiff1d(np.arange(len(table.counts)), chosen)
        assert not done.masks[np.isin(done.tuples, others)].any()
        assert (done.masks[table.counts[done.tuples] < 3] > 0).all() or smallest_class(done, table) >= 3
        saved += cost(whole_records(table), table) - cost(done, table)
        halted = among_risky(table, Budget(), rng, lambda: True)
        assert set(halted.masks.tolist()) <= {0, 3}
    assert saved > 0 or cells == 1


def test_parts_of_fewer_than_k_records_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part has five of these records, but a class needs nine."""
    for module in (large, block):
        monkeypatch.setattr(module, "MOST_CELLS", 20)
    table = make_table(
        np.stack([np.arange(20), np.arange(20) % 7], axis=1).astype(np.int32),
        np.ones(20, dtype=int),
        Request(9),
    )
    for halt in (never, lambda: True):
        done = among_risky(table, Budget(ascents=10, rounds=0), np.random.default_rng(1), halt)
        assert rows_of(done) == [(row, 3, 1) for row in range(20)]


def test_parts_of_k_records_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four parts of five records, which agree in one of two columns."""
    for module in (large, block):
        monkeypatch.setattr(module, "MOST_CELLS", 20)
    codes = np.stack([np.arange(20), np.arange(20) // 5], axis=1).astype(np.int32)
    table = make_table(codes, np.ones(20, dtype=int), Request(5))
    done = among_risky(table, Budget(ascents=10, rounds=0), np.random.default_rng(1), never)
    assert rows_of(done) == [(row, 1, 1) for row in range(20)]


def test_the_first_tuple_can_help() -> None:
    """Row 01 has 00 one cell away, and asks for no more."""
    codes = np.array([[0, 0], [0, 1], [5, 5]], dtype=np.int32)
    table = make_table(codes, np.array([9, 1, 20]), Request(5))
    assert with_helpers(table, 10).tolist() == [0, 1]


def test_fewer_risky_records_than_k_are_suppressed_as_a_whole() -> None:
    table = one_column(1, 1, 9, k=3)
    done = among_risky(table, Budget(), np.random.default_rng(1), never)
    assert rows_of(done) == [(0, 1, 1), (1, 1, 1), (2, 0, 8), (2, 1, 1)]
    exactly = one_column(1, 2, 9, k=3)
    done = among_risky(exactly, Budget(rounds=0), np.random.default_rng(1), never)
    assert rows_of(done) == [(0, 1, 1), (1, 1, 2), (2, 0, 9)]


def test_the_bound_of_a_large_table_is_the_sum_of_the_ways_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table = small_table(1, k=2, records=8, columns=3, weighted=True)
    known = choose_sets(table, 8)
    rows = len(table.codes)
    for bounded, number in [(10**6, 8), (5 * rows, 5), (rows, 2), (1, 2)]:
        monkeypatch.setattr(large, "MOST_BOUNDED", bounded)
        found = search_large(table, Budget(ascents=0, rounds=0), np.random.default_rng(1), never, times=1)
        expected = way_out_bound(table, known.masks[:number], known.costs[:number], never)
        assert found.bound == pytest.approx(expected)
        assert found.bound <= fewest(table)
        assert cost(found.moves, table) >= fewest(table) - 1e-9
    monkeypatch.setattr(large, "MOST_BOUNDED", 10**6)
    apart = make_table(
        np.repeat(np.arange(5, dtype=np.int32)[:, None], 3, axis=1), np.ones(5, dtype=int), Request(2)
    )
    none = search_large(apart, Budget(ascents=0, rounds=0), np.random.default_rng(1), never, times=1)
    assert none.bound == 15.0, "no two records agree anywhere"
    late = search_large(table, Budget(0, 0, seconds=-1.0), np.random.default_rng(1), never, times=1)
    assert late.bound == 0.0
    stopped = search_large(table, Budget(0, 0, stop=lambda: True), np.random.default_rng(1), never, times=1)
    assert stopped.bound == 0.0


def test_the_work_of_large_tables_falls_with_the_square_of_their_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, asked = small_table(0, k=2, records=8), []

    def noted(_table: SuppressionTable, budget: Budget, *_: object) -> SuppressionMoves:
        asked.append((budget.ascents, budget.rounds))
        return whole_records(table)

    monkeypatch.setattr(large, "among_risky", noted)
    for budget, times in [
        (Budget(ascents=400, rounds=12), 1),
        (Budget(ascents=400, rounds=12), 2),
        (Budget(ascents=400, rounds=12), 4),
        (Budget(ascents=400, rounds=12), 20),
        (Budget(ascents=4, rounds=0), 20),
    ]:
        search_large(table, budget, np.random.default_rng(1), never, times=times)
    assert asked == [(400, 12), (100, 3), (25, 1), (10, 1), (4, 0)]
