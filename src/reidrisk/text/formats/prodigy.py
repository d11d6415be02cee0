"""Prodigy: one task per line, with spans and the annotator's answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from reidrisk.text.corpus import Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.reader import ReadSettings, SourceFile, with_suffix
from reidrisk.text.formats.spans import SpanKeys, read_spans
from reidrisk.text.formats.strict_json import LINE_SUFFIXES, json_lines

SPAN = SpanKeys(type="label", surface="text", score="score")
NUMBERED = "the text has no id and is named by its position in the file"
IDS = ("doc_id", "id")
"""Keys of a document's id, in the meta of a task or in the task itself."""


class ProdigyReader:
    """One document per accepted line; its id is in the meta, or it is numbered."""

    name = "prodigy"
    title = 'Prodigy or spaCy JSON lines: {"text", "spans": [{"start", "end", "label"}], "meta", "answer"}'

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Files of JSON lines."""
        return with_suffix(files, *LINE_SUFFIXES)

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the content decides
        """Whether it has a text with spans or an answer, and no doc_id."""
        value = first_value(head).value
        if not isinstance(value, dict) or "text" not in value or "doc_id" in value:
            return False
        return bool(value.keys() & {"spans", "answer", "_input_hash"})

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The accepted documents; the last has a note on how many were left out."""
        left_out, held = 0, None
        for number, (place, line) in enumerate(json_lines(path, settings), 1):
            with ErrorsAt(place):
                record = fields.object_of(line, "the line")
            if record.get("answer", "accept") != "accept":
                left_out += 1
                continue
            if held is not None:
                yield held
            held = _document(record, number, place)
        if held is not None:
            note = f"{left_out} rejected or ignored texts were left out"
            yield replace(held, notes=(*held.notes, note)) if left_out else held


def _document(record: dict[str, Any], number: int, place: Location) -> Document:
    meta = record.get("meta")
    places = [meta, record] if isinstance(meta, dict) else [record]
    given = next((one[key] for one in places for key in IDS if one.get(key) is not None), None)
    with ErrorsAt(place):
        name = str(number) if given is None else fields.document_id(given, "id")
    place = place.of(name)
    with ErrorsAt(place):
        text = fields.optional_text(record.get("text"), "text")
        if text is None:
            raise unreadable('the task has no "text"', hint="Only tasks with a text have offsets into it.")
        items = fields.list_of(record.get("spans") or [], '"spans"')
    annotations, surfaces = read_spans(items, SPAN, place)
    notes = (NUMBERED,) if given is None else ()
    return check_fit(Document(name, annotations, text, place.source, notes), surfaces)
