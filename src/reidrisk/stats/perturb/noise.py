"""Noise that goes together as the columns do (Kim 1986): correlations are not blurred."""

from __future__ import annotations

import numpy as np

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Floats


def with_noise(values: Floats, share: float, rng: np.random.Generator) -> Floats:
    """Rows with normal noise of `share` of the variance, then scaled to the old mean and variance.

    The noise has the covariance of the columns over rows without a gap; NaN stays.
    """
    if not 0 < share < np.inf:
        raise InvalidSetting(f"Noise of {share} of the variance.", hint="A number above 0, such as 0.1.")
    whole = values[~np.isnan(values).any(axis=1)]
    if len(whole) < 2:
        raise NothingToMeasure("Fewer than two rows have all numbers.", hint="Name columns without gaps.")
    covariance = np.atleast_2d(np.cov(whole, rowvar=False))
    noise = rng.multivariate_normal(np.zeros(values.shape[1]), share * covariance, len(values), method="eigh")
    mean = np.nanmean(values, axis=0)
    return np.asarray(mean + (values - mean + noise) / np.sqrt(1 + share))
