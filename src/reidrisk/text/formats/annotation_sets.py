"""GATE documents: choose the annotation set to read, and read its annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from reidrisk.errors import InvalidSetting
from reidrisk.text.corpus import Annotation
from reidrisk.text.formats import fields
from reidrisk.text.formats.location import Location
from reidrisk.text.formats.spans import span_of

MARKUP_SET = "Original markups"
"""The set in which GATE keeps the elements of the source file."""
DEFAULT_SET = "default"
"""The name that users give for the set without a name."""
LINGUISTIC = frozenset({"Token", "SpaceToken", "Sentence", "Split"})
_SKIPPED = "annotations of words and sentences (Token, SpaceToken, Sentence, Split) were left out"

Item = TypeVar("Item")


def chosen_set(
    sets: Mapping[str, Sequence[Item]], annotator: str, place: Location
) -> tuple[Sequence[Item], tuple[str, ...]]:
    """The annotations of the set named by `annotator`, or of the first nonempty one."""
    named = {name or DEFAULT_SET: items for name, items in sets.items()}
    if annotator != "first":
        if annotator not in named:
            raise InvalidSetting.among(f"The annotation set of {place}", annotator, named)
        return named[annotator], ()
    filled = [name for name, items in named.items() if items and name != MARKUP_SET]
    if not filled:
        return (), ()
    others = f"annotation set {filled[0]!r} of {len(filled)} was read" if len(filled) > 1 else ""
    return named[filled[0]], (others,) if others else ()


def annotation_of(start: Any, end: Any, kind: Any, features: Mapping[str, object]) -> Annotation:
    """An annotation with the role, entity and score that our writers store as features."""
    annotation = span_of(start, end, kind, "type")
    role, entity, score = features.get("identifier_type"), features.get("entity_id"), features.get("score")
    if role is None and entity is None and score is None:
        return annotation
    return Annotation(
        annotation.start,
        annotation.end,
        annotation.type,
        fields.ROLE_OF.get(role) if isinstance(role, str) else None,
        fields.identifier(entity) or None,
        (),
        fields.number_of(score),
    )


def without_words(annotations: Sequence[Annotation]) -> tuple[tuple[Annotation, ...], tuple[str, ...]]:
    """The annotations without words and sentences, with a note if there were any."""
    kept = tuple(annotation for annotation in annotations if annotation.type not in LINGUISTIC)
    return kept, (_SKIPPED,) if len(kept) < len(annotations) else ()
