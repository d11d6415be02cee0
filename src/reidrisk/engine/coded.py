"""Every row as numbers, in the order of the table: for attacks, which compare one record with another."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen, quoted
from reidrisk.engine.table import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

UTC = "TIMESTAMP WITH TIME ZONE"


@dataclass(frozen=True, slots=True, eq=False)
class RowCodes:
    """The distinct values of some columns, and for every row the place of its value among them."""

    columns: tuple[str, ...]
    values: tuple[NDArray[np.object_], ...] = field(repr=False)
    """Of each column in order; None, where a cell is empty, is the last."""
    codes: NDArray[np.int32] = field(repr=False)
    """One row a record, as stored; columns are contiguous."""

    def __len__(self) -> int:
        return len(self.codes)


def coded_rows(table: Table, columns: Iterable[str]) -> RowCodes:
    """Numbered inside the database; only numbers of rows and distinct values leave it."""
    names = chosen(columns, table.columns, place=table.source)
    session = table.session
    with without_values(table.source), ExitStack() as kept:
        wanted = [f"{_plain(table, name)} AS c{place}" for place, name in enumerate(names)]
        rows = kept.enter_context(session.kept_for_now(table.with_numbers(wanted, "nth")))
        coded, values = rows, []
        for place in range(len(names)):
            numbered = kept.enter_context(session.kept_for_now(_numbered(rows, place)))
            values.append(_values(numbered, place))
            coded = coded.join(numbered, f"c{place} IS NOT DISTINCT FROM v{place}")
        keys = [f"k{place}" for place in range(len(names))]
        found = coded.project(", ".join([*keys, "nth"])).order("nth").fetchnumpy()
    codes = np.empty((len(found["nth"]), len(names)), dtype=np.int32, order="F")
    for place, key in enumerate(keys):
        codes[:, place] = found[key]
    return RowCodes(names, tuple(values), codes)


def _plain(table: Table, name: str) -> str:
    """The column; a moment with a time zone in UTC, whose Python form needs no further package."""
    return f"CAST({quoted(name)} AS TIMESTAMP)" if table.types[name] == UTC else quoted(name)


def _numbered(rows: DuckDBPyRelation, place: int) -> DuckDBPyRelation:
    column = f"c{place}"
    number = f"CAST(row_number() OVER (ORDER BY {column} NULLS LAST) - 1 AS INTEGER) AS k{place}"
    return rows.aggregate(column, column).project(f"{column} AS v{place}, {number}")


def _values(numbered: DuckDBPyRelation, place: int) -> NDArray[np.object_]:
    rows: list[tuple[Any, ...]] = numbered.order(f"k{place}").project(f"v{place}").fetchall()
    values = np.empty(len(rows), dtype=np.object_)
    values[:] = [row[0] for row in rows]
    return values
