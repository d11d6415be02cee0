"""Parquet, Arrow, DuckDB and SQLite files."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.engine.duckdb.scan import Form
from reidrisk.engine.duckdb.writers.delimited import SMALL, plain
from reidrisk.engine.packages import needed
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

BATCH = 100_000


def write_parquet(relation: DuckDBPyRelation, part: Path, _form: Form, _suffix: str) -> None:
    """By the database itself."""
    relation.write_parquet(str(part), compression="zstd")


def write_arrow(relation: DuckDBPyRelation, part: Path, _form: Form, _suffix: str) -> None:
    """An IPC file (Feather 2), one batch at a time in memory."""
    ipc = needed("pyarrow.ipc")
    reader = relation.to_arrow_reader(BATCH)
    with ipc.new_file(str(part), reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)


ROWS, BASE = "reidrisk_rows", "reidrisk_target"


def write_duckdb(relation: DuckDBPyRelation, part: Path, form: Form, _suffix: str) -> None:
    """The file is attached to the connection of the relation, so that every type is kept."""
    relation.query(ROWS, f"ATTACH {literal(str(part))} AS {BASE} (TYPE duckdb)")
    try:
        relation.query(ROWS, f"CREATE TABLE {BASE}.main.{quoted(form.name)} AS FROM {ROWS}")
    finally:
        relation.query(ROWS, f"DETACH {BASE}")


CHUNK = 50_000
LARGEST = 2**63 - 1
DECLARED = {"FLOAT": "REAL", "DOUBLE": "REAL", "BLOB": "BLOB"}
WHOLE = (*SMALL, "BIGINT", "BOOLEAN")


def write_sqlite(relation: DuckDBPyRelation, part: Path, form: Form, _suffix: str) -> None:
    """Dates and times become texts as in ISO 8601, true and false 1 and 0: SQLite has no such types."""
    needed("pyarrow")
    simple = plain(relation, largest=LARGEST, kept=("BLOB",))
    types = [_declared(str(kind)) for kind in simple.types]
    columns = [f"{quoted(name)} {kind}" for name, kind in zip(simple.columns, types, strict=True)]
    casts = [
        f"CAST({quoted(name)} AS {'BIGINT' if kind == 'INTEGER' else 'VARCHAR'}) AS {quoted(name)}"
        if kind in {"INTEGER", "TEXT"}
        else quoted(name)
        for name, kind in zip(simple.columns, types, strict=True)
    ]
    table = quoted(form.name)
    places = ", ".join("?" for _ in columns)
    try:
        with closing(sqlite3.connect(part)) as base, base:
            base.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
            for batch in simple.project(", ".join(casts)).to_arrow_reader(CHUNK):
                rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
                base.executemany(" ".join(("INSERT INTO", table, "VALUES", f"({places})")), rows)
    except sqlite3.Error as error:
        raise _explained(error) from None


def _declared(kind: str) -> str:
    return "INTEGER" if kind in WHOLE else DECLARED.get(kind, "TEXT")


def _explained(error: sqlite3.Error) -> Exception:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}:
        return OSError(errno.ENOSPC, "the disk is full")
    return BadData(
        "The table does not fit into an SQLite file.",
        hint="SQLite takes at most 2,000 columns; write a Parquet or DuckDB file instead.",
    )
