"""Rows as numbers, a block at a time, and columns made of such blocks: for tables of any length.

Blocks have a fixed number of rows, whatever the memory: what is drawn for rows is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.duckdb.classes import count_rows
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.replacing import as_number, changed_rows, number_sql, own_rows, refuse_endless
from reidrisk.engine.duckdb.types import drawn, numbered

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.session import Session
    from reidrisk.engine.duckdb.table import DuckTable

BLOCK = 1_000_000
"""Rows that are at hand at the same time."""


def number_blocks(table: DuckTable, names: Sequence[str]) -> Iterator[NDArray[np.float64]]:
    """Rows in order, one column a name; dates count in days, and what is missing is NaN."""
    parts = [f"{as_number(table, name)} AS x{place}" for place, name in enumerate(names)]
    for found in _blocks(table, table.with_numbers(parts, "i")):
        columns = [
            np.ma.filled(np.ma.asarray(found[f"x{place}"], np.float64), np.nan) for place in range(len(names))
        ]
        refuse_endless(names, columns)
        yield np.stack(columns, axis=1)


def value_counts(table: DuckTable, name: str) -> tuple[NDArray[np.int64], list[Any]]:
    """How many rows have each value, and the values in order, without what is missing."""
    zoned = table.types[name].endswith("WITH TIME ZONE")
    shown = "CAST(v AS VARCHAR)" if zoned else "v"
    with without_values(table.source):
        counted = table.relation.project(f"{quoted(name)} AS v").aggregate("v, count(*) AS n", "v")
        rows = counted.filter("v IS NOT NULL").order("v").project(f"{shown}, n").fetchall()
    return np.array([row[1] for row in rows], dtype=np.int64), [row[0] for row in rows]


def code_blocks(table: DuckTable, name: str) -> Iterator[NDArray[np.int64]]:
    """Rows in order: the place of each value among those of `value_counts`, -1 where it is missing."""
    with table.session.kept_for_now(numbered(table.relation, quoted(name))) as listed:
        rows = table.with_numbers([f"{quoted(name)} AS c"], "i")
        coded = rows.join(listed, "c IS NOT DISTINCT FROM v")
        for found in _blocks(table, coded.project("CASE WHEN v IS NULL THEN -1 ELSE k END AS k, i")):
            yield np.asarray(found["k"], dtype=np.int64)


def _blocks(table: DuckTable, rows: DuckDBPyRelation) -> Iterator[Mapping[str, NDArray[Any]]]:
    number = count_rows(table)
    with without_values(table.source), table.session.kept_for_now(rows) as kept:
        for start in range(0, number, BLOCK):
            yield kept.filter(f"i > {start} AND i <= {start + BLOCK}").order("i").fetchnumpy()


def with_number_blocks(
    table: DuckTable, names: Sequence[str], blocks: Iterable[NDArray[np.float64]], *, note: str
) -> DuckTable:
    """Columns of other numbers; NaN is missing, and whole numbers stay whole."""
    places = [table.columns.index(name) for name in names]
    arrays = ({f"z{place}": block[:, at] for at, place in enumerate(places)} for block in blocks)
    new = {name: number_sql(table, name, f"z{place}") for name, place in zip(names, places, strict=True)}
    with without_values(table.source):
        given = _given(table.session, arrays)
        return changed_rows(table, own_rows(table).join(given, "i = a"), new, note)


def with_code_blocks(
    table: DuckTable, name: str, blocks: Iterable[NDArray[np.int64]], *, note: str
) -> DuckTable:
    """A column of other values, by their places among those of `value_counts`; below 0 a cell stays."""
    at = table.columns.index(name)
    with without_values(table.source):
        given = _given(table.session, ({"b": block} for block in blocks))
        listed = table.session.kept(numbered(table.relation, quoted(name)))
        joined = own_rows(table).join(given, "i = a").join(listed, "b = k", how="left")
        return changed_rows(table, joined, {name: f"CASE WHEN b < 0 THEN r{at} ELSE v END"}, note)


def _given(session: Session, blocks: Iterable[Mapping[str, NDArray[Any]]]) -> DuckDBPyRelation:
    """All blocks as one table, with the number of each row, from 1, as a."""
    whole, start = None, 1
    for block in blocks:
        length = len(next(iter(block.values())))
        part = session.from_arrays({"a": np.arange(start, start + length), **block})
        if whole is None:
            whole = part
        else:
            part.insert_into(whole.alias)
            session.connection.execute(f"DROP TABLE {part.alias}")
        start += length
    return whole if whole is not None else session.from_arrays({"a": np.empty(0, dtype=np.int64)})


def drawn_places(table: DuckTable, share: float, *, seed: int) -> NDArray[np.int64]:
    """The places, from 0, of a share of the rows: by SHA-256 of the seed and the place."""
    number = count_rows(table)
    with without_values(table.source):
        places = table.connection.table_function("range", [number]).project("range AS i")
        found = places.filter(f"{drawn(f'places:{seed}', 'i')} < {share!r}").order("i").fetchnumpy()
    return np.asarray(found["i"], dtype=np.int64)


def rows_at(table: DuckTable, places: NDArray[np.int64]) -> DuckTable:
    """The rows at some places, from 0, which are in order."""
    names = [f"{quoted(name)} AS r{place}" for place, name in enumerate(table.columns)]
    with without_values(table.source):
        wanted = table.session.from_arrays({"a": places + 1})
        return changed_rows(table, table.with_numbers(names, "i").join(wanted, "i = a"), {}, "rows drawn")
