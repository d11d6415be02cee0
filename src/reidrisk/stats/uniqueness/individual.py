"""Risk of single records from sampling weights (Benedetti and Franconi 1998, not approximated), and k-map."""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.stats.uniqueness.model_limits import median_smallest


def least_sample_class(cell_size: int, fraction: float, *, alpha: float = 0.05, seen: bool = False) -> int:
    """The smallest sample class at which a population class below the cell size is rejected.

    Exact for a simple random sample: Pr(Bin(k - 1, fraction) >= x) <= alpha. In a thin sample this accepts a
    single record as proof, because few small classes are sampled at all. But only classes that are sampled
    can be examined. With `seen`, the probability is therefore conditional on that: Pr(... >= x) / Pr(... >=
    1).

    >>> [least_sample_class(5, 0.1), least_sample_class(5, 0.5), least_sample_class(20, 0.2)]
    [3, 5, 8]
    >>> least_sample_class(5, 0.01), least_sample_class(5, 0.01, seen=True)
    (1, 2)
    """
    from scipy.special import bdtrc

    if cell_size < 1 or not 0 < fraction <= 1 or not 0 < alpha < 1:
        raise InvalidSetting(
            f"Cell size {cell_size}, sampling fraction {fraction} or level {alpha} is not valid.",
            hint="The cell size is at least 1, the fraction above 0 and up to 1, the level between 0 and 1.",
        )
    most = alpha * (float(bdtrc(0, cell_size - 1, fraction)) if seen and cell_size > 1 else 1.0)
    for size in range(1, cell_size):
        if bdtrc(size - 1, cell_size - 1, fraction) <= most:
            return size
    return cell_size


SMALL = 20
"""Up to this class size the hypergeometric series is used, beyond it a quadrature."""
NODES = 64


def individual_risk(sample: Floats, population: Floats) -> Floats:
    """E[1/F | f], with F - f negative binomial: f records of a class, whose weights sum to the population.

    >>> individual_risk(np.array([1.0, 3.0]), np.array([215.0, 60.0])).round(7).tolist()
    [0.0250964, 0.0239825]
    """
    counts, people = np.asarray(sample, dtype=np.float64), np.asarray(population, dtype=np.float64)
    if np.any(counts < 1) or not np.all(np.isfinite(people)) or np.any(people <= 0):
        raise InvalidSetting(
            "A class has no records, or weights that do not sum to a positive number.",
            hint="A weight is the number of people that a record represents.",
        )
    risk = 1 / counts
    drawn = people > counts
    few, many = drawn & (counts <= SMALL), drawn & (counts > SMALL)
    risk[few] = _by_series(counts[few], counts[few] / people[few])
    risk[many] = _by_quadrature(counts[many], counts[many] / people[many])
    return risk


@dataclass(frozen=True, slots=True)
class WeightedClasses:
    """Classes of a survey with weights: given the f records of a class, F - f is negative binomial."""

    rows: tuple[tuple[int, float, int], ...]
    """Size, sum of the weights, and number of such classes."""

    @property
    def _columns(self) -> tuple[Floats, Floats, Floats]:
        size, people, number = np.array(self.rows, dtype=np.float64).T
        return size, people, number

    @property
    def average(self) -> float:
        """The mean of 1 / F over the records."""
        size, people, number = self._columns
        return float((size * number) @ individual_risk(size, people) / (size @ number))

    @property
    def unique(self) -> float:
        """Expected records that are unique in the population."""
        size, people, number = self._columns
        return float((number * np.minimum(size / people, 1.0))[size == 1].sum())

    def small(self, cell_size: int) -> tuple[float, float]:
        """Expected classes below the cell size in the population, and their records."""
        from scipy.special import betainc

        size, people, number = self._columns
        room, share = cell_size - size, np.minimum(size / people, 1.0)
        chance = np.where(room > 0, betainc(size, np.maximum(room, 1.0), share), 0.0)
        return float(number @ chance), float((number * size) @ chance)

    @property
    def smallest(self) -> int:
        """As likely as not, the smallest population class of a record is no larger than this."""
        most = max(1, int(max(people for _, people, _ in self.rows)))
        return median_smallest(lambda size: -expm1(-self.small(size)[0]), most=most)


def _by_series(counts: Floats, share: Floats) -> Floats:
    """p^f / f 2F1(f, f; f+1; 1-p), which Euler's transformation makes p / f 2F1(1, 1; f+1; 1-p)."""
    from scipy.special import hyp2f1

    return np.asarray(share / counts * hyp2f1(1.0, 1.0, counts + 1, 1 - share))


def _by_quadrature(counts: Floats, share: Floats) -> Floats:
    """The integral over s of e^-s p / (p + (1-p) e^(-s/f)), divided by f: smooth for large f."""
    at, weight = np.polynomial.laguerre.laggauss(NODES)
    inner = share[:, None] / (share[:, None] + (1 - share[:, None]) * np.exp(-at / counts[:, None]))
    return np.asarray(inner @ weight / counts)
