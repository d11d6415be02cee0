"""The greedy agglomeration of SPEC 8.9, kept as a yardstick: no answer may be worse than it."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.groups import Codes

STAR = -1


@compiled
def added_cost(values: Codes, weights: Floats, pair: tuple[int, int], records: int, most: float) -> float:
    """Cost of all records in the union of two clusters; given up once it exceeds `most`."""
    left, right = pair
    cost = 0.0
    for column in range(values.shape[1]):
        if values[left, column] != values[right, column] or values[left, column] == STAR:
            cost += weights[column] * records
            if cost >= most:
                break
    return cost


@compiled
def nearest(values: Codes, sizes: Ints, costs: Floats, weights: Floats, own: int) -> int:
    """The cluster whose union with `own` adds the fewest stars."""
    best, found = np.inf, -1
    for other in range(len(sizes)):
        if other == own or sizes[other] == 0:
            continue
        already = costs[own] * sizes[own] + costs[other] * sizes[other]
        records = sizes[own] + sizes[other]
        added = added_cost(values, weights, (own, other), records, best + already) - already
        if added < best:
            best, found = added, other
    return found


@compiled
def agglomerate(codes: Codes, counts: Ints, weights: Floats, k: int) -> tuple[Ints, Codes]:
    """Join the smallest cluster to its nearest until all have `k` records: cluster of each tuple, values."""
    values, sizes = codes.copy(), counts.copy()
    costs = np.zeros(len(codes))
    parent = np.arange(len(codes))
    for size in range(1, k):
        for own in range(len(codes)):
            # A cluster that grew but is still small waits for its own round.
            if sizes[own] != size:
                continue
            other = nearest(values, sizes, costs, weights, own)
            if other < 0:
                continue
            costs[other] = 0.0
            for column in range(codes.shape[1]):
                if values[own, column] != values[other, column]:
                    values[other, column] = STAR
                if values[other, column] == STAR:
                    costs[other] += weights[column]
            sizes[other] += sizes[own]
            sizes[own] = 0
            parent[own] = other
    for row in range(len(codes)):
        top = row
        while parent[top] != top:
            top = parent[top]
        parent[row] = top
    return parent, values
