"""PhysioNet deid: records in NAME.text, and their identifiers in .deid, .phi or .phrase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from reidrisk.core.shown_ids import shown_document
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit, convert_offsets
from reidrisk.text.formats.location import (
    ErrorsAt,
    Location,
    display_path,
    locate_error,
    misaligned,
    unreadable,
)
from reidrisk.text.formats.reader import ReadSettings, SourceFile, file_errors, load_bytes, with_suffix
from reidrisk.text.formats.rulers import Ruler, utf8_ruler

PHRASE_SUFFIX = ".phrase"
UNTYPED = "PHI"
"""The type of identifiers in lists without types."""
_RECORD = re.compile(r"Patient\s+(\S+)\s+Note\s+(\S+)\s*")
_PLACE = re.compile(r"([0-9]{1,18})\s+([0-9]{1,18})\s+([0-9]{1,18})\s*")
_SHAPE = "A record is a line Patient P Note N, then one line START START END for each identifier."
_PHRASE_SHAPE = "A line is PATIENT NOTE START END TYPE PHRASE."


LISTS = (PHRASE_SUFFIX, ".deid", ".phi")
_START = re.compile(rb"START_OF_RECORD=([^|\r\n]{1,100})\|\|\|\|([^|\r\n]{1,100})\|\|\|\|\r?\n")
_END = b"||||END_OF_RECORD"
_START_SHAPE = "A record starts with a line START_OF_RECORD=PATIENT||||NOTE||||."
_LATIN = "the text was read as Latin-1"
_PAIR = "Put NAME.deid, NAME.phi or NAME-phi.phrase beside NAME.text."


class PhysioNetReader:
    """One document per record, named PATIENT-NOTE. Offsets count bytes from the start of a record."""

    name = "physionet"
    title = "PhysioNet deid: NAME.text with NAME.deid, NAME.phi or NAME-phi.phrase"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """The texts; if there are none, the lists."""
        return with_suffix(files, ".text") or with_suffix(files, *LISTS)

    def recognizes(self, path: SourceFile, head: bytes) -> bool:
        """Whether it is a text with records, or has the name of a list."""
        if path.suffix.lower() in LISTS:
            return True
        return path.suffix.lower() == ".text" and b"START_OF_RECORD=" in head

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The records of a text with the identifiers of the most informative list beside it."""
        is_text = path.suffix.lower() == ".text"
        text, marks_file = (path, _list_beside(path)) if is_text else (_text_beside(path), path)
        marks = read_list(marks_file, settings)
        if text is None:
            yield from _without_text(marks, marks_file)
            return
        notes = (f"{display_path(marks_file.name)} was read",) if is_text else ()
        for document, ruler in _records(text, settings):
            own = marks.pop(document.id, [])
            found = replace(document, annotations=tuple(mark.annotation for mark in own))
            surfaces = [mark.phrase for mark in own]
            source = Location(display_path(marks_file)).source
            done = convert_offsets(replace(found, source=source), surfaces, ruler)
            yield replace(done, notes=(*document.notes, *notes, *done.notes[len(document.notes) :]))
        if marks:
            problem = f"the text has no record {next(iter(marks))!r}"
            hint = "Check that text and list belong together."
            raise locate_error(misaligned(problem, hint=hint), display_path(marks_file))


def _list_beside(path: SourceFile) -> SourceFile:
    names = (f"{path.stem}-phi{PHRASE_SUFFIX}", *(path.stem + suffix for suffix in LISTS))
    for name in names:
        other = path.with_name(name)
        with file_errors(other):
            if other.exists():
                return other
    with ErrorsAt(display_path(path)):
        raise unreadable("there is no list of identifiers beside the text", hint=_PAIR)


def _text_beside(path: SourceFile) -> SourceFile | None:
    other = path.with_name(path.stem.removesuffix("-phi") + ".text")
    with file_errors(other):
        return other if other.exists() else None


