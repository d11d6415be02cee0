"""Read the rows of a delimited text file strictly: quotes must be closed, and cells may be very long."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from reidrisk.core.input_limits import FIELD
from reidrisk.core.wording import path_text

DELIMITERS = {".csv": ",", ".tsv": "\t"}
"""By the suffix of a file."""


def csv_rows(path: Path, *, encoding: str = "utf-8-sig", skip: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the position in the file after each row, and its cells; the suffix decides the delimiter.

    `skip` is the number of bytes before the text, such as a byte order mark. The caller explains a
    `csv.Error` and a `UnicodeDecodeError`.
    """
    csv.field_size_limit(FIELD.now())
    with path.open("rb") as raw:
        raw.seek(skip)
        text = io.TextIOWrapper(raw, encoding=encoding, newline="")
        try:
            for row in csv.reader(text, delimiter=DELIMITERS[path.suffix.lower()], strict=True):
                yield raw.tell(), row
        except csv.Error as error:
            if "field larger" in str(error):
                raise FIELD.exceeded(path_text(path)) from None
            raise
        finally:
            text.detach()
