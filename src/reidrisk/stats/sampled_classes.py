"""Shares of records in small classes, estimated from a sample of whole classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

LEVEL = 0.95
HASHED = 2**31 - 1
"""Values of the hash that draws the classes."""


class ShareEstimate(NamedTuple):
    """A share of the records, with the interval that contains the true one."""

    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SampledClasses:
    """Classes that were drawn whole, each with the same chance and independently of the others."""

    counts: tuple[tuple[int, int], ...]
    """Pairs (size of class, number of such classes in the sample), smallest size first."""
    one_in: int
    """One class in so many was drawn."""
    records: int
    """Of the whole table."""
    tuples: int
    """Distinct tuples of the whole table; there are no more classes than that."""

    def below(self, cell_size: int) -> ShareEstimate:
        """Records in classes smaller than the cell size.

        The interval is that of Fay and Feuer (1997), Statistics in Medicine 16:791-801, for a weighted sum of
        counts: exact for one size, conservative for several. Two classes with the same hash are drawn
        together, which adds to the variance if there are nearly as many classes as values of the hash.
        """
        small = [(size, number) for size, number in self.counts if size < cell_size]
        total = sum(size * number for size, number in small)
        variance = sum(size * size * number for size, number in small) * (1 + self.tuples / HASHED)
        low, high = weighted_interval(float(total), variance, float(max(cell_size - 1, 1)))
        scale = self.one_in / self.records
        return ShareEstimate(min(1.0, total * scale), min(1.0, low * scale), min(1.0, high * scale))


def weighted_interval(
    total: float, variance: float, largest: float, *, level: float = LEVEL
) -> tuple[float, float]:
    """Interval of a weighted sum of Poisson counts; `largest` is the largest weight that can occur.

    >>> [round(bound, 3) for bound in weighted_interval(4, 4, 1)]
    [1.09, 10.242]
    """
    from scipy.special import gammaincinv  # slow to load, and only samples need it

    tail = (1 - level) / 2
    low = variance / total * float(gammaincinv(total**2 / variance, tail)) if total else 0.0
    more, spread = total + largest, variance + largest**2
    return low, spread / more * float(gammaincinv(more**2 / spread, 1 - tail))
