"""The lists of PhysioNet deid: starts and ends by record, or phrases with their types."""

from __future__ import annotations

import re
from typing import NamedTuple

from reidrisk.text.corpus import Annotation
from reidrisk.text.formats import fields
from reidrisk.text.formats.place import At, Place, shown, unreadable
from reidrisk.text.formats.reader import ReadSettings, load_bytes
from reidrisk.text.formats.source import SourceFile

PHRASE_SUFFIX = ".phrase"
UNTYPED = "PHI"
"""The type of what a list marks without saying what it is."""
_RECORD = re.compile(r"Patient\s+(\S+)\s+Note\s+(\S+)\s*")
_PLACE = re.compile(r"([0-9]{1,18})\s+([0-9]{1,18})\s+([0-9]{1,18})\s*")
_SHAPE = "A record is a line Patient P Note N, then one line START START END for each identifier."
_PHRASE_SHAPE = "A line is PATIENT NOTE START END TYPE PHRASE."


class Mark(NamedTuple):
    """An identifier with the text that the list stores with it; offsets are bytes."""

    annotation: Annotation
    phrase: str | None


def read_list(path: SourceFile, settings: ReadSettings) -> dict[str, list[Mark]]:
    """The marks of every record, by its name PATIENT-NOTE."""
    data = load_bytes(path, settings)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = text.removeprefix("\ufeff").split("\n")
    phrases = path.suffix.lower() == PHRASE_SUFFIX
    marks: dict[str, list[Mark]] = {}
    record: str | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        with At(Place(shown(path), number)):
            if phrases:
                record, mark = _phrase(line.removesuffix("\r"))
                marks.setdefault(record, []).append(mark)
            elif match := _RECORD.fullmatch(line):
                record = fields.document_id(f"{match[1]}-{match[2]}", "Patient")
                marks.setdefault(record, [])
            elif record is None:
                raise unreadable("the list does not begin with a record", hint=_SHAPE)
            else:
                marks[record].append(_place(line))
    return marks


def _place(line: str) -> Mark:
    match = _PLACE.fullmatch(line)
    if match is None or match[1] != match[2]:
        raise unreadable("the line is neither a record nor a place", hint=_SHAPE)
    start, end = int(match[2]), int(match[3])
    fields.check_offsets(start, end)
    return Mark(Annotation(start, end, UNTYPED), None)


def _phrase(line: str) -> tuple[str, Mark]:
    parts = line.split(" ", 5)
    if len(parts) < 6:
        raise unreadable("the line has not six parts", hint=_PHRASE_SHAPE)
    patient, note, first, last, kind, phrase = parts
    start, end = fields.whole_number(first), fields.whole_number(last)
    fields.check_offsets(start, end)
    name = fields.document_id(f"{patient}-{note}", "patient")
    return name, Mark(Annotation(start, end, fields.annotation_type(kind, "type")), phrase)
