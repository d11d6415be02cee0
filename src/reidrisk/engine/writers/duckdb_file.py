"""A DuckDB file with one table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.engine.names import literal, quoted
from reidrisk.engine.scan import Form

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

ROWS, BASE = "reidrisk_rows", "reidrisk_target"


def write_duckdb(relation: DuckDBPyRelation, part: Path, form: Form, _suffix: str) -> None:
    """The file is attached to the connection of the relation, so that every type is kept."""
    relation.query(ROWS, f"ATTACH {literal(str(part))} AS {BASE} (TYPE duckdb)")
    try:
        relation.query(ROWS, f"CREATE TABLE {BASE}.main.{quoted(form.name)} AS FROM {ROWS}")
    finally:
        relation.query(ROWS, f"DETACH {BASE}")
