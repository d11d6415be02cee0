"""How many documents must be annotated? One direct identifier in every document, every leak recognised.

The setting of the benchmark (section 4.2 of doi:10.1016/j.jbi.2016.07.015): the risk is the share of
leaking documents, and its upper limit decides.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.proportion import Model, quantiles

MOST = 1_000_000
"""Documents; beyond, nobody annotates."""
MODEL: Model = "jeffreys_modified"
BENCHMARK_UPPER = 0.08485942283856673
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
    """The fewest documents on which so many leaking ones still show the upper limit; None if too many.

    >>> [fewest_documents(0, upper=BENCHMARK_UPPER, model=model) for model in ("jeffreys", "clopper_pearson")]
    [29, 42]
    """
    return _fewest(
        lambda documents: upper_limit(leaking, documents, level=level, model=model) <= upper + 1e-9,
        start=max(1, ceil(leaking)),
    )


def most_leaking(documents: int, *, upper: float, level: float = 0.975, model: Model = MODEL) -> int:
    """The most leaking documents with which the upper limit is still reached; -1 if not even with none.

    >>> [most_leaking(n, upper=BENCHMARK_UPPER, model="jeffreys") for n in (28, 29, 100, 220, 1000)]
    [-1, 0, 3, 11, 67]
    """
    low, high = -1, floor(documents * upper) + 1
    while high - low > 1:
        middle = (low + high) // 2
        limit = upper_limit(middle, documents, level=level, model=model)
        low, high = (middle, high) if limit <= upper + 1e-9 else (low, middle)
    return low


def chance_to_pass(documents: int, *, recall: float, upper: float, level: float = 0.975) -> float:
    """Chance that so many documents show an upper limit as wanted, if the recall is truly `recall`."""
    return _at_most(most_leaking(documents, upper=upper, level=level), documents, 1 - recall)


def documents_needed(*, recall: float, upper: float, level: float = 0.975) -> int | None:
    """The fewest documents for an upper limit if as many leak as the all-or-nothing recall lets expect.

    None where no number suffices, because the expected share itself is above the limit. By chance
    more may leak than expected: this is an even chance at best, see `documents_assured`.

    >>> documents_needed(recall=0.97, upper=0.08), documents_needed(recall=0.9, upper=0.08)
    (94, None)
    """
    _check(recall, upper, level)
    if 1 - recall >= upper:
        return None
    return _fewest(lambda n: upper_limit((1 - recall) * n, n, level=level) <= upper + 1e-9)


def documents_assured(
    *, recall: float, upper: float, assurance: float = 0.8, level: float = 0.975
) -> int | None:
    """The documents from which on the upper limit is reached with the chance `assurance`.

    The chance falls while no further leak is allowed, and jumps where one more is: the answer is
    the start of the first such stretch whose worst chance suffices.

    >>> documents_assured(recall=0.97, upper=0.08)
    169
    """
    _check(recall, upper, assurance)
    if 1 - recall >= upper:
        return None
    most = floor(MOST * upper)

    def worst(leaking: int) -> bool:
        after = fewest_documents(leaking + 1, upper=upper, level=level)
        return after is None or _at_most(leaking, after - 1, 1 - recall) >= assurance

    low, high = -1, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if worst(middle) else (middle, high)
    return fewest_documents(high, upper=upper, level=level)


def _at_most(number: float, trials: int, chance: float) -> float:
    from scipy.stats import binom  # slow to load

    return float(binom.cdf(number, trials, chance))


def _fewest(enough: Callable[[int], bool], *, start: int = 1) -> int | None:
    """The least number for which something holds that holds for all larger ones too."""
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
            "Recall, upper limit and assurance are probabilities.", hint="For example 0.97, 0.08 and 0.8."
        )
