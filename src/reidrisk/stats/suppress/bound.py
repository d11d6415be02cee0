"""Lower bounds on the cost: the cheapest way out of each record, raised by Lagrangian prices."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.table import (
    Codes,
    SuppressionTable,
    TupleGroups,
    column_keys,
    kept_keys,
    number_keys,
    scratch_slots,
)

REFRESH = 10
"""Steps between two evaluations of all groups; only these give a bound."""
MARGIN = 0.2
"""Groups that would pay if all prices rose by this, times the mean weight, are evaluated in every step."""


class Market(NamedTuple):
    """Groups that buy records at their prices."""

    groups: TupleGroups
    counts: Ints
    k: int
    taken: Floats
    """Number of records of each tuple that are bought in all."""
    extra: Ints


def cheapest_way_out(groups: TupleGroups, ceiling: float) -> Floats:
    """For each tuple, the cost of the cheapest set under which `k` records agree; at most `ceiling`."""
    best = np.full(len(groups.of), ceiling)
    for index in range(len(groups.masks) - 1, -1, -1):
        best[groups.of[:, index] >= 0] = min(ceiling, float(groups.costs[index]))
    return best


def way_out_bound(table: SuppressionTable, masks: Ints, costs: Floats, halt: Callable[[], bool]) -> float:
    """The sum of these bounds, set by set in little memory; if halted, the rest costs as the next set."""
    keys, slots = column_keys(table.codes), scratch_slots(len(table.codes))
    ids = np.empty(len(table.codes), dtype=np.int32)
    open_rows = np.ones(len(table.codes), dtype=np.bool_)
    total = 0.0
    for mask, cost in zip(masks, costs, strict=True):
        if halt() or not open_rows.any():
            return total + float(cost) * float(table.counts[open_rows].sum())
        found = number_keys(kept_keys(keys, int(mask)), slots, ids)
        large = np.bincount(ids, weights=table.counts, minlength=found) >= table.k
        reached = open_rows & large[ids]
        total += float(cost) * float(table.counts[reached].sum())
        open_rows &= ~reached
    return total + float(costs[-1]) * float(table.counts[open_rows].sum())


@compiled
def fill(rows: Codes, prices: Floats, cost: float, wanted: int, extra: Ints) -> int:
    """Write the `wanted` tuples with the highest prices below the cost into `extra`, highest first."""
    found = 0
    for row in rows:
        if prices[row] > cost:
            continue
        at = found
        if found == wanted:
            if prices[extra[found - 1]] >= prices[row]:
                continue
            at = found - 1
        while at > 0 and prices[extra[at - 1]] < prices[row]:
            extra[at] = extra[at - 1]
            at -= 1
        extra[at] = row
        found = min(wanted, found + 1)
    return found


@compiled
def profit_of(market: Market, prices: Floats, group: int) -> tuple[float, int, int]:
    """Profit of a group that must buy k records or none; the records it lacks; tuples bought at a loss."""
    groups, counts = market.groups, market.counts
    cost = groups.costs[groups.pattern[group]]
    rows = groups.members[groups.start[group] : groups.start[group + 1]]
    profit, records = 0.0, 0
    for row in rows:
        if prices[row] > cost:
            profit += (prices[row] - cost) * counts[row]
            records += counts[row]
    lacking = market.k - records
    if profit <= 0.0 or lacking <= 0:
        return profit, 0, 0
    found = fill(rows, prices, cost, lacking, market.extra)
    missing = lacking
    for index in range(found):
        number = min(missing, counts[market.extra[index]])
        profit += (prices[market.extra[index]] - cost) * number
        missing -= number
    return profit, lacking, found


@compiled
def buy(market: Market, prices: Floats, active: Codes) -> float:
    """Profit of all groups worth opening at these prices; counts how often each tuple is bought."""
    groups, counts = market.groups, market.counts
    market.taken[:] = 0.0
    total = 0.0
    for group in active:
        profit, missing, found = profit_of(market, prices, group)
        if profit <= 0.0:
            continue
        total += profit
        cost = groups.costs[groups.pattern[group]]
        for row in groups.members[groups.start[group] : groups.start[group + 1]]:
            if prices[row] > cost:
                market.taken[row] += counts[row]
        for index in range(found):
            number = min(missing, counts[market.extra[index]])
            market.taken[market.extra[index]] += number
            missing -= number
    return total


@compiled
def promising(market: Market, prices: Floats) -> Bools:
    """Which groups pay at these prices."""
    pays = np.zeros(len(market.groups.pattern), dtype=np.bool_)
    for group in range(len(pays)):
        profit, _, _ = profit_of(market, prices, group)
        pays[group] = profit > 0.0
    return pays


class Ascent:
    """Subgradient ascent on the prices of records.

    Relaxing "each record is in exactly one class" leaves one small problem per group: open it and take all
    records whose price exceeds its cost, filled up to k. The sum of the prices minus the profits is then a
    lower bound. Sets that cost more than `ceiling` may be left out, since no price is above it.
    """

    def __init__(self, groups: TupleGroups, counts: Ints, k: int, ceiling: float) -> None:
        self.market = Market(groups, counts, k, np.zeros(len(counts)), np.empty(k, dtype=np.int64))
        self.ceiling = ceiling
        self.every = np.arange(len(groups.pattern), dtype=np.int32)
        self.margin = MARGIN * float(groups.costs[1]) if len(groups.costs) > 1 else 0.0
        self.prices = cheapest_way_out(groups, ceiling)
        self.best = float(self.prices @ counts)
        self.best_prices = self.prices.copy()
        self.direction = np.zeros(len(counts))
        self.step, self.idle = 1.0, 0

    def climb(self, target: float) -> bool:
        """Evaluate all groups, then take some steps toward `target`; returns false if there is no way up."""
        value = self._value(self.every)
        if value > self.best + 1e-6 * abs(self.best):
            self.best, self.best_prices, self.idle = value, self.prices.copy(), 0
        else:
            self.idle += 1
            if self.idle >= 2:
                self.step, self.idle = self.step * 0.6, 0
        active = np.flatnonzero(promising(self.market, self.prices + self.margin)).astype(np.int32)
        for _ in range(REFRESH):
            if not self._move(target, value):
                return False
            value = self._value(active)
        return self.best < target - 1e-6

    def _value(self, active: Codes) -> float:
        counts = self.market.counts
        return float(self.prices @ counts) - buy(self.market, self.prices, active)

    def _move(self, target: float, value: float) -> bool:
        self.direction = self.market.counts - self.market.taken + 0.5 * self.direction
        length = float(self.direction @ self.direction)
        if length == 0.0:
            return False
        stride = self.step * max(target - value, 1e-3 * abs(target)) / length
        self.prices = np.clip(self.prices + stride * self.direction, 0.0, self.ceiling)
        return True
