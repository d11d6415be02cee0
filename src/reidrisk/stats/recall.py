"""Recall, precision and related measures, equations 1 and 2 of doi:10.1016/j.jbi.2016.07.015.

A ratio with a denominator of 0 is `nan` here, never 0 and never 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan

import numpy as np
from numpy.typing import ArrayLike


def recall(found: float, missed: float) -> float:
    """Share of the identifiers that were found.

    >>> recall(230, 20)
    0.92
    """
    return ratio(found, found + missed)


def precision(right: float, wrong: float) -> float:
    """Share of the marked spans that were rightly marked."""
    return ratio(right, right + wrong)


def f_measure(precision: float, recall: float, *, beta: float = 1.0) -> float:
    """Weighted harmonic mean of precision and recall; beta 2 gives recall more weight.

    >>> round(f_measure(0.8, 0.9, beta=2), 4)
    0.878
    """
    if isnan(precision) or isnan(recall):
        return nan
    if precision == 0 and recall == 0:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def macro_average(values: Sequence[float]) -> tuple[float, int]:
    """Mean over the values that are defined, and the number of those that are not."""
    defined = [value for value in values if not isnan(value)]
    return (sum(defined) / len(defined) if defined else nan, len(values) - len(defined))


def all_or_nothing_recall(instances: ArrayLike, leaked: ArrayLike) -> float:
    """Share of the documents holding the identifier in which no instance leaked.

    Both arguments have one entry per document; a document without instances does not count.

    >>> all_or_nothing_recall([10, 2, 0], [1, 0, 0])
    0.5
    """
    holds = np.asarray(instances) > 0
    leaks = holds & (np.asarray(leaked) > 0)
    return ratio(float(holds.sum() - leaks.sum()), float(holds.sum()))


def masking_recall(is_identifier: ArrayLike, is_masked: ArrayLike) -> float:
    """Share of identifier tokens that are masked, whatever the label.

    >>> masking_recall([1, 1, 1, 1, 0], [1, 1, 1, 0, 1])
    0.75
    """
    wanted = np.asarray(is_identifier, dtype=bool)
    return ratio(float((wanted & np.asarray(is_masked, dtype=bool)).sum()), float(wanted.sum()))


def ratio(part: float, whole: float) -> float:
    """The share, or `nan` if the denominator is 0."""
    return part / whole if whole else nan
