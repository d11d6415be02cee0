"""Means, covariances and changes of columns, pooled over blocks of rows.

Blocks are combined as in Chan, Golub and LeVeque 1983 (doi:10.1080/00031305.1983.10483115). A single block
gives the numbers of the plain formulas.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.perturb import ColumnChange


@dataclass(slots=True, eq=False)
class PooledMoments:
    """Number, mean and sums of products of rows without missing values."""

    rows: int = 0
    mean: Floats = field(default_factory=lambda: np.zeros(0))
    products: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    """Of the deviations from the mean."""

    def add(self, block: Floats) -> None:
        """Include the rows of a block that have all values."""
        whole = block[~np.isnan(block).any(axis=1)]
        if not len(whole):
            return
        mean = whole.mean(axis=0)
        away = whole - mean
        if not self.rows:
            self.rows, self.mean, self.products = len(whole), mean, away.T @ away
            return
        shift, rows = mean - self.mean, self.rows + len(whole)
        self.products = (
            self.products + away.T @ away + np.outer(shift, shift) * (self.rows * len(whole) / rows)
        )
        self.mean = self.mean + shift * (len(whole) / rows)
        self.rows = rows

    @property
    def covariance(self) -> Floats:
        """Of the columns; with fewer than two rows there is none."""
        return self.products / (self.rows - 1)

    def correlations(self) -> Floats:
        """Of all pairs of columns; NaN where one does not vary."""
        spread = np.sqrt(np.diag(self.products))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.products / np.outer(spread, spread))


@dataclass(slots=True, eq=False)
class PooledChange:
    """How one column changed, block by block; the figures are those of `column_change`."""

    moments: PooledMoments = field(default_factory=PooledMoments)
    changed: int = 0
    distance: float = 0.0

    def add(self, before: Floats, after: Floats) -> None:
        """Include the rows that have a value before and after."""
        pair = np.stack([before, after], axis=1)
        known = pair[~np.isnan(pair).any(axis=1)]
        self.moments.add(known)
        self.changed += int((known[:, 0] != known[:, 1]).sum())
        self.distance += float(np.abs(known[:, 0] - known[:, 1]).sum())

    @property
    def found(self) -> ColumnChange:
        """The comparison."""
        rows = self.moments.rows
        if not rows:
            return ColumnChange(None, None, None, None)
        (one, both), (_, other) = self.moments.products
        if rows < 2 or one <= 0:
            return ColumnChange(self.changed / rows, None, None, None)
        return ColumnChange(
            self.changed / rows,
            other / one,
            both / sqrt(one * other) if other > 0 else None,
            self.distance / rows / sqrt(2 * one / (rows - 1)),
        )


def compare_blocks(pairs: Iterable[tuple[Floats, Floats]]) -> tuple[list[ColumnChange], float | None]:
    """How each column changed, and the largest change of a correlation between two of them.

    The pairs are the same rows before and after.
    """
    columns: list[PooledChange] = []
    together = PooledMoments()
    for before, after in pairs:
        columns = columns or [PooledChange() for _ in range(before.shape[1])]
        for place, one in enumerate(columns):
            one.add(before[:, place], after[:, place])
        together.add(np.concatenate([before, after], axis=1))
    return [one.found for one in columns], _largest_change(together, len(columns))


def _largest_change(together: PooledMoments, width: int) -> float | None:
    if together.rows < 2:
        return None
    both = np.diag(together.products)
    varies = np.flatnonzero((both[:width] > 0) & (both[width:] > 0))
    if varies.size < 2:
        return None
    found = together.correlations()
    change = found[np.ix_(varies, varies)] - found[np.ix_(width + varies, width + varies)]
    return float(np.abs(change).max())
