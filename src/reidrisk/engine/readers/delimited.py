"""CSV and its relatives: dialect and types are detected, checked on every row, and shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import distinct_names, exact, filled_names, literal
from reidrisk.engine.readers.encodings import encoding_of, readable
from reidrisk.engine.readers.fitting import fitting_types
from reidrisk.engine.scan import Form, Scan, TextForm, same_columns
from reidrisk.engine.session import Session
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

DELIMITERS = ",;\t|"
BY_SUFFIX = {".tsv": "\t", ".tab": "\t"}
EMPTY = "(empty)"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the lines of a file become fields."""

    delimiter: str
    quote: str
    has_header: bool
    skipped: int
    types: tuple[str, ...]
    date_format: str | None
    timestamp_format: str | None

    def notes(self) -> tuple[str, ...]:
        """As shown to the user."""
        shown = {"\t": "tab"}.get(self.delimiter, self.delimiter)
        formats = {"dates": self.date_format, "timestamps": self.timestamp_format}
        return (
            f"delimiter: {shown}",
            f"quote: {self.quote}",
            "header: first line",
            *(f"{name}: {form}" for name, form in formats.items() if form),
        )

    def options(self) -> dict[str, Any]:
        """For the database, which then detects nothing on its own."""
        found = {"date_format": self.date_format, "timestamp_format": self.timestamp_format}
        return {
            "auto_detect": False,
            "hive_partitioning": False,
            "delimiter": self.delimiter,
            "quotechar": self.quote,
            "escapechar": self.quote,
            **{name: form for name, form in found.items() if form},
        }


def read_delimited(session: Session, paths: Sequence[Path], settings: ScanSettings) -> Scan:
    """Files of one dialect and one header, scanned lazily once every row has been seen to fit."""
    encodings = [encoding_of(path, settings.csv.encoding) for path in paths]
    files = [readable(session, path, name) for path, name in zip(paths, encodings, strict=True)]
    place = str(paths[0]) if len(paths) == 1 else f"{paths[0].parent} ({len(paths)} files)"
    dialect = _detected(session, paths[0], files[0], settings)
    if not (dialect.has_header or settings.csv.header):
        raise BadData(
            f"{paths[0]} seems to have no header: its first line looks like the others.",
            hint="Put the column names in the first line, or say that it has them (header=True).",
        )
    header = _header(session, paths[0], files[0], dialect)
    for path, file in zip(paths[1:], files[1:], strict=True):
        same_columns(paths[0], header, path, _header(session, path, file, dialect))
    names, unnamed = filled_names(header)
    distinct_names([name for name in header if name], place=str(paths[0]))
    with without_values(place):
        texts = _relation(session, files, dialect, dict.fromkeys(names, "VARCHAR"))
        formats = {"DATE": dialect.date_format, "TIMESTAMP": dialect.timestamp_format}
        types, changed = fitting_types(texts, dict(zip(names, dialect.types, strict=True)), formats=formats)
        notes = (*dialect.notes(), f"encoding: {encodings[0]}", *unnamed, *changed)

    def typed(wanted: Collection[str]) -> DuckDBPyRelation:
        some = {name: kind if name in wanted else "VARCHAR" for name, kind in types.items()}
        return _relation(session, files, dialect, some)

    form = TextForm(dialect.delimiter, dialect.date_format, dialect.timestamp_format, typed)
    return Scan(typed(names), notes, Form(form))


def _relation(
    session: Session, files: Sequence[Path], dialect: Dialect, types: dict[str, str]
) -> DuckDBPyRelation:
    paths: Any = [exact(file) for file in files]  # the stubs know of one file only
    return session.connection.read_csv(paths, header=True, columns=types, **dialect.options())


def _header(session: Session, path: Path, file: Path, dialect: Dialect) -> tuple[str, ...]:
    columns = {f"c{place}": "VARCHAR" for place in range(len(dialect.types))}
    with without_values(str(path)):
        row = (
            session.connection.read_csv(exact(file), header=False, columns=columns, **dialect.options())
            .limit(1)
            .fetchone()
        )
    return tuple(name or "" for name in row or ())


def _detected(session: Session, path: Path, file: Path, settings: ScanSettings) -> Dialect:
    given = settings.csv.delimiter or BY_SUFFIX.get(path.suffix.lower())
    dialect, first = _sniffed(session, path, file, given)
    if given is None and len(dialect.types) == 1:
        # Lines of unequal length make the detection give up and see one wide column.
        likely = max(DELIMITERS, key=first.count)
        if likely in first:
            dialect, _ = _sniffed(session, path, file, likely)
    if dialect.skipped:
        raise BadData(
            f"{path}: the first lines do not have as many fields as the others.",
            hint="Remove what stands before the header, and give every column a name.",
        )
    return replace(dialect, quote='"') if dialect.quote == EMPTY else dialect


def _sniffed(session: Session, path: Path, file: Path, delimiter: str | None) -> tuple[Dialect, str]:
    # Broken rows must not spoil the detection once the delimiter is known: reading finds their lines.
    options = f", delim={literal(delimiter)}, ignore_errors=true" if delimiter else ""
    with without_values(str(path)):
        found = session.connection.execute(f"FROM sniff_csv(?{options})", [exact(file)]).fetchone()
    if found is None:
        raise BadData(f"{path} is empty.", hint="Name another file.")
    dialect = Dialect(
        delimiter=found[0],
        quote=found[1],
        skipped=found[5],
        has_header=found[6],
        types=tuple(column["type"] for column in found[7]),
        date_format=found[8],
        timestamp_format=found[9],
    )
    return dialect, str(found[7][0]["name"])
