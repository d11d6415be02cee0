"""doccano: one document per line with labels, or with entities of a project with relations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from reidrisk.text.corpus import Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit, convert_offsets
from reidrisk.text.formats.graphemes import clusters
from reidrisk.text.formats.location import ErrorsAt, Location, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.reader import ReadSettings, SourceFile, with_suffix
from reidrisk.text.formats.rulers import grapheme_ruler
from reidrisk.text.formats.spans import SpanKeys, read_spans, triples
from reidrisk.text.formats.strict_json import LINE_SUFFIXES, json_lines

ENTITY = SpanKeys(start="start_offset", end="end_offset", type="label", id="id")
LISTS = ("label", "labels")
_UNSURE = (
    "offsets were read as code points; if the doccano project counts grapheme clusters, "
    "use the format doccano-graphemes"
)


class DoccanoReader:
    """One document per line. Projects in grapheme mode count differently, but the file does not say so."""

    def __init__(self, *, graphemes: bool = False) -> None:
        self._graphemes = graphemes
        self.name = "doccano-graphemes" if graphemes else "doccano"
        mode = " of a project in grapheme mode" if graphemes else ""
        self.title = (
            f'doccano JSON lines{mode}: {{"id", "text", "label": [[start, end, label]]}} or "entities"'
        )

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Files of JSON lines."""
        return with_suffix(files, *LINE_SUFFIXES)

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the content decides
        """Whether it has a text with labels or entities and no doc_id; grapheme mode must be named."""
        value = first_value(head).value
        if self._graphemes or not isinstance(value, dict) or "text" not in value or "doc_id" in value:
            return False
        return bool(value.keys() & {*LISTS, "entities"})

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """One document per line, read when needed."""
        for place, record in json_lines(path, settings):
            yield self._document(record, place)

    def _document(self, record: Any, place: Location) -> Document:
        with ErrorsAt(place):
            record = fields.object_of(record, "the line")
            name = fields.document_id(record.get("id"), "id")
            text = fields.optional_text(record.get("text"), "text")
            if text is None:
                raise unreadable('the document has no "text"', hint="Export the texts with the labels.")
            key = _key(record)
            items = fields.list_of(record[key], f'"{key}"')
        place = place.of(name)
        annotations = read_spans(items, ENTITY, place)[0] if key == "entities" else triples(items, place)
        document = Document(name, annotations, text, place.source)
        if self._graphemes:
            return convert_offsets(document, [None] * len(annotations), grapheme_ruler(text))
        if annotations and clusters(text):
            document = replace(document, notes=(_UNSURE,))
        return check_fit(document, [None] * len(annotations))


def _key(record: dict[str, Any]) -> str:
    found = [key for key in (*LISTS, "entities") if key in record]
    if len(found) != 1:
        hint = 'A document has "label" with [start, end, label], or "entities"; use [] if there are none.'
        raise unreadable(f"the document has {len(found)} lists of labels", hint=hint)
    return found[0]
