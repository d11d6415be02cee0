"""CSV and its relatives: dialect and types are detected, checked on every row, and shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.reading import TableReading
from reidrisk.engine.failures import without_values
from reidrisk.engine.names import distinct_names, exact, filled_names, literal, quoted
from reidrisk.engine.readers.dates import (
    ISO,
    DateForm,
    find_forms,
    given_forms,
    missing_counts,
    missing_sql,
    reading_notes,
)
from reidrisk.engine.readers.encodings import encoding_of, readable
from reidrisk.engine.readers.fitting import fitting_types
from reidrisk.engine.scan import Form, Scan, TextForm, same_columns
from reidrisk.engine.session import Session
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, UnknownColumn

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

DELIMITERS = ",;\t|"
BY_SUFFIX = {".tsv": "\t", ".tab": "\t"}
EMPTY = "(empty)"
MOMENTS = ("DATE", "TIMESTAMP")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the lines of a file become fields."""

    delimiter: str
    quote: str
    has_header: bool
    skipped: int
    types: tuple[str, ...]
    timestamp_format: str | None
    """Of times in ISO 8601; other dates are read column by column."""

    def notes(self) -> tuple[str, ...]:
        """As shown to the user."""
        shown = {"\t": "tab"}.get(self.delimiter, self.delimiter)
        return (f"delimiter: {shown}", f"quote: {self.quote}", "header: first line")

    def options(self) -> dict[str, Any]:
        """For the database, which then detects nothing on its own."""
        times = {"timestamp_format": self.timestamp_format} if self.timestamp_format else {}
        return {
            "auto_detect": False,
            "hive_partitioning": False,
            "delimiter": self.delimiter,
            "quotechar": self.quote,
            "escapechar": self.quote,
            **times,
        }


@dataclass(frozen=True, slots=True)
class CellReading:
    """How the texts of the file become values."""

    types: Mapping[str, str]
    reading: TableReading
    dates: Mapping[str, DateForm] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    """How many cells of a column are read as missing."""

    def stored(self, name: str, wanted: Collection[str]) -> str:
        """The type that the database reads a column as."""
        return "VARCHAR" if name not in wanted or self._is_computed(name) else self.types[name]

    def columns(self, wanted: Collection[str]) -> str | None:
        """SQL of all columns; None if the database has already read each of them as it should be."""
        if not any(self._is_computed(name) for name in self.types):
            return None
        cells = {
            name: self._value(name) if name in wanted else self._text(name)
            for name in self.types
            if self._is_computed(name)
        }
        return ", ".join(f"{cells.get(name, quoted(name))} AS {quoted(name)}" for name in self.types)

    def _is_computed(self, name: str) -> bool:
        decimal = self.reading.decimal == "," and self.types[name] == "DOUBLE"
        return name in self.dates or name in self.missing or decimal

    def _text(self, name: str) -> str:
        return missing_sql(quoted(name), self.reading.null if name in self.missing else ())

    def _value(self, name: str) -> str:
        text, kind = self._text(name), self.types[name]
        if name in self.dates:
            return self.dates[name].read(text)
        if kind == "DOUBLE" and self.reading.decimal == ",":
            text = f"replace({text}, ',', '.')"
        return text if kind == "VARCHAR" else f"CAST({text} AS {kind})"


def read_delimited(session: Session, paths: Sequence[Path], settings: ScanSettings) -> Scan:
    """Files of one dialect and one header, scanned lazily once every row has been seen to fit."""
    perhaps = settings.reading.encoding if settings.reading.is_lenient else None
    encodings = [encoding_of(path, settings.csv.encoding, otherwise=perhaps) for path in paths]
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
        detected = dict(zip(names, dialect.types, strict=True))
        cells, changed = _cells(texts, detected, settings.reading, place)
    notes = (*dialect.notes(), f"encoding: {encodings[0]}", *unnamed, *changed, *_reading_notes(cells))

    def typed(wanted: Collection[str]) -> DuckDBPyRelation:
        some = {name: cells.stored(name, wanted) for name in cells.types}
        rows, columns = _relation(session, files, dialect, some), cells.columns(wanted)
        return rows if columns is None else rows.project(columns)

    text = TextForm(dialect.delimiter, dialect.timestamp_format, typed)
    return Scan(typed(names), notes, Form(text, dates=cells.dates, reading=settings.reading))


