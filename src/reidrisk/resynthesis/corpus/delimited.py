"""CSV and TSV files: some columns hold text, all others stay as they are."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from reidrisk.core.files import placed_whole
from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn, UnreadableFile
from reidrisk.resynthesis.corpus.decoding import Encoding, encoding_of, no_text, wrong_encoding
from reidrisk.resynthesis.corpus.note import Note, SourceOptions, Write
from reidrisk.text.formats.reader import file_errors

SUFFIXES = {".csv": ",", ".tsv": "\t"}
LONGEST_CELL = 2**31 - 1


class DelimitedTable:
    """A row is a note for each of its text columns."""

    unit = "bytes"

    def __init__(self, path: Path, options: SourceOptions) -> None:
        self._path, self._options = path, options
        self._delimiter = SUFFIXES[path.suffix.lower()]
        self._encoding = encoding_of(path, options.encoding)
        self.warnings: list[str] = []
        with file_errors(path):
            self.total = path.stat().st_size
            with path.open("rb") as file:
                first = file.readline(1 << 20)
        self._line_end = "\r\n" if first.rstrip(b"\0").endswith((b"\r\n", b"\r\0\n")) else "\n"
        self._head = next(self._rows(), (0, []))[1]
        needed = (*options.columns, *((options.person,) if options.person else ()))
        check_columns(path, needed, self._head, texts=options.columns)

    def notes(self) -> Iterator[Note]:
        """Cells of the text columns, row by row."""
        places = [self._head.index(column) for column in self._options.columns]
        person_at = None if self._options.person is None else self._head.index(self._options.person)
        rows = self._rows()
        next(rows, None)
        for number, (position, row) in enumerate(rows, start=2):
            if row and len(row) != len(self._head):
                cells = f"has {len(row)} cells; the head has {len(self._head)}"
                raise BadData(
                    f"{path_text(self._path)}, row {number}, {cells}.",
                    hint="Put quotes around texts that hold commas or line ends.",
                )
            person = "" if person_at is None or not row else row[person_at]
            for place in places if row else ():
                yield Note(f"row {number}", person, row[place], (row, place, place == places[-1]), position)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """A file that appears when all is written; quotes only where they are needed."""
        encoding: Encoding = self._encoding
        with placed_whole(out, folder=False) as part:
            with part.open("wb") as raw:
                raw.write(encoding.mark)
            with part.open("a", encoding=encoding.name, newline="", errors="replace") as file:
                rows = csv.writer(file, delimiter=self._delimiter, lineterminator=self._line_end)
                rows.writerow(self._head)

                def write(note: Note, text: str) -> None:
                    row, place, last = note.record
                    row[place] = text
                    if last:
                        rows.writerow(row)

                yield write

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        csv.field_size_limit(LONGEST_CELL)
        with file_errors(self._path), self._path.open("rb") as raw:
            raw.seek(len(self._encoding.mark))
            try:
                yield from self._parsed(raw)
            except csv.Error:
                raise UnreadableFile(
                    f"{path_text(self._path)} is no CSV file.",
                    hint="Put quotes around texts that hold commas, quotes or line ends.",
                ) from None
            except UnicodeDecodeError:
                raise wrong_encoding(self._path, self._encoding) from None

    def _parsed(self, raw: BinaryIO) -> Iterator[tuple[int, list[str]]]:
        import io

        text = io.TextIOWrapper(raw, encoding=self._encoding.name, newline="")
        try:
            for row in csv.reader(text, delimiter=self._delimiter, strict=True):
                if any("\0" in cell for cell in row):
                    raise no_text(self._path, raw.tell())
                yield raw.tell(), row
        finally:
            text.detach()


def check_columns(path: Path, needed: tuple[str, ...], head: list[str], *, texts: tuple[str, ...]) -> None:
    """Refuse a table whose text column is not named or not there."""
    if not texts:
        raise InvalidSetting(
            f"{path_text(path)} is a table: which column holds the text?",
            hint=f"Name it with --column. Columns are: {', '.join(head) or 'none'}.",
        )
    for column in needed:
        if column not in head:
            raise UnknownColumn.among(column, head)
