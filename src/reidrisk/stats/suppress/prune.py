"""Take stars away while every record keeps k compatible ones; then add some and try again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.suppress.compatible import Rows, compatible_sizes, released_rows
from reidrisk.stats.suppress.result import Stars, cost, tidy
from reidrisk.stats.suppress.table import Table

HELD = 0.2
"""Share of records that are not thinned, so that the others may rely on their stars."""


class Work:
    """How many comparisons may still be made; the same number on every machine."""

    def __init__(self, rows: int, halt: Callable[[], bool]) -> None:
        self.rows, self.halt = rows, halt

    def left(self) -> bool:
        """Whether there is work left to spend."""
        return self.rows > 0 and not self.halt()


class Pruner(NamedTuple):
    """A table, and whether records in classes below k must keep a star of their own."""

    table: Table
    each_risky: bool
    rng: np.random.Generator
    work: Work

    def compatible(self, stars: Stars) -> bool:
        """Whether every record has k compatible ones. Only classes below k can lack them:
        stars elsewhere add companions and take none away."""
        return not self.lacking(stars).any()

    def lacking(self, stars: Stars) -> Bools:
        """Which moves leave their records with fewer than k compatible ones."""
        rows = released_rows(self.table.codes, stars)
        risky = np.flatnonzero(self.table.counts[stars.tuples] < self.table.k)
        self.work.rows -= len(stars.masks) * len(np.unique(stars.masks))
        short = np.zeros(len(stars.masks), dtype=np.bool_)
        found = compatible_sizes(rows.codes[risky], rows.numbers[risky], Rows(*rows))
        short[risky] = found < self.table.k
        return short

    def prune(self, stars: Stars, last: Sequence[int] = ()) -> Stars:
        """Try to do without each starred cell, many at a time and then by halves.

        The dearest columns go first, in random order; stars of the tuples `last` are kept longest.
        """
        units = one_by_one(stars)
        bits = np.arange(len(self.table.weights))
        starred = (units.masks[:, None] >> bits) & 1
        if self.each_risky:
            starred[(starred.sum(axis=1) == 1) & (self.table.counts[units.tuples] < self.table.k)] = 0
        unit, column = np.nonzero(starred)
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

    def thin(self, stars: Stars) -> Stars:
        """Take many stars away at once from an answer in which no record relies on another's stars.

        Some records are held as they are. The others may then rely on the stars of these, and on what
        all have in common unstarred, so that it does not matter which of them lose stars.
        """
        units = one_by_one(stars)
        held = self.rng.random(len(units.masks)) < HELD
        among = released_rows(self.table.codes, units._replace(masks=np.where(held, units.masks, 0)))
        masks = units.masks.copy()
        for column in np.argsort(-self.table.weights, kind="stable").tolist():
            fewer = masks & ~np.int64(1 << column)
            some = np.flatnonzero(~held & (fewer != masks) & (fewer != 0))
            if not len(some) or not self.work.left():
                continue
            trial = Stars(units.tuples[some], fewer[some], units.numbers[some])
            found = compatible_sizes(*released_rows(self.table.codes, trial), among)
            self.work.rows -= len(masks) * len(np.unique(masks))
            good = some[found >= self.table.k]
            masks[good] = fewer[good]
        return tidy(units.tuples, masks, units.numbers)

    def _without(self, units: Stars, part: Ints) -> Stars | None:
        """The same without some cells; None if a record would lose a star that it must keep."""
        masks = units.masks.copy()
        np.bitwise_and.at(masks, part[:, 0], ~part[:, 1])
        bare = (masks == 0) & (units.masks != 0)
        if self.each_risky and np.any(self.table.counts[units.tuples[bare]] < self.table.k):
            return None
        return units._replace(masks=masks)

    def shake(self, stars: Stars, rounds: int, floor: float) -> Stars:
        """Star all of one or two records, prune the others first, and keep what is not dearer.

        Ends when the cost is down to `floor`, below which no answer exists.
        """
        best, value = stars, cost(stars, self.table)
        for attempt in range(rounds):
            if value <= floor + 1e-9 or not self.work.left():
                break
            more, tuples = best, []
            for _ in range(1 + attempt % 2):
                move = int(self.rng.integers(len(more.masks)))
                tuples.append(int(more.tuples[move]))
                more = self._starred(more, move)
            found = self.prune(more, tuples)
            if cost(found, self.table) <= value + 1e-9:
                best, value = found, cost(found, self.table)
        return best

    def _starred(self, stars: Stars, move: int) -> Stars:
        """The same with one record of a move starred everywhere."""
        numbers = np.append(stars.numbers, 1)
        numbers[move] -= 1
        kept = numbers > 0
        tuples = np.append(stars.tuples, stars.tuples[move])
        masks = np.append(stars.masks, (1 << len(self.table.weights)) - 1)
        return tidy(tuples[kept], masks[kept], numbers[kept])


def one_by_one(stars: Stars) -> Stars:
    """Starred records each on its own, the others together."""
    bare = stars.masks == 0
    times = np.where(bare, 1, stars.numbers)
    tuples, masks = np.repeat(stars.tuples, times), np.repeat(stars.masks, times)
    return Stars(tuples, masks, np.where(masks == 0, np.repeat(stars.numbers, times), 1))
