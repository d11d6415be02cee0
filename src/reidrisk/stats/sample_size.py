"""Number of documents to annotate, for one direct identifier per document and every leak recognized.

This is the setting of the benchmark (section 4.2 of doi:10.1016/j.jbi.2016.07.015): the risk is the share of
leaking documents, and its upper limit decides.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, sqrt

import numpy as np
from scipy.special import bdtr, betainc, ndtri

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats
from reidrisk.stats.choices import Model
from reidrisk.stats.proportion import quantiles

MOST = 1_000_000
"""Largest number of documents considered; nobody annotates more."""
MODEL: Model = "clopper_pearson"
"""The limits that decide under the profile `recommended`."""
BENCHMARK_UPPER = 0.08770113916432278
"""Upper limit of the benchmark: 11 leaking documents of 220, two-sided 95 %."""


def upper_limit(leaking: float, documents: float, *, level: float = 0.975, model: Model = MODEL) -> float:
    """Upper limit of the share of leaking documents.

    >>> round(upper_limit(11, 220, model="jeffreys"), 4)
    0.0849
    """
    low = quantiles(
        np.array([1 - level]), successes=documents - leaking, trials=documents, model=model, bound="low"
    )
    return float(1 - low[0])


def fewest_documents(
    leaking: float, *, upper: float, level: float = 0.975, model: Model = MODEL
) -> int | None:
    """The fewest documents at which `leaking` ones still give the upper limit; None if too many are needed.

    >>> [fewest_documents(0, upper=BENCHMARK_UPPER, model=model) for model in ("jeffreys", "clopper_pearson")]
    [28, 41]
    """
    return _fewest(
        lambda documents: upper_limit(leaking, documents, level=level, model=model) <= upper + 1e-9,
        start=max(1, ceil(leaking)),
    )


def most_leaking(documents: int, *, upper: float, level: float = 0.975, model: Model = MODEL) -> int:
    """The most leaking documents at which the upper limit is still met; -1 if it is not met even with none.

    >>> [most_leaking(n, upper=BENCHMARK_UPPER) for n in (40, 41, 100, 220, 1000)]
    [-1, 0, 3, 11, 70]
    """
    low, high = -1, floor(documents * upper) + 1
    while high - low > 1:
        middle = (low + high) // 2
        limit = upper_limit(middle, documents, level=level, model=model)
        low, high = (middle, high) if limit <= upper + 1e-9 else (low, middle)
    return low


def chance_to_pass(documents: int, *, recall: float, upper: float, level: float = 0.975) -> float:
    """Probability that this many documents show a limit of at most `upper`, given the true recall."""
    return _at_most(most_leaking(documents, upper=upper, level=level), documents, 1 - recall)


def documents_needed(*, recall: float, upper: float, level: float = 0.975) -> int | None:
    """The fewest documents that meet an upper limit, if the expected number of documents leaks.

    The result is None where no number suffices, because the expected share itself is above the limit. More
    may leak by chance than expected, so this is an even chance at best; see `documents_assured`.

    >>> documents_needed(recall=0.97, upper=0.08), documents_needed(recall=0.9, upper=0.08)
    (115, None)
    """
    _check(recall, upper, level)
    if 1 - recall >= upper:
        return None
    return _fewest(lambda n: upper_limit((1 - recall) * n, n, level=level) <= upper + 1e-9)


def documents_assured(
    *,
    recall: float,
    upper: float,
    assurance: float = 0.8,
    level: float = 0.975,
    model: Model = MODEL,
) -> int | None:
    """The number of documents from which the upper limit is met with probability `assurance`.

    The probability falls while no further leak is allowed, and jumps where one more is. The result is the
    start of the first such stretch whose lowest probability suffices.

    >>> documents_assured(recall=0.97, upper=0.08)
    194
    """
    _check(recall, upper, assurance)
    if 1 - recall >= upper:
        return None
    most = floor(MOST * upper)

    def worst(leaking: int) -> bool:
        after = fewest_documents(leaking + 1, upper=upper, level=level, model=model)
        return after is None or _at_most(leaking, after - 1, 1 - recall) >= assurance

    low, high = -1, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if worst(middle) else (middle, high)
    return fewest_documents(high, upper=upper, level=level, model=model)


def documents_for_chance(
    share: float, *, upper: float, chance: float = 0.9, level: float = 0.975
) -> int | None:
    """The fewest documents that meet an upper limit with a probability, if this share of them leaks.

    The probability falls while no further leak is allowed and jumps where one more is, so only the first
    number of documents that allows so many leaks needs to be tried. None if no number suffices.

    >>> [documents_for_chance(share, upper=BENCHMARK_UPPER) for share in (0.001, 0.01, 0.05, 0.09)]
    [41, 80, 482, None]
    """
    if not 0 <= share < upper:
        return None
    if upper >= 1:
        return 1
    expected = 0.0
    if chance >= 0.5:  # below, a few documents may pass by luck
        spreads = sqrt(upper * (1 - upper)), sqrt(share * (1 - share))
        roughly = ((ndtri(level) * spreads[0] + ndtri(chance) * spreads[1]) / (upper - share)) ** 2
        if roughly > MOST:
            return None
        expected = share * roughly
    leaking, block = int(max(expected * 0.5, expected - 5 * sqrt(expected))), 64  # fewer are never enough
    while leaking < MOST * upper:
        numbers = np.arange(leaking, leaking + block, dtype=float)
        documents = _fewest_by_leaks(numbers, upper, level)
        enough = bdtr(numbers, documents.astype(np.int64), share) >= chance
        if enough.any():
            first = int(documents[np.argmax(enough)])
            return first if first <= MOST else None
        leaking, block = leaking + block, min(2 * block, 4096)
    return None


def _fewest_by_leaks(leaking: Floats, upper: float, level: float) -> Floats:
    """The fewest documents at which each number of leaks meets the upper limit of Clopper and Pearson."""

    def enough(documents: Floats) -> Bools:
        return np.asarray(betainc(leaking + 1, documents - leaking, upper + 1e-9) >= level)

    near = _roughly_fewest(leaking, upper, level)
    around = np.ceil(0.25 / upper) + 1
    low, high = np.maximum(near - around, leaking), np.maximum(near + around, leaking + 1)
    low = np.where(enough(np.maximum(low, leaking + 1)), leaking, low)
    while not (met := enough(high)).all():
        high = np.where(met, high, 2 * high)
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        met = enough(np.maximum(middle, leaking + 1))
        high, low = np.where(met, np.maximum(middle, leaking + 1), high), np.where(met, low, middle)
    return np.asarray(high, dtype=float)


def _roughly_fewest(leaking: Floats, upper: float, level: float) -> Floats:
    """The same by the normal approximation of the binomial distribution, corrected for its skewness."""
    score, spread = float(ndtri(level)), sqrt(upper * (1 - upper))
    middle = np.maximum(leaking + 0.5 - (1 - 2 * upper) * (score**2 - 1) / 6, 0.0)
    root = (score * spread + np.sqrt((score * spread) ** 2 + 4 * upper * middle)) / (2 * upper)
    return np.asarray(np.ceil(root**2))


def _at_most(number: float, trials: int, chance: float) -> float:
    from scipy.stats import binom  # slow to load

    return float(binom.cdf(number, trials, chance))


def _fewest(enough: Callable[[int], bool], *, start: int = 1) -> int | None:
    """The smallest number for which a condition holds that also holds for all larger ones."""
    low, high = start - 1, start
    while not enough(high):
        low, high = high, high * 2
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check(recall: float, upper: float, chance: float) -> None:
    if not (0 < recall <= 1 and 0 < upper < 1 and 0 < chance < 1):
        raise InvalidSetting(
            "Recall, upper limit and assurance must be probabilities.", hint="For example 0.97, 0.08 and 0.8."
        )
