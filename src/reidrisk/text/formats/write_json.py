"""Writers of JSON formats: one object per line, or one list."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from reidrisk.text.corpus import Annotation, Document
from reidrisk.text.formats.jsonl import NAME_OF_ROLE, record_of
from reidrisk.text.formats.writer import Capabilities, SingleFile

dumps = partial(json.dumps, ensure_ascii=False)


def surface(document: Document, annotation: Annotation) -> str:
    """The text of an annotation; pieces are joined with a space."""
    text = document.text or ""
    return " ".join([text[start:end] for start, end in annotation.pieces])


def _with_text(document: Document, **rest: Any) -> dict[str, Any]:
    return rest if document.text is None else {"text": document.text, **rest}


def _tab(document: Document, _: int) -> str:
    mentions = [
        {
            "entity_type": a.type,
            "entity_mention_id": f"{document.id}_em{number}",
            "start_offset": a.start,
            "end_offset": a.end,
            "span_text": surface(document, a),
            "identifier_type": None if a.role is None else NAME_OF_ROLE[a.role],
            "entity_id": a.entity,
        }
        for number, a in enumerate(document.annotations, 1)
    ]
    annotations = {"annotator1": {"entity_mentions": mentions}}
    return dumps({"doc_id": document.id, "text": document.text, "annotations": annotations})


def _presidio(document: Document, _: int) -> str:
    results = [
        {"entity_type": a.type, "start": a.start, "end": a.end, "score": a.score}
        for a in document.annotations
    ]
    return dumps({"doc_id": document.id} | _with_text(document, results=results))


def _sample(document: Document, _: int) -> str:
    spans = [
        {
            "entity_type": a.type,
            "entity_value": surface(document, a),
            "start_position": a.start,
            "end_position": a.end,
        }
        for a in document.annotations
    ]
    return dumps({"full_text": document.text, "spans": spans, "sample_id": document.id, "metadata": None})


def _prodigy(document: Document, _: int) -> str:
    spans = [
        {"start": a.start, "end": a.end, "label": a.type} | ({} if a.score is None else {"score": a.score})
        for a in document.annotations
    ]
    meta = {"doc_id": document.id}
    return dumps({"text": document.text, "spans": spans, "meta": meta, "answer": "accept"})


def triples(document: Document) -> list[list[Any]]:
    """The annotations as [start, end, label]."""
    return [[a.start, a.end, a.type] for a in document.annotations]


def _doccano(document: Document, _: int) -> str:
    return dumps({"id": document.id, "text": document.text, "label": triples(document)})


def _train(document: Document, _: int) -> str:
    return dumps([document.text, {"entities": triples(document)}])


def _label_studio(document: Document, number: int) -> str:
    result = [
        {
            "id": f"r{place}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "value": {"start": a.start, "end": a.end, "text": surface(document, a), "labels": [a.type]},
        }
        | ({} if a.entity is None else {"entity_id": a.entity})
        | ({} if a.score is None else {"score": a.score})
        for place, a in enumerate(document.annotations, 1)
    ]
    work = {"id": number, "completed_by": 1, "was_cancelled": False, "ground_truth": False, "result": result}
    data = {"text": document.text, "doc_id": document.id}
    return dumps({"id": number, "data": data, "annotations": [work], "predictions": []})


LINES: dict[str, Any] = {"suffix": ".jsonl"}
LIST: dict[str, Any] = {"suffix": ".json", "before": "[\n", "between": ",\n", "after": "\n]\n"}
_ALL = Capabilities(roles=True, entities=True, scores=True, fragments=True, without_text=True)

JSONL = SingleFile("jsonl", "jsonl", _ALL, part=lambda document, _: dumps(record_of(document)), **LINES)
TAB = SingleFile("tab", "tab", Capabilities(roles=True, entities=True), part=_tab, **LIST)
PRESIDIO = SingleFile(
    "presidio", "presidio", Capabilities(scores=True, without_text=True), part=_presidio, **LINES
)
PRESIDIO_RESEARCH = SingleFile("presidio-research", "presidio", Capabilities(), part=_sample, **LIST)
PRODIGY = SingleFile("prodigy", "prodigy", Capabilities(scores=True), part=_prodigy, **LINES)
DOCCANO = SingleFile("doccano", "doccano", Capabilities(), part=_doccano, **LINES)
SPACY_TRAIN = SingleFile("spacy-train", "spacy-train", Capabilities(ids=False), part=_train, **LIST)
LABEL_STUDIO = SingleFile(
    "label-studio", "label-studio", Capabilities(entities=True, scores=True), part=_label_studio, **LIST
)
