"""Successes of singling out in a group of another size.

A predicate that holds for a share w of people holds for exactly one of n with probability
n w (1 - w)^(n - 1) (Cohen & Nissim 2020, arXiv:1904.06009). Predicates with weights from 0 to
some w single out c times the integral of that; c and w are fitted to groups of several sizes.
"""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats

WEIGHTS = 400
"""Weights that are tried."""


def singled_out_integral(records: Floats, weight: float) -> Floats:
    """The integral of n w (1 - w)^(n - 1) from 0 to a weight.

    >>> round(float(singled_out_integral(np.array([100.0]), 0.01)[0]), 6)
    0.002653
    """
    left = np.exp(records * np.log1p(-weight)) if weight < 1 else np.zeros_like(records)
    found: Floats = (1 - (records * weight + 1) * left) / (records + 1)
    return found


def size_correction(sizes: Floats, successes: Floats, *, wanted: int, have: int) -> float:
    """How many times as many successes a group of `wanted` records would have as one of `have`.

    1 if nothing was singled out at any size.
    """
    if not np.any(successes > 0):
        return 1.0
    best = np.inf
    ratio = 1.0
    for weight in np.geomspace(0.01 / max(wanted, have), 1.0, WEIGHTS).tolist():
        model = singled_out_integral(sizes, weight)
        scale = float(model @ successes) / float(model @ model)
        error = float(((scale * model - successes) ** 2).sum())
        if error < best:
            best = error
            both = singled_out_integral(np.array([wanted, have], dtype=np.float64), weight)
            ratio = float(both[0] / both[1])
    return ratio
