"""Risk from leaked and from caught values: clinical reports, redacted or with replaced values.

Source: Kumar and Sareen, PhUSE 2017. In a redacted report only leaks reveal anything. In a report whose
values were replaced by those of the de-identified data, the replacement values reveal something too.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.stats.leak import direct_risk, quasi_leak, value_leak

Combine = Literal["eq8", "literal", "max"]
"""Sequentially (equation 8 of Scaiano), the sum as printed by Kumar and Sareen, or the maximum."""
COMBINES: tuple[Combine, ...] = get_args(Combine)


def redacted_direct(weights: ArrayLike, recalls: ArrayLike) -> float:
    """Equation 3 of Kumar and Sareen: a redacted, public report reveals a direct identifier.

    >>> round(redacted_direct([1.0, 0.5], [0.98, 0.9]), 3)
    0.069
    """
    return direct_risk(weights, recalls)


def redacted_quasi(values: float, instances: float, recall: float) -> float:
    """Equation 4 of Kumar and Sareen: two or more quasi-identifier values leak in a redacted report.

    >>> round(redacted_quasi(4, 2, 0.95), 4)
    0.0499
    """
    return quasi_leak(values, float(value_leak(recall, instances)))


def replaced_quasi(
    given_catch: float,
    values: float,
    instances: float,
    recall: float,
    *,
    recognition: float,
    combine: Combine = "eq8",
) -> float:
    """Quasi-identifier risk of a report whose caught values were replaced by those of the de-identified data.

    `given_catch` is the risk of that data. `recognition` is the probability that a leaked original is
    distinguished from the replacement values.

    >>> round(replaced_quasi(0.09, 4, 2, 0.95, recognition=0.1), 4)
    0.0905
    """
    missed = float(value_leak(recall, instances))
    leak = quasi_leak(values, recognition * missed)
    return float(combine_risks(leak, 1 - missed, given_catch, combine))


def combine_risks(leak: ArrayLike, kept: ArrayLike, given_catch: ArrayLike, how: Combine) -> Floats:
    """Combine two risks: `leak` through leaked values, `given_catch` through caught values.

    `kept` is the probability that a value is caught wherever it occurs. Only the printed sum uses it; that
    sum can exceed 1 and is capped there.

    >>> [round(float(combine_risks(0.9, 0.69, 0.5, how)), 3) for how in COMBINES]
    [0.95, 1.0, 0.9]
    """
    through_leak, through_catch = np.asarray(leak, dtype=float), np.asarray(given_catch, dtype=float)
    if how == "eq8":
        return np.asarray(through_catch + through_leak * (1 - through_catch), dtype=float)
    if how == "literal":
        total = through_catch * np.asarray(kept, dtype=float) + through_leak
        return np.asarray(np.minimum(total, 1.0), dtype=float)
    if how == "max":
        return np.asarray(np.maximum(through_catch, through_leak), dtype=float)
    raise InvalidSetting.among("The rule that combines leak and catch", str(how), COMBINES)