def _cells(
    texts: DuckDBPyRelation, detected: Mapping[str, str], reading: TableReading, place: str
) -> tuple[CellReading, tuple[str, ...]]:
    """How every column is read, and notes on the columns that had to become text."""
    for name in reading.formats:
        if name and name not in detected and not reading.is_lenient:
            raise UnknownColumn.among(name, list(detected), source=place)
    missing = missing_counts(texts, list(detected), reading.null)
    if missing:
        shown = [
            f"{missing_sql(quoted(name), reading.null)} AS {quoted(name)}"
            if name in missing
            else quoted(name)
            for name in detected
        ]
        texts = texts.project(", ".join(shown))
    given = given_forms(
        texts, _maybe_dates(detected, reading), reading.formats, place=place, lenient=reading.is_lenient
    )
    plain = {name: "VARCHAR" if name in given else kind for name, kind in detected.items()}
    types, changed = fitting_types(texts, plain, decimal=reading.decimal or ".")
    unknown = [name for name, kind in types.items() if kind == "VARCHAR" and name not in given]
    found = find_forms(texts, unknown, only_iso=reading.general_format is not None)
    dates = {**given, **{name: forms[0] for name, forms in found.items() if len(forms) == 1}}
    types |= {name: form.kind for name, form in dates.items()}
    return CellReading(types, reading, dates, missing), changed


def _maybe_dates(detected: Mapping[str, str], reading: TableReading) -> list[str]:
    """Columns to which a given format may apply: digits alone may be dates if the format has no marks."""
    general = reading.general_format
    bare = general is not None and not re.sub(r"%-?[A-Za-z]", "", general)
    return [
        name
        for name, kind in detected.items()
        if name in reading.formats or kind == "VARCHAR" or (bare and kind == "BIGINT")
    ]


def _reading_notes(cells: CellReading) -> tuple[str, ...]:
    decimal = (f"decimals: {cells.reading.decimal}",) if cells.reading.decimal else ()
    return (*decimal, *reading_notes(cells.dates, cells.missing, cells.reading.null))


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
    dialect, first = _sniffed(session, path, file, given, settings.reading)
    if given is None and len(dialect.types) == 1:
        # Lines of unequal length make the detection give up and see one wide column.
        likely = max(DELIMITERS, key=first.count)
        if likely in first:
            dialect, _ = _sniffed(session, path, file, likely, settings.reading)
    if dialect.skipped:
        raise BadData(
            f"{path}: the first lines do not have as many fields as the others.",
            hint="Remove what stands before the header, and give every column a name.",
        )
    return replace(dialect, quote='"') if dialect.quote == EMPTY else dialect


def _sniffed(
    session: Session, path: Path, file: Path, delimiter: str | None, reading: TableReading
) -> tuple[Dialect, str]:
    # Broken rows must not spoil the detection once the delimiter is known: reading finds their lines.
    options = f", delim={literal(delimiter)}, ignore_errors=true" if delimiter else ""
    plain = [value for value in reading.null if not set(value) & {*DELIMITERS, '"', delimiter}]
    if plain:  # the detection takes no text with a delimiter in it
        options += f", nullstr=[{', '.join(map(literal, ('', *plain)))}]"
    if reading.decimal:
        options += f", decimal_separator={literal(reading.decimal)}"
    with without_values(str(path)):
        found = session.connection.execute(f"FROM sniff_csv(?{options})", [exact(file)]).fetchone()
    if found is None:
        raise BadData(f"{path} is empty.", hint="Name another file.")
    local = {
        kind for kind, form in zip(MOMENTS, found[8:10], strict=True) if form and not form.startswith(ISO)
    }
    types = [column["type"] for column in found[7]]
    dialect = Dialect(
        delimiter=found[0],
        quote=found[1],
        skipped=found[5],
        has_header=found[6],
        types=tuple("VARCHAR" if kind in local else kind for kind in types),
        timestamp_format=None if "TIMESTAMP" in local else found[9],
    )
    return dialect, str(found[7][0]["name"])
