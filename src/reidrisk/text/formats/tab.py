"""The Text Anonymization Benchmark: documents with annotators, or the masks of a tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from reidrisk.errors import InvalidSetting
from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.reader import ReadSettings, SourceFile, with_suffix
from reidrisk.text.formats.spans import SpanKeys, read_spans
from reidrisk.text.formats.strict_json import load_json

MENTION = SpanKeys(
    start="start_offset",
    end="end_offset",
    type="entity_type",
    role="identifier_type",
    entity="entity_id",
    surface="span_text",
    id="entity_mention_id",
)
MASK_TYPE = "MASK"


class TabReader:
    """Gold standards are lists of documents; the output of a tool is an object of masks."""

    name = "tab"
    title = "Text Anonymization Benchmark JSON, or its masks {doc_id: [[start, end], ...]}"

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """JSON files."""
        return with_suffix(files, ".json")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the content decides
        """Whether it has a document with annotators, or masks as lists."""
        value = first_value(head).value
        if isinstance(value, dict) and "annotations" not in value:
            masks = list(value.values())
            lists = bool(masks) and all(isinstance(mask, list) for mask in masks)
            return lists and all(isinstance(mask[0], list) for mask in masks if mask)
        first = value[0] if isinstance(value, list) and value else value
        return isinstance(first, dict) and "doc_id" in first and isinstance(first.get("annotations"), dict)

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The documents of the chosen annotator, or one document without text per list of masks."""
        place = Location(display_path(path))
        content = load_json(path, settings)
        if isinstance(content, dict) and "annotations" not in content:
            yield from (_masked(name, masks, place) for name, masks in content.items())
        else:
            yield from _annotated(content if isinstance(content, list) else [content], settings, place)


def _masked(name: str, masks: Any, place: Location) -> Document:
    with ErrorsAt(place):
        fields.document_id(name, "doc_id")
    with ErrorsAt(place.of(name)):
        items = fields.list_of(masks, "the value of the document")
    annotations = []
    for number, mask in enumerate(items, 1):
        with ErrorsAt(place.of(name).annotation(number)):
            annotations.append(_mask(mask))
    return Document(name, tuple(annotations), None, place.source)


def _mask(mask: Any) -> Annotation:
    if len(fields.list_of(mask, "the mask")) not in (2, 3):
        raise unreadable(
            "the mask does not have two or three values", hint="Write [start, end, replacement]."
        )
    fields.check_offsets(mask[0], mask[1])
    return Annotation(mask[0], mask[1], MASK_TYPE)


def _annotated(records: list[Any], settings: ReadSettings, place: Location) -> Iterator[Document]:
    """The documents of the annotator; the first has a note on how many were left out."""
    names: dict[str, None] = {}
    found = []
    for record in records:
        document_id, text, annotators = _opened(record, place)
        names.update(dict.fromkeys(annotators))
        chosen = next(iter(annotators)) if settings.annotator == "first" else settings.annotator
        if chosen in annotators:
            found.append((Document(document_id, (), text, place.source), annotators, chosen))
    if records and not found:
        raise InvalidSetting.among(f"The annotator of {place}", settings.annotator, names)
    left_out = len(records) - len(found)
    for number, (document, annotators, chosen) in enumerate(found):
        done = _document(document, annotators, chosen)
        if left_out and not number:
            note = f"{left_out} documents without annotator {chosen!r} were left out"
            done = replace(done, notes=(*done.notes, note))
        yield done


def _opened(record: Any, place: Location) -> tuple[str, str, dict[str, Any]]:
    """Id, text and annotators of a record."""
    with ErrorsAt(place):
        record = fields.object_of(record, "a document")
        name = fields.document_id(record.get("doc_id"), "doc_id")
    with ErrorsAt(place.of(name)):
        text = fields.optional_text(record.get("text"), "text")
        annotators = fields.object_of(record.get("annotations"), '"annotations"')
        if text is None or not annotators:
            hint = "Every document in this format has a text and at least one annotator."
            raise unreadable("the text or the annotator is missing", hint=hint)
        if not all(map(fields.looks_like_name, annotators)):
            raise unreadable(
                "the name of an annotator is too long or not printable", hint="Use one short line for each."
            )
    return name, text, annotators


def _document(document: Document, annotators: dict[str, Any], chosen: str) -> Document:
    place = Location(document.source, None, document.id)
    with ErrorsAt(place):
        work = fields.object_of(annotators[chosen], "the work of the annotator")
        mentions = fields.list_of(work.get("entity_mentions"), '"entity_mentions"')
    annotations, surfaces = read_spans(mentions, MENTION, place)
    notes = (f"annotator {chosen!r} of {len(annotators)} was read",) if len(annotators) > 1 else ()
    return check_fit(replace(document, annotations=annotations, notes=notes), surfaces)
