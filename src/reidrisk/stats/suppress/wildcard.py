"""Fewest starred cells if a star matches every value when classes are counted.

Starring a record on the columns in which enough others differ from it makes it compatible with them
whatever they show: no two records need the same stars. And a record that is starred everywhere is
everybody's companion, so k - 1 such records satisfy the reading for any table, with every unique
record still there to be seen. `readings` says what an adversary who knows that makes of an answer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.suppress.block import MOST_SETS, choose_sets
from reidrisk.stats.suppress.groups import Codes, column_keys, kept_keys, number_keys, scratch_slots
from reidrisk.stats.suppress.limits import impossible, keeps
from reidrisk.stats.suppress.patterns import cost_of
from reidrisk.stats.suppress.prune import Pruner, Work
from reidrisk.stats.suppress.result import Stars, Suppression, Unmet, cost, finish, tidy
from reidrisk.stats.suppress.table import Budget, Request, Table, make_table

EFFORT = 4_000_000
"""Rows compared for each round of the budget."""
SHAKES = 10
"""Attempts to improve for each round of the budget."""


def suppress_wildcard(
    codes: Codes,
    counts: Ints,
    *,
    request: Request,
    budget: Budget | None = None,
    rng: np.random.Generator,
    each_risky: bool = True,
) -> Suppression | Unmet:
    """Star few cells so that every record is compatible with at least k, itself among them.

    Never more than `suppress_cells` needs. By `each_risky` every record of a class below k bears a star
    itself, so that none is released as it was; without it the fewest cells make a few records of nothing
    but stars, everybody's companions, and protect nobody. `request.method` is of no account.

    >>> ages = np.array([[0, 1], [0, 2], [1, 3]], dtype=np.int32)
    >>> rng = np.random.default_rng(1)
    >>> answer = suppress_wildcard(ages, np.array([1, 1, 2]), request=Request(2), rng=rng)
    >>> answer.cells, answer.optimal
    (2, True)
    """
    table, budget = make_table(codes, counts, request), budget or Budget()
    # Without stars of their own a limit on records does not bind what is risky.
    refused = impossible(table, request if each_risky else Request(request.k))
    if refused is not None:
        return refused
    if not table.risky:
        rows = np.arange(len(table.counts))
        return finish(tidy(rows, 0 * rows, table.counts), table, 0.0, "none needed")
    ways = _ways_out(table)
    pruner = Pruner(table, each_risky, rng, Work(EFFORT * budget.rounds, budget.watch()))
    answers = [pruner.thin(_start(pruner, ways, 0))]
    if not each_risky:
        answers += [_start(pruner, ways, companions) for companions in _promising(table, ways)]
    good = [stars for stars in answers if keeps(stars, table, request)]
    if not good:
        return Unmet("No answer within the limits was found.", proved=False)
    best = pruner.prune(min(good, key=lambda stars: cost(stars, table)))
    bound = max(ways.nearest, float(table.weights.min()) * table.risky if each_risky else 0.0)
    shaken = pruner.shake(best, SHAKES * budget.rounds, bound)
    return finish(shaken if keeps(shaken, table, request) else best, table, bound, "wildcard")


class _Ways(NamedTuple):
    """By need (1 to k) and tuple: the cheapest set under which so many records agree with it."""

    masks: Ints
    nearest: float
    """Of all tuples below k the one farthest from any other: what a first companion costs it."""


def _ways_out(table: Table) -> _Ways:
    """Look at the sets, cheapest first. A companion differs from a record in columns that must be
    starred in one of the two, so that the nearest other tuple gives a lower bound for the table."""
    sets = choose_sets(table, MOST_SETS)
    keys, slots = column_keys(table.codes), scratch_slots(len(table.codes))
    ids = np.empty(len(table.codes), dtype=np.int32)
    masks = np.zeros((table.k, len(table.codes)), dtype=np.int64)
    reached = np.where(table.counts < table.k, table.counts, table.k)
    nearest = 0.0
    for mask, price in zip(sets.masks, sets.costs, strict=True):
        found = number_keys(kept_keys(keys, int(mask)), slots, ids)
        sums = np.bincount(ids, weights=table.counts, minlength=found).astype(np.int64)
        now = np.minimum(sums[ids], table.k)
        better = np.flatnonzero(now > reached)
        if np.any(reached[better] == table.counts[better]):
            nearest = min(float(price), sets.ceiling)
        for need in range(1, table.k + 1):
            rows = better[(reached[better] < need) & (need <= now[better])]
            masks[need - 1, rows] = mask
        reached[better] = now[better]
    return _Ways(masks, nearest)


def _promising(table: Table, ways: _Ways) -> list[int]:
    """Numbers of all-starred records, the two that promise the cheapest answers."""
    each = float(table.weights.sum())
    prices = [
        number * each + float(cost_of(ways.masks[table.k - number - 1], table.weights) @ table.counts)
        for number in range(1, table.k)
    ]
    return [int(place) + 1 for place in np.argsort(prices, kind="stable")[:2]]


def _start(pruner: Pruner, ways: _Ways, companions: int) -> Stars:
    """Some records starred everywhere, the others on what makes them k with these."""
    table = pruner.table
    masks = ways.masks[table.k - companions - 1].copy()
    chosen = np.zeros(len(masks), dtype=np.int64)
    dear = np.lexsort((pruner.rng.random(len(masks)), table.counts, -cost_of(masks, table.weights)))
    before = np.concatenate([[0], np.cumsum(table.counts[dear])[:-1]])
    chosen[dear] = np.clip(companions - before, 0, table.counts[dear])
    everything = np.full(len(masks), (1 << len(table.weights)) - 1, dtype=np.int64)
    rows = np.arange(len(masks))

    def together() -> Stars:
        numbers = np.concatenate([table.counts - chosen, chosen])
        kept = numbers > 0
        return tidy(
            np.concatenate([rows, rows])[kept], np.concatenate([masks, everything])[kept], numbers[kept]
        )

    stars = together()
    # A companion may have been among those counted already; such tuples find k without any.
    lacking = np.unique(stars.tuples[pruner.lacking(stars)])
    masks[lacking] = ways.masks[-1, lacking]
    return together()
