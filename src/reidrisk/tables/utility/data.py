"""Both tables of a comparison, with released values made comparable to the originals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.reading import TableReading
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.engine.results import CodedColumn, CountedColumn
from reidrisk.errors import NothingToMeasure, UnknownColumn
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.attack.columns import Cover
from reidrisk.tables.attack.domain import Domain, date_interval, domain_of, number_interval, spell
from reidrisk.tables.attack.reading import has_single_values, read_column
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import STAR
from reidrisk.tables.hierarchy.readable import with_readable
from reidrisk.tables.utility.plan import UtilityPlan


class ValueGroups(NamedTuple):
    """Groups of values that are compared as one value, by code of each table."""

    before: Ints
    after: Ints
    labels: tuple[str | None, ...]
    """Labels as in the release; None for values that it does not have."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedColumn:
    """One column in both tables; codes are indexes of a table's values, with the empty cell last."""

    before: CountedColumn = field(repr=False)
    after: CountedColumn = field(repr=False)
    domain: Domain = field(repr=False)
    places: Ints = field(repr=False)
    """Index in the domain of each original code."""
    cover: Cover = field(repr=False)
    gone: Bools = field(repr=False)
    """Released codes without information: suppressed or empty."""
    is_exact: bool
    """Whether released values are single numbers or days, even if they were changed."""
    numbers: Floats | None = field(repr=False)
    """By released code, the midpoint of its values; None for categories."""

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.before.name

    @property
    def kind(self) -> str:
        """Number, date or category."""
        return self.domain.kind

    @property
    def unread(self) -> Bools:
        """Released codes that match no value of the original."""
        if self.is_exact:
            return np.zeros(self.gone.size, dtype=np.bool_)
        return np.asarray((self.cover.size == 0) & ~self.gone)

    @property
    def has_values(self) -> bool:
        """Whether any released record has a value."""
        return bool(self.after.counts[~self.gone].sum())

    @property
    def unread_share(self) -> float:
        """Share of the released values that match no value of the original."""
        known = float(self.after.counts[~self.gone].sum())
        return float(self.after.counts[self.unread].sum()) / known if known else 0.0

    def original_numbers(self) -> Floats:
        """Return the numbers by original code."""
        return np.append(self.domain.numbers, np.nan)[self.places]

    def original_counts(self) -> Ints:
        """Return the records by value of the domain, without the empty cell."""
        counts = np.bincount(self.places, weights=self.before.counts, minlength=self.domain.present + 1)
        return counts[: self.domain.present].astype(np.int64)

    def spread(self) -> Floats:
        """Distribute released records over the values that they may have, in the proportions of the original.

        If released values do not overlap, shares compared in this way are those at the released level.
        """
        counts = np.where(self.gone, 0, self.after.counts)
        original = self.original_counts()
        found = np.zeros(self.domain.present)
        for layer, row in enumerate(self.cover.groups):
            here = (self.cover.layer == layer) & (counts > 0) & (self.cover.group >= 0)
            if not here.any():
                continue
            groups = row[: self.domain.present]
            inside = groups >= 0
            size = int(max(groups.max(initial=-1), self.cover.group[here].max())) + 1
            released = np.bincount(self.cover.group[here], weights=counts[here], minlength=size)
            had = np.bincount(groups[inside], weights=original[inside], minlength=size)
            each = np.divide(released, had, out=np.zeros(size), where=had > 0)
            found[inside] += each[groups[inside]] * original[inside]
        return found

    def groups(self) -> ValueGroups:
        """Group every value by the widest released value that includes it."""
        best = np.zeros(self.domain.present, dtype=np.int64)
        width = np.zeros(self.domain.present, dtype=np.int64)
        named: dict[tuple[int, int], int] = {}
        for code in np.flatnonzero(~self.gone & (self.cover.size > 0)).tolist():
            key = int(self.cover.layer[code]), int(self.cover.group[code])
            if key in named:
                continue
            named[key] = code
            if key[0] == 0:  # a single value
                continue
            held = np.flatnonzero(self.cover.groups[key[0]][: self.domain.present] == key[1])
            wider = held[self.cover.size[code] > width[held]]
            best[wider], width[wider] = key[0], self.cover.size[code]
        return self._numbered(best, named)

    def _numbered(self, best: Ints, named: dict[tuple[int, int], int]) -> ValueGroups:
        texts = [spell(value, self.after.kind) for value in self.after.values.tolist()]
        keys = [(int(layer), int(self.cover.groups[layer, at])) for at, layer in enumerate(best.tolist())]
        numbers = {key: at for at, key in enumerate(dict.fromkeys(keys))}
        labels = [texts[named[key]] if key in named else None for key in numbers]
        of_value = np.array([*(numbers[key] for key in keys), -1], dtype=np.int64)
        after = np.full(self.gone.size, -1, dtype=np.int64)
        known = ~self.gone & (self.cover.size > 0)
        after[known] = of_value[np.minimum(self.cover.first[known], self.domain.present)]
        for code in np.flatnonzero(~self.gone & (self.cover.size == 0)).tolist():
            after[code] = len(labels)
            labels.append(texts[code])
        return ValueGroups(of_value[self.places], after, tuple(labels))


