"""Both tables: what all rows have in each column, and the rows that are looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.classes import count_distinct, count_rows
from reidrisk.engine.coded import CodedColumn, coded_rows, kind_of
from reidrisk.engine.counted import CountedColumn, counted_column
from reidrisk.engine.drawn import drawn_rows
from reidrisk.engine.table import Table, open_table
from reidrisk.errors import NothingToMeasure, UnknownColumn
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.utility.comparable import Comparable, comparable
from reidrisk.tables.utility.plan import UtilityPlan

Codes = NDArray[np.int32]
MOST_TEXTS = 10_000
"""Different texts of a column that is compared."""
FEW = 50
"""Different texts that are compared however few records there are."""
UNREAD = 0.5
"""Share of released values that may stand for nothing known before a column is not compared."""


@dataclass(frozen=True, eq=False)
class Both:
    """The original and the release, open."""

    original: Table
    released: Table
    rows: tuple[int, int]
    columns: Mapping[str, Comparable] = field(repr=False)
    """That can be compared."""
    apart: Mapping[str, str]
    """Other columns, and why not."""
    chosen: tuple[str, ...]
    """Columns that are compared by themselves, in pairs and by the propensity score."""
    most: int
    seed: int

    @property
    def is_drawn(self) -> bool:
        """Whether a table has more rows than are looked at one by one."""
        return max(self.rows) > self.most

    @property
    def compared(self) -> list[Comparable]:
        """Those of the chosen columns that can be."""
        return [self.columns[name] for name in self.chosen if name in self.columns]

    @cached_property
    def codes(self) -> tuple[Mapping[str, Codes], Mapping[str, Codes]]:
        """By column, for rows of the original and of the release."""
        before = {name: one.before for name, one in self.columns.items()}
        after = {name: one.after for name, one in self.columns.items()}
        return self._coded(self.original, before), self._coded(self.released, after)

    def _coded(self, table: Table, columns: Mapping[str, CountedColumn]) -> dict[str, Codes]:
        if not columns:
            return {}
        drawn = drawn_rows(table, self.most, seed=self.seed)
        return {one.name: _in_full(one, columns[one.name]) for one in coded_rows(drawn, tuple(columns))}


def _in_full(drawn: CodedColumn, full: CountedColumn) -> Codes:
    """The codes of some rows among the values of all."""
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
) -> Iterator[Both]:
    """Open both and count their columns."""
    with open_table(original) as one, open_table(released) as two:
        first, second = one.at_hand(), two.at_hand()
        rows = count_rows(first), count_rows(second)
        for table, number in zip((first, second), rows, strict=True):
            if not number:
                raise NothingToMeasure(f"{table.source} has no records.", hint="Name a table with rows.")
        chosen = _chosen(first, second, plan)
        wanted = tuple(dict.fromkeys((*chosen, *plan.named)))
        known_columns(first, plan)
        columns, apart = _columns((first, second), rows, wanted, hierarchies)
        yield Both(first, second, rows, columns, apart, chosen, plan.rows, seed)


def known_columns(original: Table, plan: UtilityPlan) -> None:
    """Refuse a plan that names what the original does not have."""
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
) -> tuple[dict[str, Comparable], dict[str, str]]:
    original, released = tables
    columns: dict[str, Comparable] = {}
    apart = {name: "the release does not have it" for name in wanted if name not in released.columns}
    here = [name for name in wanted if name in released.columns]
    # A release in which nearly every record has its own text names records, by pseudonyms maybe.
    limits = MOST_TEXTS, min(MOST_TEXTS, max(FEW, rows[1] / 2))
    for table, most in zip(tables, limits, strict=True):
        apart |= _too_many(table, here, most)
    for name in here:
        if name in apart:
            continue
        before, after = counted_column(original, name), counted_column(released, name)
        one = comparable(before, after, hierarchies.get(name))
        if one.unread_share > UNREAD:
            apart[name] = (
                "most of its released values stand for nothing that the original has; hierarchies would tell "
                "what they stand for"
            )
        else:
            columns[name] = one
    return columns, apart


def _too_many(table: Table, names: Sequence[str], most: float) -> dict[str, str]:
    """Texts that are no categories; they are not even read."""
    texts = [name for name in names if kind_of(table, name) == "text"]
    different = count_distinct(table, texts) if texts else {}
    return {
        name: f"it has {number:,} different texts, too many to be compared as categories"
        for name, number in different.items()
        if number > most
    }
