"""Column sets that may be starred, cheapest first. A set is a bit mask: bit j stands for column j."""

from __future__ import annotations

import heapq

import numpy as np

from reidrisk.stats.arrays import Floats, Ints


def cheapest(weights: Floats, limit: int) -> tuple[Ints, Floats]:
    """The `limit` cheapest sets of columns with their costs; ties in a fixed order.

    >>> masks, costs = cheapest(np.array([1.0, 1.0, 3.0]), 5)
    >>> masks.tolist(), costs.tolist()
    ([0, 1, 2, 3, 4], [0.0, 1.0, 1.0, 2.0, 3.0])
    """
    order = np.argsort(weights, kind="stable")
    ranked = [float(weights[column]) for column in order]
    masks, costs = [0], [0.0]
    # Each entry is a set by its dearest member; it grows by the next column, or swaps its last for that.
    heap = [(ranked[0], 1 << int(order[0]), 0)] if ranked else []
    while heap and len(masks) < limit:
        cost, mask, last = heapq.heappop(heap)
        masks.append(mask)
        costs.append(cost)
        if last + 1 < len(ranked):
            here, beyond = 1 << int(order[last]), 1 << int(order[last + 1])
            heapq.heappush(heap, (cost + ranked[last + 1], mask | beyond, last + 1))
            heapq.heappush(heap, (cost + ranked[last + 1] - ranked[last], (mask ^ here) | beyond, last + 1))
    return np.array(masks, dtype=np.int64), np.array(costs, dtype=np.float64)


def ladder(codes: np.ndarray[tuple[int, int], np.dtype[np.int32]], weights: Floats) -> Ints:
    """Nested sets that star the column with the most values for its cost next, up to all columns."""
    values = np.array([len(np.unique(codes[:, column])) for column in range(codes.shape[1])])
    order = np.argsort(-values / np.maximum(weights, 1e-12), kind="stable")
    return np.cumsum(np.left_shift(np.int64(1), order.astype(np.int64)))


def cost_of(masks: Ints, weights: Floats) -> Floats:
    """What one record starred on each set costs."""
    bits = (masks[:, None] >> np.arange(len(weights), dtype=np.int64)) & 1
    return np.asarray(bits @ weights, dtype=np.float64)
