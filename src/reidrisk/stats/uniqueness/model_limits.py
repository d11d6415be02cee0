"""Limits over several models of the population, and the decision about small classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, exp, expm1

import numpy as np

from reidrisk.stats.arrays import Floats

NORMAL = 1.96
"""For two-sided limits of 95 %."""
MOST_LOG_SPREAD = 1.8
"""A larger spread of the expected number of small classes does not raise their chance any more."""
LARGEST_CHANCE = 0.05
"""The largest acceptable chance that some record is in a population class below the cell size."""
EVEN = 0.5
LEAST_COUNT = 0.05


def spread_limits(estimates: Sequence[float], spreads: Sequence[float]) -> tuple[float, float]:
    """The lowest lower and the highest upper limit of all models.

    `spreads` are standard deviations of the logarithm. A model without one (the last) takes their median.
    """
    values, widths = np.asarray(estimates, dtype=np.float64), _all_spreads(estimates, spreads)
    low, high = values * np.exp(-NORMAL * widths), values * np.exp(NORMAL * widths)
    return float(low.min()), float(high.max())


def _all_spreads(estimates: Sequence[float], spreads: Sequence[float]) -> Floats:
    missing = len(estimates) - len(spreads)
    return np.array([*spreads, *[float(np.median(spreads))] * missing])


def count_limits(estimates: Sequence[float], spreads: Sequence[float], *, most: int) -> tuple[int, int]:
    """Limits of a number of records, which varies as a Poisson number around its expectation.

    >>> count_limits([31.5, 30.1, 28.0, 35.2, 9.1], [0.25, 0.24, 0.22, 0.3], most=227)
    (2, 79)
    """
    low, high = spread_limits(estimates, spreads)
    return min(poisson_quantile(0.025, low), most), min(poisson_quantile(0.975, high), most)


def people_limits(
    estimates: Sequence[float], spreads: Sequence[float], *, fraction: float, population: int
) -> tuple[float, float]:
    """Limits of the number of unique people in the population, from those expected in the sample.

    The lower limit is 0 if that of the number in the sample is 0.
    """
    values = np.asarray(estimates, dtype=np.float64)
    chance = 1 / np.maximum(values, LEAST_COUNT)
    widths = np.sqrt(_all_spreads(estimates, spreads) ** 2 + chance)
    low, high = values * np.exp(-NORMAL * widths), values * np.exp(NORMAL * widths)
    least = (
        float(low.min()) / fraction if poisson_quantile(0.025, spread_limits(estimates, spreads)[0]) else 0.0
    )
    return least, min(float(high.max()) / fraction, float(population))


def poisson_quantile(share: float, mean: float) -> int:
    """The smallest number that a Poisson variable does not exceed with this probability."""
    from scipy.special import pdtr, pdtrik

    if mean <= 0:
        return 0
    guess = pdtrik(share, mean)
    found = max(0, ceil(guess)) if np.isfinite(guess) else 0
    while found > 0 and pdtr(found - 1, mean) >= share:
        found -= 1
    while pdtr(found, mean) < share:
        found += 1
    return found


def small_class_chance(expected: Sequence[float], spreads: Sequence[float]) -> float:
    """The chance that some record is in a population class below the cell size.

    `expected` is the expected number of such classes by each model, `spreads` the standard deviation of its
    logarithm. The model with the most of them decides: h = 1 - exp(-max c exp(min(s, 1.8)^2 / 2)).

    >>> round(small_class_chance([0.004, 0.006, 0.003, 0.009], [1.0, 0.9, 0.8, 1.2]), 5)
    0.01832
    """
    pairs = zip(expected, spreads, strict=True)
    return -expm1(-max(count * exp(min(spread, MOST_LOG_SPREAD) ** 2 / 2) for count, spread in pairs))


def accepts_maximum(chance: float, *, smallest: int, cell_size: int) -> bool:
    """The maximum rule: every sample class reaches the cell size, or small classes are unlikely."""
    return smallest >= cell_size or chance <= LARGEST_CHANCE


def median_smallest(chance_below: Callable[[int], float], *, most: int) -> int:
    """The smallest population class of a record: as likely as not, it is no larger than this."""
    return _first(lambda size: chance_below(size + 1) >= EVEN, most)


def limit_smallest(chance_below: Callable[[int], float], *, most: int) -> int:
    """The smallest class size that cannot be ruled out with 95 % confidence."""
    return _first(lambda size: chance_below(size + 1) > LARGEST_CHANCE, most)


def _first(holds: Callable[[int], bool], most: int) -> int:
    """The first whole number from 1 on that holds, where all that follow hold too; `most` at the latest."""
    low, high = 0, 1
    while high < most and not holds(high):
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
