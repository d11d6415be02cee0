"""Whether changed records are still nearest to their own originals: linkage by distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled

UNLIKE = 2.0
"""Squared distance of two values with nothing in common: what two independent values with a standard
deviation of 1 are apart on average."""
NEAR = 1e-9
GUESSES, PAIRS, FEWEST = 2000, 400_000_000, 100
"""Records that are linked: fewer where the originals are so many that all pairs would take long."""


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Rows of numbers; which columns are codes of categories; NaN is missing."""

    rows: Floats
    categories: Bools

    def scaled(self, like: Points) -> Floats:
        """Numbers in standard deviations of other rows; categories as they are."""
        found = np.ascontiguousarray(self.rows, dtype=np.float64).copy()
        for place in np.flatnonzero(~self.categories):
            known = like.rows[~np.isnan(like.rows[:, place]), place]
            spread = float(np.std(known)) if known.size else 0.0
            found[:, place] /= spread or 1.0
        return found


@dataclass(frozen=True, slots=True)
class Links:
    """How many were tried, and how many right links are expected."""

    guesses: int
    right: float
    """Of several originals as near, one is named by chance."""
    originals: int


def own_nearest(before: Points, after: Points, owner: Ints, rng: np.random.Generator) -> Links:
    """Link some changed records with the nearest of all originals; `owner` is the row of each one's own."""
    guesses = min(len(after.rows), GUESSES, max(FEWEST, PAIRS // max(1, len(before.rows))))
    tried = np.sort(rng.choice(len(after.rows), guesses, replace=False))
    people = before.scaled(before)
    targets = np.ascontiguousarray(after.scaled(before)[tried])
    best, ties, own = nearest(targets, people, before.categories, owner[tried])
    right = np.where(own <= best + NEAR, 1 / np.maximum(1, ties), 0.0)
    return Links(guesses, float(right.sum()), len(people))


@compiled
def nearest(targets: Floats, people: Floats, categories: Bools, owner: Ints) -> tuple[Floats, Ints, Floats]:
    """By target: the least squared distance of anybody, how many are as near, and that of its own."""
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
