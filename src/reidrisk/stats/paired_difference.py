"""The difference between two risks of the same documents, with limits that hold without a model of leaks.

A document's risk under the first tool minus that under the second is one bounded number, so the limits of
`mean_limit` apply to it. Effects that both tools share, such as difficult documents, cancel out. Where each
document leaks fully or not at all, the lower limit is above 0 exactly if the sign test of McNemar (1947) is
significant at that level: the test counts the documents that leak under one of both tools only.
"""

from __future__ import annotations

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats
from reidrisk.stats.observed_limit import ObservedRisk, SampleDesign

NOTHING = 1e-12
"""Risks that differ by less than this count as equal."""


def paired_difference(
    first: Floats, second: Floats, design: SampleDesign, *, top: float, level: float
) -> tuple[float, float, float]:
    """The mean of `first` minus `second`, its lower limit at 1 - `level` and its upper limit at `level`.

    Both have the risk of each document, at most `top`.

    >>> one, two = np.repeat([1.0, 0.0], [6, 94]), np.zeros(100)
    >>> [round(part, 4) for part in paired_difference(one, two, SampleDesign(), top=1.0, level=0.975)]
    [0.06, 0.0047, 0.126]
    """
    if first.shape != second.shape or not first.size:
        raise InvalidSetting("The two risks are not of the same documents.", hint="Give both by document.")
    gaps = first - second
    if top <= 0:
        return 0.0, 0.0, 0.0
    kinds, pattern = np.unique(np.where(np.abs(gaps) <= NOTHING, 0.0, gaps), return_inverse=True)
    units = design.units(pattern.ravel(), np.ones(kinds.size), kinds[None, :] + top)
    shifted = ObservedRisk(*units, tops=np.array([2 * top]))
    low, high = (limit - top for limit in shifted.limits(level))
    value = shifted.share - top if kinds.any() else 0.0
    return value, min(low, value), max(high, value)
