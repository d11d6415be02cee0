"""Columns of a table replaced by others, row by row, whatever the rest of the table holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen, literal, quoted
from reidrisk.engine.readers.dates import full_iso_day
from reidrisk.engine.table import Table
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
           "UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL")  # fmt: skip
FLOATING = ("FLOAT", "DOUBLE", "DECIMAL")
MOMENTS = ("DATE", "TIMESTAMP")
MOST = 1e150
"""Numbers whose squares still are numbers."""


def is_numeric(table: Table, name: str) -> bool:
    """Whether a column holds numbers."""
    return table.types[name].startswith(NUMBERS)


def is_whole(table: Table, name: str) -> bool:
    """Whether a column holds whole numbers."""
    return is_numeric(table, name) and not table.types[name].startswith(FLOATING)


def is_moment(table: Table, name: str) -> bool:
    """Whether a column holds dates or times of day of a date."""
    return table.types[name].startswith(MOMENTS)


def known_columns(table: Table, names: Sequence[str]) -> tuple[str, ...]:
    """The named columns, all of which the table has."""
    return chosen(names, table.columns, place=table.source)


def numbers_of(table: Table, names: Sequence[str]) -> NDArray[np.float64]:
    """Rows in order, one column a name; dates count in days, and what is missing is NaN."""
    parts = [f"{_as_number(table, name)} AS x{place}" for place, name in enumerate(names)]
    with without_values(table.source):
        found = table.with_numbers(parts, "i").order("i").fetchnumpy()
    columns = [
        np.ma.filled(np.ma.asarray(found[f"x{place}"], np.float64), np.nan) for place in range(len(names))
    ]
    for name, column in zip(names, columns, strict=True):
        if (np.abs(column) > MOST).any():
            raise BadData(
                f"Column {name!r} holds infinite values, or some beyond {MOST:g}.",
                hint="Leave them empty, or write them in another unit.",
            )
    return np.stack(columns, axis=1)


def _as_number(table: Table, name: str) -> str:
    if is_moment(table, name):
        return f"epoch(CAST({quoted(name)} AS TIMESTAMP)) / 86400.0"
    if table.types[name] == "VARCHAR":
        # Only dates as texts come here; one without a day is no number.
        return f"epoch(CAST({full_iso_day(quoted(name))} AS TIMESTAMP)) / 86400.0"
    return f"CAST({quoted(name)} AS DOUBLE)"


def values_of(table: Table, name: str) -> tuple[NDArray[np.int64], list[Any]]:
    """Rows in order: the code of each value, -1 where it is missing; and the values in order."""
    with without_values(table.source):
        rows = table.with_numbers([f"{quoted(name)} AS v"], "i")
        ranked = rows.project("i, v, dense_rank() OVER (ORDER BY v) - 1 AS k").order("i")
        codes = ranked.project("CASE WHEN v IS NULL THEN -1 ELSE k END AS k").fetchnumpy()["k"]
        present = rows.filter("v IS NOT NULL").project("v").distinct().order("v")
        if table.types[name].endswith("WITH TIME ZONE"):  # no object without a package that knows the zones
            present = present.project("CAST(v AS VARCHAR) AS v")
        known = present.fetchall()
    return np.asarray(codes, dtype=np.int64), [row[0] for row in known]


def with_sources(table: Table, name: str, sources: NDArray[np.int64], *, note: str) -> Table:
    """A column whose rows get the values of other rows, by their places from 0."""
    with without_values(table.source):
        rows = _rows(table)
        at = table.columns.index(name)
        pairs = table.session.from_arrays({"a": np.arange(1, len(sources) + 1), "b": sources + 1})
        given = rows.project(f"i AS j, r{at} AS z{at}").join(pairs, "j = b").project(f"a, z{at}")
        return _made(table, rows.join(table.session.kept(given), "i = a"), {name: f"z{at}"}, note)


def with_numbers(table: Table, columns: Mapping[str, NDArray[np.float64]], *, note: str) -> Table:
    """Columns of other numbers; NaN is missing, and whole numbers stay whole."""
    places = {name: table.columns.index(name) for name in columns}
    arrays = {f"z{places[name]}": np.ascontiguousarray(array) for name, array in columns.items()}
    length = len(next(iter(arrays.values())))
    with without_values(table.source):
        given = table.session.from_arrays({"a": np.arange(1, length + 1), **arrays})
        new = {name: _number(table, name, f"z{place}") for name, place in places.items()}
        return _made(table, _rows(table).join(given, "i = a"), new, note)


def _number(table: Table, name: str, column: str) -> str:
    shown = f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"
    # Wide and with a sign, whatever the column had: other numbers may not fit into its type.
    return f"CAST(round({shown}) AS BIGINT)" if is_whole(table, name) else shown


def with_texts(table: Table, name: str, texts: Sequence[str], *, note: str) -> Table:
    """A column whose distinct values, in the order of `values_of`, are replaced by other texts."""
    at = table.columns.index(name)
    with without_values(table.source):
        rows = _rows(table)
        present = rows.filter(f"r{at} IS NOT NULL").project(f"r{at} AS v").distinct()
        ranked = table.session.kept(present.project("v, row_number() OVER (ORDER BY v) - 1 AS k"))
        arrays = {"a": np.arange(len(texts)), "z": np.array(texts, dtype=object)}
        given = table.session.from_arrays(arrays) if texts else None
        if given is None:
            return table
        pairs = table.session.kept(ranked.join(given, "k = a").project("v, z"))
        joined = rows.join(pairs, f"r{at} = v", how="left")
        return _made(table, joined, {name: "z"}, note)


def with_expressions(table: Table, columns: Mapping[str, str], *, note: str) -> Table:
    """Columns computed from the row, whose columns are r0, r1, … in their order."""
    with without_values(table.source):
        return _made(table, _rows(table), columns, note)


def without_rows(table: Table, condition: str, *, note: str) -> Table:
    """The rows for which a condition on r0, r1, … and the row number i holds."""
    with without_values(table.source):
        return _made(table, _rows(table).filter(condition), {}, note)


def without_columns(table: Table, names: Sequence[str]) -> Table:
    """The same rows without some columns."""
    if not names:
        return table
    gone = known_columns(table, names)
    left = [quoted(name) for name in table.columns if name not in gone]
    with without_values(table.source):
        return table.derived(table.relation.project(", ".join(left)), note="columns left out")


def places_where(table: Table, condition: str) -> NDArray[np.int64]:
    """The places from 0 of the rows for which such a condition holds, in order."""
    with without_values(table.source):
        found = _rows(table).filter(condition).project("i - 1 AS i").order("i").fetchnumpy()["i"]
    return np.asarray(found, dtype=np.int64)


def drawn(salt: str, expression: str) -> str:
    """SQL of a number in [0, 1) that follows from a value and the salt alone."""
    text = f"{literal(f'{salt}:')} || coalesce(CAST({expression} AS VARCHAR), '')"
    return f"(CAST('0x' || left(sha256({text}), 13) AS BIGINT) / 4503599627370496.0)"


def count_of(table: Table) -> int:
    """How many rows there are."""
    with without_values(table.source):
        found = table.relation.aggregate("count(*)").fetchone()
    return int(found[0]) if found else 0


def distinct_of(table: Table, name: str) -> int:
    """How many different values a column has, missing ones aside."""
    with without_values(table.source):
        found = table.relation.aggregate(f"count(DISTINCT {quoted(name)})").fetchone()
    return int(found[0]) if found else 0


def _rows(table: Table) -> DuckDBPyRelation:
    """Columns under names of our own, and the number of each row, from 1."""
    renamed = [f"{quoted(name)} AS r{place}" for place, name in enumerate(table.columns)]
    return table.session.kept(table.with_numbers(renamed, "i"))


def _made(table: Table, rows: DuckDBPyRelation, new: Mapping[str, str], note: str) -> Table:
    named = [f"{new.get(name, f'r{place}')} AS {quoted(name)}" for place, name in enumerate(table.columns)]
    ordered = rows.project("*").order("i").project(", ".join(named))
    return table.derived(table.session.kept(ordered), note=note)
