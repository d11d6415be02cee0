"""Population uniques by the Ewens-Pitman partition (Hoshino 2001, J. Official Statistics 17(4):499)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, lgamma, log

import numpy as np

from reidrisk.stats.uniqueness.sampled import SampledClasses

SMALL = 1e-4
"""Below this the sum over classes is taken term by term: the gamma functions would cancel."""
GRID = 40
"""Values of alpha that are tried first."""


@dataclass(frozen=True, slots=True)
class Pitman:
    """The two parameters: theta > -alpha, 0 <= alpha < 1."""

    theta: float
    alpha: float

    def uniques(self, population: int, *, exact: bool = True) -> float:
        """Expected uniques in a population.

        The asymptotic form, which other programs use, overshoots where alpha is near 0.

        >>> round(Pitman(500, 0).uniques(20_000), 4)
        487.8287
        """
        theta, alpha = self.theta, self.alpha
        if not exact:
            return exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(population))
        first = lgamma(theta + 1) - lgamma(theta + alpha)
        return population * exp(first + _log_ratio(theta + population, alpha - 1))


def _log_ratio(x: float, step: float) -> float:
    """log(Gamma(x + step) / Gamma(x)); by its series where the two would cancel."""
    if x < 1e5:
        return lgamma(x + step) - lgamma(x)
    return step * log(x) + float(np.log1p(step * (step - 1) / (2 * x)))


def fit_pitman(sample: SampledClasses) -> Pitman | None:
    """The parameters of greatest likelihood; None if every record is unique or all are alike."""
    if sample.classes in {1, sample.records}:
        return None
    from scipy.optimize import minimize_scalar

    def loss(alpha: float) -> float:
        return -log_likelihood(sample, _best_theta(sample, alpha))

    grid = np.linspace(0, 1, GRID, endpoint=False)
    best = int(np.argmin([loss(alpha) for alpha in grid]))
    low, high = grid[max(best - 1, 0)], grid[best + 1] if best + 1 < GRID else 1 - 1e-12
    inner = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    return _best_theta(sample, min((0.0, float(inner)), key=lambda alpha: (loss(alpha), alpha)))


def _best_theta(sample: SampledClasses, alpha: float) -> Pitman:
    """The best theta for an alpha: where the likelihood no longer grows."""
    from scipy.optimize import brentq

    def slope(point: float) -> float:
        return _slope(sample, Pitman(exp(point) - alpha, alpha))

    low, high = -30.0, log(1e9 * sample.records)
    if slope(low) <= 0:
        return Pitman(exp(low) - alpha, alpha)
    if slope(high) >= 0:
        return Pitman(exp(high) - alpha, alpha)
    return Pitman(exp(brentq(slope, low, high, xtol=1e-13, rtol=1e-14)) - alpha, alpha)


def _slope(sample: SampledClasses, model: Pitman) -> float:
    from scipy.special import digamma

    theta, alpha = model.theta, model.alpha
    if alpha < SMALL:
        opened = float((1 / (theta + alpha * np.arange(1, sample.classes))).sum())
    else:
        opened = float(digamma(theta / alpha + sample.classes) - digamma(theta / alpha + 1)) / alpha
    return opened - float(digamma(theta + sample.records) - digamma(theta + 1))


def log_likelihood(sample: SampledClasses, model: Pitman) -> float:
    """How well the parameters fit the class sizes."""
    from scipy.special import gammaln

    theta, alpha, records, classes = model.theta, model.alpha, sample.records, sample.classes
    if not (0 <= alpha < 1 and theta > -alpha):
        return -inf
    if alpha < SMALL:
        opened = float(np.log(theta + alpha * np.arange(1, classes)).sum())
    else:
        opened = (classes - 1) * log(alpha) + lgamma(theta / alpha + classes) - lgamma(theta / alpha + 1)
    joined = float(sample.number @ (gammaln(sample.sizes - alpha) - lgamma(1 - alpha)))
    return opened - (lgamma(theta + records) - lgamma(theta + 1)) + joined
