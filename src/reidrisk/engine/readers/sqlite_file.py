"""Tables of an SQLite file, through the standard library and in chunks."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from reidrisk.engine.failures import damaged, without_values
from reidrisk.engine.names import quoted
from reidrisk.engine.packages import needed
from reidrisk.engine.scan import Form, Scan, one_table
from reidrisk.engine.session import Session
from reidrisk.engine.settings import ScanSettings

CHUNK = 50_000
TABLES = """SELECT name FROM sqlite_master
WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"""


def read_sqlite(session: Session, path: Path, settings: ScanSettings) -> Scan:
    """The table or view named, or the only one; a column gets the type that all its values have."""
    arrow = needed("pyarrow")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as base:
            names = [row[0] for row in base.execute(TABLES)]
            table = one_table(names, settings, place=str(path))
            columns = [row[0] for row in base.execute(_select(["*"], table, "LIMIT 0")).description]
            schema = arrow.schema(zip(columns, _types(arrow, base, table, columns), strict=True))
            with without_values(str(path)):
                relation = session.staged_batches(schema, _batches(arrow, base, table, schema))
    except (sqlite3.Error, UnicodeError):
        raise damaged(str(path), "an SQLite file") from None
    return Scan(relation, (f"table: {table}",), Form(name=table))


def _select(expressions: Sequence[str], table: str, rest: str = "") -> str:
    return " ".join(("SELECT", ", ".join(expressions), "FROM", quoted(table), rest))


def _types(arrow: Any, base: sqlite3.Connection, table: str, columns: Sequence[str]) -> list[Any]:
    """SQLite lets each value have its own type; declared types are only a wish."""
    by_kinds = {
        frozenset({"integer"}): arrow.int64(),
        frozenset({"real"}): arrow.float64(),
        frozenset({"integer", "real"}): arrow.float64(),
        frozenset({"blob"}): arrow.binary(),
    }
    kinds = [f"group_concat(DISTINCT typeof({quoted(name)}))" for name in columns]
    found = base.execute(_select(kinds, table)).fetchone()
    return [by_kinds.get(frozenset((text or "").split(",")) - {"null", ""}, arrow.string()) for text in found]


def _batches(arrow: Any, base: sqlite3.Connection, table: str, schema: Any) -> Iterator[Any]:
    texts = [
        f"CAST({quoted(field.name)} AS TEXT)" if arrow.types.is_string(field.type) else quoted(field.name)
        for field in schema
    ]
    rows = base.execute(_select(texts, table))
    while chunk := rows.fetchmany(CHUNK):
        columns = zip(*chunk, strict=True)
        arrays = [arrow.array(values, type=field.type) for values, field in zip(columns, schema, strict=True)]
        yield arrow.RecordBatch.from_arrays(arrays, schema=schema)