def _without_text(marks: dict[str, list[ListedIdentifier]], path: SourceFile) -> Iterator[Document]:
    """Documents without text: only phrases show then how offsets were counted."""
    if path.suffix.lower() != PHRASE_SUFFIX:
        with ErrorsAt(display_path(path)):
            raise unreadable("the text that its offsets refer to is not beside it", hint=_PAIR)
    for name, own in marks.items():
        document = Document(name, tuple(mark.annotation for mark in own), None, display_path(path))
        yield check_fit(document, [mark.phrase for mark in own])


def _encoding(data: bytes) -> str:
    """The encoding of the text; deid itself only knows bytes."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _records(path: SourceFile, settings: ReadSettings) -> Iterator[tuple[Document, Ruler]]:
    """The texts, each with the ruler that converts bytes into characters."""
    data, source = load_bytes(path, settings), display_path(path)
    encoding = _encoding(data)
    notes = (_LATIN,) if encoding != "utf-8" else ()
    position = 0
    while match := _START.search(data, position):
        end = data.find(_END, match.end())
        with ErrorsAt(Location(source)):
            patient, note = (part.decode(encoding) for part in match.groups())
            name = fields.document_id(f"{patient}-{note}", "START_OF_RECORD")
            if end < 0 or b"START_OF_RECORD=" in data[match.end() : end]:
                problem = f"the record of {shown_document(name)} does not end"
                raise unreadable(problem, hint="A record ends with ||||END_OF_RECORD.")
        body = data[match.end() : end].decode(encoding)
        ruler = utf8_ruler(body) if encoding == "utf-8" else Ruler.of("", [])
        yield Document(name, (), body, source, notes), ruler
        position = end
    if b"START_OF_RECORD=" in data[position:]:
        with ErrorsAt(Location(source)):
            raise unreadable("the start of a record cannot be read", hint=_START_SHAPE)


class ListedIdentifier(NamedTuple):
    """An identifier in a list, with the text that the list stores for it; offsets are bytes."""

    annotation: Annotation
    phrase: str | None


def read_list(path: SourceFile, settings: ReadSettings) -> dict[str, list[ListedIdentifier]]:
    """The identifiers of each record, by its name PATIENT-NOTE."""
    data = load_bytes(path, settings)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = text.removeprefix("\ufeff").split("\n")
    phrases = path.suffix.lower() == PHRASE_SUFFIX
    marks: dict[str, list[ListedIdentifier]] = {}
    record: str | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        with ErrorsAt(Location(display_path(path), number)):
            if phrases:
                record, mark = _phrase(line.removesuffix("\r"))
                marks.setdefault(record, []).append(mark)
            elif match := _RECORD.fullmatch(line):
                record = fields.document_id(f"{match[1]}-{match[2]}", "Patient")
                marks.setdefault(record, [])
            elif record is None:
                raise unreadable("the list does not start with a record", hint=_SHAPE)
            else:
                marks[record].append(_place(line))
    return marks


def _place(line: str) -> ListedIdentifier:
    match = _PLACE.fullmatch(line)
    if match is None or match[1] != match[2]:
        raise unreadable("the line is neither a record nor an identifier", hint=_SHAPE)
    start, end = int(match[2]), int(match[3])
    fields.check_offsets(start, end)
    return ListedIdentifier(Annotation(start, end, UNTYPED), None)


def _phrase(line: str) -> tuple[str, ListedIdentifier]:
    parts = line.split(" ", 5)
    if len(parts) < 6:
        raise unreadable("the line does not have six parts", hint=_PHRASE_SHAPE)
    patient, note, first, last, kind, phrase = parts
    start, end = fields.whole_number(first), fields.whole_number(last)
    fields.check_offsets(start, end)
    name = fields.document_id(f"{patient}-{note}", "patient")
    return name, ListedIdentifier(Annotation(start, end, fields.annotation_type(kind, "type")), phrase)
