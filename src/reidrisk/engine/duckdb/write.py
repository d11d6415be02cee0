"""Tables are written completely or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from reidrisk.core.files import whole_path, writable
from reidrisk.engine.duckdb.formulas import watch_formulas
from reidrisk.engine.duckdb.scan import Form
from reidrisk.engine.duckdb.watched import note_written
from reidrisk.engine.duckdb.writers.delimited import delimiter_of, write_delimited
from reidrisk.engine.duckdb.writers.excel import write_excel
from reidrisk.engine.duckdb.writers.statistical import write_statistical
from reidrisk.engine.duckdb.writers.stored import write_arrow, write_duckdb, write_parquet, write_sqlite
from reidrisk.engine.packages import needed
from reidrisk.errors import InvalidSetting, UnreadableFile

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


NOT_WRITTEN = ".sas7bdat"


def write_table(
    relation: DuckDBPyRelation,
    path: str | Path,
    *,
    like: Form | None = None,
    check: Callable[[Path], None] | None = None,
) -> None:
    """Write a file of the kind that the suffix says to a work folder, then give it its name.

    It is written `like` the one it comes from: delimiter, spelling of dates, name of the table, labels.
    `check` sees the finished file under its temporary name; if it raises, nothing is left.
    """
    target = writable(path)
    suffix = ready_to_write(target)
    duckdb = needed("duckdb", extra="tables")
    try:
        with whole_path(target, folder=False) as part:
            TARGETS[suffix].write(relation, part, like or Form(), suffix)
            if check is not None:
                check(part)
            if TARGETS[suffix] is TEXT:
                watch_formulas(part, delimiter_of(suffix, like or Form()), packed=suffix.endswith(".gz"))
            note_written(part)
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException:
        raise _refused(path, "it needs more memory than allowed") from None
    except duckdb.Error as error:
        raise _refused(path, _reason(error)) from None


def ready_to_write(path: Path) -> str:
    """The suffix, if tables can be written so and the packages for it are there."""
    suffix = known_suffix(path)
    for package in TARGETS[suffix].packages:
        needed(package)
    return suffix


def known_suffix(path: Path) -> str:
    """The suffix, if tables can be written so."""
    name = path.name.lower()
    found = max((suffix for suffix in TARGETS if name.endswith(suffix)), key=len, default=None)
    if found is not None:
        return found
    if name.endswith(NOT_WRITTEN):
        raise InvalidSetting(
            f"Files with the suffix {NOT_WRITTEN} can be written by SAS alone.",
            hint="Write a transport file, .xpt, which SAS reads.",
        )
    raise InvalidSetting.among("The suffix of a table that can be written", path.suffix.lower(), TARGETS)


def is_text(path: Path) -> bool:
    """Whether the file would hold texts without types."""
    return TARGETS[known_suffix(path)].kind == "text"


def lists_texts(path: Path) -> bool:
    """Whether the file would hold each text once, and numbers in its place."""
    return TARGETS[known_suffix(path)].kind == "Parquet"


def _reason(error: Exception) -> str:
    """Of an error of the database, whose text may quote a value."""
    if "No space left" in str(error):
        return "the disk is full"
    if "File too large" in str(error):
        return "the file would be larger than allowed"
    return "the table could not be computed"


def _refused(path: str | Path, reason: str) -> UnreadableFile:
    return UnreadableFile(
        f"{path} cannot be written: {reason}.",
        hint="Check that the folder exists, that you may write there and that the disk has room.",
    )
