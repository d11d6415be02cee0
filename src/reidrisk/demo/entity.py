"""A person, date, place or number in a note, with all its written forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Entity:
    """Something the gold standard marks each time it is mentioned."""

    part: str
    """Its role in the note, which templates refer to: patient, kin, visit, mrn."""
    type: str
    mentions: int
    forms: Mapping[str, str]
    """Written forms by name, such as full, last and first for a person."""
    usual: tuple[str, ...]
    """Forms to choose from if a template does not name one."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Related words that do not identify anybody, such as the relation to the patient."""


def pick(options: Sequence[Item], *, rng: np.random.Generator) -> Item:
    """Choose one option at random, all equally likely."""
    return options[int(rng.integers(len(options)))]


def shares(mentions: int, distinct: int, *, rng: np.random.Generator) -> list[int]:
    """Distribute mentions over distinct values: at least one each, and the most for the first."""
    extra = rng.multinomial(mentions - distinct, np.full(distinct, 1 / distinct))
    return sorted((1 + int(more) for more in extra), reverse=True)


def plain(part: str, type_: str, mentions: int, text: str) -> Entity:
    """An entity with a single written form."""
    return Entity(part, type_, mentions, {"full": text}, ("full",))
