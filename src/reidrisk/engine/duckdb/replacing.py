"""Columns of a table replaced by others, row by row, whatever the rest of the table holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.engine.budget import CELL, ArrayRoom, room_for
from reidrisk.engine.duckdb.classes import count_rows
from reidrisk.engine.duckdb.dates import shifted_text
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import chosen, literal, quoted
from reidrisk.engine.duckdb.readers.dates import full_iso_day
from reidrisk.engine.duckdb.release import arm, pseudonym
from reidrisk.engine.duckdb.types import drawn, numbered
from reidrisk.engine.plans import DateShift
from reidrisk.engine.results import MOMENTS
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable

MOST = 1e150
"""Numbers whose squares still are numbers."""


def numbers_of(table: DuckTable, names: Sequence[str]) -> NDArray[np.float64]:
    """Rows in order, one column a name; dates count in days, and what is missing is NaN."""
    parts = [f"{as_number(table, name)} AS x{place}" for place, name in enumerate(names)]
    with without_values(table.source), _room(table, len(names)):
        found = table.with_numbers(parts, "i").order("i").fetchnumpy()
        columns = [
            np.ma.filled(np.ma.asarray(found[f"x{place}"], np.float64), np.nan) for place in range(len(names))
        ]
        refuse_endless(names, columns)
        return np.stack(columns, axis=1)


def _room(table: DuckTable, columns: int) -> AbstractContextManager[ArrayRoom]:
    """Refuse rows that do not fit in memory: what asks for them cannot work on a part of them."""
    rows = count_rows(table)
    return room_for(
        rows * columns * CELL,
        what=f"{table.source}: all {rows:,} rows of {plural(columns, 'column')} at once, for their ranks,",
        hint="Allow more memory (--memory), or name fewer columns. Noise, PRAM and shifted dates work on "
        "blocks of rows.",
    )


def refuse_endless(names: Sequence[str], columns: Sequence[NDArray[np.float64]]) -> None:
    """Refuse numbers that cannot be computed with."""
    for name, column in zip(names, columns, strict=True):
        if (np.abs(column) > MOST).any():
            raise BadData(
                f"Column {name!r} holds infinite values, or some beyond {MOST:g}.",
                hint="Leave them empty, or write them in another unit.",
            )


def as_number(table: DuckTable, name: str) -> str:
    """SQL of a cell as a number; dates count in days."""
    if table.kinds[name] in MOMENTS:
        return f"epoch(CAST({quoted(name)} AS TIMESTAMP)) / 86400.0"
    if table.types[name] == "VARCHAR":
        # Only dates as texts come here; one without a day is no number.
        return f"epoch(CAST({full_iso_day(quoted(name))} AS TIMESTAMP)) / 86400.0"
    return f"CAST({quoted(name)} AS DOUBLE)"


def values_of(table: DuckTable, name: str) -> tuple[NDArray[np.int64], list[Any]]:
    """Rows in order: the code of each value, -1 where it is missing; and the values in order."""
    session = table.session
    with without_values(table.source), session.kept_for_now(numbered(table.relation, quoted(name))) as listed:
        rows = table.with_numbers([f"{quoted(name)} AS c"], "i")
        coded = rows.join(listed, "c IS NOT DISTINCT FROM v").order("i")
        codes = coded.project("CASE WHEN v IS NULL THEN -1 ELSE k END AS k").fetchnumpy()["k"]
        zoned = table.types[name].endswith(
            "WITH TIME ZONE"
        )  # no object without a package that knows the zones
        column = "CAST(v AS VARCHAR)" if zoned else "v"
        known = listed.filter("v IS NOT NULL").order("k").project(column).fetchall()
    return np.asarray(codes, dtype=np.int64), [row[0] for row in known]


def with_sources(table: DuckTable, name: str, sources: NDArray[np.int64], *, note: str) -> DuckTable:
    """A column whose rows get the values of other rows, by their places from 0."""
    with without_values(table.source):
        rows = own_rows(table)
        at = table.columns.index(name)
        pairs = table.session.from_arrays({"a": np.arange(1, len(sources) + 1), "b": sources + 1})
        given = rows.project(f"i AS j, r{at} AS z{at}").join(pairs, "j = b").project(f"a, z{at}")
        return changed_rows(table, rows.join(table.session.kept(given), "i = a"), {name: f"z{at}"}, note)


def with_numbers(table: DuckTable, columns: Mapping[str, NDArray[np.float64]], *, note: str) -> DuckTable:
    """Columns of other numbers; NaN is missing, and whole numbers stay whole."""
    places = {name: table.columns.index(name) for name in columns}
    arrays = {f"z{places[name]}": np.ascontiguousarray(array) for name, array in columns.items()}
    length = len(next(iter(arrays.values())))
    with without_values(table.source):
        given = table.session.from_arrays({"a": np.arange(1, length + 1), **arrays})
        new = {name: number_sql(table, name, f"z{place}") for name, place in places.items()}
        return changed_rows(table, own_rows(table).join(given, "i = a"), new, note)


def number_sql(table: DuckTable, name: str, column: str) -> str:
    """SQL of a new number in the place of an old one."""
    shown = f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"
    # Wide and with a sign, whatever the column had: other numbers may not fit into its type.
    return f"CAST(round({shown}) AS BIGINT)" if table.kinds[name] == "whole number" else shown


def with_texts(table: DuckTable, name: str, texts: Sequence[str], *, note: str) -> DuckTable:
    """A column whose distinct values, in the order of `values_of`, are replaced by other texts."""
    at = table.columns.index(name)
    with without_values(table.source):
        rows = own_rows(table)
        ranked = table.session.kept(numbered(rows, f"r{at}"))
        arrays = {"a": np.arange(len(texts)), "z": np.array(texts, dtype=object)}
        given = table.session.from_arrays(arrays) if texts else None
        if given is None:
            return table
        pairs = table.session.kept(ranked.join(given, "k = a").project("v, z"))
        joined = rows.join(pairs, f"r{at} = v", how="left")
        return changed_rows(table, joined, {name: "z"}, note)


def with_pseudonyms(table: DuckTable, named: Mapping[str, str], key: bytes, *, note: str) -> DuckTable:
    """Columns of keyed pseudonyms; a value has another one under another name."""
    arm(table.session, key)
    made = {column: pseudonym(name, f"r{table.columns.index(column)}") for column, name in named.items()}
    return _with_expressions(table, made, note=note)


def with_shifted_dates(
    table: DuckTable, names: Sequence[str], person: str, shift: DateShift, *, note: str
) -> DuckTable:
    """Columns of dates, or of ISO 8601 texts, moved by the days of their person."""
    arm(table.session, shift.key)
    days = _days(shift, f"r{table.columns.index(person)}")
    made = {name: _shifted(table, name, days) for name in names}
    return _with_expressions(table, made, note=note)


def _days(shift: DateShift, person: str) -> str:
    """SQL of a number of days other than 0."""
    hashed = f"CAST('0x' || left({pseudonym(shift.name, person)}, 13) AS BIGINT)"
    place = f"({hashed} % {2 * shift.steps} - {shift.steps})"
    return f"CAST({shift.unit} * (CASE WHEN {place} < 0 THEN {place} ELSE {place} + 1 END) AS INTEGER)"


def _shifted(table: DuckTable, name: str, days: str) -> str:
    column = f"r{table.columns.index(name)}"
    if table.kinds[name] not in MOMENTS:
        return shifted_text(f"CAST({column} AS VARCHAR)", days)
    return f"{column} + {days}" if table.kinds[name] == "date" else f"{column} + to_days({days})"


def sampled(
    table: DuckTable, share: float, person: str | None, salt: str, *, note: str
) -> tuple[DuckTable, NDArray[np.int64]]:
    """The rows, or all rows of the people, whose hash is below the share; and their places from 0."""
    of = "i" if person is None else f"r{table.columns.index(person)}"
    condition = f"{drawn(salt, of)} < {share!r}"
    with without_values(table.source):
        rows = table.session.kept(own_rows(table).filter(condition))
        places = rows.project("i - 1 AS i").order("i").fetchnumpy()["i"]
        return changed_rows(table, rows, {}, note), np.asarray(places, dtype=np.int64)


def _with_expressions(table: DuckTable, columns: Mapping[str, str], *, note: str) -> DuckTable:
    """Columns computed from the row, whose columns are r0, r1, … in their order."""
    with without_values(table.source):
        return changed_rows(table, own_rows(table), columns, note)


def _without_rows(table: DuckTable, condition: str, *, note: str) -> DuckTable:
    """The rows for which a condition on r0, r1, … holds."""
    with without_values(table.source):
        return changed_rows(table, own_rows(table).filter(condition), {}, note)


def without_columns(table: DuckTable, names: Sequence[str]) -> DuckTable:
    """The same rows without some columns."""
    if not names:
        return table
    gone = chosen(names, table.columns, place=table.source)
    left = [quoted(name) for name in table.columns if name not in gone]
    with without_values(table.source):
        return table.derived(table.relation.project(", ".join(left)), note="columns left out")


def with_replaced(table: DuckTable, name: str, labels: Mapping[str, str | None], *, note: str) -> DuckTable:
    """A column in which some values, given as texts, become others; None empties the cell."""
    at = f"r{table.columns.index(name)}"
    gone = [value for value, label in labels.items() if label is None]
    new = f"CASE WHEN {_among(at, gone)} THEN NULL ELSE {at} END"
    kept = {value: label for value, label in labels.items() if label is not None}
    if kept:
        pairs = f"map({_list(list(kept))}, {_list(list(kept.values()))})"
        text = f"CAST({at} AS VARCHAR)"
        new = f"CASE WHEN {_among(at, gone)} THEN NULL ELSE coalesce({pairs}[{text}], {text}) END"
    return _with_expressions(table, {name: new}, note=note)


def listed_rows(table: DuckTable, name: str, values: Sequence[str]) -> int:
    """How many rows of a column have one of these values, given as texts."""
    with without_values(table.source):
        found = table.relation.filter(_among(quoted(name), values)).aggregate("count(*)").fetchone()
    return int(found[0]) if found else 0


def without_listed_rows(
    table: DuckTable, values: Mapping[str, Sequence[str]], *, unit: str | None, note: str
) -> DuckTable:
    """The rows, or all rows of the units, that have none of these values."""
    places = {name: f"r{table.columns.index(name)}" for name in values}
    has = " OR ".join(_among(places[name], listed) for name, listed in values.items())
    if unit is None:
        return _without_rows(table, f"NOT ({has})", note=note)
    with without_values(table.source):
        rows = own_rows(table)
        of = f"r{table.columns.index(unit)}"
        kept = rows.project(f"*, bool_or({has}) OVER (PARTITION BY {of}) AS listed").filter("NOT listed")
        return changed_rows(table, kept, {}, note)


def _among(column: str, values: Sequence[str]) -> str:
    """SQL of whether a value is one of these; an empty cell is none of them."""
    return f"coalesce(list_contains({_list(values)}, CAST({column} AS VARCHAR)), false)"


def _list(values: Sequence[str]) -> str:
    return f"CAST([{', '.join(literal(value) for value in values)}] AS VARCHAR[])"


def distinct_of(table: DuckTable, name: str) -> int:
    """How many different values a column has, missing ones aside."""
    with without_values(table.source):
        found = table.relation.aggregate(f"count(DISTINCT {quoted(name)})").fetchone()
    return int(found[0]) if found else 0


def own_rows(table: DuckTable) -> DuckDBPyRelation:
    """Columns under names of our own, and the number of each row, from 1."""
    renamed = [f"{quoted(name)} AS r{place}" for place, name in enumerate(table.columns)]
    return table.session.kept(table.with_numbers(renamed, "i"))


def changed_rows(table: DuckTable, rows: DuckDBPyRelation, new: Mapping[str, str], note: str) -> DuckTable:
    """The table of rows r0, r1, … in the order of i, with some columns computed anew."""
    named = [f"{new.get(name, f'r{place}')} AS {quoted(name)}" for place, name in enumerate(table.columns)]
    ordered = rows.project("*").order("i").project(", ".join(named))
    return table.derived(table.session.kept(ordered), note=note)
