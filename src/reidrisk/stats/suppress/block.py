"""Search one table that fits in memory with all its groups: prices, construction, improvement."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.suppress.bound import REFRESH, Ascent
from reidrisk.stats.suppress.groups import Codes, Groups, group_tuples
from reidrisk.stats.suppress.patterns import cheapest, cost_of, ladder
from reidrisk.stats.suppress.priced import construct
from reidrisk.stats.suppress.result import Stars
from reidrisk.stats.suppress.search import Step, improve
from reidrisk.stats.suppress.state import State, make_state, restore, stars_of, total_cost
from reidrisk.stats.suppress.table import Budget, Table

MOST_SETS = 1024
MOST_CELLS = 10_000_000
"""Tuples times sets that are held at once."""
TRIES = ((-3.0, -0.05), (-4.0, 0.0), (-2.0, -0.02))
"""Floor of the profit and shift of the prices, in mean weights, for the constructions."""
CHUNKS = 100
HEAT = 0.2
FEWEST = 1000
"""Small tables are worth the rounds of this many records."""


class Found(NamedTuple):
    """An answer and what is proved about all answers."""

    stars: Stars
    bound: float


class Sets(NamedTuple):
    """Starred sets to work with; all sets below the ceiling are among them."""

    masks: Ints
    costs: Floats
    ceiling: float


def choose_sets(table: Table, most: int) -> Sets:
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


def group_block(table: Table) -> tuple[Groups, float]:
    """Groups under as many sets as fit, and the cost below which no set is missing."""
    sets = choose_sets(table, max(2, min(MOST_SETS, MOST_CELLS // len(table.codes))))
    return group_tuples(table.codes, table.counts, table.k, sets.masks, sets.costs), sets.ceiling


def search_block(table: Table, budget: Budget, rng: np.random.Generator, halt: Callable[[], bool]) -> Found:
    """The best answer found within the budget, and a lower bound."""
    groups, ceiling = group_block(table)
    state = make_state(groups, table.counts, table.k, int(rng.integers(1, 2**62)))
    ascent = Ascent(groups, table.counts, table.k, ceiling)
    place = led_by_prices(state, ascent, budget.ascents, mean_weight(table), halt)
    restore(state, place)
    state.price[:] = ascent.best_prices
    place = anneal(state, budget.rounds * max(FEWEST, risky_units(state)), mean_weight(table), halt)
    return Found(stars_of(place, state, groups, table.counts), ascent.best)


def mean_weight(table: Table) -> float:
    """The scale of costs."""
    return float(table.weights.mean())


def risky_units(state: State) -> int:
    """Units of tuples that cannot stay as they are."""
    return int((state.of[state.tuple_of, 0] < 0).sum())


def led_by_prices(state: State, ascent: Ascent, steps: int, unit: float, halt: Callable[[], bool]) -> Codes:
    """Climb with the prices, and construct answers on the way; the best of them."""
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


def anneal(state: State, rounds: int, weight: float, halt: Callable[[], bool]) -> Codes:
    """Ruin and recreate while it cools; the best places seen."""
    best, cost = state.place.copy(), total_cost(state)
    wide, varied = Step(30, weight, 0.6 * weight, 0.2), Step(15, 2.0 * weight, 0.6 * weight, 0.5)
    for chunk in range(CHUNKS):
        if halt():
            break
        heat = HEAT * weight * (1 - (chunk + 1) / CHUNKS)
        improve(state, -(-rounds // CHUNKS), heat, varied if chunk % 3 == 2 else wide)
        now = total_cost(state)
        if now < cost - 1e-9:
            best, cost = state.place.copy(), now
    return best
