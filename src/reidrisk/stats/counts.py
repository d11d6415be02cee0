"""Distributions of whole numbers: values per document, instances per value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, pdtr, pdtrik, xlogy

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.stats.choices import CountModel

COUNT_MODELS: tuple[CountModel, ...] = get_args(CountModel)
NEGLIGIBLE = 1e-14
"""Counts less likely than this are left out of a support."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers that can occur, smallest first, and their probabilities."""

    support: Floats
    chances: Floats
    rate: float | None = None
    """The mean if this is a Poisson distribution; thinning then has a closed form."""

    @property
    def mean(self) -> float:
        """Expected number."""
        return float(self.support @ self.chances)

    def coarse(self) -> Counts:
        """The same distribution with fewer points.

        The least likely numbers are dropped, and large neighbors are merged at their mean. Numbers up to 40
        stay separate; above 40, numbers within 2.5 % of each other are merged.
        """
        likely = self.chances > 1e-9
        support, chances = self.support[likely], self.chances[likely] / self.chances[likely].sum()
        if support[-1] <= 40:
            return Counts(support, chances, self.rate)
        place = np.where(support <= 40, support, 41 + np.floor(np.log(np.maximum(support, 40) / 40) / 0.025))
        _, bins = np.unique(place, return_inverse=True)
        joined = np.bincount(bins, weights=chances).astype(float)
        totals = np.bincount(bins, weights=chances * support).astype(float)
        return Counts(totals / joined, joined, self.rate)

    def quantiles(self, u: Floats) -> Floats:
        """Quantile function, by table lookup."""
        place = np.searchsorted(np.cumsum(self.chances), u, side="right")
        return self.support[np.minimum(place, self.support.size - 1)]


def counts(model: CountModel, *, mean: float, observed: ArrayLike = ()) -> Counts:
    """A distribution with this mean, or the empirical distribution of the `observed` numbers."""
    seen = np.asarray(observed, dtype=float)
    if model == "empirical":
        support, times = np.unique(seen, return_counts=True)
        return Counts(support, np.asarray(times / seen.size, dtype=float))
    if model == "fixed":
        return Counts(np.array([mean]), np.ones(1))
    if model == "poisson":
        return _poisson(mean)
    if model == "shifted_poisson":
        shifted = _poisson(max(mean - 1, 0.0))
        return Counts(shifted.support + 1, shifted.chances)
    if model == "zero_truncated":
        return _zero_truncated(mean)
    if model == "negative_binomial":
        return _negative_binomial(mean, float(np.var(seen, ddof=1)) if seen.size > 1 else 0.0)
    raise InvalidSetting.among("The model of a count", model, COUNT_MODELS)


def zero_truncated_rate(mean: float) -> float:
    """Rate L of the Poisson distribution whose zero-truncated mean is this: L / (1 - exp(-L)) = mean.

    >>> round(zero_truncated_rate(2.0), 6)
    1.593624
    """
    if mean <= 1 + 1e-12:
        return 0.0
    from scipy.optimize import brentq  # slow to load, and most models do not need it

    return float(brentq(lambda rate: rate / -np.expm1(-rate) - mean, 1e-12, mean, xtol=1e-15, rtol=1e-15))


def _poisson(mean: float) -> Counts:
    top = _poisson_quantile(1 - NEGLIGIBLE, mean) + 1 if mean > 0 else 0
    support = np.arange(top + 1, dtype=float)
    chances = np.exp(xlogy(support, mean) - gammaln(support + 1) - mean)
    return _trim(support, np.asarray(chances, dtype=float), rate=mean)


def _poisson_quantile(chance: float, mean: float) -> int:
    found = int(np.ceil(pdtrik(chance, mean)))
    return found - 1 if found and pdtr(found - 1, mean) >= chance else found


def _zero_truncated(mean: float) -> Counts:
    rate = zero_truncated_rate(mean)
    if rate == 0:
        return Counts(np.ones(1), np.ones(1))
    whole = _poisson(rate)
    kept = whole.support > 0
    return _trim(whole.support[kept], whole.chances[kept])


def _negative_binomial(mean: float, variance: float) -> Counts:
    if variance <= mean:  # no more spread than a Poisson distribution
        return _poisson(mean)
    from scipy.stats import nbinom  # slow to load

    share, size = mean / variance, mean**2 / (variance - mean)
    support = np.arange(int(nbinom.isf(NEGLIGIBLE, size, share)) + 2, dtype=float)
    return _trim(support, nbinom.pmf(support, size, share))


def _trim(support: Floats, chances: Floats, *, rate: float | None = None) -> Counts:
    kept = chances > NEGLIGIBLE
    return Counts(support[kept], chances[kept] / chances[kept].sum(), rate)
