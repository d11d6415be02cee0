"""Whole columns as numbers, for tables that are counts already and not rows of people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.engine.failures import without_values
from reidrisk.engine.names import quoted
from reidrisk.engine.scan import Scan
from reidrisk.engine.session import start_session
from reidrisk.engine.settings import ScanSettings
from reidrisk.engine.table import Table, described
from reidrisk.errors import BadData, UnknownColumn

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumns:
    """Columns of a table: texts as codes, numbers as they are, all of one length."""

    labels: Mapping[str, tuple[str | None, ...]] = field(repr=False)
    """For each column of texts its distinct values in order; None, where a cell is empty, is the last."""
    codes: Mapping[str, NDArray[np.int32]] = field(repr=False)
    """For each column of texts the place of every row's value in `labels`."""
    numbers: Mapping[str, NDArray[np.float64]] = field(repr=False)
    """Columns of numbers; an empty cell is no number (NaN)."""

    def __post_init__(self) -> None:
        for name in ("labels", "codes", "numbers"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __len__(self) -> int:
        lengths = [len(code) for code in self.codes.values()]
        lengths += [len(number) for number in self.numbers.values()]
        return lengths[0] if lengths else 0


def coded_columns(table: Table, texts: Iterable[str], numbers: Iterable[str]) -> CodedColumns:
    """Numbered inside the database; rows come in no promised order."""
    words, figures = tuple(texts), tuple(numbers)
    for name in (*words, *figures):
        if name not in table.columns:
            raise UnknownColumn.among(name, table.columns, source=table.source)
    _refuse_words(table, figures)
    with without_values(table.source), ExitStack() as kept:
        parts = [f"CAST({quoted(name)} AS VARCHAR) AS t{at}" for at, name in enumerate(words)]
        parts += [f"TRY_CAST({quoted(name)} AS DOUBLE) AS x{at}" for at, name in enumerate(figures)]
        coded = table.relation.project(", ".join(parts))
        labels: dict[str, tuple[str | None, ...]] = {}
        for at, name in enumerate(words):
            values = kept.enter_context(table.session.kept_for_now(_numbered(table.relation, name, at)))
            labels[name] = tuple(row[0] for row in values.order(f"k{at}").project(f"v{at}").fetchall())
            coded = coded.join(values, f"t{at} IS NOT DISTINCT FROM v{at}")
        wanted = [f"k{at}" for at in range(len(words))] + [f"x{at}" for at in range(len(figures))]
        found = coded.project(", ".join(wanted)).fetchnumpy()
    return CodedColumns(
        labels,
        {name: np.asarray(found[f"k{at}"], dtype=np.int32) for at, name in enumerate(words)},
        {name: _with_gaps(found[f"x{at}"]) for at, name in enumerate(figures)},
    )


def table_of(columns: CodedColumns, *, source: str, settings: ScanSettings | None = None) -> Table:
    """The other way round: a table with the texts written out, and whole numbers as such."""
    session = start_session(settings or ScanSettings())
    try:
        with without_values(source):
            arrays: dict[str, NDArray[Any]] = {
                f"k{at}": code for at, code in enumerate(columns.codes.values())
            }
            arrays |= {f"x{at}": _plain(number) for at, number in enumerate(columns.numbers.values())}
            whole = session.from_arrays({"nth": np.arange(len(columns)), **arrays})
            for at, labels in enumerate(columns.labels.values()):
                texts = np.array(labels, dtype=np.object_)
                codes = np.arange(len(labels), dtype=np.int32)
                named = session.from_arrays({f"c{at}": codes, f"v{at}": texts})
                whole = whole.join(named, f"k{at} = c{at}")
            parts = [f"v{at} AS {quoted(name)}" for at, name in enumerate(columns.codes)]
            parts += [f"x{at} AS {quoted(name)}" for at, name in enumerate(columns.numbers)]
            relation = session.kept(whole.order("nth").project(", ".join(parts)))
        return described(session, Scan(relation), source)
    except BaseException:
        session.close()
        raise


def _numbered(relation: DuckDBPyRelation, name: str, at: int) -> DuckDBPyRelation:
    column = f"v{at}"
    return (
        relation.project(f"CAST({quoted(name)} AS VARCHAR) AS {column}")
        .aggregate(column, column)
        .project(f"{column}, CAST(row_number() OVER (ORDER BY {column} NULLS LAST) - 1 AS INTEGER) AS k{at}")
    )


def _refuse_words(table: Table, names: tuple[str, ...]) -> None:
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


def _plain(numbers: NDArray[np.float64]) -> NDArray[np.float64] | NDArray[np.int64]:
    whole = bool(np.all(np.isfinite(numbers))) and bool(np.all(numbers == np.trunc(numbers)))
    return numbers.astype(np.int64) if whole else numbers
