"""How far distributions moved: columns, pairs, and whether a model can distinguish the tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.association import cramers_v, rank_correlation, together
from reidrisk.stats.grouping import grouped
from reidrisk.stats.usefulness.design import interaction, joined
from reidrisk.stats.usefulness.distances import binned, hellinger, kolmogorov, total_variation, wasserstein
from reidrisk.stats.usefulness.scores import Propensity, propensity
from reidrisk.tables.utility.data import ComparedColumn, ComparedTables
from reidrisk.tables.utility.encode import MOST_LEVELS, ModelTerms, encode_column
from reidrisk.tables.utility.plan import UtilityPlan


@dataclass(frozen=True, slots=True)
class ColumnDistance:
    """The distance between the released and original distribution of a column, at the released level."""

    column: str
    kind: str | None
    total_variation: float | None = None
    hellinger: float | None = None
    kolmogorov_smirnov: float | None = None
    """For numbers and dates."""
    wasserstein: float | None = None
    """As a share of the original's range."""
    missing_before: float | None = None
    missing_after: float | None = None
    """Share of empty and suppressed cells."""
    values_before: int | None = None
    values_after: int | None = None
    unread: float | None = None
    """Share of released values that match no value of the original."""
    reason: str | None = None
    """Why it was not compared."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return asdict(self)


def distances(both: ComparedTables) -> tuple[ColumnDistance, ...]:
    """Measure all chosen columns in order."""
    return tuple(
        _distance(both.columns[name])
        if name in both.columns
        else ColumnDistance(name, None, reason=both.apart[name])
        for name in both.chosen
    )


def _distance(column: ComparedColumn) -> ColumnDistance:
    values, before, after, unmatched = _weights(column)
    shown_before, shown_after = before, after
    if column.kind != "category":
        bins = binned(before)
        shown_before = np.asarray(np.bincount(bins, weights=before), dtype=np.float64)
        shown_after = np.asarray(np.bincount(bins, weights=after), dtype=np.float64)
    # A value without a match differs from all others.
    shares = np.append(shown_before, 0.0), np.append(shown_after, unmatched)
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


def _weights(column: ComparedColumn) -> tuple[Floats, Floats, Floats, float]:
    """Return values in order, records before and after of each, and released records without a match."""
    before = column.original_counts().astype(np.float64)
    if not column.is_exact:
        unmatched = float(column.after.counts[column.unread].sum())
        values = column.domain.numbers if column.kind != "category" else np.arange(before.size, dtype=float)
        return values, before, column.spread(), unmatched
    own = np.asarray(column.after.values, dtype=np.float64)
    values = np.union1d(column.domain.numbers, own)
    sides = np.zeros((2, values.size))
    sides[0, np.searchsorted(values, column.domain.numbers)] = before
    sides[1, np.searchsorted(values, own)] = column.after.counts[:-1]
    return values, sides[0], sides[1], 0.0


MOST_COLUMNS = 30
MOST_GROUPS = 200
"""Largest number of categories of a column whose associations are meaningful."""
BINS = 10
"""Number of bins for numbers when paired with categories."""


@dataclass(frozen=True, slots=True)
class PairChange:
    """Two columns and their association before and after; None if undefined."""

    columns: tuple[str, str]
    measure: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        """After minus before."""
        return None if self.before is None or self.after is None else self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {**asdict(self), "columns": list(self.columns), "change": self.change}


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Codes of rows; -1 if missing."""

    fine: Ints = field(repr=False)
    """Ordered codes for numbers, otherwise groups."""
    coarse: Ints = field(repr=False)
    """Codes that are few enough for a meaningful table of counts."""


def pair_changes(both: ComparedTables) -> tuple[PairChange, ...]:
    """Measure all pairs, largest change first."""
    used = [one for one in both.compared if one.kind != "category" or len(one.groups().labels) <= MOST_GROUPS]
    sides = [_sides(one, both) for one in used[:MOST_COLUMNS]]
    found = [
        _change((used[one], used[two]), (sides[one], sides[two]))
        for one, two in combinations(range(len(sides)), 2)
    ]
    return tuple(sorted(found, key=lambda pair: -abs(pair.change or 0.0)))


