"""Choose the sentences of a note so that each identifier is mentioned as often as planned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reidrisk.demo.entity import Entity
from reidrisk.demo.templates import OPENING, Template, sentences_for

_PLACES_FIRST = ("street", "zip", "state", "city")
"""Addresses are put together before their parts are used up one by one."""
_SECTION_WEIGHT = {"letterhead": 4.0, "header": 200.0, "sign": 2.0, "data": 1.5}
_OPENING_WEIGHT = 3.0
_REPEAT_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class Sentence:
    """A template with those that it will speak of."""

    template: Template
    bound: Mapping[str, Entity]


def choose_sentences(entities: Sequence[Entity], *, kind: str, rng: np.random.Generator) -> list[Sentence]:
    """Sentences that use up every mention of every entity, none twice unless made for it."""
    chooser = _Chooser(entities, kind=kind, rng=rng)
    for part in _PLACES_FIRST:
        for at, entity in enumerate(entities):
            if entity.part == part and chooser.left[at]:
                chooser.mention(at)
    while chooser.left.any():
        share = chooser.left / chooser.left.sum()
        chooser.mention(int(np.searchsorted(share.cumsum(), rng.random())))
    return chooser.chosen


class _Chooser:
    """Keeps the account of mentions still to be placed."""

    def __init__(self, entities: Sequence[Entity], *, kind: str, rng: np.random.Generator) -> None:
        self.left = np.array([entity.mentions for entity in entities], dtype=np.int64)
        self.chosen: list[Sentence] = []
        self._entities = entities
        self._templates = sentences_for(kind)
        self._rng = rng
        self._used: set[int] = set()
        self._taken: set[str] = set()

    def mention(self, at: int) -> None:
        """Place one sentence that speaks of the entity."""
        entity = self._entities[at]
        offers = []
        for template in self._templates[entity.part]:
            bound = self._bind(template, at)
            if bound is not None:
                offers.append((template, bound))
        heights = np.cumsum([_weight(template) for template, _ in offers])
        template, bound = offers[int(np.searchsorted(heights, self._rng.random() * heights[-1]))]
        self._take(template, bound)

    def _bind(self, template: Template, at: int) -> dict[str, int] | None:
        """An entity with enough mentions left for each part, or None."""
        if template.exclusive in self._taken or (template.rank in self._used and not template.again):
            return None
        bound = {}
        for part, need in template.needs.items():
            own = [at] if part == self._entities[at].part else self._of_part(part)
            richest = max(own, key=lambda each: int(self.left[each]), default=None)
            if richest is None or self.left[richest] < need:
                return None
            bound[part] = richest
        return bound

    def _of_part(self, part: str) -> list[int]:
        return [at for at, entity in enumerate(self._entities) if entity.part == part]

    def _take(self, template: Template, bound: Mapping[str, int]) -> None:
        for part, at in bound.items():
            self.left[at] -= template.needs[part]
        self._used.add(template.rank)
        if template.exclusive:
            self._taken.add(template.exclusive)
        self.chosen.append(Sentence(template, {part: self._entities[at] for part, at in bound.items()}))


def _weight(template: Template) -> float:
    """Sentences that say much come first, those made for repetition last."""
    weight = _SECTION_WEIGHT.get(template.section, 1.0) * sum(template.needs.values()) ** 2
    if template.group == OPENING:
        weight *= _OPENING_WEIGHT
    return weight * (_REPEAT_WEIGHT if template.again and template.section != "data" else 1.0)
