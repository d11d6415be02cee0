"""The losses of ARX 3.9.2 as tables: a base by level, a gain by suppressed code, a way to combine.

Formulas: `loss_gm` and `loss_am` weigh a record by its share of the hierarchy's rows, 1 if suppressed;
`prec` by level / height; `entropy` is the non-uniform entropy with the entropy of what is suppressed;
`dm` is discernibility. Smaller is better. With weights, means become weighted means and sums weighted sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.inputs import LOSSES, Loss
from reidrisk.stats.lattice.ordered import Ordered
from reidrisk.stats.lattice.tables import DISCERNIBILITY, ENTROPY, LINEAR, Measure


def measure_of(loss: Loss, attributes: Sequence[Ordered], weights: Floats, offset: Ints) -> Measure:
    """Tables of one loss; `weights` by attribute."""
    if loss not in LOSSES:
        raise InvalidSetting.among("A loss", loss, LOSSES)
    base = np.zeros((len(attributes), offset.shape[1] - 1))
    least, gain = np.zeros_like(base), np.zeros(int(offset.max()))
    for a, attribute in enumerate(attributes):
        for level in range(len(attribute.codes)):
            base[a, level], extra = level_loss(loss, attribute, level)
            gain[offset[a, level] : offset[a, level + 1]] = extra
            least[a, level] = np.min(extra)
    kind = {"entropy": ENTROPY, "dm": DISCERNIBILITY}.get(loss, LINEAR)
    shares = weights if loss == "entropy" else weights / weights.sum()
    floored = loss in ("loss_gm", "loss_am", "entropy")
    return Measure(kind, loss == "loss_gm", floored, shares, base, gain, least)


def level_loss(loss: Loss, attribute: Ordered, level: int) -> tuple[float, float | Floats]:
    """Loss of an attribute at a level with nothing suppressed, and what a suppressed record adds by code."""
    if loss == "dm":
        return 0.0, 0.0
    if loss == "entropy":
        return _entropy(attribute.counts[0], attribute.counts[level][attribute.codes[level]]), 0.0
    records = float(attribute.counts[0].sum())
    if loss == "prec":
        share = level / attribute.height if attribute.height else 0.0
        return share, (1.0 - share) / records
    most = records - records / attribute.domain
    if most <= 0:
        return 0.0, 0.0
    least = records / attribute.domain
    return (float(attribute.counts[level] @ attribute.shares[level]) - least) / most, (
        1.0 - attribute.shares[level]
    ) / most


def _entropy(values: Ints, generalized: Ints) -> float:
    """Bits lost when each value is replaced by its generalized value."""
    present = values > 0
    bits = values[present] * np.log2(values[present] / generalized[present])
    return -math.fsum(bits)
