"""Distances between distributions, and the overlap of confidence intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints

BINS = 20
"""Number of bins for numbers, where shares are compared."""
ROUNDING = 1e-13
"""Rounding error of sums of shares."""


def total_variation(before: Floats | Ints, after: Floats | Ints) -> float | None:
    """Half the sum of the absolute differences of shares: 0 if equal, 1 if there is no common value.

    >>> total_variation(np.array([1.0, 1.0]), np.array([3.0, 1.0]))
    0.25
    """
    shares = _shares(before, after)
    return None if shares is None else _exact(float(np.abs(shares[0] - shares[1]).sum() / 2))


def hellinger(before: Floats | Ints, after: Floats | Ints) -> float | None:
    """The square root of 1 minus the sum of sqrt(p q): more sensitive to rare values than total variation."""
    shares = _shares(before, after)
    if shares is None:
        return None
    return float(np.sqrt(_exact(1.0 - float(np.sqrt(shares[0] * shares[1]).sum()))))


def kolmogorov(before: Floats | Ints, after: Floats | Ints) -> float | None:
    """The largest difference of the cumulative shares (Kolmogorov-Smirnov); values are in order.

    >>> kolmogorov(np.array([1.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    0.5
    """
    shares = _shares(before, after)
    return None if shares is None else _exact(float(np.abs(np.cumsum(shares[0] - shares[1])).max()))


def wasserstein(values: Floats, before: Floats | Ints, after: Floats | Ints) -> float | None:
    """Mean distance that a record must move, as a share of the range of the values before.

    >>> wasserstein(np.array([0.0, 5.0, 10.0]), np.array([1, 0, 1]), np.array([0, 2, 0]))
    0.5
    """
    shares = _shares(before, after)
    if shares is None:
        return None
    range_ = float(np.ptp(values[before > 0]))
    moved = float(np.abs(np.cumsum(shares[0] - shares[1])[:-1]) @ np.diff(values))
    if moved < 1e-12 * max(range_, 1.0):
        return 0.0
    return moved / range_ if range_ > 0 else None


def bin_values(before: Floats | Ints, bins: int = BINS) -> Ints:
    """The bin of each value in order, so that every bin has about the same share before."""
    if before.size <= bins:
        return np.arange(before.size, dtype=np.int64)
    middle = np.cumsum(before) - before / 2
    return np.asarray(np.minimum(middle / before.sum() * bins, bins - 1), dtype=np.int64)


def _exact(apart: float) -> float:
    """0 if the difference is only rounding error."""
    return apart if apart > ROUNDING else 0.0


def _shares(before: Floats | Ints, after: Floats | Ints) -> tuple[Floats, Floats] | None:
    """The shares on both sides; None if a side is empty."""
    one, two = float(before.sum()), float(after.sum())
    if one <= 0 or two <= 0:
        return None
    return np.asarray(before / one, dtype=np.float64), np.asarray(after / two, dtype=np.float64)


class ConfidenceInterval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float

    @property
    def says(self) -> int:
        """-1 or 1 if the whole interval is below or above 0; 0 if it includes 0 (no conclusion)."""
        return (self.low > 0) - (self.high < 0)


def overlap(before: ConfidenceInterval, after: ConfidenceInterval) -> float:
    """The mean of the shares of both intervals that they have in common; 0 if they do not overlap.

    Karr, Kohnen, Oganian, Reiter and Sanil 2006 (doi:10.1198/000313006X124640).

    >>> overlap(ConfidenceInterval(0, 2), ConfidenceInterval(1, 3))
    0.5
    >>> overlap(ConfidenceInterval(0, 1), ConfidenceInterval(2, 3))
    0.0
    """
    common = min(before.high, after.high) - max(before.low, after.low)
    if common < 0:
        return 0.0
    widths = [one.high - one.low for one in (before, after)]
    if min(widths) <= 0:
        return 1.0 if max(widths) <= 0 else 0.5
    return sum(common / width for width in widths) / 2
