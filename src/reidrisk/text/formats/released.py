"""Texts as they would be released, without offsets: redacted with marks, or with surrogates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reidrisk.core.shown_ids import shown_document
from reidrisk.text.alignment.marks import shows_marks
from reidrisk.text.corpus import Document, ReleasedText
from reidrisk.text.formats import fields
from reidrisk.text.formats.location import ErrorsAt, display_path, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.reader import ReadSettings, SourceFile, load_text, with_suffix
from reidrisk.text.formats.strict_json import LINE_SUFFIXES, json_lines

TEXT = ".txt"
_ANNOTATIONS = (
    ".ann",
    ".json",
    ".xml",
    ".xmi",
    ".spacy",
    ".conll",
    ".bio",
    ".tsv",
    ".deid",
    ".phi",
    ".phrase",
)
"""If there is such a file, the .txt files beside it belong to it."""
_MARKED = ("entities", "spans", "results", "label", "labels", "items")


class RedactedReader:
    """Redacted texts; the gold standard contains their originals."""

    name = "redacted"
    title = 'redacted text: NAME.txt or {"doc_id", "text"} with marks such as [**…**], [NAME], ████, *****'

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Plain texts without annotations beside them, and files of JSON lines."""
        return _texts(files)

    def recognizes(self, path: SourceFile, head: bytes) -> bool:
        """Whether it is a text with marks. A text with an .ann file was already recognized as brat."""
        if not shows_marks(head.decode("utf-8", "ignore")):
            return False
        if path.suffix.lower() in LINE_SUFFIXES:
            return _is_text_only(first_value(head).value)
        return path.suffix.lower() == TEXT

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of a text file, named like the file, or one document per line."""
        for name, text, source in _released(path, settings):
            yield Document(name, (), source=source, released=ReleasedText(text, "redacted"))


class SurrogateReader:
    """Texts from a whole pipeline; replaced values are not marked, so the format must be named."""

    name = "surrogate"
    title = 'de-identified text of a whole pipeline, with surrogates: NAME.txt or {"doc_id", "text"}'

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Plain texts without annotations beside them, and files of JSON lines."""
        return _texts(files)

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - any text looks like this
        """Never: a text without marks may be anything."""
        return False

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The document of a text file, named like the file, or one document per line."""
        for name, text, source in _released(path, settings):
            yield Document(name, (), source=source, released=ReleasedText(text, "surrogate"))


def _texts(files: Sequence[SourceFile]) -> list[SourceFile]:
    lines = with_suffix(files, *LINE_SUFFIXES)
    return lines if lines or with_suffix(files, *_ANNOTATIONS) else with_suffix(files, TEXT)


def _is_text_only(value: Any) -> bool:
    return isinstance(value, dict) and {"doc_id", "text"} <= value.keys() and not value.keys() & set(_MARKED)


def _released(path: SourceFile, settings: ReadSettings) -> Iterator[tuple[str, str, str]]:
    """Id, text and source of every document of a file."""
    if path.suffix.lower() not in LINE_SUFFIXES:
        text = load_text(path, settings)
        with ErrorsAt(display_path(path)):
            yield display_path(path.stem), _whole(text), display_path(path)
        return
    for place, record in json_lines(path, settings):
        with ErrorsAt(place):
            name, text = released_text(record)
        yield name, text, place.source


def released_text(record: Any) -> tuple[str, str]:
    """Id and text of one line."""
    record = fields.object_of(record, "the line")
    name = fields.document_id(record.get("doc_id"), "doc_id")
    text = fields.optional_text(record.get("text"), "text")
    if text is None:
        hint = 'Write {"doc_id", "text"}, the text as it would be released.'
        raise unreadable(f"{shown_document(name)} has no text", hint=hint)
    return name, _whole(text)


def _whole(text: str) -> str:
    if "\0" in text:
        raise unreadable("the text contains a NUL character", hint="Save the text as UTF-8, not UTF-16.")
    return text
