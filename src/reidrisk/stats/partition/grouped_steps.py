"""How general a group must be so that its tuples are alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.lattice.inputs import Codes


def span(group: Ints, values: Codes | Ints) -> tuple[Ints, Ints]:
    """By tuple: the least and the greatest value in its group."""
    low = np.full(int(group.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    high = np.full(low.size, np.iinfo(np.int64).min)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    return low[group], high[group]


def lowest_step(group: Ints, values: Codes, steps: Sequence[Codes]) -> Ints:
    """By tuple: the first step on which its group has one value; the number of steps if there is none.

    >>> pairs = [np.array([0, 1, 2], dtype=np.int32), np.array([0, 0, 1], dtype=np.int32)]
    >>> lowest_step(np.array([0, 0, 1]), np.array([0, 1, 2], dtype=np.int32), pairs).tolist()
    [1, 1, 0]
    """
    found = np.full(len(group), len(steps), dtype=np.int64)
    for number in range(len(steps) - 1, -1, -1):
        low, high = span(group, steps[number][values])
        found[low == high] = number
    return found
