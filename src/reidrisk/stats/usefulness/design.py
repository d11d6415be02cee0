"""Design matrices of regression models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled


def products(design: Floats, weights: Floats) -> Floats:
    """The weighted cross products of all columns, on a single processor core.

    Most terms of most records are 0.

    >>> products(np.array([[1.0, 2.0], [1.0, 0.0]]), np.array([1.0, 3.0])).tolist()
    [[4.0, 2.0], [2.0, 4.0]]
    """
    found = np.zeros((design.shape[1], design.shape[1]))
    _add(np.ascontiguousarray(design), np.ascontiguousarray(weights), found)
    return found + np.tril(found, -1).T


@compiled
def _add(design: Floats, weights: Floats, found: Floats) -> None:
    """Add the lower triangle with the diagonal, from the terms that are not 0."""
    width = design.shape[1]
    terms = np.empty(width, dtype=np.int64)
    for row in range(design.shape[0]):
        number = 0
        for column in range(width):
            if design[row, column] != 0.0:
                terms[number] = column
                number += 1
        for one in range(number):
            x = terms[one]
            scaled = design[row, x] * weights[row]
            for two in range(one + 1):
                found[x, terms[two]] += scaled * design[row, terms[two]]


FOLLOWS = 1e-7
"""Least share of a column's variance that must be its own; below, it is dependent on the columns before."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Standardizes the numbers of one column; missing values become the mean."""

    mean: float
    spread: float

    @classmethod
    def of(cls, numbers: Floats, weights: Floats) -> Scale:
        """Mean and standard deviation of the values that are present."""
        there = ~np.isnan(numbers)
        if not there.any():
            return cls(0.0, 1.0)
        mean = float(np.average(numbers[there], weights=weights[there]))
        spread = float(np.sqrt(np.average((numbers[there] - mean) ** 2, weights=weights[there])))
        return cls(mean, spread if spread > 0 else 1.0)

    def apply(self, numbers: Floats) -> Floats:
        """Standard deviations from the mean."""
        return np.asarray(np.nan_to_num((numbers - self.mean) / self.spread, nan=0.0))


@dataclass(frozen=True, slots=True, eq=False)
class DesignBlock:
    """The columns of a design that come from one column of the table."""

    names: tuple[str, ...]
    """Names of its terms."""
    columns: Floats = field(repr=False)
    """One row per record, one column per term."""
    units: tuple[float, ...]
    """What each coefficient is divided by, so that it refers to one unit of the column."""

    @property
    def width(self) -> int:
        """Number of terms."""
        return len(self.names)


def number_block(name: str, numbers: Floats, scale: Scale, *, has_gaps: bool) -> DesignBlock:
    """The number itself, and whether it is missing."""
    parts = [scale.apply(numbers)]
    if has_gaps:
        parts.append(np.isnan(numbers).astype(np.float64))
    names = (name, f"{name} is missing")[: len(parts)]
    return DesignBlock(names, np.column_stack(parts), (scale.spread, 1.0)[: len(parts)])


def category_block(name: str, codes: Ints, labels: Sequence[str], *, base: int) -> DesignBlock:
    """One column for each category except the base, to which the others are compared."""
    kept = [code for code in range(len(labels)) if code != base]
    columns = (codes[:, None] == np.array(kept, dtype=np.int64)).astype(np.float64)
    return DesignBlock(tuple(f"{name} = {labels[code]}" for code in kept), columns, (1.0,) * len(kept))


def interaction(one: DesignBlock, two: DesignBlock) -> DesignBlock:
    """All products of the terms of two columns."""
    pairs = list(product(range(one.width), range(two.width)))
    return DesignBlock(
        tuple(f"{one.names[x]} * {two.names[y]}" for x, y in pairs),
        np.column_stack([one.columns[:, x] * two.columns[:, y] for x, y in pairs])
        if pairs
        else np.empty((len(one.columns), 0)),
        tuple(one.units[x] * two.units[y] for x, y in pairs),
    )


def join_blocks(blocks: Sequence[DesignBlock], rows: int) -> DesignBlock:
    """An intercept, then all blocks."""
    first = DesignBlock(("(intercept)",), np.ones((rows, 1)), (1.0,))
    every = (first, *blocks)
    return DesignBlock(
        tuple(name for block in every for name in block.names),
        np.column_stack([block.columns for block in every]),
        tuple(unit for block in every for unit in block.units),
    )


def apart(values: Floats, weights: Floats) -> float:
    """Number of records without the most frequent value: those that determine a coefficient.

    >>> apart(np.array([0.0, 1.0, 0.0]), np.array([4.0, 2.0, 3.0]))
    2.0
    """
    _, place = np.unique(values, return_inverse=True)
    counts = np.bincount(place, weights=weights)
    return float(weights.sum() - counts.max(initial=0.0))


def independent(design: Floats, weights: Floats) -> Bools:
    """Which columns do not depend linearly on those before: Cholesky of the cross products, row by row."""
    gram = products(design, weights)
    size = len(gram)
    root = np.zeros((size, size))
    kept = np.zeros(size, dtype=np.bool_)
    for at in range(size):
        before = np.flatnonzero(kept)
        for other in before:
            earlier = before[before < other]
            root[at, other] = (gram[at, other] - root[at, earlier] @ root[other, earlier]) / root[
                other, other
            ]
        rest = gram[at, at] - root[at, before] @ root[at, before]
        if gram[at, at] > 0 and rest > FOLLOWS * gram[at, at]:
            kept[at] = True
            root[at, at] = np.sqrt(rest)
    return kept
