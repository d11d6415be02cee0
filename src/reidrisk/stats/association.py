"""Strength of association between two columns, from pairs of codes with their numbers of records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.inputs import Codes, Recoding
from reidrisk.stats.utility import ReleasedTuples

DENSE = 4_000_000
"""Largest contingency table, in cells, that is kept in memory as a whole."""
SUPPRESSED_CODE = 0


@dataclass(frozen=True, slots=True)
class Association:
    """Association of two columns before and after; None if a column has one value or no pair is left."""

    columns: tuple[int, int]
    measure: Literal["rank correlation", "Cramer's V"]
    before: float | None
    after: float | None


def associations(released: ReleasedTuples, ordered: Sequence[bool]) -> list[Association]:
    """All pairs of columns: rank correlation if both are ordered, else bias-corrected Cramer's V.

    A record with a suppressed cell in either column of a pair is left out of that pair.
    """
    after = [_released_ranks(released, column) for column in range(released.columns)]
    before = released.tuples.codes, released.tuples.counts
    return pair_associations(before, (after, released.moves[2]), ordered)


def pair_associations(
    before: tuple[Codes, Ints], after: tuple[Sequence[Codes | Ints], Ints], ordered: Sequence[bool]
) -> list[Association]:
    """The same from codes by tuple and column, with numbers of records; after, STAR is a suppressed cell."""
    codes, counts = before
    shown_as, left = after
    found = []
    for one, two in combinations(range(len(shown_as)), 2):
        both = ordered[one] and ordered[two]
        measure = rank_correlation if both else cramers_v
        x, y, numbers = count_pairs(shown_as[one], shown_as[two], left)
        shown = (x != SUPPRESSED_CODE) & (y != SUPPRESSED_CODE)
        found.append(
            Association(
                (one, two),
                "rank correlation" if both else "Cramer's V",
                measure(*count_pairs(codes[:, one], codes[:, two], counts)),
                measure(x[shown], y[shown], numbers[shown]),
            )
        )
    return found


def _released_ranks(released: ReleasedTuples, column: int) -> Codes:
    """By move: the released value as a rank from 1, in the order of its original values, or STAR."""
    places = ordered_codes(released.recodings[column], released.levels[column]) + 1
    values = places[released.tuples.codes[:, column]][released.moves[0]]
    return np.where(released.suppressed(column), SUPPRESSED_CODE, values)


def ordered_codes(recoding: Recoding, level: int) -> Codes:
    """By value code: the rank of its generalized value, ordered by the mean rank of the values in it."""
    codes = recoding.levels[level]
    number = np.bincount(codes)
    mean = np.bincount(codes, weights=np.arange(codes.size)) / np.maximum(number, 1)
    place = np.empty(number.size, dtype=np.int32)
    place[np.argsort(mean, kind="stable")] = np.arange(number.size, dtype=np.int32)
    return place[codes]


def rank_correlation(x: Codes | Ints, y: Codes | Ints, numbers: Ints) -> float | None:
    """Spearman's correlation of ordered codes, ties at their mid-rank; None if a column has a single value.

    >>> rank_correlation(np.array([0, 1, 2]), np.array([5, 7, 9]), np.array([4, 1, 2]))
    1.0
    """
    if not len(x):
        return None
    one, two = _middle_ranks(x, numbers), _middle_ranks(y, numbers)
    variance = (numbers @ one**2) * (numbers @ two**2)
    if variance <= 0:
        return None
    return float(np.clip((numbers @ (one * two)) / np.sqrt(variance), -1.0, 1.0))


def cramers_v(x: Codes | Ints, y: Codes | Ints, numbers: Ints) -> float | None:
    """Cramer's V with the bias correction of Bergsma (2013); None for a single value or a single record.

    >>> cramers_v(np.array([0, 1]), np.array([0, 1]), np.array([50, 50]))
    1.0
    """
    records = int(numbers.sum())
    if records < 2:
        return None
    (one, rows), (two, columns) = _dense(x), _dense(y)
    square, sizes = _mean_square(*count_pairs(one, two, numbers)), np.array([rows, columns])
    excess = max(0.0, square - (rows - 1) * (columns - 1) / (records - 1))
    room = float((sizes - (sizes - 1) ** 2 / (records - 1)).min()) - 1
    if room <= 0:
        return None
    return min(1.0, float(np.sqrt(excess / room)))


def _middle_ranks(codes: Codes | Ints, numbers: Ints) -> Floats:
    """The mid-rank of each code's records, minus the mean rank."""
    places, _ = _dense(codes)
    each = np.bincount(places, weights=numbers)
    middle = np.cumsum(each) - each / 2
    return np.asarray(middle[places] - each.sum() / 2, dtype=np.float64)


def _dense(codes: Codes | Ints) -> tuple[Ints, int]:
    """Codes 0, 1, ... in the same order, and their number."""
    occurs = np.bincount(codes) > 0
    return (np.cumsum(occurs) - 1)[codes], int(occurs.sum())


def count_pairs(x: Codes | Ints, y: Codes | Ints, numbers: Ints) -> tuple[Ints, Ints, Ints]:
    """The distinct pairs in order, and the number of records of each.

    There are few of them, however many tuples there are.

    >>> [part.tolist() for part in count_pairs(np.array([1, 0, 1]), np.array([2, 2, 2]), np.array([3, 4, 5]))]
    [[0, 1], [2, 2], [4, 8]]
    """
    width = int(y.max(initial=0)) + 1
    keys = x.astype(np.int64) * width + y
    if (int(x.max(initial=0)) + 1) * width <= DENSE:
        counts = np.bincount(keys, weights=numbers)
        cells = np.flatnonzero(counts)
        counts = counts[cells]
    else:
        cells, places = np.unique(keys, return_inverse=True)
        counts = np.bincount(places, weights=numbers)
    return cells // width, cells % width, counts.astype(np.int64)


def _mean_square(x: Ints, y: Ints, numbers: Ints) -> float:
    """Chi-square over the number of records: the sum of n_xy^2 / (n_x n_y), minus 1; pairs are distinct."""
    of_x, of_y = np.bincount(x, weights=numbers), np.bincount(y, weights=numbers)
    return float((numbers / of_x[x] * (numbers / of_y[y])).sum()) - 1
