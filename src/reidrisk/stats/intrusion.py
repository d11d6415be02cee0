"""Data intrusion simulation: the probability that a match with a sample-unique record is right.

An intruder knows a member of the population whose values match exactly one record of the sample. Skinner &
Elliot (2002, doi:10.1111/1467-9868.00365) estimate the probability that it is that person's own record from
the sample alone: take a record out and put it back with the probability of the sampling fraction. Removing a
unique record and finding it again is a right match; removing one of a pair leaves a wrong match.
"""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats

MIDDLE, SLOPE = 8, 20
"""The exponent of scores is 1 for 8 columns and a twentieth less for each additional one, as in SUDA."""


def right_match(uniques: int, pairs: int, fraction: float) -> float | None:
    """The probability that a unique match is right; None if no record is unique.

    `pairs` is the number of classes of two records.

    >>> right_match(30, 10, 0.1)
    0.14285714285714285
    """
    if not uniques:
        return None
    found, lost = fraction * uniques, 2 * (1 - fraction) * pairs
    return found / (found + lost)


def dis_scores(scores: Floats, columns: int, right: float) -> Floats:
    """The probability of a right match for each record that has a score; 0 for the others.

    The odds of a record grow with its score. They are scaled so that the odds against, averaged over the
    scored records, are those of the whole table (SUDA by Elliot & Manning, in the form used by sdcMicro).

    >>> dis_scores(np.array([2.0, 2.0, 0.0]), 3, 0.25).tolist()
    [0.25, 0.25, 0.0]
    """
    found = np.zeros(len(scores))
    own = scores > 0
    if not own.any():
        return found
    strength = scores[own] ** (1 + (MIDDLE - columns) / SLOPE)
    against = (1 / right - 1) / (strength * float(np.mean(1 / strength)))
    found[own] = 1 / (1 + against)
    return found
