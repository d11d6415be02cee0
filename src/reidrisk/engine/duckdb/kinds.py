"""Which files a source means, and which reader takes them."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reidrisk.core.wording import path_text
from reidrisk.engine.duckdb.readers.delimited import read_delimited
from reidrisk.engine.duckdb.readers.excel import read_excel
from reidrisk.engine.duckdb.readers.statistical import FUNCTIONS, read_statistical
from reidrisk.engine.duckdb.readers.stored import read_arrow, read_duckdb, read_parquet, read_sqlite
from reidrisk.engine.duckdb.scan import Reader, one_by_one
from reidrisk.errors import BadData, UnreadableFile


@dataclass(frozen=True, slots=True)
class Kind:
    """A family of files that one reader takes."""

    name: str
    suffixes: tuple[str, ...]
    read: Reader


DELIMITED = Kind("text", (".csv", ".tsv", ".tab", ".txt", ".csv.gz", ".tsv.gz"), read_delimited)
DUCKDB = Kind("DuckDB", (".duckdb", ".ddb"), one_by_one(read_duckdb))
SQLITE = Kind("SQLite", (".sqlite", ".sqlite3"), one_by_one(read_sqlite))
KINDS = (
    DELIMITED,
    Kind("Parquet", (".parquet", ".pq"), read_parquet),
    Kind("Arrow", (".arrow", ".feather", ".ipc"), read_arrow),
    Kind("spreadsheet", (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), one_by_one(read_excel)),
    Kind("SAS, Stata or SPSS", tuple(FUNCTIONS), one_by_one(read_statistical)),
    DUCKDB,
    SQLITE,
)
DATABASES = (DUCKDB, SQLITE)
"""Other programs may write to them at any time; a query sees one state of them."""
SQLITE_MARK = b"SQLite format 3\x00"
DUCKDB_MARK = b"DUCK"


def kind_of(path: Path) -> Kind:
    """By suffix; the suffix .db is shared by two kinds, which their first bytes tell apart."""
    name = path.name.lower()
    for kind in KINDS:
        if name.endswith(kind.suffixes):
            return kind
    if name.endswith(".db"):
        with path.open("rb") as file:
            start = file.read(16)
        if start == SQLITE_MARK:
            return SQLITE
        if start[8:12] == DUCKDB_MARK:
            return DUCKDB
    known = " ".join(suffix for kind in KINDS for suffix in kind.suffixes)
    raise BadData(f"{path} has an unknown suffix.", hint=f"Known suffixes are: {known} .db")


def files_of(source: str | Path) -> tuple[Kind, Sequence[Path]]:
    """The files a path, a folder or a pattern means, all of one kind and none empty."""
    try:
        paths = _found(source)
        kinds = {kind_of(path).name: kind_of(path) for path in paths}
        empty = next((path for path in paths if path.stat().st_size == 0), None)
        for path in paths:
            path.open("rb").close()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "this is no path"
        raise UnreadableFile(
            f"{source} cannot be read: {reason}.", hint="Check the path and your right to read it."
        ) from None
    odd = next((path for path in paths if path_text(path) != str(path)), None)
    if odd is not None:
        raise UnreadableFile(
            f"{path_text(odd)} has a name that is not UTF-8, which the database cannot open.",
            hint="Rename the file.",
        )
    if empty is not None:
        raise BadData(f"{empty} is empty.", hint="Name a file with a header and rows.")
    if len(kinds) > 1:
        raise BadData(
            f"{source} holds files of more than one kind: {', '.join(sorted(kinds))}.",
            hint="Name the files by a pattern such as folder/*.csv.",
        )
    return next(iter(kinds.values())), paths


def _found(source: str | Path) -> list[Path]:
    path = Path(source)
    if path.is_dir():
        paths = [file for file in sorted(path.rglob("*")) if file.is_file() and not _hidden(file, path)]
    elif path.exists() or not glob.has_magic(str(source)):
        paths = [path]
    else:
        paths = [Path(name) for name in sorted(glob.glob(str(source), recursive=True))]  # noqa: PTH207
        paths = [file for file in paths if file.is_file()]
    if not paths:
        raise UnreadableFile(f"{source} has no files.", hint="Check the folder or the pattern.")
    if len(paths) == 1 and not paths[0].exists():
        raise UnreadableFile.missing(source)
    if len(paths) == 1 and not paths[0].is_file():
        raise UnreadableFile(f"{source} is not a regular file.", hint="Save the data to a file first.")
    return paths


def _hidden(file: Path, folder: Path) -> bool:
    """Programs that write folders of parts leave marks beside them, such as _SUCCESS."""
    return any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
