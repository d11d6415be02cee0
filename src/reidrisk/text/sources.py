"""Corpora to sample from: a folder of .txt files, JSON lines, CSV, or any annotated corpus.

A source is read twice: once for ids and groups, once to copy the documents that were drawn, unchanged.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Protocol

from reidrisk.core.csv_rows import DELIMITERS, csv_rows
from reidrisk.core.files import whole_file
from reidrisk.core.shown_ids import shown_document
from reidrisk.errors import BadData, UnknownColumn, UnmatchedDocuments, UnreadableFile
from reidrisk.text.corpus import Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.jsonl import write_jsonl
from reidrisk.text.formats.location import ErrorsAt, Location, display_path
from reidrisk.text.formats.reader import ReadSettings, file_errors
from reidrisk.text.formats.strict_json import LINE_SUFFIXES, json_lines
from reidrisk.text.read import read_documents

ID_NAMES = ("doc_id", "document_id", "note_id", "id", "document")
TEXT_NAMES = ("text", "note_text", "note", "document_text", "body")


class TextSource(Protocol):
    """A corpus to sample from."""

    def documents(self) -> Iterator[Document]:
        """The documents with their ids and fields, mostly without text."""

    def copy(self, chosen: Collection[str], folder: Path) -> dict[str, str]:
        """Write the chosen documents unchanged into a folder; return the file of each."""


def open_texts(path: str | Path, *, format: str | None = None) -> TextSource:  # noqa: A002 - as for readers
    """Open the corpus at a path; `format` is for annotated files only."""
    root = Path(path)
    with file_errors(root):
        is_folder, is_file = root.is_dir(), root.is_file()
        notes = sorted(found for found in root.rglob("*.txt") if _counts(found, root)) if is_folder else []
    if not (is_folder or is_file or root.exists()):
        raise UnreadableFile.missing(display_path(root))
    if not (is_folder or is_file):
        raise UnreadableFile(f"{display_path(root)} is neither a file nor a folder.", hint="Check the path.")
    if format is not None:
        return _AnnotatedCorpus(root, format)
    if notes:
        return _TextFolder(root, notes)
    if is_file and root.suffix.lower() in LINE_SUFFIXES:
        return _JsonLines(root)
    if is_file and root.suffix.lower() in DELIMITERS:
        return _CsvTable(root)
    return _AnnotatedCorpus(root, None)


def each_once(documents: Iterator[Document]) -> Iterator[Document]:
    """Refuse an id that occurs twice: nobody could tell which document was drawn."""
    seen: set[str] = set()
    for number, document in enumerate(documents, start=1):
        if document.id in seen:
            raise UnmatchedDocuments(
                f"The corpus contains {shown_document(document.id, number)} twice.",
                hint="Give every document a unique id.",
            )
        seen.add(document.id)
        yield document


def _counts(path: Path, root: Path) -> bool:
    return path.is_file() and not any(part.startswith(".") for part in path.relative_to(root).parts)


class _TextFolder:
    """One .txt file per document; inner folders are part of the id."""

    def __init__(self, root: Path, notes: list[Path]) -> None:
        self._root = root
        self._notes = {note.relative_to(root).with_suffix("").as_posix(): note for note in notes}

    def documents(self) -> Iterator[Document]:
        """The documents without text: only names are needed."""
        for name, note in self._notes.items():
            with ErrorsAt(display_path(note)):
                yield Document(fields.document_id(name, "name"), (), None, display_path(note))

    def copy(self, chosen: Collection[str], folder: Path) -> dict[str, str]:
        """Copy the files unchanged into the same folders, with brat annotations beside a text."""
        files = {}
        for name in sorted(chosen):
            note = self._notes[name]
            for source in (note, note.with_suffix(".ann")):
                if source is note or source.is_file():
                    target = folder / source.relative_to(self._root)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with file_errors(source):
                        shutil.copyfile(source, target)
            files[name] = note.relative_to(self._root).as_posix()
        return files


class _JsonLines:
    """One object per line with an id and a text; all other fields can be used for grouping."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _lines(self) -> Iterator[tuple[str, Location, dict[str, Any]]]:
        for place, record in json_lines(self._path, ReadSettings()):
            with ErrorsAt(place):
                content = fields.object_of(record, "the line")
                key = next((name for name in ID_NAMES if name in content), "doc_id")
                name = fields.document_id(content.get(key), key)
                if not any(type(content.get(text)) is str for text in TEXT_NAMES):
                    raise UnreadableFile(
                        "the document has no text.", hint=f"Give it under one of: {', '.join(TEXT_NAMES)}."
                    )
            yield name, place, content

    def documents(self) -> Iterator[Document]:
        """The documents with ids and fields."""
        leave_out = frozenset((*ID_NAMES, *TEXT_NAMES, "entities", "spans"))
        for name, place, content in self._lines():
            yield Document(name, (), None, place.source, about=fields.about_of(content, leave_out=leave_out))

    def copy(self, chosen: Collection[str], folder: Path) -> dict[str, str]:
        """Copy the records with all their fields."""
        target = folder / "documents.jsonl"
        with whole_file(target) as file:
            for name, _, content in self._lines():
                if name in chosen:
                    file.write(json.dumps(content, ensure_ascii=False) + "\n")
        return dict.fromkeys(sorted(chosen), target.name)


