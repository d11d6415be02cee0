"""Tables are written completely or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from reidrisk.core.files import writable
from reidrisk.engine.packages import needed
from reidrisk.engine.table import Table
from reidrisk.errors import InvalidSetting, UnreadableFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

SUFFIXES = (".csv", ".tsv", ".parquet", ".arrow", ".feather")
BATCH = 100_000


def write_table(table: Table | DuckDBPyRelation, path: str | Path) -> None:
    """Write CSV, TSV, Parquet or Arrow, as the suffix says, under a temporary name, then rename."""
    target = writable(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise InvalidSetting.among("The suffix of a table to write", suffix, SUFFIXES)
    relation = table.relation if isinstance(table, Table) else table
    duckdb = needed("duckdb", extra="tables")
    part = target.parent / f".{target.name}.{secrets.token_hex(6)}.part"
    try:
        _write(relation, part, suffix)
        _to_disk(part)
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


def _write(relation: DuckDBPyRelation, part: Path, suffix: str) -> None:
    if suffix == ".parquet":
        relation.write_parquet(str(part), compression="zstd")
    elif suffix in {".csv", ".tsv"}:
        relation.write_csv(str(part), sep="\t" if suffix == ".tsv" else ",", header=True)
    else:
        ipc = needed("pyarrow.ipc")
        reader = relation.to_arrow_reader(BATCH)
        with ipc.new_file(str(part), reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)


def _to_disk(part: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _refused(path: str | Path, reason: str) -> UnreadableFile:
    return UnreadableFile(
        f"{path} cannot be written: {reason}.",
        hint="Check that the folder exists, that you may write there and that the disk has room.",
    )