def compare_column(
    before: CountedColumn, after: CountedColumn, hierarchy: Hierarchy | None
) -> ComparedColumn:
    """Compare by the hierarchy, if there is one, and otherwise by how released values are written."""
    domain, (places,) = domain_of([before])
    counts = np.bincount(places, weights=before.counts, minlength=len(domain)).astype(np.int64)
    cover = read_column(after, domain, counts[: len(domain)], hierarchy).compared.cover
    is_exact = hierarchy is None and domain.kind != "category" and has_single_values(after, domain)
    gone = _gone(after, domain, cover, is_exact=is_exact)
    numbers = None if domain.kind == "category" else _numbers(after, domain, cover, is_exact=is_exact)
    if numbers is not None:
        numbers = np.where(gone, np.nan, numbers)
    return ComparedColumn(before, after, domain, places, cover, gone, is_exact, numbers)


def _gone(after: CountedColumn, domain: Domain, cover: Cover, *, is_exact: bool) -> Bools:
    gone = np.zeros(after.values.size + 1, dtype=np.bool_)
    gone[-1] = True
    if is_exact:
        return gone
    if after.kind == "text":
        gone[:-1] = [text in (STAR, "") for text in after.values.tolist()]
    if domain.present > 1:
        whole = (cover.size >= domain.present) & ~gone
        # Some records at the top of the hierarchy count as suppressed; a whole column there is only coarse.
        if after.counts[whole].sum() * 2 < after.counts[~gone].sum():
            gone |= whole
    return gone


def _numbers(after: CountedColumn, domain: Domain, cover: Cover, *, is_exact: bool) -> Floats:
    """Return the number, or the midpoint of the interval that is written or given by the hierarchy."""
    found = np.full(after.values.size + 1, np.nan)
    if is_exact:
        found[:-1] = after.values
        return found
    read = number_interval if domain.kind == "number" else date_interval
    for at, value in enumerate(after.values.tolist()):
        if not cover.size[at]:
            continue
        interval = read(spell(value, after.kind))
        middle = interval.middle if interval else None
        first, last = (int(min(end[at], domain.present - 1)) for end in (cover.first, cover.last))
        found[at] = (domain.numbers[first] + domain.numbers[last]) / 2 if middle is None else middle
    return found


Codes = NDArray[np.int32]
MOST_TEXTS = 10_000
"""Largest number of distinct texts in a column to compare."""
FEW = 50
"""Number of distinct texts that are compared even with few records."""
UNREAD = 0.5
"""Largest share of released values without a match; above it the column is not compared."""


