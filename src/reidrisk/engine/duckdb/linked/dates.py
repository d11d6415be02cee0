"""The dates of all tables as they are released: one offset per person, or one first day.

Dates go that show too high an age of a person. If asked for, dates also go that are so near the first or last
day of all data that they narrow the offset of the person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.linked.people import day_sql, owned
from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.engine.duckdb.readers.dates import ISO_TEXT
from reidrisk.engine.linked import ColumnPlan, LinkedPlan, TableColumn
from reidrisk.engine.results import MOMENTS
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.linked.database import LinkedTables


def run(tables: LinkedTables, sql: str, place: str) -> None:
    """Run a statement; errors name the place, and no value."""
    with without_values(place):
        tables.connection.execute(sql)


def has_people(plan: LinkedPlan, table: str) -> bool:
    """Whether the rows of a table belong to people."""
    return table == plan.links.person.table or bool(plan.links.owners.get(table))


@dataclass(eq=False)
class ReleasedDates:
    """SQL of dates, for rows `t` of a table and the person `pe` of each row."""

    tables: LinkedTables
    plan: LinkedPlan
    aged: bool = False
    """Whether people have dates that show too high an age."""
    window: tuple[int, int] | None = None
    """The first and the last day, from 1970-01-01, that may be released, if the ends of the data go."""

    def prepare(self) -> str:
        """Look at the ends of the data; SQL of people and the first day that shows no high age."""
        self.window = self._window()
        return self._first_days()

    def moved(self, table: str, column: str) -> str:
        """SQL of a date some days later; a date without a day, or without a month, stays so."""
        moved, shown = self._later(table, column), self._is_shown(table, column)
        return moved if shown is None else f"CASE WHEN {shown} THEN {moved} END"

    def _is_shown(self, table: str, column: str) -> str | None:
        """SQL of whether a date shows neither a high age nor the ends of the data; None if no date does."""
        day, conditions = self._day(table, column), []
        if self.aged:
            conditions.append(f"coalesce({day} >= pe.first, true)")
        if self.window is not None:
            released = f"({day} - DATE '1970-01-01' + pe.days)"
            conditions.append(f"coalesce({released} BETWEEN {self.window[0]} AND {self.window[1]}, true)")
        return " AND ".join(conditions) or None

    def _later(self, table: str, column: str) -> str:
        cell, kind = f"t.{quoted(column)}", self.tables.tables[table].kinds[column]
        if kind in MOMENTS:
            return (
                f"{cell} + CAST(pe.days AS INTEGER)"
                if kind == "date"
                else f"{cell} + to_days(CAST(pe.days AS INTEGER))"
            )
        bare = f"nullif(trim(CAST({cell} AS VARCHAR)), '')"
        middle = f"CASE length({bare}) WHEN 7 THEN '-15' WHEN 4 THEN '-06-30' ELSE '' END"
        moved = f"CAST(CAST(left({bare}, 10) || {middle} AS DATE) + CAST(pe.days AS INTEGER) AS VARCHAR)"
        text = f"left({moved}, CAST(least(length({bare}), 10) AS INTEGER)) || substr({bare}, 11)"
        return f"CASE WHEN regexp_full_match({bare}, {literal(ISO_TEXT)}) THEN {text} END"

    def study_day(self, table: str, place: int, one: ColumnPlan, kind: str) -> str:
        """SQL of the day of the study, counted again: there is no day 0."""
        day = day_sql(self.tables, TableColumn(table, one.date), "t")
        distance = f"({day} - l{place}.d)"
        shown = self._is_shown(table, one.date)
        if shown is not None:
            distance = f"(CASE WHEN {shown} THEN {day} - l{place}.d END)"
        return f"CAST(CASE WHEN {distance} >= 0 THEN {distance} + 1 ELSE {distance} END AS {kind})"

    def _day(self, table: str, column: str) -> str:
        """SQL of a day; a date without one has the middle of its month or year."""
        cell, kind = f"t.{quoted(column)}", self.tables.tables[table].kinds[column]
        if kind in MOMENTS:
            return f"CAST({cell} AS DATE)"
        bare = f"nullif(trim(CAST({cell} AS VARCHAR)), '')"
        middle = f"CASE length({bare}) WHEN 7 THEN '-15' WHEN 4 THEN '-06-30' ELSE '' END"
        return f"TRY_CAST(left({bare}, 10) || {middle} AS DATE)"

    def offsets(self, number: str) -> str:
        """A table of people and the days by which their dates move."""
        name = self.tables.session.work_name()
        if self.plan.anchor is not None:
            return self._anchored(number, name)
        days = self.plan.offsets
        if days is None:
            run(self.tables, f"CREATE TABLE {name} AS SELECT i, 0 AS days FROM {number}", "people")
            return name
        arrays = {"i": np.arange(len(days), dtype=np.int64), "days": days.astype(np.int64)}
        self.tables.session.from_arrays(arrays).create_view(name)
        return name

    def _anchored(self, number: str, name: str) -> str:
        parts = []
        for table, columns in self.plan.tables.items():
            source, key = owned(self.tables, self.plan.links, table)
            parts += [
                f"SELECT {key} AS k, {day_sql(self.tables, TableColumn(table, column), 't')} AS d "
                f"FROM {source}"
                for column, one in columns.items()
                if one.action == "date"
            ]
        first = f"SELECT k, min(d) AS d FROM ({' UNION ALL '.join(parts)}) GROUP BY k"
        run(
            self.tables,
            f"CREATE TABLE {name} AS SELECT n.i, DATE '1970-01-01' + {self.plan.anchor} - f.d AS days "
            f"FROM {number} AS n LEFT JOIN ({first}) AS f ON f.k = n.k",
            "people",
        )
        return name

    def _first_days(self) -> str:
        """SQL of people and the first day that shows no age above the limit; nobody if no date is so old."""
        moved = self._moved_columns()
        nobody = "SELECT CAST(NULL AS VARCHAR) AS k, CAST(NULL AS DATE) AS first WHERE false"
        if self.plan.oldest is None or not moved:
            return nobody
        years = f"INTERVAL {self.plan.oldest + 1} YEAR"
        [is_old] = self.tables.one(
            f"SELECT min(low) <= max(high) - {years} FROM ({self._all_ends()})", "dates"
        )
        if not is_old:
            return nobody
        self.aged = True
        parts = []
        for table, column in moved:
            source, key = owned(self.tables, self.plan.links, table)
            parts.append(f"SELECT {key} AS k, {self._day(table, column)} AS d FROM {source}")
        last = f"SELECT k, max(d) AS d FROM ({' UNION ALL '.join(parts)}) GROUP BY k"
        return f"SELECT k, CAST(d - {years} + INTERVAL 1 DAY AS DATE) AS first FROM ({last})"

    def _window(self) -> tuple[int, int] | None:
        """The days that may be released: with any offset, they would be inside the original data."""
        days = self.plan.truncate
        if days is None or not self._moved_columns():
            return None
        start = "DATE '1970-01-01'"
        low, high = self.tables.one(
            f"SELECT min(low) - {start} + {days}, max(high) - {start} - {days} FROM ({self._all_ends()})",
            "dates",
        )
        if low is None or low > high:
            raise BadData(
                f"The dates of all tables are within {2 * days:,} days, so that none would be left.",
                hint="Choose a smaller offset, or leave out truncate, which narrows offsets of people.",
            )
        return int(low), int(high)

    def _moved_columns(self) -> list[tuple[str, str]]:
        """Tables of people and their columns with dates that move."""
        return [
            (table, column)
            for table, columns in self.plan.tables.items()
            if has_people(self.plan, table)
            for column, one in columns.items()
            if one.action == "date"
        ]

    def _all_ends(self) -> str:
        """SQL of the first and the last day of each table with dates of people."""
        moved = self._moved_columns()
        ends = [self._ends(table, [name for of, name in moved if of == table]) for table in dict(moved)]
        return " UNION ALL ".join(ends)

    def _ends(self, table: str, columns: Sequence[str]) -> str:
        """SQL of the first and the last day of some columns of a table."""
        days = [self._day(table, name) for name in columns]
        low, high = (", ".join(f"{how}({day})" for day in days) for how in ("min", "max"))
        return f"SELECT least({low}) AS low, greatest({high}) AS high FROM {self.tables.views[table]} AS t"


def unreadable_dates(tables: LinkedTables, columns: Sequence[TableColumn]) -> Mapping[str, int]:
    """By column of texts: cells that are not dates of ISO 8601."""
    found: dict[str, int] = {}
    for at in columns:
        if tables.table(at).kinds[at.column] in MOMENTS:
            continue
        cell = f"nullif(trim(CAST({quoted(at.column)} AS VARCHAR)), '')"
        [number] = tables.one(
            f"SELECT count(*) FILTER (WHERE {cell} IS NOT NULL AND NOT regexp_full_match({cell}, "
            f"{literal(ISO_TEXT)})) FROM {tables.views[at.table]}",
            at.table,
        )
        if number:
            found[str(at)] = int(number)
    return found


def refuse_unreadable(tables: LinkedTables, columns: Sequence[TableColumn]) -> None:
    """Refuse dates that cannot be moved."""
    odd = unreadable_dates(tables, columns)
    if odd:
        name, number = next(iter(odd.items()))
        raise BadData(
            f"{plural(number, 'cell')} of {name} cannot be read as a date.",
            hint=f"Correct the cells, or leave the column out: columns: {{{name}: drop}}.",
        )
