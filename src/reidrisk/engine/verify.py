"""A written file is opened again and its classes are counted in the plainest way there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import exact, quoted
from reidrisk.engine.packages import needed
from reidrisk.engine.readers.duckdb_file import read_duckdb
from reidrisk.engine.readers.excel import read_excel
from reidrisk.engine.readers.sqlite_file import read_sqlite
from reidrisk.engine.readers.statistical import read_statistical
from reidrisk.engine.scan import Form, Scan
from reidrisk.engine.session import Session, start_session
from reidrisk.engine.settings import ScanSettings
from reidrisk.engine.table import Table, described
from reidrisk.engine.targets import TARGETS
from reidrisk.engine.writers.delimited import delimiter_of
from reidrisk.engine.writers.excel import rows_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

READERS = {"SQLite": read_sqlite, "DuckDB": read_duckdb}


def smallest_class(
    path: Path, quasi: Sequence[str], *, suffix: str, unit: str | None = None, like: Form | None = None
) -> int | None:
    """Records (units, if a column tells them) in the smallest class of a file; None if it has no rows.

    `suffix` says what the file is, whatever its present name.
    """
    session = start_session(ScanSettings())
    try:
        with without_values("The written file"):
            return _smallest(_rows(session, path, suffix, like or Form()), quasi, unit)
    finally:
        session.close()


@contextmanager
def written_table(
    path: Path, *, suffix: str, like: Form | None = None, types: Mapping[str, str] | None = None
) -> Iterator[Table]:
    """A written file as a table, its columns of texts read as these types where no value is lost by that."""
    session = start_session(ScanSettings())
    try:
        with without_values("The written file"):
            rows = _rows(session, path, suffix, like or Form())
        yield _typed(session, rows, types or {})
    finally:
        session.close()


@contextmanager
def written_arrow(table: Any, types: Mapping[str, str]) -> Iterator[Table]:
    """The same for an Arrow table."""
    session = start_session(ScanSettings())
    try:
        yield _typed(session, session.connection.from_arrow(table), types)
    finally:
        session.close()


def _typed(session: Session, rows: DuckDBPyRelation, types: Mapping[str, str]) -> Table:
    read = described(session, Scan(rows), "The written file")
    with without_values(read.source):
        shown = [
            _as_type(rows, name, types[name])
            if name in types and read.types[name] == "VARCHAR"
            else quoted(name)
            for name in read.columns
        ]
        return read.derived(rows.project(", ".join(shown)), note="typed")


def _as_type(rows: DuckDBPyRelation, name: str, kind: str) -> str:
    """SQL of a column of texts as a type, or as it is where a value would be lost or is one of a list."""
    column = quoted(name)
    if "'" in kind:
        return column
    cast = f"TRY_CAST({column} AS {kind})"
    lost = rows.aggregate(f"count({column}) - count({cast})").fetchone()
    return f"{cast} AS {column}" if lost is not None and lost[0] == 0 else column


def smallest_class_of(table: Any, quasi: Sequence[str], *, unit: str | None = None) -> int | None:
    """The same for an Arrow table."""
    session = start_session(ScanSettings())
    try:
        with without_values("The table"):
            return _smallest(session.connection.from_arrow(table), quasi, unit)
    finally:
        session.close()


def _smallest(rows: DuckDBPyRelation, quasi: Sequence[str], unit: str | None) -> int | None:
    size = "count(*)" if unit is None else f"count(DISTINCT {quoted(unit)})"
    classes = rows.aggregate(f"{size} AS size", ", ".join(quoted(name) for name in quasi))
    found = classes.aggregate("min(size)").fetchone()
    return None if found is None or found[0] is None else int(found[0])


def _rows(session: Session, path: Path, suffix: str, form: Form) -> DuckDBPyRelation:
    kind = TARGETS[suffix].kind
    if kind == "text":
        return session.connection.read_csv(
            exact(path),
            header=True,
            delimiter=delimiter_of(suffix, form),
            quotechar='"',
            escapechar='"',
            all_varchar=True,
            compression="gzip" if suffix.endswith(".gz") else "none",
        )
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
    return read.union(session.connection.sql("FROM range(?)", params=[blank]).project(nothing))
