"""Which words of an original survive in a released text, without any offsets to go by.

Long runs of words that both texts hold once are fixed first; what lies between is compared exactly,
with all best alignments at once. A stretch too long for that is judged by the strictest rule: a word
that occurs in it at all may have survived.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reidrisk.stats.arrays import Bools, Ints
from reidrisk.text.alignment.best import best_alignments
from reidrisk.text.alignment.common_runs import Pair, common_runs
from reidrisk.text.alignment.outcome import Span

RUN = 12
SHORTER_RUNS = (6, 3, 1)
"""Only for stretches whose table would be too large: short runs may hold by chance."""
SMALL, LARGE = 60_000, 8_000_000
"""Cells of a table: below, runs are not needed; above, a table is not affordable."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the original and the part of the released text that stands in its place."""

    here: Span
    there: Span

    @property
    def cells(self) -> int:
        """The size of the table that compares them."""
        return (self.here[1] - self.here[0]) * (self.there[1] - self.there[0])


@dataclass(frozen=True, slots=True)
class Survival:
    """What became of every token of the original."""

    always: Bools
    """It stands in the released text, whichever way the texts are aligned."""
    perhaps: Bools
    """It does in some best alignments."""
    free: Bools
    """Tokens of the released text that need not come from the original."""
    stretches: tuple[tuple[Stretch, int], ...]
    """Where the texts differ, with the number of ways to align them there."""


def survival(one: Ints, other: Ints) -> Survival:
    """Compare two texts, both given as numbered tokens."""
    always, perhaps = np.zeros(one.size, dtype=bool), np.zeros(one.size, dtype=bool)
    free = np.ones(other.size, dtype=bool)
    found: list[tuple[Stretch, int]] = []
    waiting = [(Stretch((0, one.size), (0, other.size)), 0)]
    while waiting:
        stretch, tried = waiting.pop()
        here, there = slice(*stretch.here), slice(*stretch.there)
        runs, size, tried = _runs(one[here], other[there], tried, cells=stretch.cells)
        if runs:
            for start, to in runs:
                always[stretch.here[0] + start : stretch.here[0] + start + size] = True
                free[stretch.there[0] + to : stretch.there[0] + to + size] = False
            waiting += [(part, tried) for part in _between(stretch, runs, size)]
        elif stretch.cells > LARGE:
            perhaps[here] = np.isin(one[here], other[there])
            found.append((stretch, 2))
        else:
            best = best_alignments(one[here], other[there])
            always[here], perhaps[here], free[there] = best.always, best.perhaps, best.free
            found.append((stretch, best.ways))
    return Survival(always, perhaps, free, tuple(sorted(found, key=lambda pair: pair[0].here)))


def _runs(one: Ints, other: Ints, tried: int, *, cells: int) -> tuple[list[Pair], int, int]:
    """The longest kind of runs that two stretches share, their size, and how many kinds were tried."""
    sizes = (RUN, *SHORTER_RUNS) if cells > LARGE else (RUN,) if cells > SMALL else ()
    here, there = (one.tolist(), other.tolist()) if tried < len(sizes) else ([], [])
    for number in range(tried, len(sizes)):
        runs = common_runs(here, there, sizes[number])
        if runs:
            return runs, sizes[number], number + 1
    return [], 0, len(sizes)


def _between(whole: Stretch, runs: list[Pair], size: int) -> Iterator[Stretch]:
    """The stretches before, between and after the runs."""
    here, there = whole.here[0], whole.there[0]
    for start, to in runs:
        begin, begin_there = whole.here[0] + start, whole.there[0] + to
        if begin > here or begin_there > there:
            yield Stretch((here, max(begin, here)), (there, max(begin_there, there)))
        here, there = begin + size, begin_there + size
    if here < whole.here[1] or there < whole.there[1]:
        yield Stretch((here, whole.here[1]), (there, whole.there[1]))
