"""Annotations that are written as [start, end, label]."""

from __future__ import annotations

from typing import Any

from reidrisk.text.corpus import Annotation
from reidrisk.text.formats import fields
from reidrisk.text.formats.place import Place, numbered, unreadable
from reidrisk.text.formats.spans import span_of

_TRIPLE = "Write [start, end, label]."


def triples(items: list[Any], place: Place) -> tuple[Annotation, ...]:
    """Annotations written as [start, end, label]."""
    return tuple(numbered(items, place, _triple))


def _triple(item: Any) -> Annotation:
    if len(fields.list_of(item, "it")) != 3:
        raise unreadable("it has not three values", hint=_TRIPLE)
    return span_of(item[0], item[1], item[2], "label")
