"""Rank swapping (Moore 1996), and how many swapped records can still be linked by distance.

Values are exchanged with others of nearly the same rank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled


def swap_ranks(values: Floats, within: float, rng: np.random.Generator) -> Ints:
    """For each row, the row whose value it gets, at most `within` of all ranks away; NaN stays."""
    if not 0 < within <= 1:
        raise InvalidSetting(
            f"Ranks cannot be swapped within {within} of all ranks.",
            hint="Give a share above 0 and at most 1, such as 0.05.",
        )
    found = np.arange(len(values))
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.lexsort((rng.random(len(known)), values[known]))]
    reach = int(within * len(order))
    if reach:
        found[order] = order[partners(rng.random(len(order)), reach)]
    return found


def mean_rank_shift(before: Floats, after: Floats) -> float | None:
    """Mean shift of values as a share of all ranks; ties get their mid-rank.

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
    """By rank: the rank it is swapped with, at most `reach` away.

    The first free rank from a random position onward is taken; a rank with none within reach stays.
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


UNLIKE = 2.0
"""Squared distance of two unrelated values: the mean if both are independent with standard deviation 1."""
NEAR = 1e-9
GUESSES, PAIRS, FEWEST = 2000, 400_000_000, 100
"""Number of records to link: fewer if there are so many originals that all pairs would take long."""


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Rows of numbers, and which columns are codes of categories; NaN is missing."""

    rows: Floats
    categories: Bools

    def standardize(self, like: Points) -> Floats:
        """Numbers in standard deviations of other rows; categories unchanged."""
        found = np.ascontiguousarray(self.rows, dtype=np.float64).copy()
        for place in np.flatnonzero(~self.categories):
            known = like.rows[~np.isnan(like.rows[:, place]), place]
            spread = float(np.std(known)) if known.size else 0.0
            found[:, place] /= spread or 1.0
        return found


@dataclass(frozen=True, slots=True)
class Links:
    """Number of records tried, and the expected number of right links."""

    guesses: int
    right: float
    """Among equally near originals, one is chosen at random."""
    originals: int


def own_nearest(before: Points, after: Points, owner: Ints, rng: np.random.Generator) -> Links:
    """Link some changed records with the nearest original; `owner` is the row of each one's own original."""
    guesses = min(len(after.rows), GUESSES, max(FEWEST, PAIRS // max(1, len(before.rows))))
    tried = np.sort(rng.choice(len(after.rows), guesses, replace=False))
    people = before.standardize(before)
    targets = np.ascontiguousarray(after.standardize(before)[tried])
    best, ties, own = nearest(targets, people, before.categories, owner[tried])
    right = np.where(own <= best + NEAR, 1 / np.maximum(1, ties), 0.0)
    return Links(guesses, float(right.sum()), len(people))


@compiled
def nearest(targets: Floats, people: Floats, categories: Bools, owner: Ints) -> tuple[Floats, Ints, Floats]:
    """By target: the least squared distance, the people as near, and the distance to its original."""
    best = np.full(len(targets), np.inf)
    ties = np.zeros(len(targets), dtype=np.int64)
    own = np.full(len(targets), np.inf)
    for at in range(len(targets)):
        for person in range(len(people)):
            limit = np.inf if person == owner[at] else best[at] + NEAR
            apart = 0.0
            for place in range(people.shape[1]):
                one, other = targets[at, place], people[person, place]
                if np.isnan(one) or np.isnan(other):
                    apart += 0.0 if np.isnan(one) and np.isnan(other) else UNLIKE
                elif categories[place]:
                    apart += 0.0 if one == other else UNLIKE
                else:
                    apart += (one - other) ** 2
                if apart > limit:
                    break
            if person == owner[at]:
                own[at] = apart
            if apart < best[at] - NEAR:
                best[at], ties[at] = apart, 1
            elif apart <= best[at] + NEAR:
                ties[at] += 1
    return best, ties, own
