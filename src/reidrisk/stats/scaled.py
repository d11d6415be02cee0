"""The distribution of attempt x risk, where risk is a list of weighted values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.uncertain import Triangular


@dataclass(frozen=True, slots=True)
class ScaledRisk:
    """Values of the risk before the attempt with their weights, times a triangular attempt."""

    values: Floats
    weights: Floats
    attempt: Triangular
    smooth: bool = True
    """Whether the values stand for a density, so that quantiles may lie between them."""

    def quantiles(self, levels: tuple[float, ...]) -> tuple[float, ...]:
        """Equal-tailed quantiles, one a level."""
        if self.attempt.is_constant:
            found = _weighted_quantiles(self.values, self.weights, np.array(levels), smooth=self.smooth)
            return tuple(float(value) * self.attempt.low for value in found)
        below = _Products.of(self.values, self.weights, self.attempt)
        return tuple(below.quantile(level) for level in levels)


def _weighted_quantiles(values: Floats, weights: Floats, levels: Floats, *, smooth: bool) -> Floats:
    order = np.argsort(values, kind="stable")
    ranked, mass = values[order], weights[order] / weights.sum()
    reached = np.cumsum(mass)
    if smooth:
        return np.interp(levels, reached - mass / 2, ranked)
    return ranked[np.minimum(np.searchsorted(reached, levels - 1e-12), ranked.size - 1)]


@dataclass(frozen=True, slots=True)
class _Products:
    """Distribution function of the products, exact in the attempt.

    A triangular distribution function is piecewise quadratic in x / value, so sums of
    weight, weight / value and weight / value ** 2 over the values, largest first, suffice.
    """

    attempt: Triangular
    positive: tuple[Floats, Floats]
    negative: tuple[Floats, Floats]
    zero: float

    @classmethod
    def of(cls, values: Floats, weights: Floats, attempt: Triangular) -> _Products:
        mass = weights / weights.sum()
        above, below = values > 0, values < 0
        positive = _descending(values[above], mass[above])
        negative = _descending(-values[below], mass[below])
        zero = 1 - float(positive[1][0, -1]) - float(negative[1][0, -1])
        return cls(attempt, positive, negative, max(zero, 0.0))

    def chance_up_to(self, x: float) -> float:
        """Pr(attempt x risk <= x)."""
        if x < 0:
            return self._mass(self.negative) - self._share(self.negative, -x)
        return self._mass(self.negative) + self.zero + self._share(self.positive, x)

    def quantile(self, level: float) -> float:
        from scipy.optimize import brentq  # slow to load

        below = self._mass(self.negative)
        if below <= level <= below + self.zero:
            return 0.0
        top = self.attempt.high * self.positive[0][0] if self.positive[0].size else 0.0
        bottom = -self.attempt.high * self.negative[0][0] if self.negative[0].size else 0.0
        low, high = (bottom, 0.0) if level < below else (0.0, top)
        return float(brentq(lambda x: self.chance_up_to(x) - level, low, high, xtol=1e-300, rtol=1e-10))

    @staticmethod
    def _mass(side: tuple[Floats, Floats]) -> float:
        return float(side[1][0, -1])

    def _share(self, side: tuple[Floats, Floats], x: float) -> float:
        """Sum of weights times the triangular distribution function at x / value."""
        values, sums = side
        if values.size == 0:
            return 0.0
        a, b, c = self.attempt.low, self.attempt.mode, self.attempt.high
        with np.errstate(divide="ignore", invalid="ignore"):
            edges = np.array([x / a if a else np.inf, x / b if b else np.inf, x / c])
        at_a, at_b, at_c = np.searchsorted(-values, -edges, side="left")
        total = sums[0, -1] - sums[0, at_c]
        if b > a:
            n, r, rr = sums[:, at_b] - sums[:, at_a]
            total += (x * x * rr - 2 * a * x * r + a * a * n) / ((c - a) * (b - a))
        if c > b:
            n, r, rr = sums[:, at_c] - sums[:, at_b]
            total += n - (c * c * n - 2 * c * x * r + x * x * rr) / ((c - a) * (c - b))
        return float(total)


def _descending(values: Floats, mass: Floats) -> tuple[Floats, Floats]:
    """Values from the largest, and running sums over them of mass, mass / value, mass / value ** 2.

    What is 1e-150 times the largest or less is left out, and so counted as zero.
    """
    order = np.argsort(-values, kind="stable")
    ranked, weight = values[order], mass[order]
    kept = ranked > ranked[0] * 1e-150 if ranked.size else np.zeros(0, dtype=bool)
    ranked, weight = ranked[kept], weight[kept]
    sums = np.zeros((3, ranked.size + 1))
    np.cumsum(weight, out=sums[0, 1:])
    np.cumsum(weight / ranked, out=sums[1, 1:])
    np.cumsum(weight / ranked**2, out=sums[2, 1:])
    return ranked, sums
