"""Read the rows of a delimited text file strictly: quotes must be closed, and cells may be very long."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

DELIMITERS = {".csv": ",", ".tsv": "\t"}
"""By the suffix of a file."""
LONGEST_CELL = 2**31 - 1
"""A cell may hold a whole document."""


def csv_rows(path: Path, *, encoding: str = "utf-8-sig", skip: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the position in the file after each row, and its cells; the suffix decides the delimiter.

    `skip` is the number of bytes before the text, such as a byte order mark. The caller explains a
    `csv.Error` and a `UnicodeDecodeError`.
    """
    csv.field_size_limit(LONGEST_CELL)
    with path.open("rb") as raw:
        raw.seek(skip)
        text = io.TextIOWrapper(raw, encoding=encoding, newline="")
        try:
            for row in csv.reader(text, delimiter=DELIMITERS[path.suffix.lower()], strict=True):
                yield raw.tell(), row
        finally:
            text.detach()
