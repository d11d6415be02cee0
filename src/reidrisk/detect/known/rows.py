"""Rows of known values, and the kind of each value."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from reidrisk.errors import MissingPackage, UnreadableFile

ValueKind = Literal["name", "date", "age", "phone", "id", "text"]
_NAMES = (
    ("age", re.compile(r"(?:^|[\W_])age(?:$|[\W_])|^age")),
    ("date", re.compile(r"date|dob|birth|dtc$|_dt$|^dt_|day")),
    ("phone", re.compile(r"phone|tel(?:$|[\W_])|fax|mobile|cell")),
    ("name", re.compile(r"name|surname|first|last|given|family|patient$|doctor|physician|kin")),
    ("id", re.compile(r"id$|^id|mrn|ssn|number|num$|no$|account|record|subj|code|identifier")),
)
TYPES: dict[ValueKind, str] = {
    "name": "NAME",
    "date": "DATE",
    "age": "AGE",
    "phone": "PHONE",
    "id": "IDNUM",
    "text": "OTHER",
}
_TYPE_OF_COLUMN = (
    ("MEDICALRECORD", re.compile(r"mrn|medical.?record")),
    ("SSN", re.compile(r"ssn|social")),
    ("FAX", re.compile(r"fax")),
    ("EMAIL", re.compile(r"e-?mail")),
    ("CITY", re.compile(r"city|town")),
    ("STATE", re.compile(r"state")),
    ("ZIP", re.compile(r"zip|postal|postcode")),
    ("STREET", re.compile(r"street|address")),
    ("COUNTRY", re.compile(r"country")),
    ("HOSPITAL", re.compile(r"hospital|site|clinic|facility")),
    ("PROFESSION", re.compile(r"job|occupation|profession")),
    ("HEALTHPLAN", re.compile(r"plan|member|insurance|policy")),
    ("ACCOUNT", re.compile(r"account")),
)
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?")
_SLASHES = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})")
_OTHER = re.compile(
    r"(?:19|20)\d{6}|(?:19|20)\d\d/\d\d?/\d\d?|\d{1,2}[ -]?[A-Za-z]{3,9}[ -]?\d{4}"
    r"|[A-Za-z]{3,9} \d{1,2}, \d{4}"
)
"""Values that the formats below can read: a quick check before the slower parsing."""
_FORMATS = ("%d%b%Y", "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%b %d, %Y", "%Y%m%d", "%Y/%m/%d")


def kind_of(column: str, value: str) -> ValueKind:
    """The kind of a value; the column name decides unless the value does not fit."""
    named = _kind_from_name(column)
    if named == "age":
        return "age" if value.isdigit() and int(value) < 130 else "text"
    if dates_of(value):
        return "date"
    if named == "phone" and sum(character.isdigit() for character in value) >= 7:
        return "phone"
    if named == "name" and not any(character.isdigit() for character in value):
        return "name"
    if named == "id" or any(character.isdigit() for character in value):
        return "id"
    return "text"


@lru_cache(maxsize=1024)
def _kind_from_name(column: str) -> str | None:
    low = column.lower()
    return next((kind for kind, expression in _NAMES if expression.search(low)), None)


@lru_cache(maxsize=1024)
def type_of(column: str, kind: ValueKind) -> str:
    """The type of the findings for a column."""
    low = column.lower()
    if kind in ("name", "date", "age"):
        return TYPES[kind]
    return next((name for name, expression in _TYPE_OF_COLUMN if expression.search(low)), TYPES[kind])


def dates_of(value: str) -> tuple[date, ...]:
    """The dates that a value can mean: two if the order of day and month is ambiguous."""
    if iso := _ISO.fullmatch(value):
        return _dates((iso[1], iso[2], iso[3]))
    if slashes := _SLASHES.fullmatch(value):
        return _dates((slashes[3], slashes[1], slashes[2]), (slashes[3], slashes[2], slashes[1]))
    if not _OTHER.fullmatch(value):
        return ()
    for form in _FORMATS:
        try:
            return (datetime.strptime(value, form).date(),)  # noqa: DTZ007 - a day, not a moment
        except ValueError:
            continue
    return ()


def _dates(*parts: tuple[str, str, str]) -> tuple[date, ...]:
    found: dict[date, None] = {}
    for year, month, day in parts:
        try:
            found[date(int(year), int(month), int(day))] = None
        except ValueError:
            continue
    return tuple(found)


Row = list[tuple[str, str]]
"""Column names with their values; missing values are left out."""
LIST_COLUMN = "value"
_HINT = (
    "Use a CSV, TSV, JSON, JSON lines or Parquet file (one row per person) or a list (one value per line)."
)


def read_rows(path: Path) -> Iterator[Row]:
    """Read the rows of a file; the file extension decides the format."""
    try:
        yield from _READERS.get(path.suffix.lower(), _read_list)(path)
    except FileNotFoundError:
        raise UnreadableFile.missing(path) from None
    except (OSError, ValueError, csv.Error, RecursionError):
        raise UnreadableFile(f"The known-values file {path.name!r} cannot be read.", hint=_HINT) from None


def _read_delimited(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        head = file.readline()
        file.seek(0)
        delimiter = max(",;\t|", key=head.count) if path.suffix.lower() != ".tsv" else "\t"
        for record in csv.DictReader(file, delimiter=delimiter):
            yield _row((name, value) for name, value in record.items() if isinstance(name, str))


def _json(path: Path) -> Iterator[Row]:
    content = json.loads(path.read_text(encoding="utf-8-sig"))
    for record in content if isinstance(content, list) else [content]:
        yield _record(record)


def _json_lines(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig") as file:
        for line in file:
            if line.strip():
                yield _record(json.loads(line))


def _record(record: Any) -> Row:
    if not isinstance(record, dict):
        return _row([(LIST_COLUMN, record)])
    return _row(
        (str(name), one)
        for name, value in record.items()
        for one in (value if isinstance(value, list) else [value])
    )


def _parquet(path: Path) -> Iterator[Row]:
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise MissingPackage.of_extra("pyarrow", "io") from None
    with ParquetFile(path) as file:
        for batch in file.iter_batches():
            yield from (_row(record.items()) for record in batch.to_pylist())


def _read_list(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig") as file:
        for line in file:
            if line.strip():
                yield [(LIST_COLUMN, line.strip())]


def _row(items: Iterable[tuple[str, Any]]) -> Row:
    return [(name, str(value).strip()) for name, value in items if value is not None and str(value).strip()]


_READERS = {
    ".csv": _read_delimited,
    ".tsv": _read_delimited,
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet,
    ".pq": _parquet,
}