@dataclass(frozen=True, eq=False)
class ComparedTables:
    """The original and the release, both open."""

    original: Table
    released: Table
    rows: tuple[int, int]
    columns: Mapping[str, ComparedColumn] = field(repr=False)
    """Columns that can be compared."""
    apart: Mapping[str, str]
    """Other columns, and why they cannot be compared."""
    chosen: tuple[str, ...]
    """Columns to compare alone, in pairs and by the propensity score."""
    most: int
    seed: int

    @property
    def is_drawn(self) -> bool:
        """Whether a table has more rows than the limit, so that rows are sampled."""
        return max(self.rows) > self.most

    @property
    def compared(self) -> list[ComparedColumn]:
        """The chosen columns that can be compared."""
        return [self.columns[name] for name in self.chosen if name in self.columns]

    @cached_property
    def codes(self) -> tuple[Mapping[str, Codes], Mapping[str, Codes]]:
        """Codes by column, for rows of the original and of the release."""
        before = {name: one.before for name, one in self.columns.items()}
        after = {name: one.after for name, one in self.columns.items()}
        return self._coded(self.original, before), self._coded(self.released, after)

    def _coded(self, table: Table, columns: Mapping[str, CountedColumn]) -> dict[str, Codes]:
        if not columns:
            return {}
        drawn = table.sample(self.most, seed=self.seed)
        return {one.name: _in_full(one, columns[one.name]) for one in drawn.rows.coded(tuple(columns))}


def _in_full(drawn: CodedColumn, full: CountedColumn) -> Codes:
    """Return the codes of sampled rows among the values of all rows."""
    places = np.searchsorted(full.values, drawn.values)
    return np.append(places, full.values.size).astype(np.int32)[drawn.codes]


@contextmanager
def both_tables(
    released: Any,
    original: Any,
    plan: UtilityPlan,
    hierarchies: Mapping[str, Hierarchy],
    *,
    seed: int,
    reading: TableReading | None = None,
) -> Iterator[ComparedTables]:
    """Open both tables and count their columns."""
    other = None if reading is None else reading.for_other()
    with open_table(original, reading=reading) as one, open_table(released, reading=other) as two:
        first, second = with_readable(one, hierarchies, one.columns).at_hand(), two.at_hand()
        rows = first.count(), second.count()
        for table, number in zip((first, second), rows, strict=True):
            if not number:
                raise NothingToMeasure(f"{table.source} has no records.", hint="Name a table with rows.")
        chosen = _chosen(first, second, plan)
        wanted = tuple(dict.fromkeys((*chosen, *plan.named)))
        known_columns(first, plan)
        columns, apart = _columns((first, second), rows, wanted, hierarchies)
        yield ComparedTables(first, second, rows, columns, apart, chosen, plan.rows, seed)


def known_columns(original: Table, plan: UtilityPlan) -> None:
    """Refuse a plan with columns that the original does not have."""
    for name in (*(plan.columns or ()), *plan.named):
        if name not in original.columns:
            raise UnknownColumn.among(name, original.columns, source=original.source)


def _chosen(original: Table, released: Table, plan: UtilityPlan) -> tuple[str, ...]:
    if plan.columns is not None:
        return plan.columns
    found = tuple(name for name in original.columns if name in released.columns)
    if not found:
        raise NothingToMeasure(
            f"{original.source} and {released.source} have no column in common.",
            hint="Name the original of this release.",
        )
    return found


def _columns(
    tables: tuple[Table, Table],
    rows: tuple[int, int],
    wanted: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
) -> tuple[dict[str, ComparedColumn], dict[str, str]]:
    original, released = tables
    columns: dict[str, ComparedColumn] = {}
    apart = {name: "the release does not have it" for name in wanted if name not in released.columns}
    here = [name for name in wanted if name in released.columns]
    # If nearly every record has a different text, the texts identify records, perhaps as pseudonyms.
    limits = MOST_TEXTS, min(MOST_TEXTS, max(FEW, rows[1] / 2))
    for table, most in zip(tables, limits, strict=True):
        apart |= _too_many(table, here, most)
    for name in here:
        if name in apart:
            continue
        before, after = original.rows.counted(name), released.rows.counted(name)
        one = compare_column(before, after, hierarchies.get(name))
        if one.unread_share > UNREAD:
            apart[name] = "most of its released values match no value of the original; give its hierarchy"
        else:
            columns[name] = one
    return columns, apart


def _too_many(table: Table, names: Sequence[str], most: float) -> dict[str, str]:
    """Return text columns with too many distinct values to be categories; they are not read."""
    texts = [name for name in names if table.rows.compared_as(name) == "text"]
    different = table.distinct(texts) if texts else {}
    return {
        name: f"it has {number:,} distinct texts, too many to compare as categories"
        for name, number in different.items()
        if number > most
    }
