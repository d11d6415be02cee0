"""A written file is opened again and its classes are counted in the plainest way there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import exact, literal, quoted
from reidrisk.engine.duckdb.readers.excel import read_excel
from reidrisk.engine.duckdb.readers.statistical import read_statistical
from reidrisk.engine.duckdb.readers.stored import read_duckdb, read_sqlite
from reidrisk.engine.duckdb.scan import Form, Scan
from reidrisk.engine.duckdb.session import Session, start_session
from reidrisk.engine.duckdb.types import TEXT
from reidrisk.engine.duckdb.write import TARGETS
from reidrisk.engine.duckdb.writers.delimited import delimiter_of
from reidrisk.engine.duckdb.writers.excel import rows_of
from reidrisk.engine.packages import needed
from reidrisk.engine.settings import ScanSettings

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable

READERS = {"SQLite": read_sqlite, "DuckDB": read_duckdb}


@contextmanager
def written_table(path: Path, *, suffix: str, like: Form) -> Iterator[DuckTable]:
    """A written file as a table; `suffix` says what it is, whatever its present name."""
    from reidrisk.engine.duckdb.table import described

    session = start_session(ScanSettings())
    try:
        with without_values("The written file"):
            rows = _rows(session, path, suffix, like)
        yield described(session, Scan(rows, (), Form(types=like.types)), "The written file")
    finally:
        session.close()


@contextmanager
def table_in_memory(frame: Any, like: Form) -> Iterator[DuckTable]:
    """The same for an Arrow table."""
    from reidrisk.engine.duckdb.table import described

    session = start_session(ScanSettings())
    try:
        yield described(
            session, Scan(session.connection.from_arrow(frame), (), Form(types=like.types)), "The table"
        )
    finally:
        session.close()


def like_source(table: DuckTable, columns: Sequence[str]) -> DuckTable:
    """A written table with these columns of texts as the source had them, where no value is lost by that."""
    rows, types = table.relation, table.form.types
    with without_values(table.source):
        shown = [
            _as_type(rows, name, types[name])
            if name in columns and name in types and table.types[name] == TEXT
            else quoted(name)
            for name in table.columns
        ]
        return table.derived(rows.project(", ".join(shown)), note="typed")


def _as_type(rows: DuckDBPyRelation, name: str, kind: str) -> str:
    """SQL of a column of texts as a type, or as it is where a value would be lost or is one of a list."""
    column = quoted(name)
    if "'" in kind:
        return column
    cast = f"TRY_CAST({column} AS {kind})"
    lost = rows.aggregate(f"count({column}) - count({cast})").fetchone()
    return f"{cast} AS {column}" if lost is not None and lost[0] == 0 else column


def _rows(session: Session, path: Path, suffix: str, form: Form) -> DuckDBPyRelation:
    kind = TARGETS[suffix].kind
    if kind == "text":
        options = {
            "header": "true",
            "delim": literal(delimiter_of(suffix, form)),
            "quote": "'\"'",
            "escape": "'\"'",
            "all_varchar": "true",
            "compression": "'gzip'" if suffix.endswith(".gz") else "'none'",
        }
        return session.text_rows([path], options)
    if kind == "Parquet":
        return session.connection.read_parquet(exact(path), hive_partitioning=False)
    if kind == "Arrow":
        with needed("pyarrow.ipc").open_file(str(path)) as reader:
            return session.connection.from_arrow(reader.read_all())
    if kind == "Excel":
        return _with_blank_rows(session, read_excel(session, path, ScanSettings()).relation, path)
    if kind == "SAS, Stata or SPSS":
        return read_statistical(session, path, ScanSettings(), suffix=suffix).relation
    return READERS[kind](session, path, ScanSettings()).relation


def _with_blank_rows(session: Session, read: DuckDBPyRelation, path: Path) -> DuckDBPyRelation:
    """Readers of spreadsheets leave out blank rows at the end, which are records all the same."""
    found = read.aggregate("count(*)").fetchone()
    blank = rows_of(path) - (found[0] if found else 0)
    nothing = ", ".join("NULL" for _ in read.columns)
    return read.union(session.connection.sql(f"FROM range({blank})").project(nothing))
