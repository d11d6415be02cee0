"""The distinct combinations of values, as numbers a search can work on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.budget import room_for_cells, room_for_tuples
from reidrisk.engine.duckdb.classes import counted
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import chosen, quoted
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.duckdb.types import at_place, numbered
from reidrisk.engine.duckdb.write import write_table
from reidrisk.engine.plans import DistinctTuples, Merge

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable


def distinct_tuples(table: DuckTable, columns: Iterable[str], *, recodable: bool = False) -> DistinctTuples:
    """Count and number the tuples inside the database; the order never depends on threads.

    With `recodable` the numbers of the values stay in the database, so that rows can be recoded by them.
    """
    names = chosen(columns, table.columns, place=table.source)
    session = table.session
    with without_values(table.source), ExitStack() as kept:
        classes = kept.enter_context(session.kept_for_now(counted(table, names)))
        room = kept.enter_context(room_for_tuples(length_of(classes), names, source=table.source))
        numbers = [numbered(classes, f"c{place}") for place in range(len(names))]
        if recodable:
            lists = tuple(session.kept(column) for column in numbers)
        else:
            lists = tuple(kept.enter_context(session.kept_for_now(column)) for column in numbers)
        values = tuple(map(values_of, lists))
        coded = classes
        for place, column in enumerate(lists):
            coded = coded.join(at_place(column, place), f"c{place} IS NOT DISTINCT FROM v{place}")
        keys = [f"k{place}" for place in range(len(names))]
        found = coded.project(", ".join([*keys, "size"])).order(", ".join(keys)).fetchnumpy()
        tuples = DistinctTuples(
            names,
            values,
            _as_matrix(found, keys),
            np.asarray(found["size"], dtype=np.int64),
            tuple(one.alias for one in lists) if recodable else (),
        )
        room.keep_for(tuples, left=tuples.codes.nbytes + tuples.counts.nbytes)
        session.rooms.append(room)
    return tuples


def merged_tuples(table: DuckTable, columns: Iterable[str], merge: Merge) -> DistinctTuples:
    """The same, recodable, with values merged before tuples are counted: for those that do not fit otherwise.

    Only values and merged tuples leave the database.
    """
    names = chosen(columns, table.columns, place=table.source)
    session = table.session
    keys = [f"r{place}" for place in range(len(names))]
    with without_values(table.source), ExitStack() as kept:
        lists = tuple(session.kept(with_counts(table.relation, quoted(name))) for name in names)
        kept.enter_context(room_for_cells(sum(map(length_of, lists)), VALUE, source=table.source))
        values, counts = tuple(map(values_of, lists)), tuple(map(counts_of, lists))
        coded = table.relation.project(
            ", ".join(f"{quoted(name)} AS c{place}" for place, name in enumerate(names))
        )
        for place, name in enumerate(names):
            merged = merge(name, values[place], counts[place]).astype(np.int32)
            pairs = session.from_arrays({"j": np.arange(len(merged), dtype=np.int32), keys[place]: merged})
            known = session.kept(lists[place].join(pairs, "k = j").project(f"v AS v{place}, {keys[place]}"))
            coded = coded.join(known, f"c{place} IS NOT DISTINCT FROM v{place}")
        groups = ", ".join(keys)
        classes = kept.enter_context(
            session.kept_for_now(coded.aggregate(f"{groups}, count(*) AS size", groups))
        )
        room = kept.enter_context(room_for_tuples(length_of(classes), names, source=table.source))
        found = classes.order(groups).fetchnumpy()
        tuples = DistinctTuples(
            names,
            values,
            _as_matrix(found, keys),
            np.asarray(found["size"], dtype=np.int64),
            tuple(one.alias for one in lists),
            counts,
        )
        room.keep_for(tuples, left=tuples.codes.nbytes + tuples.counts.nbytes)
        session.rooms.append(room)
    return tuples


VALUE = 3
"""A value that leaves the database takes as much room as so many numbers."""


def with_counts(rows: DuckDBPyRelation, column: str) -> DuckDBPyRelation:
    """The dictionary of a column with the number of rows of each value."""
    values = rows.aggregate(f"{column} AS v, count(*) AS n", column)
    return values.project("v, CAST(row_number() OVER (ORDER BY v NULLS LAST) - 1 AS INTEGER) AS k, n")


def length_of(rows: DuckDBPyRelation) -> int:
    """How many rows there are."""
    found = rows.aggregate("count(*)").fetchone()
    return int(found[0]) if found else 0


def counts_of(listed: DuckDBPyRelation) -> NDArray[np.int64]:
    """How many rows have each value of a dictionary, in its order."""
    return np.asarray(listed.order("k").project("n").fetchnumpy()["n"], dtype=np.int64)


def _as_matrix(found: dict[str, NDArray[Any]], keys: Sequence[str]) -> NDArray[np.int32]:
    codes = np.empty((len(found["size"]), len(keys)), dtype=np.int32, order="F")
    for place, key in enumerate(keys):
        codes[:, place] = found.pop(key)
    return codes


def kept_codes(session: Session, tuples: DistinctTuples) -> list[DuckDBPyRelation]:
    """For each column the table of its values v and their codes k."""
    return [session.connection.table(name) for name in tuples.kept]


def values_of(listed: DuckDBPyRelation) -> NDArray[np.object_]:
    """The values of a dictionary, in its order."""
    column = "v"
    if str(listed.types[0]) == "TIMESTAMP WITH TIME ZONE":
        # Python's form of it needs one more package; the same moment in UTC does not.
        column = "CAST(v AS TIMESTAMP)"
    rows: list[tuple[Any, ...]] = listed.order("k").project(column).fetchall()
    values = np.empty(len(rows), dtype=np.object_)
    values[:] = [row[0] for row in rows]
    return values


ROW = "row"
"""The column with the numbers of the rows, in files of figures."""


def write_by_row(
    table: DuckTable, tuples: DistinctTuples, figures: Mapping[str, NDArray[Any]], path: str | Path
) -> None:
    """Write the number of every row, from 1, and the figures of its tuple; no value of the table is written.

    The tuples are recodable, so that the numbers of their values are still in the database.
    """
    places = range(len(tuples.columns))
    with without_values(table.source):
        names = [f"{quoted(column)} AS c{at}" for at, column in enumerate(tuples.columns)]
        rows = table.with_numbers(names, "i")
        for at, listed in zip(places, kept_codes(table.session, tuples), strict=True):
            rows = rows.join(at_place(listed, at), f"c{at} IS NOT DISTINCT FROM v{at}")
        codes = {f"t{at}": tuples.codes[:, at] for at in places}
        found = {f"g{at}": figure for at, figure in enumerate(figures.values())}
        classes = table.session.from_arrays({**codes, **found})
        joined = rows.join(classes, " AND ".join(f"k{at} = t{at}" for at in places))
        shown = [f"i AS {quoted(ROW)}", *(f"g{at} AS {quoted(name)}" for at, name in enumerate(figures))]
        ready = table.session.kept(joined.order("i").project(", ".join(shown)))
    write_table(ready, path)
