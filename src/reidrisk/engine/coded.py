"""Every row as numbers, in the order of the table: for attacks, which compare one record with another."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen, quoted
from reidrisk.engine.profile import shape_of
from reidrisk.engine.table import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

Kind = Literal["number", "date", "text"]
EPOCH, DAY = 719_163, 86_400
"""The number of the first of January 1970, and the seconds of a day."""


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumn:
    """The distinct values of a column in order, and for every row the place of its value among them."""

    name: str
    kind: Kind
    values: NDArray[Any] = field(repr=False)
    """Numbers, days since the first of the year 1 (a time of day is a fraction), or texts."""
    codes: NDArray[np.int32] = field(repr=False)
    """As stored; an empty cell has the code after the last value."""

    @property
    def missing(self) -> int:
        """Rows without a value."""
        return int(np.count_nonzero(self.codes == self.values.size))

    @property
    def rows(self) -> int:
        """All of them."""
        return len(self.codes)


def coded_rows(table: Table, columns: Iterable[str]) -> tuple[CodedColumn, ...]:
    """Texts are numbered inside the database; only distinct values and numbers of rows leave it."""
    names = chosen(columns, table.columns, place=table.source)
    kinds = [kind_of(table, name) for name in names]
    with without_values(table.source), ExitStack() as kept:
        wanted = [
            f"{expression(name, kind)} AS c{place}"
            for place, (name, kind) in enumerate(zip(names, kinds, strict=True))
        ]
        rows = kept.enter_context(table.session.kept_for_now(table.with_numbers(wanted, "nth")))
        coded, texts = rows, {}
        for place, kind in enumerate(kinds):
            if kind == "text":
                numbered = kept.enter_context(table.session.kept_for_now(_numbered(rows, place)))
                texts[place] = _texts(numbered, place)
                coded = coded.join(numbered, f"c{place} IS NOT DISTINCT FROM v{place}")
        keys = [f"{'k' if place in texts else 'c'}{place}" for place in range(len(names))]
        found = coded.project(", ".join([*keys, "nth"])).order("nth").fetchnumpy()
    return tuple(
        CodedColumn(name, kind, texts[place], np.asarray(found[key], dtype=np.int32))
        if kind == "text"
        else CodedColumn(name, kind, *_distinct(found[key]))
        for place, (name, kind, key) in enumerate(zip(names, kinds, keys, strict=True))
    )


def row_marks(table: Table, column: str) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """A number of 64 bits for every row's value, the same for the same value, and which rows are empty.

    Values are compared as they are spelled; the numbers 5 and 5.0 are the same.
    """
    chosen([column], table.columns, place=table.source)
    text = f"trim(CAST({quoted(column)} AS VARCHAR))"
    spelled = text if kind_of(table, column) == "text" else f"regexp_replace({text}, '\\.0+$', '')"
    with without_values(table.source):
        marked = table.with_numbers([f"hash({spelled}) AS mark", f"{quoted(column)} IS NULL AS gap"], "nth")
        found = marked.order("nth").fetchnumpy()
    return np.asarray(found["mark"], dtype=np.uint64), np.asarray(found["gap"], dtype=np.bool_)


def kind_of(table: Table, column: str) -> Kind:
    """What the values of a column are compared as."""
    shape = shape_of(table.types[column])
    if shape in ("number", "whole number"):
        return "number"
    return "date" if shape == "date" else "text"


def expression(name: str, kind: Kind) -> str:
    """What the database computes of a column before its values are compared."""
    column = quoted(name)
    if kind == "number":
        return f"CAST({column} AS DOUBLE)"
    return f"epoch({column}) / {DAY} + {EPOCH}" if kind == "date" else f"trim(CAST({column} AS VARCHAR))"


def _numbered(rows: DuckDBPyRelation, place: int) -> DuckDBPyRelation:
    column = f"c{place}"
    number = f"CAST(row_number() OVER (ORDER BY {column} NULLS LAST) - 1 AS INTEGER) AS k{place}"
    return rows.aggregate(column, column).project(f"{column} AS v{place}, {number}")


def _texts(numbered: DuckDBPyRelation, place: int) -> NDArray[np.object_]:
    rows = numbered.filter(f"v{place} IS NOT NULL").order(f"k{place}").project(f"v{place}").fetchall()
    values = np.empty(len(rows), dtype=np.object_)
    values[:] = [row[0] for row in rows]
    return values


def _distinct(found: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Numbers; what is none, or endless, counts as empty."""
    numbers = np.ma.filled(np.ma.asarray(found, dtype=np.float64), np.nan)
    numbers = np.where(np.isfinite(numbers), numbers, np.nan)
    values, codes = np.unique(numbers, return_inverse=True)
    return values[~np.isnan(values)], codes.astype(np.int32)
