"""The fewest suppressed cells where a suppressed cell matches every value.

Suppressing a record on the columns in which enough others differ from it makes it compatible with them
whatever they show: no two records need the same suppressed cells. A record that is suppressed everywhere is
compatible with all others, so k - 1 such records satisfy this reading for any table, with every unique record
still visible. `readings` shows what an adversary who knows this can conclude.

Cells are unsuppressed while every record keeps k compatible ones; then some are suppressed and it is tried
again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.suppress.block import MOST_SETS, choose_sets
from reidrisk.stats.suppress.compatible import ReleasedRows, compatible_sizes, released_rows
from reidrisk.stats.suppress.result import (
    Suppression,
    SuppressionMoves,
    Unmet,
    cost,
    cost_of,
    finish,
    impossible,
    keeps,
    tidy,
)
from reidrisk.stats.suppress.table import (
    Budget,
    Codes,
    Request,
    SuppressionTable,
    column_keys,
    kept_keys,
    make_table,
    number_keys,
    scratch_slots,
)

HELD = 0.2
"""Share of records that are not thinned, so that the others may rely on their suppressed cells."""


class ComparisonBudget:
    """The number of comparisons left; the same on every machine."""

    def __init__(self, rows: int, halt: Callable[[], bool]) -> None:
        self.rows, self.halt = rows, halt

    def left(self) -> bool:
        """Whether there is work left to spend."""
        return self.rows > 0 and not self.halt()


class Pruner(NamedTuple):
    """A table, and whether records in classes below k must keep a suppressed cell of their own."""

    table: SuppressionTable
    each_risky: bool
    rng: np.random.Generator
    work: ComparisonBudget

    def compatible(self, moves: SuppressionMoves) -> bool:
        """Whether every record has k compatible ones.

        Only classes below k can lack them: suppression elsewhere adds compatible records and removes none.
        """
        return not self.lacking(moves).any()

    def lacking(self, moves: SuppressionMoves) -> Bools:
        """Which moves leave their records with fewer than k compatible ones."""
        rows = released_rows(self.table.codes, moves)
        risky = np.flatnonzero(self.table.counts[moves.tuples] < self.table.k)
        self.work.rows -= len(moves.masks) * len(np.unique(moves.masks))
        short = np.zeros(len(moves.masks), dtype=np.bool_)
        found = compatible_sizes(rows.codes[risky], rows.numbers[risky], ReleasedRows(*rows))
        short[risky] = found < self.table.k
        return short

    def prune(self, moves: SuppressionMoves, last: Sequence[int] = ()) -> SuppressionMoves:
        """Try to restore each suppressed cell, many at a time and then by halves.

        The columns with the highest cost are restored first, in random order; the tuples in `last` come last.
        """
        units = one_by_one(moves)
        bits = np.arange(len(self.table.weights))
        suppressed = (units.masks[:, None] >> bits) & 1
        if self.each_risky:
            suppressed[(suppressed.sum(axis=1) == 1) & (self.table.counts[units.tuples] < self.table.k)] = 0
        unit, column = np.nonzero(suppressed)
        kept_longest = np.isin(units.tuples[unit], last)
        order = np.lexsort((self.rng.random(len(unit)), -self.table.weights[column], kept_longest))
        cells = np.stack([unit[order], np.left_shift(np.int64(1), column[order])], axis=1)
        parts = np.array_split(cells, max(1, len(cells) // 8))[::-1]
        while parts and self.work.left():
            part = parts.pop()
            fewer = self._without(units, part)
            if fewer is not None and self.compatible(fewer):
                units = fewer
            elif len(part) > 1:
                parts += [part[len(part) // 2 :], part[: len(part) // 2]]
        return tidy(*units)

    def thin(self, moves: SuppressionMoves) -> SuppressionMoves:
        """Restore many cells at once in a solution where no record relies on another's suppressed cells.

        Some records are kept unchanged. The others may then rely on the suppressed cells of these, and on the
        unsuppressed values that all have in common, so that it does not matter which of them are restored.
        """
        units = one_by_one(moves)
        held = self.rng.random(len(units.masks)) < HELD
        among = released_rows(self.table.codes, units._replace(masks=np.where(held, units.masks, 0)))
        masks = units.masks.copy()
        for column in np.argsort(-self.table.weights, kind="stable").tolist():
            fewer = masks & ~np.int64(1 << column)
            some = np.flatnonzero(~held & (fewer != masks) & (fewer != 0))
            if not len(some) or not self.work.left():
                continue
            trial = SuppressionMoves(units.tuples[some], fewer[some], units.numbers[some])
            found = compatible_sizes(*released_rows(self.table.codes, trial), among)
            self.work.rows -= len(masks) * len(np.unique(masks))
            good = some[found >= self.table.k]
            masks[good] = fewer[good]
        return tidy(units.tuples, masks, units.numbers)

    def _without(self, units: SuppressionMoves, part: Ints) -> SuppressionMoves | None:
        """The same moves without some cells; None if a record would lose its required suppressed cell."""
        masks = units.masks.copy()
        np.bitwise_and.at(masks, part[:, 0], ~part[:, 1])
        bare = (masks == 0) & (units.masks != 0)
        if self.each_risky and np.any(self.table.counts[units.tuples[bare]] < self.table.k):
            return None
        return units._replace(masks=masks)

    def shake(self, moves: SuppressionMoves, rounds: int, floor: float) -> SuppressionMoves:
        """Suppress one or two whole records, prune the others first, and keep the result if it costs no more.

        This ends when the cost is down to `floor`, below which no solution exists.
        """
        best, value = moves, cost(moves, self.table)
        for attempt in range(rounds):
            if value <= floor + 1e-9 or not self.work.left():
                break
            more, tuples = best, []
            for _ in range(1 + attempt % 2):
                move = int(self.rng.integers(len(more.masks)))
                tuples.append(int(more.tuples[move]))
                more = self._suppress_everywhere(more, move)
            found = self.prune(more, tuples)
            if cost(found, self.table) <= value + 1e-9:
                best, value = found, cost(found, self.table)
        return best

    def _suppress_everywhere(self, moves: SuppressionMoves, move: int) -> SuppressionMoves:
        """The same moves with one record of a move suppressed everywhere."""
        numbers = np.append(moves.numbers, 1)
        numbers[move] -= 1
        kept = numbers > 0
        tuples = np.append(moves.tuples, moves.tuples[move])
        masks = np.append(moves.masks, (1 << len(self.table.weights)) - 1)
        return tidy(tuples[kept], masks[kept], numbers[kept])


def one_by_one(moves: SuppressionMoves) -> SuppressionMoves:
    """Each record with suppressed cells on its own, the others together."""
    bare = moves.masks == 0
    times = np.where(bare, 1, moves.numbers)
    tuples, masks = np.repeat(moves.tuples, times), np.repeat(moves.masks, times)
    return SuppressionMoves(tuples, masks, np.where(masks == 0, np.repeat(moves.numbers, times), 1))


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
    """Suppress few cells so that every record is compatible with at least k, including itself.

    This never takes more cells than `suppress_cells`. With `each_risky`, every record of a class below k has
    a suppressed cell itself, so that none is released unchanged. Without it, the fewest cells are a few fully
    suppressed records that match everybody and protect nobody. `request.method` is ignored.

    >>> ages = np.array([[0, 1], [0, 2], [1, 3]], dtype=np.int32)
    >>> rng = np.random.default_rng(1)
    >>> answer = suppress_wildcard(ages, np.array([1, 1, 2]), request=Request(2), rng=rng)
    >>> answer.cells, answer.optimal
    (2, True)
    """
    table, budget = make_table(codes, counts, request), budget or Budget()
    # If records need no suppressed cell of their own, a limit on records does not restrict the risky ones.
    refused = impossible(table, request if each_risky else Request(request.k))
    if refused is not None:
        return refused
    if not table.risky:
        rows = np.arange(len(table.counts))
        return finish(tidy(rows, 0 * rows, table.counts), table, 0.0, "none needed")
    ways = _ways_out(table)
    pruner = Pruner(table, each_risky, rng, ComparisonBudget(EFFORT * budget.rounds, budget.watch()))
    answers = [pruner.thin(_start(pruner, ways, 0))]
    if not each_risky:
        answers += [_start(pruner, ways, companions) for companions in _promising(table, ways)]
    good = [moves for moves in answers if keeps(moves, table, request)]
    if not good:
        return Unmet("No solution within the limits was found.", proved=False)
    best = pruner.prune(min(good, key=lambda moves: cost(moves, table)))
    bound = max(ways.nearest, float(table.weights.min()) * table.risky if each_risky else 0.0)
    shaken = pruner.shake(best, SHAKES * budget.rounds, bound)
    return finish(shaken if keeps(shaken, table, request) else best, table, bound, "wildcard")


class _Ways(NamedTuple):
    """By need (1 to k) and tuple: the cheapest set under which that many records agree with it."""

    masks: Ints
    nearest: float
    """Greatest cost, over the tuples below k, of reaching the nearest other tuple."""


def _ways_out(table: SuppressionTable) -> _Ways:
    """Go through the sets, cheapest first.

    A compatible record differs from a record in columns that must be suppressed in one of the two, so that
    the nearest other tuple gives a lower bound for the table.
    """
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


def _promising(table: SuppressionTable, ways: _Ways) -> list[int]:
    """The two numbers of fully suppressed records that promise the cheapest solutions."""
    each = float(table.weights.sum())
    prices = [
        number * each + float(cost_of(ways.masks[table.k - number - 1], table.weights) @ table.counts)
        for number in range(1, table.k)
    ]
    return [int(place) + 1 for place in np.argsort(prices, kind="stable")[:2]]


def _start(pruner: Pruner, ways: _Ways, companions: int) -> SuppressionMoves:
    """Suppress some records everywhere, and the others so that they have k compatible ones with these."""
    table = pruner.table
    masks = ways.masks[table.k - companions - 1].copy()
    chosen = np.zeros(len(masks), dtype=np.int64)
    dear = np.lexsort((pruner.rng.random(len(masks)), table.counts, -cost_of(masks, table.weights)))
    before = np.concatenate([[0], np.cumsum(table.counts[dear])[:-1]])
    chosen[dear] = np.clip(companions - before, 0, table.counts[dear])
    everything = np.full(len(masks), (1 << len(table.weights)) - 1, dtype=np.int64)
    rows = np.arange(len(masks))

    def together() -> SuppressionMoves:
        numbers = np.concatenate([table.counts - chosen, chosen])
        kept = numbers > 0
        return tidy(
            np.concatenate([rows, rows])[kept], np.concatenate([masks, everything])[kept], numbers[kept]
        )

    moves = together()
    # A companion may have been counted already; such tuples get k matches without companions.
    lacking = np.unique(moves.tuples[pruner.lacking(moves)])
    masks[lacking] = ways.masks[-1, lacking]
    return together()
