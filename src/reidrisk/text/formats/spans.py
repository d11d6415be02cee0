"""Annotations as JSON objects, or as lists [start, end, label]."""

from __future__ import annotations

import dataclasses
from math import isfinite
from sys import intern
from typing import Any, NamedTuple

from reidrisk.errors import BadData
from reidrisk.text.corpus import Annotation, Role
from reidrisk.text.formats import fields
from reidrisk.text.formats.location import Location, locate_error, make_numbered, misaligned, unreadable

Span = tuple[Annotation, str | None]
"""An annotation, and the text that the file stores with it."""
Spans = tuple[tuple[Annotation, ...], list[str | None]]

_TOP = fields.MAX_OFFSET
_ROLES: dict[str | None, Role | None] = {None: None}
_ROLES.update(fields.ROLE_OF.items())
_SLOTS = [vars(Annotation)[field.name].__set__ for field in dataclasses.fields(Annotation)]
_KNOWN_TYPES: dict[str, str] = {}
_MOST_TYPES = 10_000
_set_start, _set_end, _set_type, _set_role, _set_entity, _set_fragments, _set_score = _SLOTS


class SpanKeys(NamedTuple):
    """A format's names for the fields of an annotation; None for fields that it does not have."""

    start: str = "start"
    end: str = "end"
    type: str = "type"
    role: str | None = None
    entity: str | None = None
    surface: str | None = None
    score: str | None = None
    id: str | None = None
    fragments: str | None = None


def read_spans(items: list[Any], keys: SpanKeys, place: Location) -> Spans:
    """The annotations of one document, or an error that names the first wrong one."""
    annotations: list[Annotation] = []
    surfaces: list[str | None] = []
    seen: set[str] = set()
    try:
        for item in items:
            annotation, surface = _usual_span(item, keys) or _any_span(item, keys, seen)
            annotations.append(annotation)
            surfaces.append(surface)
    except BadData as error:
        raise locate_error(error, place.annotation(len(annotations) + 1)) from None
    return tuple(annotations), surfaces


def span_of(start: Any, end: Any, kind: Any, key: str) -> Annotation:
    """An annotation with only offsets and type; `key` is the file's name for the type."""
    if (
        (type(start) is int and type(end) is int and 0 <= start < end <= _TOP)
        and type(kind) is str
        and (kind in _KNOWN_TYPES or _is_type(kind))
    ):
        annotation = object.__new__(Annotation)
        _set_start(annotation, start)
        _set_end(annotation, end)
        _set_type(annotation, _KNOWN_TYPES[kind])
        _set_role(annotation, None)
        _set_entity(annotation, None)
        _set_fragments(annotation, ())
        _set_score(annotation, None)
        return annotation
    fields.check_offsets(start, end)
    return Annotation(start, end, fields.annotation_type(kind, key))


def _usual_span(item: Any, keys: SpanKeys) -> Span | None:
    """An annotation whose values all have their usual types; None if it needs the slower checks."""
    if type(item) is not dict:
        return None
    k_start, k_end, k_type, k_role, k_entity, k_surface, k_score, k_id, k_fragments = keys
    get = item.get  # a JSON key is never None, so a field that the format does not have is absent
    start, end, kind, role = get(k_start), get(k_end), get(k_type), get(k_role)
    entity, surface, score = get(k_entity), get(k_surface), get(k_score)
    if (
        (type(start) is int and type(end) is int and 0 <= start < end <= _TOP)
        and (type(kind) is str and (kind in _KNOWN_TYPES or _is_type(kind)))
        and (role is None or (type(role) is str and role in _ROLES))
        and (entity is None or (type(entity) is str and entity))
        and (surface is None or type(surface) is str)
        and (score is None or (type(score) is float and isfinite(score)))
        and (get(k_id) is None and get(k_fragments) is None)
    ):
        # millions pass here: the checks of the constructor were just made, and setting slots is faster
        annotation = object.__new__(Annotation)
        _set_start(annotation, start)
        _set_end(annotation, end)
        _set_type(annotation, _KNOWN_TYPES[kind])
        _set_role(annotation, _ROLES[role])
        _set_entity(annotation, entity)
        _set_fragments(annotation, ())
        _set_score(annotation, score)
        return annotation, surface
    return None


def _is_type(kind: str) -> bool:
    """Whether a type looks like a name; valid types are cached, because files have few of them."""
    if not fields.looks_like_name(kind):
        return False
    if len(_KNOWN_TYPES) >= _MOST_TYPES:
        _KNOWN_TYPES.clear()
    _KNOWN_TYPES[kind] = intern(kind)
    return True


def _any_span(item: Any, keys: SpanKeys, seen: set[str]) -> Span:
    """An annotation with every value checked; `seen` are the previous ids."""
    span = fields.object_of(item, "it")
    values: list[Any] = [None if key is None else span.get(key) for key in keys]
    start, end, kind, role, entity, surface, score, name, pieces = values
    fields.check_offsets(start, end)
    if name is not None:
        _once(fields.named(name, keys.id), seen)
    annotation = Annotation(
        start,
        end,
        intern(fields.annotation_type(kind, keys.type)),
        None if role is None else fields.role_of(role, keys.role),
        None if entity is None else fields.named(entity, keys.entity),
        () if pieces is None else _fragments(pieces, start, end),
        None if score is None else fields.score_of(score, keys.score),
    )
    return annotation, fields.optional_text(surface, keys.surface)


def _fragments(value: Any, start: int, end: int) -> fields.Pieces:
    """The pieces of a discontinuous annotation; some corpora write 1 for a continuous one."""
    if type(value) is int and value == 1:
        return ()
    pieces = fields.pieces_of(value)
    if pieces and (pieces[0][0], pieces[-1][1]) != (start, end):
        hint = "The first piece must start where the annotation starts, and the last must end where it ends."
        raise misaligned("its pieces do not span it", hint=hint)
    return pieces if len(pieces) > 1 else ()


def _once(name: str, seen: set[str]) -> None:
    if name in seen:
        hint = "Give every annotation of a document a unique id."
        raise unreadable("its id was used before", hint=hint)
    seen.add(name)


_TRIPLE = "Write [start, end, label]."


def triples(items: list[Any], place: Location) -> tuple[Annotation, ...]:
    """Annotations written as [start, end, label]."""
    return tuple(make_numbered(items, place, _triple))


def _triple(item: Any) -> Annotation:
    if len(fields.list_of(item, "it")) != 3:
        raise unreadable("it does not have three values", hint=_TRIPLE)
    return span_of(item[0], item[1], item[2], "label")
