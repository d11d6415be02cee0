"""Numbers put in order by counting them, where there are few against how often they occur."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.compiled import compiled


@compiled
def counted_order(keys: Ints, number: int) -> tuple[Ints, Ints]:
    """The order of keys from 0 up to a number, equals as they were; and where each key begins in it.

    >>> order, edges = counted_order(np.array([2, 0, 2]), 3)
    >>> order.tolist(), edges.tolist()
    ([1, 0, 2], [0, 1, 1, 3])
    """
    edges = np.zeros(number + 1, dtype=np.int64)
    for key in keys:
        edges[key + 1] += 1
    for key in range(number):
        edges[key + 1] += edges[key]
    place, order = edges[:number].copy(), np.empty(len(keys), dtype=np.int64)
    for at in range(len(keys)):
        order[place[keys[at]]] = at
        place[keys[at]] += 1
    return order, edges
