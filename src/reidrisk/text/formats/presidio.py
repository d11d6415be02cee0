"""Presidio: results of its analyzer, and samples of presidio-research."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reidrisk.errors import UnreadableFile
from reidrisk.text.corpus import Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.reader import ReadSettings, SourceFile, with_suffix
from reidrisk.text.formats.spans import SpanKeys, read_spans
from reidrisk.text.formats.strict_json import LINE_SUFFIXES, json_lines, load_json

RESULT = SpanKeys(type="entity_type", score="score")
SAMPLE = SpanKeys(start="start_position", end="end_position", type="entity_type", surface="entity_value")
KEYS = {"results", "full_text", "recognizer_results"}
"""Any of these keys shows a Presidio object: wrapped results, a sample, or an analyzed table field."""
NUMBERED = "the sample has no id and is named by its position in the file"


class PresidioReader:
    """Analyzer results, with or without a document id, and presidio-research samples."""

    name = "presidio"
    title = 'Presidio: {"doc_id", "text", "results"}, analyzer lists, or presidio-research samples'

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """JSON files and files of JSON lines."""
        return with_suffix(files, ".json", *LINE_SUFFIXES)

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the content decides
        """Whether it is any output of Presidio; the anonymizer too, so that the error can explain it."""
        value = first_value(head).value
        if value == []:
            return True
        first = value[0] if isinstance(value, list) else value
        if not isinstance(first, dict):
            return False
        if first.keys() & KEYS or {"text", "items"} <= first.keys():
            return True
        return _is_result(first) or any(_is_result(item) for item in _firsts(first))

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The documents of a file."""
        if path.suffix.lower() in LINE_SUFFIXES:
            for number, (place, record) in enumerate(json_lines(path, settings), 1):
                yield _document(record, number, place)
            return
        place = Location(display_path(path))
        content = load_json(path, settings)
        if isinstance(content, list) and all(_is_result(item) for item in content[:1]):
            yield _found({"doc_id": display_path(path.stem), "results": content}, place)
        elif isinstance(content, list):
            yield from (_document(record, number, place) for number, record in enumerate(content, 1))
        elif isinstance(content, dict) and not content.keys() & {*KEYS, "items"}:
            yield from (_found({"doc_id": key, "results": found}, place) for key, found in content.items())
        else:
            yield _document(content, 1, place)


def _is_result(value: Any) -> bool:
    return isinstance(value, dict) and "entity_type" in value


def _firsts(value: dict[str, Any]) -> list[Any]:
    """The first item of every list in an object."""
    return [items[0] for items in value.values() if isinstance(items, list) and items]


def _document(record: Any, number: int, place: Location) -> Document:
    with ErrorsAt(place):
        record = fields.object_of(record, f"entry {number}")
        if "items" in record and not record.keys() & KEYS:
            raise _anonymized()
        if "recognizer_results" in record:
            record = _field(record)
    return _sample(record, number, place) if "full_text" in record else _found(record, place)


def _field(record: dict[str, Any]) -> dict[str, Any]:
    """The batch analyzer's result for one field of a record: name, text and findings."""
    named = {"doc_id": record.get("key"), "text": record.get("value")}
    return named | {"results": record["recognizer_results"]}


def _anonymized() -> UnreadableFile:
    """The anonymizer's offsets refer to its output, not to the original text."""
    hint = "Save what the analyzer returned; its offsets refer to the original text."
    return unreadable("this is the output of the anonymizer, with offsets in the new text", hint=hint)


def _found(record: dict[str, Any], place: Location) -> Document:
    """Analyzer results with the id of their document."""
    with ErrorsAt(place):
        name = fields.document_id(record.get("doc_id"), "doc_id")
    with ErrorsAt(place.of(name)):
        text = fields.optional_text(record.get("text"), "text")
        items = fields.list_of(record.get("results"), '"results"')
        if any(isinstance(item, dict) and "operator" in item for item in items):
            raise _anonymized()
    annotations, surfaces = read_spans(items, RESULT, place.of(name))
    return check_fit(Document(name, annotations, text, place.source), surfaces)


def _sample(record: dict[str, Any], number: int, place: Location) -> Document:
    """A presidio-research sample."""
    metadata = record.get("metadata")
    given = [record.get("sample_id"), metadata.get("id") if isinstance(metadata, dict) else None]
    name = next((name for name in map(fields.identifier, given) if name), None)
    if name is not None:
        with ErrorsAt(place):
            name = fields.document_id(name, "sample_id")
    place = place.of(name or str(number))
    with ErrorsAt(place):
        text = fields.optional_text(record["full_text"], "full_text")
        items = fields.list_of(record.get("spans"), '"spans"')
    annotations, surfaces = read_spans(items, SAMPLE, place)
    notes = () if name else (NUMBERED,)
    return check_fit(Document(name or str(number), annotations, text, place.source, notes), surfaces)
