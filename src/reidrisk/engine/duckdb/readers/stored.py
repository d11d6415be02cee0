"""Parquet, Arrow, DuckDB and SQLite files: sources with types of their own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.engine.duckdb.failures import damaged, without_values
from reidrisk.engine.duckdb.names import distinct_names, exact, literal, quoted
from reidrisk.engine.duckdb.scan import ROW, Form, Scan, one_table, same_columns
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.packages import needed
from reidrisk.engine.settings import ScanSettings

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


def read_parquet(session: Session, paths: Sequence[Path], _settings: ScanSettings) -> Scan:
    """All files at once, by the database itself."""
    columns: list[str] = []
    for path in paths:
        with without_values(str(path)):
            alone = session.connection.read_parquet(exact(path), hive_partitioning=False)
            found = alone.columns
        same_columns(paths[0], columns or found, path, found)
        columns = columns or found
    if len(paths) == 1:
        return Scan(alone, numbered=_numbered(session, paths[0], columns))
    with without_values(str(paths[0].parent)):
        # Folders named key=value hold a column of their own, but only where there are many files.
        return Scan(session.connection.read_parquet([exact(path) for path in paths]))


def _numbered(session: Session, path: Path, columns: Sequence[str]) -> DuckDBPyRelation | None:
    if ROW in map(str.casefold, columns):
        return None
    with without_values(str(path)):
        return session.connection.read_parquet(exact(path), hive_partitioning=False, file_row_number=True)


def read_arrow(session: Session, paths: Sequence[Path], _settings: ScanSettings) -> Scan:
    """IPC files (Feather 2) as a data set that is scanned batch by batch."""
    dataset = needed("pyarrow.dataset")
    columns: list[str] = []
    for path in paths:
        try:
            found = dataset.dataset(str(path), format="ipc").schema.names
        except (OSError, ValueError):
            raise damaged(str(path), "an Arrow file") from None
        distinct_names(found, place=str(path))
        same_columns(paths[0], columns or found, path, found)
        columns = columns or found
    return Scan(session.connection.from_arrow(dataset.dataset([str(path) for path in paths], format="ipc")))


TABLES = """SELECT schema_name, table_name FROM duckdb_tables()
WHERE database_name = {database} AND NOT internal ORDER BY schema_name, table_name"""


def read_duckdb(session: Session, path: Path, settings: ScanSettings) -> Scan:
    """The table named (with its schema if that is not "main"), or the only one.

    Views are left out: a view may read any other file of this machine.
    """
    tables = attached_tables(session, path)
    chosen = one_table(list(tables), settings, place=str(path))
    return tables[chosen]


def attached_tables(session: Session, path: Path) -> dict[str, Scan]:
    """All tables of a database file, which is attached to the session."""
    database = session.work_name()
    with without_values(str(path)):
        session.connection.execute(f"ATTACH {literal(str(path))} AS {database} (READ_ONLY, TYPE duckdb)")
        found = session.connection.execute(TABLES.format(database=literal(database))).fetchall()
        tables = {}
        for schema, name in found:
            shown = name if schema == "main" else f"{schema}.{name}"
            relation = session.connection.sql(f"FROM {database}.{quoted(schema)}.{quoted(name)}")
            tables[shown] = Scan(relation, (f"table: {shown}",), Form(name=name))
    return tables


CHUNK = 50_000
SQLITE_TABLES = """SELECT name FROM sqlite_master
WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"""


def read_sqlite(session: Session, path: Path, settings: ScanSettings) -> Scan:
    """The table or view named, or the only one; a column gets the type that all its values have."""
    arrow = needed("pyarrow")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as base:
            names = [row[0] for row in base.execute(SQLITE_TABLES)]
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
