"""Reads the values of people: a table with one row a person, or a plain list."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from reidrisk.errors import MissingPackage, UnreadableFile

Row = list[tuple[str, str]]
"""Names of columns with their values, missing ones left out."""
LIST_COLUMN = "value"
_HINT = (
    "Give a CSV, TSV, JSON, JSON lines or Parquet file, a row for each person, or a list with a value a line."
)


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file, by the ending of its name."""
    try:
        yield from _READERS.get(path.suffix.lower(), _listed)(path)
    except FileNotFoundError:
        raise UnreadableFile(f"The file of known values {path.name!r} does not exist.", hint=_HINT) from None
    except (OSError, ValueError, csv.Error) as error:
        raise UnreadableFile(f"The file of known values {path.name!r} cannot be read.", hint=_HINT) from error


def _separated(path: Path) -> Iterator[Row]:
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


def _listed(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig") as file:
        for line in file:
            if line.strip():
                yield [(LIST_COLUMN, line.strip())]


def _row(items: Iterable[tuple[str, Any]]) -> Row:
    return [(name, str(value).strip()) for name, value in items if value is not None and str(value).strip()]


_READERS = {
    ".csv": _separated,
    ".tsv": _separated,
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet,
    ".pq": _parquet,
}
