"""The training list of spaCy 2: pairs of a text and its entities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reidrisk.text.corpus import Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, unreadable
from reidrisk.text.formats.peek import first_value
from reidrisk.text.formats.prodigy import NUMBERED
from reidrisk.text.formats.reader import ReadSettings, SourceFile, with_suffix
from reidrisk.text.formats.spans import triples
from reidrisk.text.formats.strict_json import load_json


class SpacyTrainReader:
    """Documents have no ids and are numbered from 1."""

    name = "spacy-train"
    title = 'spaCy 2 training list: [[text, {"entities": [[start, end, label]]}]]'

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """JSON files."""
        return with_suffix(files, ".json")

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the content decides
        """Whether it is a list whose first item is a list that starts with a text."""
        value = first_value(head).value
        first = value[0] if isinstance(value, list) and value else None
        return isinstance(first, list) and bool(first) and isinstance(first[0], str)

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The documents of the list."""
        place = Location(display_path(path))
        content = load_json(path, settings)
        with ErrorsAt(place):
            pairs = fields.list_of(content, "the file")
        for number, pair in enumerate(pairs, 1):
            yield _document(pair, place.of(str(number)))


def _document(pair: Any, place: Location) -> Document:
    with ErrorsAt(place):
        pair = fields.list_of(pair, "the document")
        if len(pair) != 2 or type(pair[0]) is not str:
            raise unreadable("the document is not a text and its entities", hint="Compare with the guide.")
        entities = fields.object_of(pair[1], "the second item of the document").get("entities")
        items = fields.list_of(entities, '"entities"')
    annotations = triples(items, place)
    document = Document(place.document or "", annotations, pair[0], place.source, (NUMBERED,))
    return check_fit(document, [None] * len(annotations))
