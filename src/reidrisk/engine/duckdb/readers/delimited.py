"""Text files: delimiter, encoding and types are detected, and what was detected is said."""

from __future__ import annotations

import codecs
import gzip
import re
import shutil
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from reidrisk.core.encoding import HEAD, byte_order_mark
from reidrisk.core.input_limits import COLUMNS, LINE, check_part
from reidrisk.core.reading import TableReading
from reidrisk.core.wording import path_text, plural
from reidrisk.engine.budget import budget
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.many_columns import aggregated
from reidrisk.engine.duckdb.names import distinct_names, exact, filled_names, literal, quoted
from reidrisk.engine.duckdb.readers.dates import (
    ISO,
    DateForm,
    find_forms,
    given_forms,
    missing_counts,
    missing_sql,
    reading_notes,
)
from reidrisk.engine.duckdb.readers.stored import read_parquet
from reidrisk.engine.duckdb.scan import ROW, Form, Scan, TextForm, same_columns
from reidrisk.engine.duckdb.session import Session
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, UnknownColumn, UnreadableFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


def encoding_of(path: Path, given: str | None, *, otherwise: str | None = None) -> str:
    """The encoding named, or what the first bytes say; `otherwise` if the text is not in that."""
    if given is not None:
        return codecs.lookup(given).name
    with path.open("rb") as file:
        found = byte_order_mark(file.read(HEAD))
    if found.encoding in ("utf-16-le", "utf-16-be"):
        return "utf-16"
    return "utf-8" if otherwise is None or _is_utf_8(path) else codecs.lookup(otherwise).name


def _is_utf_8(path: Path) -> bool:
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8", newline="") as file:
            while file.read(1 << 20):
                pass
    except (UnicodeError, OSError, EOFError, zlib.error):
        return False
    return True


