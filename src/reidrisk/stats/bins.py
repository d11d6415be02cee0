"""People spread over bins, such as the birthdays of a year: how few share a bin.

Equations 1 to 4 of Benitez and Malin 2010 (doi:10.1136/jamia.2009.000026). Their equation 2 is printed
without the factor i, which its own example needs. With it the sum has a closed form: a person shares a
bin with at most g - 1 of n - 1 others, each of whom is in it with the chance of that bin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincc, xlog1py

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats


def bins_of_size(size: int, people: ArrayLike, bins: ArrayLike) -> Floats:
    """Expected number of bins with exactly so many people (equation 1).

    >>> round(float(bins_of_size(1, 200, 365)), 2)
    115.86
    """
    from scipy.stats import binom  # keeps twelve digits where a difference of log-factorials keeps eight

    n, b = _checked(people, bins)
    return np.asarray(b * binom.pmf(size, n, 1 / b))


def distinct_people(size: ArrayLike, people: ArrayLike, bins: ArrayLike) -> Floats:
    """Expected number of people who share their bin with fewer than `size` others (equation 2).

    >>> round(float(distinct_people(5, 200, 365)), 2)
    199.95
    """
    n, b = _checked(people, bins)
    return _distinct(np.asarray(size, dtype=np.float64), n, 1 / b)


def distinct_people_uneven(size: ArrayLike, people: ArrayLike, chances: ArrayLike) -> Floats:
    """The same where bins differ: `chances`, which add up to 1, along an added last axis."""
    n, _ = _checked(people, 1.0)
    p = np.asarray(chances, dtype=np.float64)
    if np.any(p < 0) or not np.allclose(p.sum(axis=-1), 1.0, rtol=1e-9):
        raise InvalidSetting("The chances of the bins do not add up to 1.", hint="Give shares, none below 0.")
    g = np.asarray(size, dtype=np.float64)
    return np.asarray((_distinct(g[..., None], n[..., None], p) * p).sum(axis=-1))


def occupied_bins(people: ArrayLike, bins: ArrayLike) -> Floats:
    """Expected number of bins that are not empty: what an adversary who matches all gets right.

    >>> round(3 / 200 * float(occupied_bins(200, 365)), 3)
    2.312
    """
    n, b = _checked(people, bins)
    return np.asarray(-b * np.expm1(xlog1py(n, -1 / b)))


def occupied_bins_uneven(people: ArrayLike, chances: ArrayLike) -> Floats:
    """The same where bins differ."""
    n, _ = _checked(people, 1.0)
    p = np.asarray(chances, dtype=np.float64)
    return np.asarray(-np.expm1(xlog1py(n[..., None], -p)).sum(axis=-1))


def _distinct(g: Floats, n: Floats, p: Floats) -> Floats:
    """n times the chance that fewer than g of the n - 1 others are in a bin of chance p.

    The complement of the incomplete beta function keeps sixteen digits where the binomial
    distribution function of the same library keeps eight.
    """
    inside = (g >= 1) & (g < n)
    first, second = np.where(inside, g, 1.0), np.where(inside, n - g, 1.0)
    chance = np.where(inside, betaincc(first, second, p), np.where(g >= n, 1.0, 0.0))
    return np.asarray(n * chance)


def _checked(people: ArrayLike, bins: ArrayLike) -> tuple[Floats, Floats]:
    n, b = np.asarray(people, dtype=np.float64), np.asarray(bins, dtype=np.float64)
    if np.any(n < 0) or np.any(b < 1):
        raise InvalidSetting("People are 0 or more, bins 1 or more.", hint="Check the counts and the bins.")
    return n, b
