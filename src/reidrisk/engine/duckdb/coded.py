"""Columns as numbers: every row, or every value with its count."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.engine.budget import ArrayRoom, room_for_cells
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import chosen, quoted
from reidrisk.engine.duckdb.types import at_place, drawn, numbered
from reidrisk.engine.results import MOMENTS, NUMBERS, CodedColumn, CodedColumns, ComparedAs, CountedColumn
from reidrisk.errors import BadData, UnknownColumn

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable

EPOCH, DAY = 719_163, 86_400
"""The number of the first of January 1970, and the seconds of a day."""


def coded_rows(table: DuckTable, columns: Iterable[str]) -> tuple[CodedColumn, ...]:
    """Texts are numbered inside the database; only distinct values and numbers of rows leave it."""
    names = chosen(columns, table.columns, place=table.source)
    kinds = [compared_as(table, name) for name in names]
    with without_values(table.source), ExitStack() as kept:
        wanted = [
            f"{expression(name, kind)} AS c{place}"
            for place, (name, kind) in enumerate(zip(names, kinds, strict=True))
        ]
        rows = kept.enter_context(table.session.kept_for_now(table.with_numbers(wanted, "nth")))
        kept.enter_context(_room(table, rows, len(names)))
        coded, texts = rows, {}
        for place, kind in enumerate(kinds):
            if kind == "text":
                listed = kept.enter_context(table.session.kept_for_now(numbered(rows, f"c{place}")))
                texts[place] = _distinct_texts(listed)
                coded = coded.join(at_place(listed, place), f"c{place} IS NOT DISTINCT FROM v{place}")
        keys = [f"{'k' if place in texts else 'c'}{place}" for place in range(len(names))]
        found = coded.project(", ".join([*keys, "nth"])).order("nth").fetchnumpy()
    return tuple(
        CodedColumn(name, kind, texts[place], np.asarray(found[key], dtype=np.int32))
        if kind == "text"
        else CodedColumn(name, kind, *_distinct(found[key]))
        for place, (name, kind, key) in enumerate(zip(names, kinds, keys, strict=True))
    )


def _room(table: DuckTable, rows: DuckDBPyRelation, columns: int) -> AbstractContextManager[ArrayRoom]:
    found = rows.aggregate("count(*)").fetchone()
    return room_for_cells(found[0] if found else 0, columns, source=table.source)


def row_marks(table: DuckTable, column: str) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """A number of 64 bits for every row's value, the same for the same value, and which rows are empty.

    Values are compared as they are spelled; the numbers 5 and 5.0 are the same. The numbers are
    the first 64 bits of their SHA-256, the same everywhere.
    """
    spelled = _spelled(table, column)
    mark = f"coalesce(CAST('0x' || left(sha256({spelled}), 16) AS UBIGINT), 0)"
    with without_values(table.source):
        marked = table.with_numbers([f"{mark} AS mark", f"{quoted(column)} IS NULL AS gap"], "nth")
        found = marked.order("nth").fetchnumpy()
    return np.asarray(found["mark"], dtype=np.uint64), np.asarray(found["gap"], dtype=np.bool_)


def _spelled(table: DuckTable, column: str) -> str:
    """SQL of a value as it is written, whatever its type."""
    chosen([column], table.columns, place=table.source)
    text = f"trim(CAST({quoted(column)} AS VARCHAR))"
    return text if compared_as(table, column) == "text" else f"regexp_replace({text}, '\\.0+$', '')"


def keyed_sample(table: DuckTable, column: str | None, share: float, *, seed: int) -> DuckTable:
    """The rows whose key is drawn, in their order; without a column, the place of a row is its key.

    An empty key says nothing about other rows, so the place stands in for it.
    """
    names = [f"{quoted(name)} AS c{place}" for place, name in enumerate(table.columns)]
    key = [] if column is None else [f"{_spelled(table, column)} AS key"]
    place = "'row ' || CAST(nth AS VARCHAR)"
    with without_values(table.source):
        rows = table.with_numbers([*names, *key], "nth")
        drawn_key = drawn(f"sample:{seed}", place if column is None else f"coalesce(key, {place})")
        kept = rows.filter(f"{drawn_key} < {share!r}").order("nth")
        named = ", ".join(f"c{place} AS {quoted(name)}" for place, name in enumerate(table.columns))
        relation = table.session.kept(kept.project(named))
    return table.derived(relation, note=f"{100 * share:.3g} % of the rows drawn")


def compared_as(table: DuckTable, column: str) -> ComparedAs:
    """What the values of a column are compared as."""
    kind = table.kinds[column]
    if kind in NUMBERS:
        return "number"
    return "date" if kind in MOMENTS else "text"


def expression(name: str, kind: ComparedAs) -> str:
    """What the database computes of a column before its values are compared."""
    column = quoted(name)
    if kind == "number":
        return f"CAST({column} AS DOUBLE)"
    return f"epoch({column}) / {DAY} + {EPOCH}" if kind == "date" else f"trim(CAST({column} AS VARCHAR))"


def _distinct_texts(listed: DuckDBPyRelation) -> NDArray[np.object_]:
    rows = listed.filter("v IS NOT NULL").order("k").project("v").fetchall()
    values = np.empty(len(rows), dtype=np.object_)
    values[:] = [row[0] for row in rows]
    return values


def _distinct(found: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Numbers; what is none, or endless, counts as empty."""
    numbers = np.ma.filled(np.ma.asarray(found, dtype=np.float64), np.nan)
    numbers = np.where(np.isfinite(numbers), numbers, np.nan)
    values, codes = np.unique(numbers, return_inverse=True)
    return values[~np.isnan(values)], codes.astype(np.int32)


