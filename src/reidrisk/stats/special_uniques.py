"""Special uniques: records that few columns already single out (Elliot et al. 2002, SUDA).

A set of columns is a minimal unique of a record if the record is unique on it but on no proper subset of it.
A record that is unique by sex and age alone is far more exposed than one that needs all nine columns. Its
score is the sum, over its minimal uniques of size k, of the product of (columns - i) for i from k to the
largest size examined: the smaller the sets and the more of them, the higher.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.grouping import packed

LARGEST = 3
MOST_SETS = 5000
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SpecialUniques:
    """Minimal uniques of the records of a table, up to a size."""

    largest: int
    """Number of columns in the largest sets examined."""
    smallest: Ints = field(repr=False)
    """By tuple: the size of its smallest minimal unique; 0 if there is none."""
    scores: Floats = field(repr=False)
    """Score by tuple."""
    by_set: tuple[tuple[tuple[int, ...], int], ...]
    """Sets of columns and the number of records for which they are a minimal unique, most first."""
    by_column: Floats = field(repr=False)
    """By column: the share of all scores contributed by sets that include it."""


def special_uniques(codes: Ints, counts: Ints, *, largest: int = LARGEST) -> SpecialUniques:
    """Compute from distinct tuples and the number of records of each."""
    width = codes.shape[1]
    if largest < 1:
        raise InvalidSetting(
            f"Sets of {largest} columns cannot be examined.", hint="Use sets of 1 column or more."
        )
    largest = _affordable(width, min(largest, width))
    unique: dict[tuple[int, ...], Flags] = {}
    smallest = np.zeros(len(counts), dtype=np.int64)
    scores, shares = np.zeros(len(counts)), np.zeros(width)
    found: list[tuple[tuple[int, ...], int]] = []
    for size in range(1, largest + 1):
        worth = float(prod(max(width - each, 1) for each in range(size, largest + 1)))
        for columns in combinations(range(width), size):
            alone = _alone(codes, counts, columns)
            unique[columns] = alone
            minimal = alone.copy()
            for smaller in combinations(columns, size - 1):
                minimal &= ~unique.get(smaller, np.zeros(len(counts), dtype=np.bool_))
            number = int(minimal.sum())
            if number:
                found.append((columns, number))
                scores[minimal] += worth
                shares[list(columns)] += worth * number
                smallest[minimal & (smallest == 0)] = size
    total = float(scores.sum())
    ordered = tuple(sorted(found, key=lambda one: (len(one[0]), -one[1], one[0])))
    return SpecialUniques(largest, smallest, scores, ordered, shares / total if total else shares)


def _affordable(width: int, largest: int) -> int:
    """The largest size up to which there are not too many sets."""
    sets = 0
    for size in range(1, largest + 1):
        sets += comb(width, size)
        if sets > MOST_SETS and size > 1:
            return size - 1
    return largest


def _alone(codes: Ints, counts: Ints, columns: tuple[int, ...]) -> Flags:
    """By tuple: whether its record is unique on these columns."""
    _, place = np.unique(packed(codes, columns), return_inverse=True)
    sizes = np.bincount(place, weights=counts)
    return np.asarray(sizes[place] == 1)
