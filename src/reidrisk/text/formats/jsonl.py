"""Our own format: one document per line, read line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from reidrisk.core.files import whole_file
from reidrisk.errors import BadData
from reidrisk.text.corpus import Annotation, Document, Role
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.reader import ReadSettings, SourceFile, with_suffix
from reidrisk.text.formats.spans import SpanKeys, read_spans
from reidrisk.text.formats.strict_json import LINE_SUFFIXES, json_lines

GOLD = SpanKeys(
    role="id_type", entity="entity_id", surface="text", score="score", id="id", fragments="fragments"
)
TOOL = GOLD._replace(type="label")
OWN_KEYS = frozenset(("doc_id", "text", "entities", "spans"))
MOST_OWN = 2
"""A record with this many keys has no other fields."""
NAME_OF_ROLE: dict[Role, str] = {role: name for name, role in fields.ROLE_OF.items()}


class JsonlReader:
    """Gold standards with "entities" and tool outputs with "spans"."""

    name = "jsonl"
    title = 'JSON lines: {"doc_id", "text", "entities"} or, from a tool, {"doc_id", "spans"}'

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Files of JSON lines."""
        return with_suffix(files, *LINE_SUFFIXES)

    def recognizes(self, path: SourceFile, head: bytes) -> bool:
        """Whether the first object has doc_id and annotations, which may be beyond the head."""
        first = first_value(head)
        if not isinstance(first.value, dict) or "doc_id" not in first.value:
            return False
        if "entities" in first.value or "spans" in first.value:
            return True
        return not first.complete and path.suffix.lower() in LINE_SUFFIXES and "results" not in first.value

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """One document per line, read when needed."""
        for place, record in json_lines(path, settings):
            yield document_of(record, place)


def document_of(record: Any, place: Location) -> Document:
    """The document of one line."""
    with ErrorsAt(place):
        record = fields.object_of(record, "the line")
        name = fields.document_id(record.get("doc_id"), "doc_id")
        text = fields.optional_text(record.get("text"), "text")
        key = _key(record)
        items = fields.list_of(record[key], f'"{key}"')
        about = fields.about_of(record, leave_out=OWN_KEYS) if len(record) > MOST_OWN else ()
    annotations, surfaces = read_spans(items, GOLD if key == "entities" else TOOL, place.of(name))
    return check_fit(Document(name, annotations, text, place.source, about=about), surfaces)


def _key(record: dict[str, Any]) -> str:
    if ("entities" in record) == ("spans" in record):
        hint = 'A gold standard has "entities", a tool output has "spans"; use [] if there are none.'
        raise unreadable('the document has neither or both of "entities" and "spans"', hint=hint)
    return "entities" if "entities" in record else "spans"


def write_jsonl(documents: Iterable[Document], path: Path, *, about: bool = False) -> None:
    """Write documents in the form of a gold standard; the file appears complete or not at all.

    With `about`, the other fields of documents are written too, such as a ward or the number of a patient.
    """
    try:
        with whole_file(path) as file:
            for document in documents:
                more = dict(document.about) if about else {}
                file.write(json.dumps({**record_of(document), **more}, ensure_ascii=False) + "\n")
    except UnicodeEncodeError:
        hint = "Read the documents with one of our readers, which refuse such characters."
        raise BadData(
            f"{display_path(path)}: a document contains half of a surrogate pair.", hint=hint
        ) from None


def record_of(document: Document) -> dict[str, Any]:
    """A document in the form of a gold standard."""
    if document.released is not None:
        hint = "Redacted and rewritten texts have no annotations; give the originals and their annotations."
        raise BadData(f"{document.shown.capitalize()} is a released text without offsets.", hint=hint)
    record: dict[str, Any] = {"doc_id": document.id}
    if document.text is not None:
        record["text"] = document.text
    record["entities"] = [_entity(annotation, document.text) for annotation in document.annotations]
    return record


def _entity(annotation: Annotation, text: str | None) -> dict[str, Any]:
    entity: dict[str, Any] = {
        "start": annotation.start,
        "end": annotation.end,
        "type": annotation.type,
        "id_type": None if annotation.role is None else NAME_OF_ROLE[annotation.role],
        "entity_id": annotation.entity,
    }
    if text is not None:
        entity["text"] = " ".join([text[start:end] for start, end in annotation.pieces])
    if annotation.fragments:
        entity["fragments"] = [list(piece) for piece in annotation.fragments]
    if annotation.score is not None:
        entity["score"] = annotation.score
    return entity
