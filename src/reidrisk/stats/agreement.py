"""Agreement of annotators beyond chance: kappa for two and for many."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from reidrisk.stats.recall import ratio


def cohen_kappa(pairs: Mapping[tuple[str, str], int]) -> float:
    """Cohen's kappa from how often the first said the one and the second the other.

    Source: doi:10.1177/001316446002000104. `nan` where chance alone would always agree.

    >>> cohen_kappa({("yes", "yes"): 20, ("yes", "no"): 5, ("no", "yes"): 10, ("no", "no"): 15})
    0.4
    """
    total = sum(pairs.values())
    if not total:
        return nan
    first: dict[str, int] = {}
    second: dict[str, int] = {}
    for (one, two), times in pairs.items():
        first[one] = first.get(one, 0) + times
        second[two] = second.get(two, 0) + times
    # In whole numbers, so that perfect agreement is exactly 1.
    seen = total * sum(times for (one, two), times in pairs.items() if one == two)
    chance = sum(times * second.get(one, 0) for one, times in first.items())
    return ratio(seen - chance, total * total - chance)


def fleiss_kappa(counts: ArrayLike, times: ArrayLike | None = None) -> float:
    """Fleiss' kappa: one row a thing, one column a category, in it the annotators who chose it.

    Source: doi:10.1037/h0031619. `times` says how often each row occurs. `nan` where chance alone
    would always agree.

    >>> round(fleiss_kappa([[3, 0], [0, 3], [2, 1], [1, 2]]), 4)
    0.3333
    """
    table = np.asarray(counts, dtype=np.int64)
    often = np.ones(len(table), dtype=np.int64) if times is None else np.asarray(times, dtype=np.int64)
    things = int(often.sum())
    if not things:
        return nan
    raters = int(table[0].sum())
    pairs = (table * (table - 1)).sum(axis=1)
    seen = float(often @ pairs) / (things * raters * (raters - 1))
    shares = (often @ table) / (things * raters)
    chance = float(np.sum(shares**2))
    return nan if chance >= 1 else (seen - chance) / (1 - chance)