def counted_column(table: DuckTable, column: str) -> CountedColumn:
    """Counted inside the database; NaN and infinite values count as empty."""
    chosen([column], table.columns, place=table.source)
    kind = compared_as(table, column)
    with without_values(table.source):
        cells = table.relation.project(f"{expression(column, kind)} AS v")
        if kind != "text":
            cells = cells.project("CASE WHEN isfinite(v) THEN v + 0.0 END AS v")
        found = cells.aggregate("v, count(*) AS n", "v").order("v NULLS LAST")
        if kind == "text":
            return _counted_texts(column, found.fetchall())
        arrays = found.fetchnumpy()
    numbers = np.ma.filled(np.ma.asarray(arrays["v"], dtype=np.float64), np.nan)
    counts = np.asarray(arrays["n"], dtype=np.int64)
    has_gap = bool(numbers.size) and bool(np.isnan(numbers[-1]))
    values = numbers[: numbers.size - has_gap]
    return CountedColumn(column, kind, values, counts if has_gap else np.append(counts, 0))


def _counted_texts(column: str, rows: list[tuple[Any, int]]) -> CountedColumn:
    gap = rows.pop()[1] if rows and rows[-1][0] is None else 0
    values = np.empty(len(rows), dtype=np.object_)
    values[:] = [value for value, _ in rows]
    return CountedColumn(column, "text", values, np.array([*(n for _, n in rows), gap], dtype=np.int64))


def coded_columns(table: DuckTable, texts: Iterable[str], numbers: Iterable[str]) -> CodedColumns:
    """Numbered inside the database; rows come in no promised order."""
    words, figures = tuple(texts), tuple(numbers)
    for name in (*words, *figures):
        if name not in table.columns:
            raise UnknownColumn.among(name, table.columns, source=table.source)
    _refuse_text(table, figures)
    with without_values(table.source), ExitStack() as kept:
        parts = [f"CAST({quoted(name)} AS VARCHAR) AS t{at}" for at, name in enumerate(words)]
        parts += [f"TRY_CAST({quoted(name)} AS DOUBLE) AS x{at}" for at, name in enumerate(figures)]
        coded = table.relation.project(", ".join(parts))
        kept.enter_context(_room(table, table.relation, len(words) + len(figures)))
        labels: dict[str, tuple[str | None, ...]] = {}
        for at, name in enumerate(words):
            cells = numbered(table.relation, f"CAST({quoted(name)} AS VARCHAR)")
            listed = kept.enter_context(table.session.kept_for_now(cells))
            labels[name] = tuple(row[0] for row in listed.order("k").project("v").fetchall())
            coded = coded.join(at_place(listed, at), f"t{at} IS NOT DISTINCT FROM v{at}")
        wanted = [f"k{at}" for at in range(len(words))] + [f"x{at}" for at in range(len(figures))]
        found = coded.project(", ".join(wanted)).fetchnumpy()
    return CodedColumns(
        labels,
        {name: np.asarray(found[f"k{at}"], dtype=np.int32) for at, name in enumerate(words)},
        {name: _with_gaps(found[f"x{at}"]) for at, name in enumerate(figures)},
    )


def _refuse_text(table: DuckTable, names: tuple[str, ...]) -> None:
    tests = [
        f"count(*) FILTER (WHERE {quoted(name)} IS NOT NULL AND TRY_CAST({quoted(name)} AS DOUBLE) IS NULL)"
        for name in names
    ]
    if not tests:
        return
    with without_values(table.source):
        found = table.relation.aggregate(", ".join(tests)).fetchone() or ()
    for name, odd in zip(names, found, strict=True):
        if odd:
            raise BadData(
                f"{table.source}: {plural(odd, 'value')} of column {name!r} cannot be read as a number.",
                hint="Write plain numbers: digits, no unit, no comma between thousands.",
            )


def _with_gaps(found: NDArray[np.float64]) -> NDArray[np.float64]:
    filled: NDArray[np.float64] = np.ma.filled(np.ma.asarray(found, dtype=np.float64), np.nan)
    return filled
