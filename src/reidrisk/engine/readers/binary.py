"""Parquet and Arrow files: typed already, scanned where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.engine.failures import damaged, without_values
from reidrisk.engine.names import distinct_names, exact
from reidrisk.engine.packages import needed
from reidrisk.engine.scan import ROW, Scan, same_columns
from reidrisk.engine.session import Session
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
