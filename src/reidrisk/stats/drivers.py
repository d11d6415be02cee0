"""Which columns drive the risk: what each one adds, and which small sets single people out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import packed

MOST_SETS = 2000
"""Largest number of column sets to examine; with many columns the larger sets are left out."""


@dataclass(frozen=True, slots=True)
class ColumnSet:
    """A set of quasi-identifiers, by position, and the risk if only these are known."""

    columns: tuple[int, ...]
    unique_records: int
    small_class_records: int
    """Records in classes below the cell size."""
    classes: int


def sizes_alone(codes: Ints, counts: Ints, columns: tuple[int, ...]) -> Ints:
    """The size of every class if only these columns were known."""
    if not columns:
        return np.array([counts.sum()], dtype=np.int64)
    _, place = np.unique(packed(codes, columns), return_inverse=True)
    return np.bincount(place, weights=counts).astype(np.int64)


def columns_alone(codes: Ints, counts: Ints, columns: tuple[int, ...], *, cell_size: int) -> ColumnSet:
    """Classes of the records if only these columns were known."""
    sizes = sizes_alone(codes, counts, columns)
    small = sizes[sizes < cell_size]
    return ColumnSet(columns, int((sizes == 1).sum()), int(small.sum()), int(sizes.size))


def without_each(codes: Ints, counts: Ints, *, cell_size: int) -> list[ColumnSet]:
    """For each column: the risk from the other columns if it were not released."""
    every = range(codes.shape[1])
    return [
        columns_alone(codes, counts, tuple(other for other in every if other != column), cell_size=cell_size)
        for column in every
    ]


def smallest_singling_sets(codes: Ints, counts: Ints, *, cell_size: int) -> list[ColumnSet]:
    """The minimal sets of columns by which at least one record is unique, smallest sets first."""
    found: list[ColumnSet] = []
    for columns in _subsets(codes.shape[1]):
        if any(set(smaller.columns) <= set(columns) for smaller in found):
            continue
        alone = columns_alone(codes, counts, columns, cell_size=cell_size)
        if alone.unique_records:
            found.append(alone)
    return found


def _subsets(width: int) -> Iterator[tuple[int, ...]]:
    seen = 0
    for size in range(1, width + 1):
        for columns in combinations(range(width), size):
            seen += 1
            if seen > MOST_SETS:
                return
            yield columns
