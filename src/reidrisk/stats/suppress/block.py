"""Suppress the cells of one block of tuples.

A greedy construction led by prices opens the group whose records are worth most above its cost. Annealing
then improves the result.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from math import ceil
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.bound import REFRESH, Ascent
from reidrisk.stats.suppress.result import SuppressionMoves, cheapest, cost_of, ladder
from reidrisk.stats.suppress.search import (
    SearchStep,
    SuppressionState,
    cheapest_open,
    enter,
    improve,
    leave,
    make_state,
    moves_of,
    restore,
    total_cost,
)
from reidrisk.stats.suppress.table import Budget, Codes, SuppressionTable, TupleGroups, group_tuples


@compiled
def worth(s: SuppressionState, group: int, prices: Floats) -> tuple[float, float]:
    """Profit of opening a group for the free units, filled up to k, and the least spare that enters."""
    cost = s.costs[s.pattern[group]]
    profit, count = 0.0, 0
    spares = np.full(s.k, -np.inf)
    for row in s.members[s.start[group] : s.start[group + 1]]:
        spare = prices[row] - cost
        for unit in range(s.first_unit[row], s.first_unit[row + 1]):
            if s.place[unit] >= 0:
                continue
            if spare > 0:
                profit += spare
                count += 1
            elif spare > spares[s.k - 1]:
                at = s.k - 1
                while at > 0 and spares[at - 1] < spare:
                    spares[at] = spares[at - 1]
                    at -= 1
                spares[at] = spare
    least = 0.0
    for index in range(s.k - count - s.size[group]):
        profit += spares[index]
        least = spares[index]
    return profit, least


@compiled
def fill_group(s: SuppressionState, group: int, prices: Floats, least: float) -> None:
    """Move in all units whose price exceeds the cost, then others down to `least` until there are k."""
    place = s.pattern[group]
    for tier in range(3):
        for row in s.members[s.start[group] : s.start[group + 1]]:
            spare = prices[row] - s.costs[place]
            if spare <= 0 and (tier == 0 or spare < least or (tier == 1 and spare == least)):
                continue
            for unit in range(s.first_unit[row], s.first_unit[row + 1]):
                if s.place[unit] < 0 and (spare > 0 or s.size[group] < s.k):
                    enter(s, unit, place)


@compiled
def open_by_price(s: SuppressionState, prices: Floats, floor: float, ease: float) -> None:
    """Open groups, most profitable first, down to a profit of `floor`.

    The price of the units that a group leaves out falls to its cost plus `ease`, since it is open to them
    now.
    """
    heap = [(0.0, 0)]
    heap.pop()
    for group in range(len(s.pattern)):
        profit, _ = worth(s, group, prices)
        if profit > floor:
            heap.append((-profit, group))
    heapq.heapify(heap)
    while len(heap) > 0:
        promised, group = heapq.heappop(heap)
        profit, least = worth(s, group, prices)
        if profit <= floor:
            continue
        if profit < -promised - 1e-9:
            heapq.heappush(heap, (-profit, group))
            continue
        fill_group(s, group, prices, least)
        most = s.costs[s.pattern[group]] + ease
        for row in s.members[s.start[group] : s.start[group + 1]]:
            prices[row] = min(prices[row], most)


@compiled
def settle(s: SuppressionState) -> None:
    """Place all free units: in new groups where that saves cost, else in the cheapest open class."""
    prices = np.full(len(s.of), s.costs[-1])
    for unit in range(len(s.place)):
        if s.place[unit] < 0:
            place = cheapest_open(s, s.tuple_of[unit])
            if place >= 0:
                prices[s.tuple_of[unit]] = s.costs[place]
    open_by_price(s, prices, 1e-9, 0.0)
    stranded = False
    for unit in range(len(s.place)):
        if s.place[unit] < 0:
            place = cheapest_open(s, s.tuple_of[unit])
            stranded = stranded or place < 0
            enter(s, unit, place if place >= 0 else len(s.costs) - 1)
    if stranded:
        rescue(s)


@compiled
def rescue(s: SuppressionState) -> None:
    """Fill the class of fully suppressed records up to k: first with records that others can spare.

    If these are not enough, whole classes are added.
    """
    last = len(s.costs) - 1
    group = s.of[0, last]
    for dissolve in range(2):
        for unit in range(len(s.place)):
            if s.size[group] >= s.k:
                return
            own = s.of[s.tuple_of[unit], s.place[unit]]
            if own == group or (dissolve == 0 and s.fixed[own] == 0 and s.size[own] <= s.k):
                continue
            if dissolve == 1:
                while s.head[own] >= 0:
                    friend = s.head[own]
                    leave(s, friend)
                    enter(s, friend, last)
            else:
                leave(s, unit)
                enter(s, unit, last)


@compiled
def construct(s: SuppressionState, prices: Floats, floor: float) -> None:
    """Construct a complete solution from nothing, led by prices."""
    for unit in range(len(s.place)):
        if s.place[unit] >= 0:
            leave(s, unit)
    open_by_price(s, prices, floor, np.inf)
    settle(s)


MOST_SETS = 1024
MOST_CELLS = 10_000_000
"""Limit on tuples times sets in memory."""
TRIES = ((-3.0, -0.05), (-4.0, 0.0), (-2.0, -0.02))
"""Lowest profit and shift of the prices, in mean weights, for each construction."""
CHUNKS = 100
HEAT = 0.2
FEWEST = 1000
"""Small tables get as many rounds as a table with this many records."""


class BlockSolution(NamedTuple):
    """A solution, and a lower bound for all solutions."""

    moves: SuppressionMoves
    bound: float


class Sets(NamedTuple):
    """The sets of columns to work with; all sets that cost less than the ceiling are among them."""

    masks: Ints
    costs: Floats
    ceiling: float


def choose_sets(table: SuppressionTable, most: int) -> Sets:
    """The cheapest sets, and a ladder of nested ones up to all columns."""
    masks, costs = cheapest(table.weights, most)
    complete = len(masks) == 1 << len(table.weights)
    ceiling = float(costs[-1]) + table.entry
    if not complete:
        rungs = ladder(table.codes, table.weights)
        masks = np.concatenate([masks, rungs[~np.isin(rungs, masks)]])
        costs = cost_of(masks, table.weights)
        order = np.argsort(costs, kind="stable")
        masks, costs = masks[order], costs[order]
    return Sets(masks, costs + table.entry * (masks != 0), ceiling)


def group_block(table: SuppressionTable) -> tuple[TupleGroups, float]:
    """Groups under as many sets as fit, and the cost below which no set is missing."""
    sets = choose_sets(table, max(2, min(MOST_SETS, MOST_CELLS // len(table.codes))))
    return group_tuples(table.codes, table.counts, table.k, sets.masks, sets.costs), sets.ceiling


def search_block(
    table: SuppressionTable, budget: Budget, rng: np.random.Generator, halt: Callable[[], bool]
) -> BlockSolution:
    """The best solution found within the budget, and a lower bound."""
    groups, ceiling = group_block(table)
    state = make_state(groups, table.counts, table.k, int(rng.integers(1, 2**62)))
    ascent = Ascent(groups, table.counts, table.k, ceiling)
    place = led_by_prices(state, ascent, budget.ascents, mean_weight(table), halt)
    restore(state, place)
    state.price[:] = ascent.best_prices
    least = least_cost(table, ascent.best)
    place = anneal(state, budget.rounds * max(FEWEST, risky_units(state)), mean_weight(table), halt, least)
    return BlockSolution(moves_of(place, state, groups, table.counts), ascent.best)


def least_cost(table: SuppressionTable, bound: float) -> float:
    """No solution costs less; if all cells cost the same, this is a whole number of cells."""
    weight = float(table.weights[0])
    if table.entry or not weight or (table.weights != weight).any():
        return bound
    return max(bound, weight * ceil(bound / weight - 1e-6))


def mean_weight(table: SuppressionTable) -> float:
    """The scale of costs: the mean weight of a column."""
    return float(table.weights.mean())


def risky_units(state: SuppressionState) -> int:
    """Number of units of tuples that need suppression."""
    return int((state.of[state.tuple_of, 0] < 0).sum())


def led_by_prices(
    state: SuppressionState, ascent: Ascent, steps: int, unit: float, halt: Callable[[], bool]
) -> Codes:
    """Raise the prices and construct solutions on the way; returns the best of them."""
    construct(state, ascent.prices + unit, -3.0 * unit)
    best, cost = state.place.copy(), total_cost(state)
    legs = steps // REFRESH
    for leg in range(legs):
        if halt() or cost <= ascent.best + 1e-9 or not ascent.climb(cost):
            break
        if (leg % 10 == 9 and 2 * leg > legs) or leg == legs - 1:
            for floor, shift in TRIES:
                construct(state, ascent.best_prices + shift * unit, floor * unit)
                now = total_cost(state)
                if now < cost - 1e-9:
                    best, cost = state.place.copy(), now
    return best


def anneal(
    state: SuppressionState, rounds: int, weight: float, halt: Callable[[], bool], least: float = 0.0
) -> Codes:
    """Ruin and recreate while the temperature falls; returns the best places found.

    Ends early if they cost no more than `least`: nothing costs less, so the others would not be taken.
    """
    best, cost = state.place.copy(), total_cost(state)
    wide, varied = SearchStep(30, weight, 0.6 * weight, 0.2), SearchStep(15, 2.0 * weight, 0.6 * weight, 0.5)
    for chunk in range(CHUNKS):
        if halt() or cost <= least + 1e-9:
            break
        heat = HEAT * weight * (1 - (chunk + 1) / CHUNKS)
        improve(state, -(-rounds // CHUNKS), heat, varied if chunk % 3 == 2 else wide)
        now = total_cost(state)
        if now < cost - 1e-9:
            best, cost = state.place.copy(), now
    return best
