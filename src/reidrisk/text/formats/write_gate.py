"""Writers of GATE documents: XML with nodes, and the JSON of gatenlp."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.annotation_sets import LINGUISTIC
from reidrisk.text.formats.jsonl import NAME_OF_ROLE
from reidrisk.text.formats.write_json import dumps
from reidrisk.text.formats.write_xml import DECLARATION, attribute, content
from reidrisk.text.formats.writer import FILE_NAME, NOT_IN_XML, Capabilities, FilePerDocument

SET = "manual"
_TYPES = re.compile(rf"(?!(?:{'|'.join(sorted(LINGUISTIC))})$).+")


def utf16_places(text: str) -> list[int]:
    """The positions of characters that UTF-16 counts as two."""
    return [place for place, char in enumerate(text) if char > "\uffff"]


def in_utf16(position: int, astral: list[int]) -> int:
    """A position in UTF-16 units."""
    return position + bisect_left(astral, position)


def features(annotation: Annotation) -> dict[str, str | float]:
    """Role, entity id and score of an annotation, with the names that our readers expect."""
    named: dict[str, str | float | None] = {
        "identifier_type": None if annotation.role is None else NAME_OF_ROLE[annotation.role],
        "entity_id": annotation.entity,
        "score": annotation.score,
    }
    return {name: value for name, value in named.items() if value is not None}


def _feature(name: str, value: str | float) -> str:
    kind = "java.lang.String" if isinstance(value, str) else "java.lang.Double"
    return (
        f'<Feature>\n  <Name className="java.lang.String">{name}</Name>\n'
        f'  <Value className="{kind}">{content(str(value))}</Value>\n</Feature>\n'
    )


def _xml(document: Document) -> dict[str, str]:
    text = document.text or ""
    astral = utf16_places(text)
    edges = {edge for mark in document.annotations for edge in (mark.start, mark.end)}
    places = sorted({0, len(text)} | edges)
    nodes = "".join(
        f'<Node id="{in_utf16(place, astral)}"/>{content(text[place:after])}'
        for place, after in pairwise([*places, len(text)])
    )
    marks = "".join(
        f'<Annotation Id="{number}" Type={attribute(mark.type)} StartNode="{in_utf16(mark.start, astral)}" '
        f'EndNode="{in_utf16(mark.end, astral)}">\n'
        f"{''.join(_feature(*pair) for pair in features(mark).items())}</Annotation>\n"
        for number, mark in enumerate(document.annotations)
    )
    body = (
        '<GateDocument version="3">\n<GateDocumentFeatures>\n</GateDocumentFeatures>\n'
        f"<TextWithNodes>{nodes}</TextWithNodes>\n<AnnotationSet>\n</AnnotationSet>\n"
        f'<AnnotationSet Name="{SET}">\n{marks}</AnnotationSet>\n</GateDocument>\n'
    )
    return {f"{document.id}.xml": DECLARATION + body}


def _json(document: Document) -> dict[str, str]:
    marks = [
        {"type": mark.type, "start": mark.start, "end": mark.end, "id": number, "features": features(mark)}
        for number, mark in enumerate(document.annotations)
    ]
    sets = {SET: {"name": SET, "annotations": marks, "next_annid": len(marks)}}
    whole = {"text": document.text, "annotation_sets": sets, "features": {}, "offset_type": "p"}
    return {f"{document.id}.bdocjs": dumps(whole | {"name": document.id}) + "\n"}


GATE_XML = FilePerDocument(
    "gate-xml",
    "gate-xml",
    Capabilities(
        roles=True, entities=True, scores=True, types=_TYPES, names=FILE_NAME, characters=NOT_IN_XML
    ),
    _xml,
)
BDOC = FilePerDocument(
    "bdoc", "bdoc", Capabilities(roles=True, entities=True, scores=True, types=_TYPES, names=FILE_NAME), _json
)
