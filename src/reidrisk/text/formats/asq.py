"""Queries with a list of identifier values: ===QUERY=== and ===PHI_TAGS===."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats import fields
from reidrisk.text.formats.align import check_fit
from reidrisk.text.formats.location import ErrorsAt, Location, display_path, misaligned, unreadable
from reidrisk.text.formats.prodigy import NUMBERED
from reidrisk.text.formats.reader import BYTE_ORDER_MARK, ReadSettings, SourceFile, load_text, plain_texts

QUERY, TAGS = "===QUERY===", "===PHI_TAGS==="
_SHAPE = f"A query is a line {QUERY}, its text, a line {TAGS}, then one JSON object per line."
_CUT = "the file ends in the middle of a tag; its last query was left out"
_FEW = 1000
_EVERY = "a listed value occurs more often in the text than in the list; every occurrence was marked"


class AsqReader:
    """One document per query, numbered from 1. A listed value is marked wherever it occurs."""

    name = "asq"
    title = f'{QUERY} and {TAGS} with one {{"identifier_type", "value"}} per line'

    def choose(self, files: Sequence[SourceFile]) -> list[SourceFile]:
        """Text files that do not belong to another file."""
        return plain_texts(files)

    def recognizes(self, path: SourceFile, head: bytes) -> bool:  # noqa: ARG002 - the content decides
        """Whether the file starts with a query."""
        return head.removeprefix(BYTE_ORDER_MARK.encode()).lstrip().startswith(QUERY.encode())

    def read(self, path: SourceFile, settings: ReadSettings) -> Iterator[Document]:
        """The queries of the file."""
        source = display_path(path)
        text = load_text(path, settings).removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")
        before, *blocks = re.split(rf"^{QUERY}[ \t]*$\n?", text, flags=re.MULTILINE)
        if before.strip():
            with ErrorsAt(Location(source)):
                raise unreadable("the file does not start with a query", hint=_SHAPE)
        documents = (_document(block, Location(source, None, str(n))) for n, block in enumerate(blocks, 1))
        if not blocks or _whole(blocks[-1]):
            yield from documents
            return
        # the file ends in the middle of a tag: everything before is complete
        for number, document in zip(range(1, len(blocks)), documents, strict=False):
            last = number == len(blocks) - 1
            yield replace(document, notes=(*document.notes, _CUT)) if last else document


def _whole(block: str) -> bool:
    """Whether a query ends with a line end or with a complete tag."""
    last = block.rpartition("\n")[2]
    try:
        return not last.strip() or isinstance(json.loads(last), dict)
    except (ValueError, RecursionError):
        return TAGS not in block


def _document(block: str, place: Location) -> Document:
    parts = re.split(rf"^{TAGS}[ \t]*$\n?", block, flags=re.MULTILINE)
    if len(parts) != 2:
        with ErrorsAt(place):
            raise unreadable(f"the query has {len(parts) - 1} lists of tags", hint=_SHAPE)
    text = parts[0].strip("\n")
    wanted: dict[tuple[str, str], int] = {}
    for number, line in enumerate((line for line in parts[1].split("\n") if line.strip()), 1):
        with ErrorsAt(place.annotation(number)):
            kind, value = _tag(line)
            if value not in text:
                raise misaligned(
                    "its value is not in the text", hint="Write the value exactly as in the text."
                )
        wanted[kind, value] = wanted.get((kind, value), 0) + 1
    annotations: list[Annotation] = []
    notes = {NUMBERED: None}
    for (kind, value), times in wanted.items():
        places = [match.start() for match in re.finditer(re.escape(value), text)]
        if len(annotations) + len(places) > _FEW + len(text):
            with ErrorsAt(place):
                raise unreadable(
                    "its values occur in too many places", hint="List only values that identify somebody."
                )
        annotations += [Annotation(start, start + len(value), kind) for start in places]
        if len(places) > times:
            notes[_EVERY] = None
    ordered = sorted(annotations, key=lambda mark: (mark.start, mark.end))
    document = Document(place.document or "", tuple(ordered), text, place.source, tuple(notes))
    return check_fit(document, [None] * len(ordered))


def _tag(line: str) -> tuple[str, str]:
    try:
        tag: Any = json.loads(line)
    except (ValueError, RecursionError):
        tag = None
    tag = fields.object_of(tag, "the tag")
    value = fields.optional_text(tag.get("value"), "value")
    if not value:
        raise unreadable("the tag has no value", hint=_SHAPE)
    return fields.annotation_type(tag.get("identifier_type"), "identifier_type"), value
