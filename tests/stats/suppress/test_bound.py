"""Lower bounds: record by record, worked steps, and the best bound that any prices can give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from reidrisk.stats.arrays import Floats
from reidrisk.stats.suppress.block import choose_sets
from reidrisk.stats.suppress.bound import (
    REFRESH,
    Ascent,
    Market,
    buy,
    cheapest_way_out,
    fill,
    profit_of,
    promising,
    way_out_bound,
)
from reidrisk.stats.suppress.table import Request, SuppressionTable, TupleGroups, make_table
from tests.stats.suppress.small import fewest, groups_of, small_table

pytestmark = pytest.mark.usefixtures("plain_loops")


def market_of(table: SuppressionTable) -> Market:
    taken, extra = np.zeros(len(table.counts)), np.empty(table.k, dtype=np.int64)
    return Market(groups_of(table), table.counts, table.k, taken, extra)


def ways_out(table: SuppressionTable) -> list[float]:
    """By tuple: the cheapest columns that leave k records alike, by looking at all rows."""
    sets = choose_sets(table, 1 << len(table.weights))
    best = [np.inf] * len(table.counts)
    for mask, price in zip(sets.masks.tolist(), sets.costs.tolist(), strict=True):
        stay = [column for column in range(len(table.weights)) if not mask >> column & 1]
        for row, values in enumerate(table.codes):
            alike = (table.codes[:, stay] == values[stay]).all(axis=1)
            if table.counts[alike].sum() >= table.k:
                best[row] = min(best[row], price)
    return best


def tables() -> Iterator[SuppressionTable]:
    for seed in range(6):
        yield small_table(seed, k=2 + seed % 3, records=7, columns=2 + seed % 2, weighted=seed % 2 == 0)


def never() -> bool:
    return False


def test_the_cheapest_way_out_of_each_tuple() -> None:
    for table in tables():
        expected = ways_out(table)
        assert cheapest_way_out(groups_of(table), 100.0).tolist() == expected
        capped = cheapest_way_out(groups_of(table), 1.25)
        assert capped.tolist() == [min(1.25, one) for one in expected]


def test_a_tuple_without_a_way_out_costs_the_ceiling() -> None:
    table = make_table(np.array([[0], [1]], dtype=np.int32), np.array([1, 1]), Request(3))
    assert cheapest_way_out(groups_of(table), 7.0).tolist() == [7.0, 7.0]


def test_the_sum_over_records_is_found_set_by_set() -> None:
    for table in tables():
        sets = choose_sets(table, 1 << len(table.weights))
        expected = ways_out(table)
        whole = way_out_bound(table, sets.masks, sets.costs, never)
        assert whole == pytest.approx(np.dot(expected, table.counts))
        for few in range(1, len(sets.masks)):
            last = float(sets.costs[few - 1])
            part = way_out_bound(table, sets.masks[:few], sets.costs[:few], never)
            assert part == pytest.approx(np.dot(np.minimum(expected, last), table.counts))


def after(calls: int) -> Callable[[], bool]:
    left = [calls]

    def halt() -> bool:
        left[0] -= 1
        return left[0] < 0

    return halt


def test_a_halt_counts_the_rest_as_the_next_set() -> None:
    for table in tables():
        sets = choose_sets(table, 1 << len(table.weights))
        expected = ways_out(table)
        for done in range(len(sets.masks)):
            halted = way_out_bound(table, sets.masks, sets.costs, after(done))
            assert halted == pytest.approx(np.dot(np.minimum(expected, sets.costs[done]), table.counts))


def test_the_dearest_tuples_below_the_cost_fill_a_group() -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        prices = rng.integers(0, 8, 7) / 2
        rows = rng.permutation(7)[: rng.integers(1, 8)].astype(np.int32)
        cost, wanted = float(rng.integers(1, 4)), int(rng.integers(1, 5))
        extra = np.full(wanted, -1, dtype=np.int64)
        found = fill(rows, prices, cost, wanted, extra)
        below = sorted((prices[row] for row in rows if prices[row] <= cost), reverse=True)[:wanted]
        chosen = extra[:found].tolist()
        assert prices[chosen].tolist() == below
        assert len(set(chosen)) == len(chosen)
        assert set(chosen) <= set(rows.tolist())


def spares_of(market: Market, prices: Floats, group: int) -> list[float]:
    """What each record of a group is worth beyond the cost, the most first."""
    groups = market.groups
    rows = groups.members[groups.start[group] : groups.start[group + 1]]
    cost = groups.costs[groups.pattern[group]]
    return sorted(
        (float(prices[row] - cost) for row in rows for _ in range(market.counts[row])), reverse=True
    )


def best_profit(spares: list[float], k: int) -> float:
    """The most that any k or more records are worth; nothing if none is worth its cost."""
    return max(sum(spares[:number]) for number in range(k, len(spares) + 1))


def priced() -> Iterator[tuple[SuppressionTable, Market, Floats]]:
    for seed, table in enumerate(tables()):
        rng = np.random.default_rng(seed)
        for _ in range(5):
            yield table, market_of(table), rng.integers(0, 8, len(table.counts)) / 2


def test_the_profit_of_a_group_is_that_of_its_best_records() -> None:
    paid = 0
    for table, market, prices in priced():
        for group in range(len(market.groups.pattern)):
            spares = spares_of(market, prices, group)
            profit, lacking, found = profit_of(market, prices, group)
            good = sum(spare > 0 for spare in spares)
            if good == 0:
                assert (profit, lacking, found) == (0.0, 0, 0)
                continue
            assert profit == pytest.approx(best_profit(spares, table.k))
            assert lacking == max(0, table.k - good)
            lent = sum(int(market.counts[row]) for row in market.extra[:found])
            assert lent >= lacking
            paid += lacking > 0
    assert paid > 20


def test_groups_that_pay_buy_their_best_records() -> None:
    for table, market, prices in priced():
        every = np.arange(len(market.groups.pattern), dtype=np.int32)
        expected, pays, taken = 0.0, [], 0
        for group in every.tolist():
            spares = spares_of(market, prices, group)
            profit = best_profit(spares, table.k) if spares[0] > 0 else 0.0
            expected += max(0.0, profit)
            pays.append(profit > 1e-12)
            if pays[-1]:
                taken += max(table.k, sum(spare > 0 for spare in spares))
        assert buy(market, prices, every) == pytest.approx(expected)
        assert promising(market, prices).tolist() == pays
        assert market.taken.sum() == taken
        assert buy(market, prices, every[np.array(pays)]) == pytest.approx(expected)
        assert buy(market, prices, every[:0]) == 0.0
        assert market.taken.sum() == 0


def test_who_is_bought_by_whom() -> None:
    """Values 0, 0, 1, 2 and k = 3: the tuples 0 and 1 gain without cells, all gain with one."""
    table = make_table(np.array([[0], [1], [2]], dtype=np.int32), np.array([3, 1, 1]), Request(3))
    market = market_of(table)
    assert market.groups.pattern.tolist() == [0, 1]
    every = np.arange(2, dtype=np.int32)
    assert buy(market, np.array([0.5, 3.0, 2.0]), every) == 1.5 + (2.0 + 1.0 - 0.5)
    assert market.taken.tolist() == [3 + 1, 1, 1]
    assert buy(market, np.array([0.0, 1.25, 1.5]), every) == 0.0  # two gain 0.75; the third loses 1
    assert market.taken.tolist() == [0, 0, 0]
    assert buy(market, np.array([0.5, 1.0, 1.0]), every) == 1.5
    assert market.taken.tolist() == [3, 0, 0]
    assert buy(market, np.array([1.5, 1.5, 1.0]), every) == 4.5 + 2.0
    assert market.taken.tolist() == [6, 1, 0]


def dual(table: SuppressionTable, groups: TupleGroups, ceiling: float) -> float:
    """The largest bound of all prices up to the ceiling, by a linear program: a line for each way to fill."""
    rows, limits = [], []
    tuples, number = len(table.counts), len(groups.pattern)
    for group in range(number):
        members = groups.members[groups.start[group] : groups.start[group + 1]].tolist()
        cost = groups.costs[groups.pattern[group]]
        for amounts in product(*(range(int(table.counts[row]) + 1) for row in members)):
            if sum(amounts) < table.k:
                continue
            line = np.zeros(tuples + number)
            line[members] = amounts
            line[tuples + group] = -1.0
            rows.append(line)
            limits.append(cost * sum(amounts))
    goal = np.concatenate([-table.counts.astype(float), np.ones(number)])
    bounds = [(0, ceiling)] * tuples + [(0, None)] * number
    return -float(linprog(goal, A_ub=np.array(rows), b_ub=limits, bounds=bounds).fun)


def ascent_of(table: SuppressionTable) -> tuple[Ascent, float]:
    sets = choose_sets(table, 1 << len(table.weights))
    return Ascent(groups_of(table), table.counts, table.k, sets.ceiling), sets.ceiling


@pytest.mark.parametrize(("k", "columns", "seeds"), [(2, 4, (0, 2, 4, 5, 9)), (3, 3, (1, 3, 5, 6, 9))])
def test_prices_climb_nearly_to_the_best_bound_and_never_above_it(
    k: int, columns: int, seeds: tuple[int, ...]
) -> None:
    for seed in seeds:
        table = small_table(seed, k=k, records=8, columns=columns, weighted=seed % 2 == 1)
        ascent, ceiling = ascent_of(table)
        assert ascent.best == pytest.approx(np.dot(ways_out(table), table.counts))
        first, best, most = ascent.best, fewest(table), dual(table, groups_of(table), ceiling)
        assert first + 0.4 < most <= best + 1e-6
        for _ in range(12):
            before = ascent.best
            climbs = ascent.climb(best)
            assert before <= ascent.best <= most + 1e-9
            assert ascent.prices.min() >= 0.0
            assert ascent.prices.max() <= ceiling
            if not climbs:
                break
        assert ascent.best >= first + 0.94 * (most - first)
        ascent.prices = ascent.best_prices
        assert ascent._value(ascent.every) == pytest.approx(ascent.best)


def test_a_climb_ends_where_the_target_is_proved() -> None:
    """Two pairs that differ in one column: four cells, which the first prices prove."""
    table = make_table(
        np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int32), np.ones(4, dtype=int), Request(2)
    )
    ascent, _ = ascent_of(table)
    assert ascent.best == 4.0 == fewest(table)
    assert not ascent.climb(4.0)
    assert ascent.best == 4.0


def test_the_first_steps_of_an_ascent() -> None:
    """One column, values 0 (twice) and 1, k = 2: the lone record needs a cell and a companion, two cells.

    Prices 0 and 1: nobody gains, the bound is 1, and all 2 + 1 records are wanted. To the target of 2 the
    stride is 1 / (2² + 1²) = 0.2 times what is wanted.
    """
    table = make_table(np.array([[0], [1]], dtype=np.int32), np.array([2, 1]), Request(2))
    ascent, ceiling = ascent_of(table)
    assert (ascent.prices.tolist(), ascent.best, ceiling) == ([0.0, 1.0], 1.0, 1.0)
    assert ascent.margin == pytest.approx(0.2)
    value = ascent._value(ascent.every)
    assert value == 1.0
    assert ascent._move(2.0, value)
    assert ascent.prices.tolist() == [0.4, 1.0]  # 0.2 * 2, and 1 + 0.2 at most the ceiling
    # The records of value 0 gain 0.4 each without cells: they are bought, one is wanted, and half of before.
    value = ascent._value(ascent.every)
    assert value == pytest.approx(2 * 0.4 + 1.0 - 0.8)
    assert ascent._move(2.0, value)
    assert ascent.direction.tolist() == [1.0, 1.5]
    assert ascent.prices.tolist() == pytest.approx([0.4 + 1 / 3.25, 1.0])
    # At the target, the stride is a thousandth of it.
    ascent.prices, ascent.direction = np.array([0.0, 0.5]), np.zeros(2)
    value = ascent._value(ascent.every)
    assert ascent._move(value, value)
    assert ascent.prices.tolist() == pytest.approx([0.001 * 0.5 / 5 * 2, 0.5 + 0.001 * 0.5 / 5])


def test_no_step_leads_on_where_all_records_are_bought_once() -> None:
    table = make_table(np.array([[0], [1]], dtype=np.int32), np.array([2, 2]), Request(2))
    ascent, _ = ascent_of(table)
    ascent.prices = np.array([0.5, 0.5])
    value = ascent._value(ascent.every)
    assert value == 0.0
    assert not ascent._move(1.0, value)
    assert not ascent.climb(1.0)
    assert ascent.prices.tolist() == [0.5, 0.5]


def test_the_step_shrinks_when_two_looks_find_no_better_bound() -> None:
    table = small_table(0, k=3, records=6, values=4)
    ascent, _ = ascent_of(table)
    ascent.best = 1000.0
    steps = []
    for _ in range(5):
        ascent.climb(2000.0)
        steps.append(ascent.step)
    assert steps == pytest.approx([1.0, 0.6, 0.6, 0.36, 0.36])
    ascent.best = 0.0
    ascent.climb(2000.0)
    assert (ascent.idle, ascent.best > 0.0) == (0, True)


def test_groups_that_nearly_pay_are_looked_at_in_every_step() -> None:
    """With one column of weight 3 the margin is 0.6: prices of 2.5 are enough for the group of all."""
    codes = np.array([[0], [1], [2]], dtype=np.int32)
    table = make_table(codes, np.ones(3, dtype=np.int64), Request(3, (3.0,)))
    ascent, _ = ascent_of(table)
    assert ascent.margin == pytest.approx(0.6)
    assert promising(ascent.market, np.full(3, 2.5) + ascent.margin).tolist() == [True]
    assert promising(ascent.market, np.full(3, 2.3) + ascent.margin).tolist() == [False]
    assert REFRESH > 1
