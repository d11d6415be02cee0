"""What every reader takes and gives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from reidrisk.core.reading import TableReading
from reidrisk.engine.duckdb.readers.dates import DateForm
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


ROW = "file_row_number"
"""The column of a scan that tells the place of each row in its file."""
NAME = "released"
"""Of a table that has no name in its source."""


@dataclass(frozen=True, slots=True)
class TextForm:
    """How a text file writes its rows, so that one like it can be written."""

    delimiter: str
    timestamp_format: str | None
    """Of times in ISO 8601."""
    typed: Callable[[Collection[str]], DuckDBPyRelation]
    """The rows with only the named columns typed, all others letter by letter as in the file."""


@dataclass(frozen=True, slots=True)
class SasVariable:
    """How SAS shows and stores a variable."""

    kind: str
    """text, number, date, timestamp or time."""
    format: str | None
    width: int
    """Bytes of a text."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a file that is written like the source takes from it, beside the rows."""

    text: TextForm | None = None
    """Only of text files."""
    name: str = NAME
    """Of the table or sheet."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What SAS, Stata and SPSS files say about their variables."""
    label: str = ""
    """What a SAS file says about the table."""
    sas: Mapping[str, SasVariable] = field(default_factory=dict)
    """Formats and lengths of the variables of a SAS file."""
    dates: Mapping[str, DateForm] = field(default_factory=dict)
    """How the dates of columns are written, if not as in ISO 8601."""
    reading: TableReading = field(default_factory=TableReading)
    """What the user said about the cells."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Of the columns as they were detected."""


@dataclass(frozen=True, slots=True)
class Scan:
    """A source the database can scan, and what was found out about it."""

    relation: DuckDBPyRelation
    notes: tuple[str, ...] = ()
    form: Form = field(default_factory=Form)
    numbered: DuckDBPyRelation | None = None
    """The same rows with their place in the file, from 0, in a further column, if the file tells it."""


class Reader(Protocol):
    """Turns files of one kind, all with the same columns, into a scan."""

    def __call__(self, session: Session, paths: Sequence[Path], settings: ScanSettings, /) -> Scan:
        """Open all the files."""
        ...


class FileReader(Protocol):
    """Turns one file into a scan."""

    def __call__(self, session: Session, path: Path, settings: ScanSettings, /) -> Scan:
        """Open the file."""
        ...


def one_by_one(read: FileReader) -> Reader:
    """A reader of many files from a reader of one."""

    def read_all(session: Session, paths: Sequence[Path], settings: ScanSettings) -> Scan:
        scans = [read(session, path, settings) for path in paths]
        whole = scans[0].relation
        for path, scan in zip(paths[1:], scans[1:], strict=True):
            same_columns(paths[0], scans[0].relation.columns, path, scan.relation.columns)
            whole = whole.union(scan.relation)
        return replace(scans[0], relation=whole)

    return read_all


def same_columns(first: Path, columns: Sequence[str], other: Path, others: Sequence[str]) -> None:
    """Files read as one table have the same columns in the same order."""
    if list(columns) != list(others):
        raise BadData(
            f"{first.name} and {other.name} do not have the same columns.",
            hint="Read them one at a time, or give them the same columns in the same order.",
        )


def one_table(names: Sequence[str], settings: ScanSettings, *, place: str) -> str:
    """The table or sheet that is meant: the one named, or the only one."""
    if settings.table is not None and settings.table in names:
        return settings.table
    if settings.table is None and len(names) == 1:
        return names[0]
    if not names:
        raise BadData(f"{place} holds no table.", hint="Name another file.")
    asked = "more than one table" if settings.table is None else f"no table {settings.table!r}"
    raise BadData(f"{place} holds {asked}.", hint=f"Name one of: {', '.join(names)}.")
