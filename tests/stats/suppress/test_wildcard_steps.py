"""The steps of suppression where a suppressed cell matches every value: looked at record by record."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from reidrisk.stats.suppress import wildcard
from reidrisk.stats.suppress.block import choose_sets
from reidrisk.stats.suppress.result import Suppression, SuppressionMoves, Unmet, cost, tidy
from reidrisk.stats.suppress.table import Budget, Request, SuppressionTable, make_table
from reidrisk.stats.suppress.wildcard import (
    ComparisonBudget,
    Pruner,
    _promising,
    _start,
    _ways_out,
    one_by_one,
    suppress_wildcard,
)
from tests.stats.suppress.small import small_table

pytestmark = pytest.mark.usefixtures("plain_loops")
Record = tuple[int, int]
"""A tuple and the suppressed columns."""


def never() -> bool:
    return False


def pruner(table: SuppressionTable, *, each_risky: bool = True, seed: int = 1, rows: int = 10**9) -> Pruner:
    return Pruner(table, each_risky, np.random.default_rng(seed), ComparisonBudget(rows, never))


def moves(*rows: tuple[int, int, int]) -> SuppressionMoves:
    tuples, masks, numbers = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return SuppressionMoves(tuples, masks, numbers)


def rows_of(some: SuppressionMoves) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in some), strict=True))


def records_of(some: SuppressionMoves) -> list[Record]:
    return [(row, mask) for row, mask, number in rows_of(some) for _ in range(number)]


def matches(table: SuppressionTable, records: list[Record]) -> list[int]:
    """For each record, how many there are that agree with it wherever neither is suppressed."""
    return [
        sum(
            all(
                (one_mask | mask) >> column & 1 or table.codes[one, column] == table.codes[row, column]
                for column in range(len(table.weights))
            )
            for row, mask in records
        )
        for one, one_mask in records
    ]


def is_safe(table: SuppressionTable, records: list[Record], *, each_risky: bool) -> bool:
    bare = any(mask == 0 and table.counts[row] < table.k for row, mask in records)
    return min(matches(table, records)) >= table.k and not (each_risky and bare)


def whole(table: SuppressionTable) -> SuppressionMoves:
    """Every record of a class below k suppressed everywhere."""
    full = (1 << len(table.weights)) - 1
    return tidy(
        np.arange(len(table.counts)),
        np.where(table.counts < table.k, full, 0),
        table.counts,
    )


def fewest(table: SuppressionTable, *, each_risky: bool) -> float:
    """The least cost, by trying every set of cells of every record."""
    own = np.repeat(np.arange(len(table.counts)), table.counts).tolist()
    sets = range(1 << len(table.weights))
    prices = [
        sum(table.weights[column] for column in range(len(table.weights)) if mask >> column & 1)
        for mask in sets
    ]
    best = np.inf
    for masks in product(sets, repeat=len(own)):
        value = sum(prices[mask] for mask in masks)
        if value < best and is_safe(table, list(zip(own, masks, strict=True)), each_risky=each_risky):
            best = value
    return float(best)


def test_records_with_cells_stand_alone_and_the_others_together() -> None:
    assert rows_of(one_by_one(moves((0, 0, 3), (0, 2, 2), (1, 1, 1)))) == [
        (0, 0, 3),
        (0, 2, 1),
        (0, 2, 1),
        (1, 1, 1),
    ]


def test_work_is_left_until_it_is_spent_or_stopped() -> None:
    assert ComparisonBudget(1, never).left()
    assert not ComparisonBudget(0, never).left()
    assert not ComparisonBudget(5, lambda: True).left()


def test_who_lacks_compatible_records() -> None:
    for seed in range(8):
        table = small_table(seed, k=2 + seed % 2, records=7, columns=2, values=4)
        rng = np.random.default_rng(seed)
        some = moves(*((row, int(rng.integers(4)), int(number)) for row, number in enumerate(table.counts)))
        records = records_of(some)
        counted = dict(zip(records, matches(table, records), strict=True))
        expected = [
            table.counts[row] < table.k and counted[row, mask] < table.k for row, mask, _ in rows_of(some)
        ]
        own = pruner(table, rows=1000)
        assert own.lacking(some).tolist() == expected
        assert own.work.rows == 1000 - len(some.masks) * len(set(some.masks.tolist()))
        assert own.compatible(some) == (not any(expected))


def test_one_record_of_a_move_is_suppressed_everywhere() -> None:
    own = pruner(small_table(0, columns=3))
    some = moves((0, 0, 3), (1, 2, 1), (2, 4, 2))
    assert rows_of(own._suppress_everywhere(some, 0)) == [(0, 0, 2), (0, 7, 1), (1, 2, 1), (2, 4, 2)]
    assert rows_of(own._suppress_everywhere(some, 1)) == [(0, 0, 3), (1, 7, 1), (2, 4, 2)]
    assert rows_of(own._suppress_everywhere(some, 2)) == [(0, 0, 3), (1, 2, 1), (2, 4, 1), (2, 7, 1)]


def test_cells_are_taken_away_unless_a_risky_record_loses_its_last() -> None:
    """Tuple 0 has one record, tuple 1 three, with k = 2."""
    table = make_table(np.array([[0, 0], [1, 1]], dtype=np.int32), np.array([1, 3]), Request(2))
    units = moves((0, 3, 1), (1, 1, 1), (1, 0, 2))
    for each_risky in (True, False):
        own = pruner(table, each_risky=each_risky)
        fewer = own._without(units, np.array([[0, 1], [1, 1]]))
        assert fewer is not None
        assert rows_of(fewer) == [(0, 2, 1), (1, 0, 1), (1, 0, 2)]
        both = own._without(units, np.array([[0, 1], [0, 2]]))
        assert (both is None) == each_risky
        assert both is None or both.masks.tolist() == [0, 1, 0]
    assert units.masks.tolist() == [3, 1, 0]
    # A risky record that has no cell anyway loses none.
    bare = pruner(table)._without(moves((0, 0, 1), (1, 1, 1)), np.array([[1, 1]]))
    assert bare is not None
    assert bare.masks.tolist() == [0, 0]


@pytest.mark.parametrize("each_risky", [False, True])
def test_after_pruning_no_cell_can_be_restored(each_risky: bool) -> None:
    restored = 0
    for seed in range(8):
        table = small_table(seed, k=2, records=7, columns=3, weighted=seed % 2 == 1)
        start = whole(table)
        if not is_safe(table, records_of(start), each_risky=each_risky):
            continue
        if not each_risky and seed % 2:  # some records have a single cell already
            start = pruner(table, each_risky=True, seed=seed).prune(start)
        done = records_of(pruner(table, each_risky=each_risky, seed=seed).prune(start))
        assert is_safe(table, done, each_risky=each_risky)
        assert sorted(row for row, _ in done) == sorted(row for row, _ in records_of(start))
        for place, (row, mask) in enumerate(done):
            for column in range(3):
                if mask >> column & 1:
                    fewer = [*done[:place], (row, mask ^ 1 << column), *done[place + 1 :]]
                    assert not is_safe(table, fewer, each_risky=each_risky)
        restored += sum(mask != 7 for _, mask in done)
    assert restored > 8


def test_dear_cells_are_restored_first_and_those_of_some_tuples_last() -> None:
    """Two records that differ in two columns, both suppressed in both: one of them needs neither."""
    table = make_table(
        np.array([[0, 0], [1, 1]], dtype=np.int32), np.ones(2, dtype=int), Request(2, (1.0, 5.0))
    )
    start = moves((0, 3, 1), (1, 3, 1))
    for seed in range(8):
        for last in (0, 1):
            done = pruner(table, each_risky=False, seed=seed).prune(start, [last])
            assert rows_of(done) == sorted([(1 - last, 0, 1), (last, 3, 1)])
    # Column 0 of one and column 1 of the other are enough; all of the dear cells that can be are restored.
    table = make_table(
        np.array([[0, 0], [0, 1], [1, 0]], dtype=np.int32), np.array([1, 1, 1]), Request(2, (1.0, 5.0))
    )
    for seed in range(8):
        done = pruner(table, each_risky=True, seed=seed).prune(moves((0, 3, 1), (1, 3, 1), (2, 3, 1)))
        assert cost(done, table) <= 1.0 + 5.0 + 1.0


def test_pruning_stops_when_its_work_is_spent() -> None:
    table = small_table(3, k=2, records=7, columns=3)
    start = whole(table)
    assert rows_of(pruner(table, rows=0).prune(start)) == rows_of(start)
    once = pruner(table, rows=1)
    once.prune(start)
    assert once.work.rows <= 0


def all_different(records: int, k: int) -> SuppressionTable:
    """Two columns in which no two records agree; the second one is dear."""
    codes = np.stack([np.arange(records), np.arange(records)], axis=1).astype(np.int32)
    return make_table(codes, np.ones(records, dtype=int), Request(k, (1.0, 5.0)))


def test_thinning_restores_the_dear_cell_of_those_that_others_match_anyway() -> None:
    """Records match themselves and those that are held: thinning needs k - 1 of these."""
    seen = set()
    for seed in range(20):
        table = all_different(6, 3)
        held = np.random.default_rng(seed).random(6) < wildcard.HELD
        start = whole(table)
        done = pruner(table, seed=seed).thin(start)
        masks = np.where(held, 3, 1) if held.sum() >= 2 else np.full(6, 3)
        assert done.masks.tolist() == masks.tolist()
        assert min(matches(table, records_of(done))) >= 3
        seen.add(int(held.sum()))
    assert {0, 1, 2, 3} <= seen
    table = all_different(60, 3)
    done = pruner(table).thin(whole(table))
    assert 0.05 < (done.masks == 3).mean() < 0.4
    spent = pruner(table, rows=0)
    assert rows_of(spent.thin(whole(table))) == rows_of(whole(table))
    own = pruner(table, rows=1000)
    own.thin(whole(table))
    assert own.work.rows == 1000 - 60 * 1


@pytest.mark.parametrize("k", [2, 3])
def test_thinning_keeps_every_record_safe_and_one_cell_of_each(k: int) -> None:
    for seed in range(10):
        table = small_table(seed, k=k, records=9, columns=3, values=4, weighted=seed % 2 == 1)
        own = pruner(table, seed=seed)
        start = _start(own, _ways_out(table), 0)
        assert min(matches(table, records_of(start))) >= k
        done = own.thin(start)
        records = records_of(done)
        assert min(matches(table, records)) >= k
        before, after = sorted(records_of(start)), sorted(records)
        assert [row for row, _ in before] == [row for row, _ in after]
        for row, mask in records:
            full = int(start.masks[start.tuples == row].max())
            assert mask & ~full == 0
            assert (mask == 0) == (full == 0)


def test_shaking_never_adds_cost_and_ends_at_the_floor() -> None:
    better = 0
    for seed in range(8):
        table = small_table(seed, k=2, records=6, columns=3, weighted=seed % 2 == 1)
        own = pruner(table, each_risky=False, seed=seed)
        start = own.prune(_start(own, _ways_out(table), 0))
        value = cost(start, table)
        assert own.shake(start, 0, 0.0) is start
        assert own.shake(start, 10, value) is start
        done = own.shake(start, 10, 0.0)
        assert cost(done, table) <= value + 1e-9
        assert is_safe(table, records_of(done), each_risky=False)
        better += cost(done, table) < value - 1e-9
        spent = Pruner(table, False, np.random.default_rng(1), ComparisonBudget(0, never))
        assert spent.shake(start, 10, 0.0) is start
    assert better


def test_the_cheapest_columns_for_each_number_of_companions() -> None:
    for seed in range(8):
        table = small_table(seed, k=2 + seed % 3, records=8, columns=2 + seed % 2, weighted=seed % 2 == 1)
        sets = choose_sets(table, 1 << len(table.weights))
        ways = _ways_out(table)
        reach = []
        for row, values in enumerate(table.codes):
            sizes = []
            for mask in sets.masks.tolist():
                stay = [column for column in range(len(table.weights)) if not mask >> column & 1]
                sizes.append(int(table.counts[(table.codes[:, stay] == values[stay]).all(axis=1)].sum()))
            for need in range(1, table.k + 1):
                first = next(place for place, size in enumerate(sizes) if size >= need)
                assert ways.masks[need - 1, row] == sets.masks[first]
            if table.counts[row] < table.k:
                reach.append(
                    next(sets.costs[place] for place, size in enumerate(sizes) if size > table.counts[row])
                )
        assert ways.nearest == max(reach, default=0.0)


def test_the_numbers_of_companions_that_promise_most() -> None:
    for seed in range(6):
        table = small_table(seed, k=4, records=8, columns=2, weighted=seed % 2 == 1)
        ways = _ways_out(table)
        prices = {}
        for number in (1, 2, 3):
            own = [
                sum(table.weights[column] for column in range(2) if mask >> column & 1)
                for mask in ways.masks[4 - number - 1].tolist()
            ]
            prices[number] = number * sum(table.weights) + float(np.dot(own, table.counts))
        assert _promising(table, ways) == sorted(prices, key=lambda number: (prices[number], number))[:2]


def test_a_start_with_companions_is_safe() -> None:
    cases = [(seed, companions, 9, 4) for seed, companions in product(range(6), range(4))]
    cases += [(14, 1, 7, 3), (29, 1, 7, 3), (35, 2, 7, 3), (38, 2, 9, 4)]  # some companions count already
    for seed, companions, number, values in cases:
        table = small_table(seed, k=4, records=number, columns=2, values=values, weighted=seed % 2 == 1)
        own = pruner(table, each_risky=False, seed=seed)
        start = _start(own, _ways_out(table), companions)
        assert min(matches(table, records_of(start))) >= 4
        assert np.bincount(start.tuples, weights=start.numbers).tolist() == table.counts.tolist()
        assert start.numbers[start.masks == 3].sum() >= companions


def test_the_dearest_records_become_companions() -> None:
    """Far from all others, the last record needs two cells to reach another; the pairs need one."""
    codes = np.array([[0, 0, 0], [0, 1, 0], [5, 5, 0], [5, 6, 0], [9, 9, 0]], dtype=np.int32)
    table = make_table(codes, np.ones(5, dtype=int), Request(3))
    for seed in range(5):
        start = _start(pruner(table, each_risky=False, seed=seed), _ways_out(table), 1)
        assert dict(zip(start.tuples.tolist(), start.masks.tolist(), strict=True)) == {
            0: 2,
            1: 2,
            2: 2,
            3: 2,
            4: 7,
        }
    # Of records that need as much, those of the rarest tuples; a tuple may be a companion in part.
    table = make_table(codes[[0, 2, 4]], np.array([2, 1, 3]), Request(4))
    start = _start(pruner(table, each_risky=False), _ways_out(table), 2)
    assert {row: number for row, mask, number in rows_of(start) if mask == 7} == {0: 1, 1: 1}


def test_there_are_as_many_companions_as_were_asked_for() -> None:
    """Of six lone records that have nothing in common, three match everybody: the others need no cell."""
    codes = np.arange(6, dtype=np.int32)[:, None] * np.ones(2, dtype=np.int32)
    table = make_table(codes, np.ones(6, dtype=int), Request(4))
    start = _start(pruner(table, each_risky=False), _ways_out(table), 3)
    assert sorted(start.masks.tolist()) == [0, 0, 0, 3, 3, 3]


@pytest.mark.parametrize("each_risky", [False, True])
def test_answers_are_safe_and_hardly_above_the_fewest_cells(each_risky: bool) -> None:
    exact = 0
    for seed in range(8):
        table = small_table(seed, k=2 + seed % 2, records=5, columns=2, weighted=seed % 3 == 1)
        weights = tuple(table.weights.tolist())
        answer = suppress_wildcard(
            table.codes,
            table.counts,
            request=Request(table.k, weights),
            budget=Budget(rounds=1),
            rng=np.random.default_rng(seed),
            each_risky=each_risky,
        )
        assert isinstance(answer, Suppression)
        records = [(row, mask) for row, mask, number in answer.moves for _ in range(number)]
        assert is_safe(table, records, each_risky=each_risky)
        best = fewest(table, each_risky=each_risky)
        assert answer.bound <= best + 1e-9 <= answer.weighted + 2e-9
        assert answer.optimal <= (answer.weighted <= best + 1e-6)
        exact += answer.weighted <= best + 1e-9
    assert exact >= 7


@pytest.mark.parametrize("factor", [1.0, 0.125])
def test_shaken_answers_cost_less(factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed, each_risky in ((1, True), (2, True), (7, False)):
        table = small_table(seed, k=2, records=7, columns=3, weighted=seed % 2 == 1)
        values = []
        for shakes in (0, 10):
            monkeypatch.setattr(wildcard, "SHAKES", shakes)
            answer = suppress_wildcard(
                table.codes,
                table.counts,
                request=Request(2, tuple((table.weights * factor).tolist())),
                budget=Budget(rounds=1),
                rng=np.random.default_rng(seed),
                each_risky=each_risky,
            )
            assert isinstance(answer, Suppression)
            values.append(answer.weighted)
        assert values[1] < values[0]


def test_the_bound_counts_a_cell_for_every_risky_record() -> None:
    """Three lone records and k = 2: each has a cell, the cheaper one; without that rule one row is enough."""
    codes = np.array([[0, 0], [0, 1], [1, 0]], dtype=np.int32)
    for weights, each_risky, bound in [
        ((1.0, 2.0), True, 3.0),
        ((1.0, 2.0), False, 2.0),
        ((2.0, 5.0), False, 5.0),
    ]:
        answer = suppress_wildcard(
            codes,
            np.ones(3, dtype=int),
            request=Request(2, weights),
            budget=Budget(rounds=1),
            rng=np.random.default_rng(1),
            each_risky=each_risky,
        )
        assert isinstance(answer, Suppression)
        assert answer.bound == bound


def test_limits_are_kept_or_said_not_to_be() -> None:
    codes = np.array([[0, 0], [0, 1], [1, 0], [2, 2]], dtype=np.int32)
    counts, rng = np.array([1, 1, 1, 3]), np.random.default_rng(1)
    for request, each_risky, met in [
        (Request(2, max_records=0.5), True, True),
        (Request(2, max_records=0.49), True, False),
        (Request(2, max_records=0.4), False, True),
        (Request(2, max_column=0.0), False, False),
        (Request(2, max_column=0.5), True, True),
    ]:
        answer = suppress_wildcard(
            codes, counts, request=request, budget=Budget(rounds=1), rng=rng, each_risky=each_risky
        )
        assert isinstance(answer, Unmet) is not met
        if isinstance(answer, Suppression):
            assert answer.records <= 6 * (request.max_records or 1.0)
            assert max(answer.by_column) <= 6 * (request.max_column or 1.0)
    few = suppress_wildcard(codes[:1], counts[:1], request=Request(2), rng=rng)
    assert isinstance(few, Unmet)
    assert few.proved


def test_where_no_cell_is_needed_none_is_suppressed() -> None:
    codes = np.array([[0], [1]], dtype=np.int32)
    answer = suppress_wildcard(codes, np.array([2, 3]), request=Request(2), rng=np.random.default_rng(1))
    assert isinstance(answer, Suppression)
    assert (answer.moves, answer.method, answer.optimal) == (((0, 0, 2), (1, 0, 3)), "none needed", True)
    assert wildcard.HELD < 1
