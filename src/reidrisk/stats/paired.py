"""Two treatments of the same documents: intervals of a difference that know of the pairing."""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.special import ndtri

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats


def difference_interval(first: Floats, second: Floats, levels: tuple[float, float]) -> tuple[float, float]:
    """Percentile interval of first - second, drawn with the same resampled documents.

    What the two share, such as a corpus with more or fewer difficult documents, cancels out.

    >>> low, high = difference_interval(np.array([0.5, 0.7, 0.9]), np.array([0.4, 0.6, 0.8]), (0.025, 0.975))
    >>> round(low, 3), round(high, 3)
    (0.1, 0.1)
    """
    if first.shape != second.shape:
        raise InvalidSetting(
            "Draws of two risks are compared one by one.", hint="Resample both with the same seed."
        )
    low, high = np.quantile(first - second, levels)
    return float(low), float(high)


def share_difference(
    only_first: int, only_second: int, documents: int, *, levels: tuple[float, float]
) -> tuple[float, float, float]:
    """Difference of two shares of the same documents with its interval.

    `only_first` documents have the property under the first treatment alone. The adjusted Wald
    interval of Bonett and Price (2012), doi:10.3102/1076998611411915, which holds for small
    numbers too: one document is added to each kind of disagreement.

    >>> [round(part, 4) for part in share_difference(1, 9, 100, levels=(0.025, 0.975))]
    [-0.08, -0.1432, -0.0136]
    """
    if min(only_first, only_second) < 0 or only_first + only_second > documents or documents < 1:
        raise InvalidSetting(
            f"{only_first} and {only_second} of {documents} documents cannot disagree.",
            hint="Count each document once.",
        )
    first, second = (only_first + 1) / (documents + 2), (only_second + 1) / (documents + 2)
    spread = sqrt((first + second - (first - second) ** 2) / (documents + 2))
    low, high = (first - second + float(ndtri(level)) * spread for level in levels)
    return (only_first - only_second) / documents, max(low, -1.0), min(high, 1.0)