def readable(session: Session, path: Path, encoding: str) -> Path:
    """The file itself, or its text as UTF-8 in the work folder.

    The database would read a compressed file that was cut short without a word; Python notices.
    """
    packed = path.suffix.lower() == ".gz"
    if encoding == "utf-8" and not packed:
        return path
    copy = session.work_file(".csv")
    opened = gzip.open if packed else open
    try:
        with (
            opened(path, "rt", encoding=encoding, newline="") as source,
            copy.open("w", encoding="utf-8", newline="") as target,
        ):
            if packed:
                _unpack(source, target, path)
            else:
                shutil.copyfileobj(source, target, 1 << 20)
    except UnicodeError:
        raise UnreadableFile(
            f"{path}: the text is not in the encoding {encoding}.",
            hint="Try cp1252, latin-1 or utf-8.",
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is damaged"
        raise UnreadableFile(f"{path} cannot be read: {reason}.", hint="Check that it is complete.") from None
    return copy


def _unpack(source: IO[str], target: IO[str], path: Path) -> None:
    """Copy a compressed text; one that grows out of all proportion fills no disk."""
    size, packed = 0, path.stat().st_size
    while text := source.read(1 << 20):
        size += len(text)
        check_part(size, packed, path_text(path))
        target.write(text)


CODE = r"^\s*[-+]?0[0-9]|^\s*[-+]?[0-9]{16,}\s*$"
"""Leading zeros and very long numbers are codes: as numbers different ones would become equal."""


def fitting_types(
    texts: DuckDBPyRelation, types: Mapping[str, str], *, decimal: str = "."
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The types that lose nothing on any row, and a note for each that had to give way to text."""
    doubtful = {name: kind for name, kind in types.items() if kind != "VARCHAR"}
    misfits = _counts(texts, {name: _fits(name, kind, decimal) for name, kind in doubtful.items()})
    whole = [name for name, number in misfits.items() if number and types[name] == "BIGINT"]
    inexact = _counts(texts, {name: _fits(name, "DOUBLE", decimal) for name in whole}) if whole else {}
    fitted, notes = dict(types), []
    for name, number in misfits.items():
        if number:
            is_decimal = inexact.get(name) == 0
            fitted[name] = "DOUBLE" if is_decimal else "VARCHAR"
            shown = "decimal numbers" if is_decimal else "text"
            if types[name] == "BOOLEAN":
                continue  # F is a sex, not a "false": nobody has to hear of it
            notes.append(f"column {name!r} is read as {shown}: {_reason(number, types[name])}")
    return fitted, tuple(notes)


def _counts(texts: DuckDBPyRelation, fits: Mapping[str, str]) -> dict[str, int]:
    """How many values of each column do not fit."""
    tests = [
        f"count(*) FILTER (WHERE {quoted(name)} IS NOT NULL AND ({test}) IS NOT TRUE)"
        for name, test in fits.items()
    ]
    return dict(zip(fits, map(int, aggregated(texts, tests)), strict=True))


def _reason(misfits: int, kind: str) -> str:
    verb = "does" if misfits == 1 else "do"
    return f"{plural(misfits, 'value')} {verb} not fit {kind}"


def _fits(name: str, kind: str, decimal: str) -> str:
    column = quoted(name)
    if kind in {"BIGINT", "DATE", "BOOLEAN"}:
        return f"TRY_CAST({column} AS {kind})::VARCHAR = {column}"
    if kind != "DOUBLE":
        return f"TRY_CAST({column} AS {kind}) IS NOT NULL"
    # With a decimal comma a point stands between thousands, if anywhere: 1.234 would be another number.
    text = f"replace({column}, ',', '.')" if decimal == "," else column
    point = f" AND NOT contains({column}, '.')" if decimal == "," else ""
    number = f"TRY_CAST({text} AS DOUBLE) IS NOT NULL"
    return f"{number}{point} AND NOT regexp_matches({text}, {literal(CODE)})"


IN_MEMORY = 0.05
"""Texts up to this share of the budget stay in memory, where they take about twice the size of the file, and
can be moved out of the way; more is kept as Parquet in the work folder, which takes as long as two parses."""
DELIMITERS = ",;\t|"
BY_SUFFIX = {".tsv": "\t", ".tab": "\t"}
EMPTY = "(empty)"
MOMENTS = ("DATE", "TIMESTAMP")


def _longer_lines() -> dict[str, str]:
    """The length of lines for the database, if it is not what it allows by itself."""
    if LINE.now() == LINE.most:
        return {}
    return {"max_line_size": str(LINE.now()), "buffer_size": str(16 * LINE.now())}


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

    def rows(
        self, session: Session, files: Sequence[Path], names: Sequence[str], *, header: bool
    ) -> DuckDBPyRelation:
        """The texts of the cells, read lazily; the database detects nothing on its own."""
        times = {"timestampformat": literal(self.timestamp_format)} if self.timestamp_format else {}
        types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
        options = {
            "auto_detect": "false",
            "hive_partitioning": "false",
            "header": str(header).lower(),
            "columns": f"{{{types}}}",
            "delim": literal(self.delimiter),
            "quote": literal(self.quote),
            "escape": literal(self.quote),
            **_longer_lines(),
            **times,
        }
        return session.text_rows(files, options)


@dataclass(frozen=True, slots=True)
class CellReading:
    """How the texts of the file become values."""

    types: Mapping[str, str]
    reading: TableReading
    dates: Mapping[str, DateForm] = field(default_factory=dict)
    missing: Mapping[str, int] = field(default_factory=dict)
    """How many cells of a column are read as missing."""

    def columns(self, wanted: Collection[str]) -> str:
        """SQL of all columns: the wanted ones as values, the others as texts."""
        cells = {name: self._value(name) if name in wanted else self._text(name) for name in self.types}
        return ", ".join(f"{cell} AS {quoted(name)}" for name, cell in cells.items())

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
    _check_head(files[0], settings, str(paths[0]))
    dialect = _detected(session, paths[0], files[0], settings)
    COLUMNS.check(len(dialect.types), str(paths[0]))
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
        texts = _parsed(session, files, dialect, names)
        detected = dict(zip(names, dialect.types, strict=True))
        cells, changed = _cells(texts.relation, detected, settings.reading, place)
    notes = (*dialect.notes(), f"encoding: {encodings[0]}", *unnamed, *changed, *_reading_notes(cells))

    def typed(wanted: Collection[str]) -> DuckDBPyRelation:
        return texts.relation.project(cells.columns(wanted))

    text = TextForm(dialect.delimiter, dialect.timestamp_format, typed)
    form = Form(text, dates=cells.dates, reading=settings.reading)
    places = None if texts.numbered is None else texts.numbered.project(f"{cells.columns(names)}, {ROW}")
    return Scan(typed(names), notes, form, places)


def _check_head(file: Path, settings: ScanSettings, place: str) -> None:
    """Refuse too many columns before the database looks at them; with quotes, only the database knows."""
    with file.open("rb") as opened:
        head = opened.readline(LINE.now() + 1)
    if b'"' in head:
        return
    marks = [settings.csv.delimiter] if settings.csv.delimiter else DELIMITERS
    COLUMNS.check(max(head.count(mark.encode()) for mark in marks) + 1, place)


def _parsed(session: Session, files: Sequence[Path], dialect: Dialect, names: Sequence[str]) -> Scan:
    """The texts of all cells: the files are parsed here, once, and never again.

    Each row is read to its end: a broken one is found now and not half-way.
    """
    rows = dialect.rows(session, files, names, header=True)
    if sum(file.stat().st_size for file in files) <= budget() * IN_MEMORY:
        return Scan(session.kept(rows))
    return read_parquet(session, [session.stored(rows)], ScanSettings())


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


def _header(session: Session, path: Path, file: Path, dialect: Dialect) -> tuple[str, ...]:
    columns = [f"c{place}" for place in range(len(dialect.types))]
    with without_values(str(path)):
        row = dialect.rows(session, [file], columns, header=False).limit(1).fetchone()
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
    options += "".join(f", {name}={number}" for name, number in _longer_lines().items())
    plain = [value for value in reading.null if not set(value) & {*DELIMITERS, '"', delimiter}]
    if plain:  # the detection takes no text with a delimiter in it
        options += f", nullstr=[{', '.join(map(literal, ('', *plain)))}]"
    if reading.decimal:
        options += f", decimal_separator={literal(reading.decimal)}"
    with without_values(str(path)):
        found = session.connection.execute(f"FROM sniff_csv({literal(exact(file))}{options})").fetchone()
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
