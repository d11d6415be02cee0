"""How well the offset of a person's dates can be guessed from the moved dates alone.

Weekdays: clinics are closed on some days, so the pattern of weekdays tells the offset up to whole weeks.
Seasons: some events have theirs. Period: dates of a person cannot leave the period in which the data were
collected. Weekdays and months are compared by their frequencies among the true dates, which the adversary is
assumed to know.

Sources: Hripcsak et al. 2016, doi:10.1093/jamia/ocw001.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from reidrisk.stats.arrays import Floats, Ints

EPOCH_WEEKDAY = 3
"""1970-01-01 was a Thursday."""
MONTH, MONTHS = 30.44, 12
YEAR = 365.25


@dataclass(frozen=True, slots=True, eq=False)
class DateHabits:
    """What is known of dates in general: how often each weekday and month occurs, and the period."""

    weekday: Floats = field(repr=False)
    month: Floats = field(repr=False)
    first: int
    last: int

    @classmethod
    def of(cls, days: Ints) -> DateHabits:
        """From true days; every weekday and month may occur."""
        return cls(
            _shares(weekdays(days), 7), _shares(months(days), MONTHS), int(days.min()), int(days.max())
        )


def _shares(codes: Ints, width: int) -> Floats:
    counts = np.bincount(codes, minlength=width) + 0.5
    return np.asarray(counts / counts.sum(), dtype=np.float64)


def weekdays(days: Ints) -> Ints:
    """0 to 6 from Monday, of days from 1970-01-01.

    >>> weekdays(np.array([0, 4]))
    array([3, 0])
    """
    return (days + EPOCH_WEEKDAY) % 7


def months(days: Ints) -> Ints:
    """About which month of the year, 0 to 11."""
    return np.minimum(((days % YEAR) / MONTH).astype(np.int64), MONTHS - 1)


def guessed_weekday(moved: Ints, habits: DateHabits, possible: Ints, rng: np.random.Generator) -> int:
    """The most likely offset modulo 7; one of the best at random."""
    left = np.unique(possible % 7)
    scores = np.array([np.log(habits.weekday[weekdays(moved - one)]).sum() for one in left.tolist()])
    return int(rng.choice(left[scores >= scores.max() - 1e-9]))


def guessed_offset(
    moved: Ints, habits: DateHabits, possible: Ints, rng: np.random.Generator, *, clues: Sequence[str]
) -> int:
    """The most likely offset among the possible ones, by some clues; one of the best at random."""
    scores = np.zeros(len(possible))
    before = moved[:, None] - possible[None, :]
    if "weekday" in clues:
        scores += np.log(habits.weekday[weekdays(before)]).sum(axis=0)
    if "season" in clues:
        scores += np.log(habits.month[months(before)]).sum(axis=0)
    if "period" in clues:
        inside = ((before >= habits.first) & (before <= habits.last)).all(axis=0)
        scores = np.where(inside, scores, -np.inf) if inside.any() else scores
    return int(rng.choice(possible[scores >= scores.max() - 1e-9]))
