"""The distinct values of one column with their numbers of rows, whatever the size of the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.coded import Kind, expression, kind_of
from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen
from reidrisk.engine.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class CountedColumn:
    """As a coded column, with counts in the place of rows."""

    name: str
    kind: Kind
    values: NDArray[Any] = field(repr=False)
    """Numbers, days since the first of the year 1, or texts; in order."""
    counts: NDArray[np.int64] = field(repr=False)
    """Of each value, then of empty cells."""

    @property
    def missing(self) -> int:
        """Rows without a value."""
        return int(self.counts[-1])

    @property
    def rows(self) -> int:
        """All of them."""
        return int(self.counts.sum())


def counted_column(table: Table, column: str) -> CountedColumn:
    """Counted inside the database; what is no number, or endless, counts as empty."""
    chosen([column], table.columns, place=table.source)
    kind = kind_of(table, column)
    with without_values(table.source):
        cells = table.relation.project(f"{expression(column, kind)} AS v")
        if kind != "text":
            cells = cells.project("CASE WHEN isfinite(v) THEN v + 0.0 END AS v")
        found = cells.aggregate("v, count(*) AS n", "v").order("v NULLS LAST")
        if kind == "text":
            return _texts(column, found.fetchall())
        arrays = found.fetchnumpy()
    numbers = np.ma.filled(np.ma.asarray(arrays["v"], dtype=np.float64), np.nan)
    counts = np.asarray(arrays["n"], dtype=np.int64)
    has_gap = bool(numbers.size) and bool(np.isnan(numbers[-1]))
    values = numbers[: numbers.size - has_gap]
    return CountedColumn(column, kind, values, counts if has_gap else np.append(counts, 0))


def _texts(column: str, rows: list[tuple[Any, int]]) -> CountedColumn:
    gap = rows.pop()[1] if rows and rows[-1][0] is None else 0
    values = np.empty(len(rows), dtype=np.object_)
    values[:] = [value for value, _ in rows]
    return CountedColumn(column, "text", values, np.array([*(n for _, n in rows), gap], dtype=np.int64))