def _change(columns: tuple[ComparedColumn, ComparedColumn], sides: tuple[Any, Any]) -> PairChange:
    ordered = all(one.kind != "category" for one in columns)
    strengths: list[float | None] = []
    for at in range(2):
        x, y = ((side[at].fine if ordered else side[at].coarse) for side in sides)
        there = (x >= 0) & (y >= 0)
        if not there.any():
            strengths.append(None)
            continue
        counts = together(x[there], y[there], np.ones(int(there.sum()), dtype=np.int64))
        strengths.append((rank_correlation if ordered else cramers_v)(*counts))
    measure = "rank correlation" if ordered else "Cramer's V"
    return PairChange((columns[0].name, columns[1].name), measure, strengths[0], strengths[1])


def _sides(column: ComparedColumn, both: ComparedTables) -> tuple[_Side, _Side]:
    codes = both.codes[0][column.name], both.codes[1][column.name]
    if column.numbers is None:
        groups = column.groups()
        old, new = groups.before[codes[0]], groups.after[codes[1]]
        return _Side(old, old), _Side(new, new)
    before, after = column.original_numbers(), column.numbers
    values = np.unique(np.concatenate([before[~np.isnan(before)], after[~np.isnan(after)]]))
    weights = np.zeros(values.size)
    there = ~np.isnan(before)
    np.add.at(weights, np.searchsorted(values, before[there]), column.before.counts[there])
    bins = np.append(binned(weights, BINS), -1)
    return _numbers(before, codes[0], values, bins), _numbers(after, codes[1], values, bins)


def _numbers(numbers: Floats, codes: Any, values: Floats, bins: Ints) -> _Side:
    place = np.where(np.isnan(numbers), -1, np.searchsorted(values, numbers))
    return _Side(place[codes], bins[place][codes])


MOST_TERMS = 100
"""Largest number of terms of the model; categories are combined until it fits."""


@dataclass(frozen=True, slots=True)
class PropensityResult:
    """The propensity score of a release, or why it cannot be computed."""

    found: Propensity | None
    columns: tuple[str, ...]
    reason: str | None = None

    @property
    def ratio(self) -> float | None:
        """The score divided by its expectation under chance."""
        return None if self.found is None else self.found.ratio

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        found = self.found
        return {
            "pmse": found.pmse if found else None,
            "largest": found.share * (1 - found.share) if found else None,
            "expected": found.expected if found else None,
            "ratio": self.ratio,
            "standardised": found.standardised if found else None,
            "parameters": found.parameters if found else None,
            "records": int(found.records) if found else None,
            "separated": found.is_held if found else None,
            "columns": list(self.columns),
            "reason": self.reason,
        }


def propensity_of(both: ComparedTables, plan: UtilityPlan) -> PropensityResult:
    """Fit a logistic model with all compared columns and the requested interactions."""
    used = [one for one in both.compared if one.has_values]
    names = tuple(one.name for one in used)
    for pair in plan.interactions:
        for name in pair:
            if name not in names:
                why = both.apart.get(name, "it is not compared, or the release has no values of it")
                return PropensityResult(None, names, f"The interaction with {name} cannot be used: {why}.")
    columns, pairs = _columns_that_fit(used, plan)
    if not columns:
        return PropensityResult(None, names, "No column can be compared.")
    return PropensityResult(_fit_propensity(both, columns, pairs), names)


def _columns_that_fit(
    used: Sequence[ComparedColumn], plan: UtilityPlan
) -> tuple[list[ModelTerms], list[tuple[int, int]]]:
    """Encode the columns with as many categories as fit into the model."""
    most = MOST_LEVELS
    while True:
        columns = [encode_column(one, least=plan.cell_size, most=most) for one in used]
        place = {one.name: at for at, one in enumerate(columns)}
        pairs = [(place[one], place[two]) for one, two in plan.interactions]
        width = sum(one.width for one in columns)
        width += sum(columns[one].width * columns[two].width for one, two in pairs)
        if width <= MOST_TERMS or most <= 2:
            return columns, pairs
        most //= 2


def _fit_propensity(
    both: ComparedTables, columns: list[ModelTerms], pairs: list[tuple[int, int]]
) -> Propensity:
    parts, weights = [], []
    for after, codes in enumerate(both.codes):
        rows = np.stack([codes[one.name] for one in columns], axis=1)
        tuples = grouped(rows, np.ones(len(rows), dtype=np.int64))
        blocks = [one.block(tuples.codes[:, at], after=bool(after)) for at, one in enumerate(columns)]
        blocks += [interaction(blocks[one], blocks[two]) for one, two in pairs]
        parts.append(joined(blocks, len(tuples.codes)).columns)
        weights.append(tuples.counts.astype(np.float64))
    released = np.repeat([0.0, 1.0], [len(part) for part in parts])
    return propensity(np.vstack(parts), released, np.concatenate(weights))
