"""Texts in the rows of CSV, JSON lines and Parquet files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.csv_rows import DELIMITERS, csv_rows
from reidrisk.core.files import whole_file, whole_path
from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, MissingPackage, UnknownColumn, UnreadableFile
from reidrisk.resynthesis.corpus.note import Note, NoteSource, SourceOptions, Write, person_in
from reidrisk.resynthesis.corpus.plain_text import (
    Encoding,
    TextFile,
    TextFolder,
    binary_file_error,
    encoding_error,
    encoding_of,
)
from reidrisk.text.formats import fields
from reidrisk.text.formats.location import ErrorsAt, unreadable
from reidrisk.text.formats.reader import ReadSettings, file_errors
from reidrisk.text.formats.strict_json import LINE_SUFFIXES, json_lines


class DelimitedTable:
    """A CSV or TSV file; each text cell of a row is a note."""

    unit = "bytes"

    def __init__(self, path: Path, options: SourceOptions) -> None:
        self._path, self._options = path, options
        self._delimiter = DELIMITERS[path.suffix.lower()]
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
        """The cells of the text columns, row by row."""
        places = [self._head.index(column) for column in self._options.columns]
        person_at = None if self._options.person is None else self._head.index(self._options.person)
        rows = self._rows()
        next(rows, None)
        for number, (position, row) in enumerate(rows, start=2):
            if row and len(row) != len(self._head):
                cells = f"has {len(row)} cells, but the header has {len(self._head)}"
                raise BadData(
                    f"{path_text(self._path)}: row {number} {cells}.",
                    hint="Put quotes around texts that contain commas or line breaks.",
                )
            person = "" if person_at is None or not row else row[person_at]
            for place in places if row else ():
                yield Note(f"row {number}", person, row[place], (row, place, place == places[-1]), position)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """Write the new file, complete or not at all; quotes only where they are needed."""
        encoding: Encoding = self._encoding
        with whole_path(out, folder=False) as part:
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
        with file_errors(self._path):
            try:
                yield from self._parse()
            except csv.Error:
                raise UnreadableFile(
                    f"{path_text(self._path)} is not a valid CSV file.",
                    hint="Put quotes around texts that contain commas, quotes or line breaks.",
                ) from None
            except UnicodeDecodeError:
                raise encoding_error(self._path, self._encoding) from None

    def _parse(self) -> Iterator[tuple[int, list[str]]]:
        encoding = self._encoding
        for position, row in csv_rows(self._path, encoding=encoding.name, skip=len(encoding.mark)):
            if any("\0" in cell for cell in row):
                raise binary_file_error(self._path, position)
            yield position, row


def check_columns(path: Path, needed: tuple[str, ...], head: list[str], *, texts: tuple[str, ...]) -> None:
    """Raise an error if no text column is named, or if a named column does not exist."""
    if not texts:
        raise InvalidSetting(
            f"{path_text(path)} is a table. Which column contains the text?",
            hint=f"Name it with --column. The columns are: {', '.join(head) or 'none'}.",
        )
    for column in needed:
        if column not in head:
            raise UnknownColumn.among(column, head)


def text_columns(
    path: Path, columns: tuple[str, ...], person: str | None, head: list[str]
) -> tuple[str, ...]:
    """The text columns of a Parquet table: those named, or else the column `text`; all must exist."""
    texts = columns or ((TEXT,) if TEXT in head else ())
    check_columns(path, (*texts, *((person,) if person else ())), head, texts=texts)
    return texts


def check_text_column(schema: Any, column: str) -> None:
    """Raise an error if a column of an Arrow schema contains anything but text."""
    kind = str(schema.field(column).type)
    if "string" not in kind or "list" in kind or "struct" in kind:
        raise UnknownColumn(f"Column {column!r} contains {kind}, not text.", hint="Name a text column.")


TEXT = "text"
IDS = ("doc_id", "id", "note_id")
ANNOTATIONS = ("entities", "spans", "label", "labels", "annotations", "results", "items")
"""Fields that quote the old text or point into it; they are not written."""


class JsonLines:
    """A JSON lines file; the text of each line is replaced, its other fields stay unchanged."""

    unit = "bytes"

    def __init__(self, path: Path, options: SourceOptions) -> None:
        self._path, self._options = path, options
        self._texts = options.columns or (TEXT,)
        self._left_out: set[str] = set()
        with file_errors(path):
            self.total = path.stat().st_size

    @property
    def warnings(self) -> list[str]:
        """Fields with annotations of the old text, which are not written."""
        if not self._left_out:
            return []
        names = ", ".join(sorted(self._left_out))
        return [f"These fields were left out because they quote the old text or point into it: {names}."]

    def notes(self) -> Iterator[Note]:
        """One note for every text field of every line."""
        done = 0
        for place, value in json_lines(self._path, ReadSettings()):
            with ErrorsAt(place):
                record = fields.object_of(value, "the line")
                name = str(next((record[key] for key in IDS if key in record), ""))
                person = self._person(record, name)
                self._left_out |= record.keys() & set(ANNOTATIONS) - set(self._texts)
                kept = {
                    key: one for key, one in record.items() if key in self._texts or key not in ANNOTATIONS
                }
                for column in self._texts:
                    text = _text(record, column)
                    done += len(text)
                    last = column == self._texts[-1]
                    yield Note(name or f"line {place.line}", person, text, (kept, column, last), done)

    def _person(self, record: dict[str, Any], name: str) -> str:
        wanted = self._options.person
        if wanted is not None and wanted in record:
            return str(record[wanted])
        return person_in(name, wanted)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """Write the new file, complete or not at all."""
        with whole_file(out) as file:

            def write(note: Note, text: str) -> None:
                record, column, last = note.record
                if record[column] is not None:
                    record[column] = text
                if last:
                    file.write(json.dumps(record, ensure_ascii=False) + "\n")

            yield write


def _text(record: dict[str, Any], column: str) -> str:
    if column not in record:
        raise UnreadableFile(
            f"the line has no field {column!r}.", hint="Name the field that contains the text with --column."
        )
    text = record[column]
    if text is not None and not isinstance(text, str):
        raise unreadable(
            f"the field {column!r} does not contain text", hint="Name another field with --column."
        )
    return text or ""


PARQUET_SUFFIXES = (".parquet", ".pq")
ROWS = 512
"""Number of rows in memory at once."""


@dataclass(eq=False)
class _Batch:
    """Rows in memory, with the new texts of each column."""

    rows: Any
    texts: dict[str, list[str | None]] = field(default_factory=dict)
    waiting: int = 0


class ParquetTable:
    """A Parquet file; each text cell of a row is a note."""

    unit = "rows"

    def __init__(self, path: Path, options: SourceOptions) -> None:
        try:
            import pyarrow.parquet as pq
        except ImportError:
            raise MissingPackage.of_extra("pyarrow", "io") from None
        self._path, self._options = path, options
        self.warnings: list[str] = []
        try:
            self._file = pq.ParquetFile(path)
        except (OSError, ValueError):
            raise UnreadableFile(
                f"{path_text(path)} is not a Parquet file.", hint="Check that it is complete."
            ) from None
        self._schema = self._file.schema_arrow
        self.total = self._file.metadata.num_rows
        self._columns = text_columns(path, options.columns, options.person, self._schema.names)
        for column in self._columns:
            check_text_column(self._schema, column)

    def notes(self) -> Iterator[Note]:
        """The cells of the text columns, row by row; empty cells stay empty."""
        done = 0
        for rows in self._file.iter_batches(batch_size=ROWS):
            columns = self._columns
            batch = _Batch(rows, {name: [] for name in columns}, rows.num_rows * len(columns))
            texts = [rows.column(name).to_pylist() for name in columns]
            people = rows.column(self._options.person).to_pylist() if self._options.person else None
            for number in range(rows.num_rows):
                done += 1
                person = "" if people is None or people[number] is None else str(people[number])
                for name, cells in zip(columns, texts, strict=True):
                    cell = cells[number]
                    yield Note(f"row {done}", person, cell or "", (batch, name, cell is None), done)

    @contextmanager
    def writer(self, out: Path) -> Iterator[Write]:
        """Write the new file, complete or not at all, with the same columns and types."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        with whole_path(out, folder=False) as part, pq.ParquetWriter(part, self._schema) as file:

            def write(note: Note, text: str) -> None:
                batch, name, missing = note.record
                batch.texts[name].append(None if missing else text)
                batch.waiting -= 1
                if not batch.waiting:
                    file.write_batch(self._fill(batch, pa))

            yield write

    def _fill(self, batch: _Batch, pa: Any) -> Any:
        rows = batch.rows
        for name, texts in batch.texts.items():
            at = self._schema.get_field_index(name)
            rows = rows.set_column(at, self._schema.field(at), pa.array(texts, self._schema.field(at).type))
        return rows


def open_source(path: Path, options: SourceOptions) -> NoteSource:
    """Open a text file, a folder of text files, a table or JSON lines; the file extension decides."""
    with file_errors(path):
        folder, single = path.is_dir(), path.is_file()
    if not (folder or single):
        if not path.exists():
            raise UnreadableFile.missing(path)
        raise UnreadableFile(f"{path_text(path)} is neither a file nor a folder.", hint="Check the path.")
    suffix = path.suffix.lower()
    if single and suffix in DELIMITERS:
        return DelimitedTable(path, options)
    if single and suffix in PARQUET_SUFFIXES:
        return ParquetTable(path, options)
    if single and suffix in LINE_SUFFIXES:
        return JsonLines(path, options)
    if options.columns:
        raise InvalidSetting(
            f"{path_text(path)} is not a table and has no columns.", hint="Leave out --column for text files."
        )
    return TextFolder(path, options) if folder else TextFile(path, options)
