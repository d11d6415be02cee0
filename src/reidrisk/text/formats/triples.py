"""Annotations that are written as [start, end, label]."""

from __future__ import annotations

from typing import Any

from reidrisk.text.corpus import Annotation
from reidrisk.text.formats import fields
from reidrisk.text.formats.place import At, Place, unreadable

_TRIPLE = "Write [start, end, label]."


def triples(items: list[Any], place: Place) -> tuple[Annotation, ...]:
    """Annotations written as [start, end, label]."""
    annotations = []
    for number, item in enumerate(items, 1):
        with At(place.annotation(number)):
            if len(fields.list_of(item, "it")) != 3:
                raise unreadable("it has not three values", hint=_TRIPLE)
            fields.check_offsets(item[0], item[1])
            annotations.append(Annotation(item[0], item[1], fields.annotation_type(item[2], "label")))
    return tuple(annotations)
