"""Parquet and Arrow files: every type as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.engine.packages import needed
from reidrisk.engine.scan import Form

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
