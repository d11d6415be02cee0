"""Tables are written completely or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.core.files import writable
from reidrisk.engine.packages import needed
from reidrisk.engine.scan import TextForm
from reidrisk.engine.table import Table
from reidrisk.errors import InvalidSetting, UnreadableFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

SUFFIXES = (".csv", ".tsv", ".parquet", ".arrow", ".feather")
BATCH = 100_000


def write_table(
    table: Table | DuckDBPyRelation,
    path: str | Path,
    *,
    like: TextForm | None = None,
    check: Callable[[Path], None] | None = None,
) -> None:
    """Write CSV, TSV, Parquet or Arrow, as the suffix says, under a temporary name, then rename.

    A CSV file is written `like` the one it comes from. `check` sees the finished file under its
    temporary name; if it raises, nothing is left.
    """
    target = writable(path)
    suffix = known_suffix(target)
    relation = table.relation if isinstance(table, Table) else table
    duckdb = needed("duckdb", extra="tables")
    part = target.parent / f".{target.name}.{secrets.token_hex(6)}.part"
    try:
        _write(relation, part, suffix, like)
        _to_disk(part)
        if check is not None:
            check(part)
        part.replace(target)
    except duckdb.OutOfMemoryException:
        raise _refused(path, "it needs more memory than allowed") from None
    except duckdb.Error as error:
        full = "No space left" in str(error)
        raise _refused(path, "the disk is full" if full else "the table could not be computed") from None
    except OSError as error:
        raise _refused(path, error.strerror or "the operating system refused") from None
    finally:
        part.unlink(missing_ok=True)


def known_suffix(path: Path) -> str:
    """The suffix, if tables can be written so."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InvalidSetting.among("The suffix of a table to write", suffix, SUFFIXES)
    return suffix


def _write(relation: DuckDBPyRelation, part: Path, suffix: str, like: TextForm | None) -> None:
    if suffix == ".parquet":
        relation.write_parquet(str(part), compression="zstd")
    elif suffix in {".csv", ".tsv"}:
        _write_text(relation, part, suffix, like)
    else:
        ipc = needed("pyarrow.ipc")
        reader = relation.to_arrow_reader(BATCH)
        with ipc.new_file(str(part), reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)


def _write_text(relation: DuckDBPyRelation, part: Path, suffix: str, like: TextForm | None) -> None:
    relation.write_csv(
        str(part),
        sep=delimiter_of(suffix, like),
        header=True,
        date_format=like.date_format if like else None,
        timestamp_format=like.timestamp_format if like else None,
    )


def delimiter_of(suffix: str, like: TextForm | None) -> str:
    """What stands between fields: a tab if the suffix says so, else as in the source."""
    if suffix == ".tsv":
        return "\t"
    return like.delimiter if like else ","


def _to_disk(part: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _refused(path: str | Path, reason: str) -> UnreadableFile:
    return UnreadableFile(
        f"{path} cannot be written: {reason}.",
        hint="Check that the folder exists, that you may write there and that the disk has room.",
    )