class _CsvTable:
    """One row per document; all other columns can be used for grouping."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._delimiter = DELIMITERS[path.suffix.lower()]

    def _rows(self) -> Iterator[list[str]]:
        with file_errors(self._path):
            try:
                yield from (row for _, row in csv_rows(self._path))
            except (csv.Error, UnicodeDecodeError):
                raise UnreadableFile(
                    f"{display_path(self._path)} is not a CSV file in UTF-8.",
                    hint="Save it as UTF-8 with quotes around texts that contain commas or line ends.",
                ) from None

    def _records(self) -> Iterator[tuple[str, list[str], list[str]]]:
        """Id, header and cells of every row."""
        rows = self._rows()
        head = next(rows, [])
        name_at = _column(head, ID_NAMES, self._path)
        _column(head, TEXT_NAMES, self._path)
        for number, row in enumerate(rows, start=2):
            if not row:
                continue
            if len(row) != len(head):
                raise BadData(
                    f"{display_path(self._path)}, row {number}, has {len(row)} cells; "
                    f"the header has {len(head)}.",
                    hint="Put quotes around texts that contain commas or line ends.",
                )
            with ErrorsAt(Location(display_path(self._path), number)):
                yield fields.document_id(row[name_at], head[name_at]), head, row

    def documents(self) -> Iterator[Document]:
        """The documents with ids and columns."""
        source = display_path(self._path)
        for name, head, row in self._records():
            about = tuple(
                (column, cell)
                for column, cell in zip(head, row, strict=True)
                if column not in (*ID_NAMES, *TEXT_NAMES) and fields.looks_like_name(cell)
            )
            yield Document(name, (), None, source, about=about)

    def copy(self, chosen: Collection[str], folder: Path) -> dict[str, str]:
        """Copy the rows, with the header."""
        target = folder / f"documents{self._path.suffix.lower()}"
        with whole_file(target) as file:
            writer = csv.writer(file, delimiter=self._delimiter, lineterminator="\n")
            for number, (name, head, row) in enumerate(self._records()):
                if number == 0:
                    writer.writerow(head)
                if name in chosen:
                    writer.writerow(row)
        return dict.fromkeys(sorted(chosen), target.name)


class _AnnotatedCorpus:
    """A corpus in one of the annotation formats; its annotations are kept."""

    def __init__(self, path: Path, format: str | None) -> None:  # noqa: A002
        self._path, self._format = path, format

    def documents(self) -> Iterator[Document]:
        """The documents as the reader returns them."""
        return read_documents(self._path, format=self._format)

    def copy(self, chosen: Collection[str], folder: Path) -> dict[str, str]:
        """Write the documents as our own JSON lines."""
        target = folder / "documents.jsonl"
        write_jsonl((document for document in self.documents() if document.id in chosen), target)
        return dict.fromkeys(sorted(chosen), target.name)


def _column(head: list[str], names: tuple[str, ...], path: Path) -> int:
    found = next((name for name in names if name in head), None)
    if found is None:
        raise UnknownColumn(
            f"{display_path(path)} has none of the columns {', '.join(names)}.",
            hint=f"The columns are: {', '.join(head) or 'none'}.",
        )
    return head.index(found)
