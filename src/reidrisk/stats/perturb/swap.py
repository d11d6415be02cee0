"""Rank swapping: values change places with others of nearly the same rank (Moore 1996)."""

from __future__ import annotations

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled


def rank_swapped(values: Floats, within: float, rng: np.random.Generator) -> Ints:
    """For each row the row whose value it gets, at most `within` of all ranks away; NaN stays."""
    if not 0 < within <= 1:
        raise InvalidSetting(
            f"Ranks within {within} of all.", hint="It is a share above 0 and at most 1, such as 0.05."
        )
    found = np.arange(len(values))
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.lexsort((rng.random(len(known)), values[known]))]
    reach = int(within * len(order))
    if reach:
        found[order] = order[partners(rng.random(len(order)), reach)]
    return found


def mean_rank_shift(before: Floats, after: Floats) -> float | None:
    """How far values moved on average, as a share of all ranks; equal values have one rank, their middle.

    >>> mean_rank_shift(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 3.0, 4.0]))
    0.125
    """
    known = ~np.isnan(before) & ~np.isnan(after)
    if not known.any():
        return None
    order = np.sort(before[known])

    def rank(values: Floats) -> Floats:
        low, high = (np.searchsorted(order, values, side=side) for side in ("left", "right"))
        return np.asarray((low + high) / 2)

    return float(np.abs(rank(before[known]) - rank(after[known])).mean() / order.size)


@compiled
def partners(drawn: Floats, reach: int) -> Ints:
    """By rank: the rank it changes places with, at most `reach` away.

    The first free rank from a random place onward is taken; a rank with none within reach stays.
    """
    total = drawn.size
    found = np.full(total, -1, dtype=np.int64)
    for rank in range(total):
        if found[rank] >= 0:
            continue
        room = min(reach, total - 1 - rank)
        start = int(drawn[rank] * room)
        found[rank] = rank
        for step in range(room):
            other = rank + 1 + (start + step) % room
            if found[other] < 0:
                found[rank], found[other] = other, rank
                break
    return found
