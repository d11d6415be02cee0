"""Each column before and after."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.usefulness.distances import (
    bin_values,
    hellinger,
    kolmogorov,
    total_variation,
    wasserstein,
)
from reidrisk.tables.utility.comparable import Comparable
from reidrisk.tables.utility.data import Both


@dataclass(frozen=True, slots=True)
class ColumnDistance:
    """How far the released values of a column are from the original ones, at the released level."""

    column: str
    kind: str | None
    total_variation: float | None = None
    hellinger: float | None = None
    kolmogorov_smirnov: float | None = None
    """Of numbers and dates."""
    wasserstein: float | None = None
    """As a share of the original's range."""
    missing_before: float | None = None
    missing_after: float | None = None
    """Empty and suppressed cells."""
    values_before: int | None = None
    values_after: int | None = None
    unread: float | None = None
    """Share of released values that stand for nothing that the original has."""
    reason: str | None = None
    """Why it was not compared."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def distances(both: Both) -> tuple[ColumnDistance, ...]:
    """All chosen columns in their order."""
    return tuple(
        _distance(both.columns[name])
        if name in both.columns
        else ColumnDistance(name, None, reason=both.apart[name])
        for name in both.chosen
    )


def _distance(column: Comparable) -> ColumnDistance:
    values, before, after, strange = _weights(column)
    shown_before, shown_after = before, after
    if column.kind != "category":
        bins = bin_values(before)
        shown_before = np.asarray(np.bincount(bins, weights=before), dtype=np.float64)
        shown_after = np.asarray(np.bincount(bins, weights=after), dtype=np.float64)
    # A value that stands for nothing known differs from all.
    shares = np.append(shown_before, 0.0), np.append(shown_after, strange)
    is_number = column.kind != "category"
    counts, gone = column.after.counts, column.gone
    return ColumnDistance(
        column.name,
        column.kind,
        total_variation(*shares),
        hellinger(*shares),
        kolmogorov(before, after) if is_number else None,
        wasserstein(values, before, after) if is_number else None,
        column.before.missing / column.before.rows,
        float(counts[gone].sum()) / column.after.rows,
        column.before.values.size,
        int(np.count_nonzero(counts[~gone])),
        column.unread_share,
    )


def _weights(column: Comparable) -> tuple[Floats, Floats, Floats, float]:
    """Values in order, records before and after of each, and released records that fit none."""
    before = column.original_counts().astype(np.float64)
    if not column.is_exact:
        strange = float(column.after.counts[column.unread].sum())
        values = column.domain.numbers if column.kind != "category" else np.arange(before.size, dtype=float)
        return values, before, column.spread(), strange
    own = np.asarray(column.after.values, dtype=np.float64)
    values = np.union1d(column.domain.numbers, own)
    sides = np.zeros((2, values.size))
    sides[0, np.searchsorted(values, column.domain.numbers)] = before
    sides[1, np.searchsorted(values, own)] = column.after.counts[:-1]
    return values, sides[0], sides[1], 0.0
