"""A probability that is known, or known only roughly."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from scipy.special import betaincinv

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats


@dataclass(frozen=True, slots=True)
class Triangular:
    """A probability between `low` and `high`, most likely `mode`; a constant if all are equal."""

    low: float
    mode: float
    high: float

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.mode <= self.high <= 1:
            given = str(self.low) if self.is_constant else f"({self.low}, {self.mode}, {self.high})"
            raise InvalidSetting(
                f"{given} is neither a probability nor three of them in order.",
                hint="Give one value from 0 to 1, or the lowest, most likely and highest value in order.",
            )

    @classmethod
    def constant(cls, value: float) -> Triangular:
        """A probability without uncertainty."""
        return cls(value, value, value)

    @property
    def is_constant(self) -> bool:
        """Whether it has no uncertainty."""
        return self.low == self.high

    @property
    def mean(self) -> float:
        """The mean, which a point estimate uses; not the mode."""
        return self.low if self.is_constant else (self.low + self.mode + self.high) / 3

    @property
    def variance(self) -> float:
        """The variance."""
        a, b, c = self.low, self.mode, self.high
        return (a * a + b * b + c * c - a * b - a * c - b * c) / 18

    def quantiles(self, u: Floats) -> Floats:
        """Quantile function.

        >>> [round(float(q), 4) for q in Triangular(0.1, 0.3, 0.6).quantiles(np.array([0.1, 0.5]))]
        [0.2, 0.3261]
        """
        u = np.asarray(u, dtype=float)
        a, b, c = self.low, self.mode, self.high
        if self.is_constant:
            return np.full_like(u, a)
        left = a + np.sqrt(u * (c - a) * (b - a))
        right = c - np.sqrt((1 - u) * (c - a) * (c - b))
        return np.where(u < (b - a) / (c - a), left, right)


@dataclass(frozen=True, slots=True)
class Beta:
    """The posterior of a probability after an experiment with `a - 1/2` hits and `b - 1/2` misses."""

    a: float
    b: float

    def __post_init__(self) -> None:
        if not (0 < self.a < inf and 0 < self.b < inf):
            raise InvalidSetting(
                f"Beta({self.a}, {self.b}) is not a valid distribution.",
                hint="Both parameters must be numbers above 0.",
            )

    @property
    def is_constant(self) -> bool:
        """Always false: a posterior is never certain."""
        return False

    @property
    def mean(self) -> float:
        """The mean."""
        return self.a / (self.a + self.b)

    @property
    def spread(self) -> float:
        """The standard deviation."""
        return sqrt(self.a * self.b / (self.a + self.b + 1)) / (self.a + self.b)

    def quantiles(self, u: Floats) -> Floats:
        """Quantile function."""
        return np.asarray(betaincinv(self.a, self.b, u), dtype=float)


StatedProbability = Triangular | Beta
"""A probability as a user can state it."""


@dataclass(frozen=True, slots=True)
class Blend:
    """A weighted average of uncertain probabilities that are high or low together."""

    parts: tuple[tuple[float, StatedProbability], ...]
    """Weights, which sum to 1, and the probabilities they apply to."""

    @property
    def is_constant(self) -> bool:
        """Whether no part has any uncertainty."""
        return all(part.is_constant for _, part in self.parts)

    @property
    def mean(self) -> float:
        """The mean."""
        return sum(weight * part.mean for weight, part in self.parts)

    def quantiles(self, u: Floats) -> Floats:
        """Quantile function; the parts rise together, which is the cautious assumption."""
        return np.asarray(sum(weight * part.quantiles(u) for weight, part in self.parts), dtype=float)


Uncertain = StatedProbability | Blend
