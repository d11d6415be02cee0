"""The distinct combinations of values, as numbers a search can work on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.failures import without_values
from reidrisk.engine.grouping import counted
from reidrisk.engine.names import chosen, quoted
from reidrisk.engine.table import Table
from reidrisk.engine.write import write_table

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


@dataclass(frozen=True, slots=True, eq=False)
class DistinctTuples:
    """Every combination of values that occurs, once, with the number of its rows."""

    columns: tuple[str, ...]
    values: tuple[NDArray[np.object_], ...] = field(repr=False)
    """The distinct values of each column in order; None, where it occurs, is the last."""
    codes: NDArray[np.int32] = field(repr=False)
    """One row a tuple, one column a column: the place in `values`. Sorted; columns are contiguous."""
    counts: NDArray[np.int64] = field(repr=False)
    """How many rows of the table have the tuple."""
    numbered: tuple[DuckDBPyRelation, ...] = field(repr=False)
    """For each column the table of its values and, second, their codes; empty if rows are not recoded."""

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def records(self) -> int:
        """The rows of the table."""
        return int(self.counts.sum())


def distinct_tuples(table: Table, columns: Iterable[str], *, recodable: bool = False) -> DistinctTuples:
    """Count and number the tuples inside the database; the order never depends on threads.

    With `recodable` the numbers of the values stay in the database, so that rows can be recoded by them.
    """
    names = chosen(columns, table.columns, place=table.source)
    session = table.session
    with without_values(table.source), ExitStack() as kept:
        classes = kept.enter_context(session.kept_for_now(counted(table, names)))
        numbers = [_numbered(classes, place) for place in range(len(names))]
        if recodable:
            numbered = tuple(session.kept(column) for column in numbers)
        else:
            numbered = tuple(kept.enter_context(session.kept_for_now(column)) for column in numbers)
        values = tuple(_values(column, place) for place, column in enumerate(numbered))
        coded = classes
        for place, column in enumerate(numbered):
            coded = coded.join(column, f"c{place} IS NOT DISTINCT FROM v{place}")
        keys = [f"k{place}" for place in range(len(names))]
        found = coded.project(", ".join([*keys, "size"])).order(", ".join(keys)).fetchnumpy()
    codes = np.empty((len(found["size"]), len(names)), dtype=np.int32, order="F")
    for place, key in enumerate(keys):
        codes[:, place] = found[key]
    counts = np.asarray(found["size"], dtype=np.int64)
    return DistinctTuples(names, values, codes, counts, numbered if recodable else ())


def _numbered(classes: DuckDBPyRelation, place: int) -> DuckDBPyRelation:
    column = f"c{place}"
    return (
        classes.aggregate(column, column)
        .project(f"{column} AS v{place}, row_number() OVER (ORDER BY {column} NULLS LAST) - 1 AS k{place}")
        .project(f"v{place}, CAST(k{place} AS INTEGER) AS k{place}")
    )


def _values(numbered: DuckDBPyRelation, place: int) -> NDArray[np.object_]:
    column = f"v{place}"
    if str(numbered.types[0]) == "TIMESTAMP WITH TIME ZONE":
        # Python's form of it needs one more package; the same moment in UTC does not.
        column = f"CAST({column} AS TIMESTAMP)"
    rows: list[tuple[Any, ...]] = numbered.order(f"k{place}").project(column).fetchall()
    values = np.empty(len(rows), dtype=np.object_)
    values[:] = [row[0] for row in rows]
    return values


ROW = "row"
"""The column with the numbers of the rows, in files of figures."""


def write_by_row(
    table: Table, tuples: DistinctTuples, figures: Mapping[str, NDArray[Any]], path: str | Path
) -> None:
    """Write the number of every row, from 1, and the figures of its tuple; no value of the table is written.

    The tuples are recodable, so that the numbers of their values are still in the database.
    """
    places = range(len(tuples.columns))
    with without_values(table.source):
        names = [f"{quoted(column)} AS c{at}" for at, column in enumerate(tuples.columns)]
        rows = table.with_numbers(names, "i")
        for at, numbered in zip(places, tuples.numbered, strict=True):
            value, code = numbered.columns
            values = numbered.project(f"{value} AS v{at}, {code} AS k{at}")
            rows = rows.join(values, f"c{at} IS NOT DISTINCT FROM v{at}")
        codes = {f"t{at}": tuples.codes[:, at] for at in places}
        found = {f"g{at}": figure for at, figure in enumerate(figures.values())}
        classes = table.session.from_arrays({**codes, **found})
        joined = rows.join(classes, " AND ".join(f"k{at} = t{at}" for at in places))
        shown = [f"i AS {quoted(ROW)}", *(f"g{at} AS {quoted(name)}" for at, name in enumerate(figures))]
        ready = table.session.kept(joined.order("i").project(", ".join(shown)))
    write_table(ready, path)
