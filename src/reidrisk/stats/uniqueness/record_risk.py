"""What a record's class looks like in the population, given the chance of its class.

A class has the probability m q, where q is a Gamma variable of shape a with mean 1. Of n sampled records, f
are in the class; N - n people were not sampled. Given the sample, the number of people of the class among
them is negative binomial, with shape r = a + f - 1 and success probability T = A / (A + N - n), where
A = a/m + n - 1. The class is looked at because a record of the sample is in it, so only the f - 1 others tell
something about its size. A mixture of two components weighs them by how well they predict these others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from reidrisk.stats.arrays import Floats, Ints

NODES = 32
MANY = 20
"""From this class size on, the integrand is so steep that the nodes follow its exponential slope."""
FAR_NODES = 48


@dataclass(frozen=True, slots=True)
class Sampled:
    """How many records were sampled from how many people."""

    records: int
    population: int


@dataclass(frozen=True, slots=True, eq=False)
class NegativeBinomialClasses:
    """The distribution of the unsampled people of each class: negative binomial."""

    size: Ints
    shape: Floats
    """r, for each class."""
    success: Floats
    """T, for each class; 1 if everybody was sampled."""

    @classmethod
    def of(cls, size: Ints, chance: Floats, shape: float, sample: Sampled) -> NegativeBinomialClasses:
        """Build from the mean probability of each class and the shape of the Gamma distribution."""
        with np.errstate(divide="ignore"):
            rate = shape / chance + sample.records - 1
        outside = sample.population - sample.records
        success = np.ones(len(size)) if outside == 0 else 1 / (1 + outside / rate)
        return cls(size, np.asarray(shape + size - 1.0, dtype=np.float64), np.asarray(success))

    def unique(self) -> Floats:
        """Pr(F = 1)."""
        return np.where(self.size == 1, self.success**self.shape, 0.0)

    def below(self, cell_size: int) -> Floats:
        """Pr(F < cell size)."""
        from scipy.special import betainc

        room = np.maximum(cell_size - self.size, 1)
        return np.where(self.size < cell_size, betainc(self.shape, room, self.success), 0.0)

    def inverse(self) -> Floats:
        """E[1 / F], the chance that a random person of the class is the right one."""
        return np.minimum(self._inverse_power(1), 1 / self.size)

    def inverse_square(self) -> Floats:
        """E[1 / F^2]."""
        return np.minimum(self._inverse_power(2), 1 / self.size**2)

    def _inverse_power(self, power: int) -> Floats:
        few = self.size < MANY
        found = np.empty(len(self.size))
        found[few] = _inverse(self.size[few], self.shape[few], self.success[few], power)
        found[~few] = _far_inverse(self.size[~few], self.shape[~few], self.success[~few], power)
        return found


@cache
def legendre(number: int) -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss-Legendre quadrature on [-1, 1]."""
    node, weight = np.polynomial.legendre.leggauss(number)
    return node, weight


@cache
def _laguerre(number: int) -> tuple[Floats, Floats]:
    node, weight = np.polynomial.laguerre.laggauss(number)
    return node, weight


def _inverse(size: Ints, shape: Floats, success: Floats, power: int) -> Floats:
    """The integral of s^(f-1) (T / (1 - (1-T) s))^r over s in [0, 1], with 1 - (1-T) s = T^x.

    That is the mean of 1 / F; times -log s it is the mean of 1 / F^2.
    """
    node, weight = legendre(NODES)
    x = (1 + node) / 2
    rate = -np.log(success)[:, None]
    scale = np.where(rate > 0, rate, 1.0) / np.where(rate > 0, -np.expm1(-rate), 1.0)
    s = np.where(rate > 0, np.expm1(-rate * x) / np.where(rate > 0, np.expm1(-rate), 1.0), x)
    inside = s ** (size[:, None] - 1.0) * np.exp(-rate * (shape[:, None] * (1 - x) + x)) * scale
    return np.asarray((inside * (-np.log(s)) ** (power - 1)) @ (weight / 2))


def _far_inverse(size: Ints, shape: Floats, success: Floats, power: int) -> Floats:
    """The same for large classes, where it is nearly an exponential function of -log s."""
    node, weight = _laguerre(FAR_NODES)
    odds = (1 - success) / success
    slope = (size + shape * odds)[:, None]
    fall = -np.expm1(-node / slope)
    excess = node - size[:, None] * node / slope - shape[:, None] * np.log1p(odds[:, None] * fall)
    return np.asarray((np.exp(excess) * (node / slope) ** (power - 1)) @ weight / slope[:, 0])


@dataclass(frozen=True, slots=True, eq=False)
class RecordRisk:
    """For each class: chances of one of its records."""

    unique: Floats
    """The chance that the record is unique in the population."""
    below: Floats
    """The chance that its class in the population is smaller than the cell size."""
    inverse: Floats
    """The mean of 1 / F."""


def component_risk(
    size: Ints, chance: Floats, shape: float, sample: Sampled, *, cell_size: int
) -> RecordRisk:
    """The risk under one component."""
    model = NegativeBinomialClasses.of(size, chance, shape, sample)
    return RecordRisk(model.unique(), model.below(cell_size), model.inverse())
