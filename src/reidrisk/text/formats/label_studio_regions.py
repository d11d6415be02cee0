"""The regions of a Label Studio annotation: where, which label, and what else is said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reidrisk.text.corpus import Annotation, Role
from reidrisk.text.formats import fields
from reidrisk.text.formats.place import At, Place, unreadable
from reidrisk.text.formats.spans import span_of

ROLE_WORDS: dict[str, Role] = fields.ROLE_OF | {"DIREKTE": "direct", "KVASI": "quasi"}
"""Labels that are roles themselves, as in the Danish benchmark."""
LABEL_KEYS = ("labels", "hypertextlabels", "paragraphlabels")
_SHAPE = "A region has start, end and labels; export the project as JSON or JSON_MIN."


@dataclass(frozen=True, slots=True)
class Regions:
    """What was labelled in a task."""

    annotations: tuple[Annotation, ...]
    surfaces: list[str | None]
    targets: tuple[str, ...]
    """The names of the objects that were labelled."""
    page: bool
    """Whether offsets count in the text of an HTML page."""


def regions_of(value: Any, place: Place) -> Regions:
    """The regions of a list of results, one for each label of each; relations and choices are no places."""
    annotations: list[Annotation] = []
    surfaces: list[str | None] = []
    targets: dict[str, None] = {}
    page = False
    number = 0
    with At(place):
        results = [fields.object_of(item, "a region") for item in fields.list_of(value, '"result"')]
    for result in results:
        inside = result.get("value", result if "end" in result else None)
        if not isinstance(inside, dict) or _labels(inside) is None:
            continue
        number += 1
        with At(place.annotation(number)):
            page = page or "globalOffsets" in inside
            for annotation, surface in _region(result, inside):
                annotations.append(annotation)
                surfaces.append(surface)
        if isinstance(result.get("to_name"), str):
            targets[result["to_name"]] = None
    return Regions(tuple(annotations), surfaces, tuple(targets), page)


def _labels(inside: dict[str, Any]) -> Any:
    return next((inside[key] for key in LABEL_KEYS if key in inside), None)


def _region(result: dict[str, Any], inside: dict[str, Any]) -> list[tuple[Annotation, str | None]]:
    labels = [
        fields.annotation_type(label, "labels") for label in fields.list_of(_labels(inside), '"labels"')
    ]
    where = inside.get("globalOffsets", inside)
    where = fields.object_of(where, '"globalOffsets"')
    start: Any = where.get("start")
    end: Any = where.get("end")
    if type(start) is str:
        hint = "Export the project again: newer versions add globalOffsets to regions of a page."
        raise unreadable("its offsets are paths in a page", hint=hint)
    fields.check_offsets(start, end)
    surface = fields.optional_text(inside.get("text"), "text")
    entity = result.get("entity_id")
    name = None if entity is None else fields.named(entity, "entity_id")
    score = fields.number_of(result.get("score"))
    if len(labels) == 1 and labels[0] not in ROLE_WORDS and name is None and score is None:
        return [(span_of(start, end, labels[0], "labels"), surface)]
    kinds = [label for label in labels if label not in ROLE_WORDS] or labels[:1]
    role = next((ROLE_WORDS[label] for label in labels if label in ROLE_WORDS), None)
    if not kinds:
        raise unreadable("it has no label", hint=_SHAPE)
    return [(Annotation(start, end, kind, role, name, (), score), surface) for kind in kinds]
