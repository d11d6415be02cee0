"""Which writer makes a file of which suffix, and what it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from reidrisk.engine.scan import Form
from reidrisk.engine.writers.binary import write_arrow, write_parquet
from reidrisk.engine.writers.delimited import write_delimited
from reidrisk.engine.writers.duckdb_file import write_duckdb
from reidrisk.engine.writers.excel import write_excel
from reidrisk.engine.writers.sqlite_file import write_sqlite
from reidrisk.engine.writers.statistical import write_statistical

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    Writer = Callable[[DuckDBPyRelation, Path, Form, str], None]

TargetKind = Literal["text", "Parquet", "Arrow", "Excel", "SQLite", "DuckDB", "SAS, Stata or SPSS"]


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of file that can be written."""

    kind: TargetKind
    write: Writer
    packages: tuple[str, ...] = ()


TEXT = Target("text", write_delimited)
PARQUET = Target("Parquet", write_parquet)
ARROW = Target("Arrow", write_arrow, ("pyarrow",))
EXCEL = Target("Excel", write_excel, ("pyarrow", "fastexcel"))
SQLITE = Target("SQLite", write_sqlite, ("pyarrow",))
DUCKDB = Target("DuckDB", write_duckdb)
STATISTICAL = Target("SAS, Stata or SPSS", write_statistical, ("pyarrow", "pyreadstat", "polars"))
TARGETS = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt", ".csv.gz", ".tsv.gz"), TEXT),
    **dict.fromkeys((".parquet", ".pq"), PARQUET),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), ARROW),
    ".xlsx": EXCEL,
    **dict.fromkeys((".sqlite", ".sqlite3", ".db"), SQLITE),
    **dict.fromkeys((".duckdb", ".ddb"), DUCKDB),
    **dict.fromkeys((".xpt", ".sav", ".zsav", ".dta"), STATISTICAL),
}
"""By suffix."""
