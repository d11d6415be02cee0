"""Sets of columns, costs and limits: worked numbers, and sums record by record."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from reidrisk.stats.suppress.result import (
    GENTLY,
    HARD,
    TRIES,
    SuppressionMoves,
    Unmet,
    by_column,
    cheapest,
    cost,
    cost_of,
    excess,
    finish,
    impossible,
    keeps,
    ladder,
    most_records,
    smallest_class,
    tidy,
    within_limits,
)
from reidrisk.stats.suppress.table import Request, SuppressionTable, make_table


def moves(*rows: tuple[int, int, int]) -> SuppressionMoves:
    tuples, masks, numbers = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return SuppressionMoves(tuples, masks, numbers)


def table_of(
    counts: list[int], *, k: int = 2, weights: tuple[float, ...] = (1.0, 1.0), entry: float = 0.0
) -> SuppressionTable:
    codes = np.array([(row, row % 2) for row in range(len(counts))], dtype=np.int32)
    return make_table(codes, np.array(counts), Request(k, weights))._replace(entry=entry)


@pytest.mark.parametrize(
    "weights", [(1.0,), (3.0, 1.0), (1.0, 2.5, 1.25), (2.0, 1.0, 1.5, 3.0), (0.5, 4.0, 1.75, 1.0, 2.25)]
)
def test_the_cheapest_sets_are_those_of_all_sets_by_cost(weights: tuple[float, ...]) -> None:
    sums = {
        sum(1 << column for column in some): sum(weights[column] for column in some)
        for size in range(len(weights) + 1)
        for some in combinations(range(len(weights)), size)
    }
    for limit in range(1, len(sums) + 2):
        masks, costs = cheapest(np.array(weights), limit)
        assert costs.tolist() == pytest.approx(sorted(sums.values())[:limit])
        assert [sums[mask] for mask in masks.tolist()] == pytest.approx(costs.tolist())
        assert len(set(masks.tolist())) == len(masks)
        assert cost_of(masks, np.array(weights)).tolist() == pytest.approx(costs.tolist())


def test_without_columns_only_the_empty_set_is_left() -> None:
    masks, costs = cheapest(np.array([]), 5)
    assert (masks.tolist(), costs.tolist()) == ([0], [0.0])


def test_the_ladder_takes_the_most_values_for_its_cost_first() -> None:
    codes = np.array([[0, 0, 0, 5], [1, 1, 0, 5], [2, 0, 1, 5], [3, 1, 2, 5]], dtype=np.int32)
    assert ladder(codes, np.array([1.0, 1.0, 1.0, 1.0])).tolist() == [0b0001, 0b0101, 0b0111, 0b1111]
    assert ladder(codes, np.array([8.0, 0.5, 1.0, 0.3])).tolist() == [0b0010, 0b1010, 0b1110, 0b1111]


def test_moves_are_sorted_and_added_up() -> None:
    given = moves((1, 1, 2), (0, 3, 1), (1, 0, 4), (1, 1, 3), (0, 3, 1), (1, 2, 1))
    done = tidy(*given)
    assert list(zip(*(column.tolist() for column in done), strict=True)) == [
        (0, 3, 2),
        (1, 0, 4),
        (1, 1, 5),
        (1, 2, 1),
    ]
    assert tidy(*moves((1, 1, 2))) == moves((1, 1, 2))
    assert [len(column) for column in tidy(*moves())] == [0, 0, 0]


def test_costs_and_columns_record_by_record() -> None:
    """Two records lose column 0, three lose both, four lose none."""
    some = moves((0, 1, 2), (1, 3, 3), (1, 0, 4))
    assert cost(some, table_of([2, 7], weights=(2.0, 0.5))) == 2 * 2.0 + 3 * 2.5
    assert cost(some, table_of([2, 7], weights=(2.0, 0.5), entry=10.0)) == 2 * 12.0 + 3 * 12.5
    assert by_column(some, 2).tolist() == [5, 3]
    assert by_column(some, 3).tolist() == [5, 3, 0]


def test_a_suppressed_cell_is_no_value_of_its_column() -> None:
    """Values 0 and 1 of column 0 stay apart from suppressed ones, whose tuples agree in column 1."""
    codes = np.array([[0, 0], [1, 0], [2, 0]], dtype=np.int32)
    table = make_table(codes, np.array([4, 5, 9]), Request(2))
    assert smallest_class(moves((0, 0, 4), (1, 0, 5), (2, 1, 3), (2, 0, 6)), table) == 3
    assert smallest_class(moves((0, 1, 1), (0, 0, 3), (1, 1, 1), (1, 0, 4), (2, 0, 9)), table) == 2
    assert smallest_class(moves((0, 2, 4), (1, 0, 5), (2, 0, 9)), table) == 4


def test_a_finished_solution_adds_up() -> None:
    some = moves((0, 1, 2), (1, 0, 4), (1, 3, 3))
    done = finish(some, table_of([2, 7]), 6.2, "by hand")
    assert done.moves == ((0, 1, 2), (1, 0, 4), (1, 3, 3))
    assert (done.cells, done.weighted, done.records, done.by_column) == (8, 8.0, 5, (5, 3))
    assert (done.bound, done.optimal, done.method) == (7.0, False, "by hand")
    assert done.gap == 1 / 8


def test_a_bound_of_whole_cells_is_rounded_up_and_never_above_the_cost() -> None:
    some, whole = moves((0, 1, 2), (1, 3, 3)), table_of([2, 3])
    for bound, shown, optimal in [
        (6.0000001, 6.0, False),
        (6.1, 7.0, False),
        (7.0000001, 7.0, False),
        (7.1, 8.0, True),
        (9.0, 8.0, True),
    ]:
        done = finish(some, whole, bound, "x")
        assert (done.bound, done.optimal) == (shown, optimal)
    part = table_of([2, 3], weights=(1.5, 1.0))  # costs 5 * 1.5 + 3
    for bound, optimal in [(10.4999999, True), (10.4999, False), (10.5, True), (6.1, False)]:
        done = finish(some, part, bound, "x")
        assert (done.bound, done.optimal) == (bound, optimal)
    mixed = table_of([2, 3], weights=(2.0, 1.5))
    assert finish(some, mixed, 6.1, "x").bound == 6.1


def test_without_cells_there_is_no_gap() -> None:
    done = finish(moves((0, 0, 2), (1, 0, 3)), table_of([2, 3]), 0.0, "x")
    assert (done.cells, done.records, done.gap, done.optimal) == (0, 0, 0.0, True)


def test_shares_become_whole_records() -> None:
    hundred = table_of([50, 50])
    assert [most_records(hundred, share) for share in (None, 0.0, 0.29, 0.299, 1.0)] == [100, 0, 29, 29, 100]
    assert most_records(table_of([5, 5]), 0.3) == 3


def test_what_exceeds_a_limit() -> None:
    """Five of ten records have cells: five in column 0, three in column 1."""
    some, table = moves((0, 1, 2), (1, 3, 3), (1, 0, 5)), table_of([2, 8])
    for share_of_records, share_of_column, over, columns in [
        (None, None, 0, [0, 0]),
        (0.5, 0.5, 0, [0, 0]),
        (0.4, None, 1, [0, 0]),
        (0.1, 0.3, 4, [2, 0]),
        (None, 0.1, 0, [4, 2]),
        (1.0, 0.4, 0, [1, 0]),
    ]:
        request = Request(2, max_records=share_of_records, max_column=share_of_column)
        suppressed, by_columns = excess(some, table, request)
        assert (suppressed, by_columns.tolist()) == (over, columns)
        assert keeps(some, table, request) == (not over and not any(columns))


def test_what_is_obviously_impossible() -> None:
    table = table_of([1, 1, 3], k=3)
    assert impossible(table, Request(3)) is None
    assert impossible(table_of([2, 1], k=3), Request(3)) is None
    few = impossible(table_of([1, 1], k=3), Request(3))
    assert few == Unmet("There are 2 records, fewer than the cell size 3.", proved=True)
    assert impossible(table, Request(3, max_records=0.4)) is None  # two of five
    refused = impossible(table, Request(3, max_records=0.39))
    assert refused is not None
    assert refused.proved
    assert "2 records are in classes below 3; only 1 may" in refused.reason
    assert impossible(table, Request(3, max_column=0.0)) is None  # not obvious


class Prices:
    """Searches that answer with these solutions, one after the other; the costs they were asked with."""

    def __init__(self, *answers: SuppressionMoves) -> None:
        self.answers = list(answers)
        self.entries: list[float] = []
        self.weights: list[list[float]] = []

    def search(self, table: SuppressionTable) -> SuppressionMoves:
        self.entries.append(table.entry)
        self.weights.append(table.weights.tolist())
        return self.answers.pop(0)


def test_a_first_solution_within_the_limits_is_taken() -> None:
    first = moves((0, 1, 2), (1, 0, 8))
    prices = Prices()
    limits = Request(2, max_records=0.2, max_column=0.2)
    assert within_limits(table_of([2, 8]), limits, prices.search, first) is first
    assert prices.entries == []


def test_the_cost_of_a_records_first_cell_is_doubled_and_raised_until_few_have_any() -> None:
    many, few = moves((0, 3, 2), (1, 3, 2), (1, 0, 6)), moves((0, 3, 2), (1, 0, 8))
    prices = Prices(many, many, few)
    table = table_of([2, 8], weights=(1.0, 2.0))
    assert within_limits(table, Request(2, max_records=0.2), prices.search, many) is few
    unit = 1.5
    assert prices.entries == [unit, HARD * unit + unit, HARD * (HARD * unit + unit) + unit]
    assert prices.weights == [[1.0, 2.0]] * 3


def test_columns_above_the_limit_grow_dearer_by_their_excess_within_bounds() -> None:
    """Of 100 records 9 may lose a column; the share of those beyond, of 10, is added to the weight."""
    table = table_of([40, 60], weights=(1.0, 2.0))
    limit = Request(2, max_column=0.09)
    prices = Prices(moves((0, 1, 10), (0, 0, 30), (1, 0, 60)), moves((0, 2, 30), (0, 1, 9), (1, 0, 61)))
    prices.answers.append(moves((0, 3, 9), (0, 0, 31), (1, 0, 60)))
    done = within_limits(table, limit, prices.search, moves((0, 1, 15), (0, 0, 25), (1, 0, 60)))
    assert isinstance(done, SuppressionMoves)
    assert by_column(done, 2).tolist() == [9, 9]
    assert prices.entries == [0.0, 0.0, 0.0]
    expected = [[1.6, 2.0], [1.6 * GENTLY, 2.0], [1.6 * GENTLY, 2.0 * HARD]]
    assert np.array(prices.weights) == pytest.approx(np.array(expected))
    assert table.weights.tolist() == [1.0, 2.0]


def test_tries_run_out_without_a_proof_and_the_last_one_counts() -> None:
    many, few = moves((0, 3, 2), (1, 3, 2), (1, 0, 6)), moves((0, 3, 2), (1, 0, 8))
    table, limit = table_of([2, 8]), Request(2, max_records=0.2)
    prices = Prices(*[many] * TRIES)
    refused = within_limits(table, limit, prices.search, many)
    assert isinstance(refused, Unmet)
    assert not refused.proved
    assert prices.answers == []
    assert within_limits(table, limit, Prices(*[many] * (TRIES - 1), few).search, many) is few
