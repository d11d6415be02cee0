"""A person, date, place or number of one note, with all the ways it may be written."""

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
    """Its part in the note, which sentence templates ask for: patient, kin, visit, mrn."""
    type: str
    mentions: int
    forms: Mapping[str, str]
    """Writings by name, such as full, last and first of a person."""
    usual: tuple[str, ...]
    """The forms to choose from where a template does not name one."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Words about it that identify nobody, such as the relation to the patient."""


def pick(options: Sequence[Item], *, rng: np.random.Generator) -> Item:
    """One at random, all equally likely."""
    return options[int(rng.integers(len(options)))]


def shares(mentions: int, distinct: int, *, rng: np.random.Generator) -> list[int]:
    """Mentions of each of so many distinct values: at least one each, the first has most."""
    extra = rng.multinomial(mentions - distinct, np.full(distinct, 1 / distinct))
    return sorted((1 + int(more) for more in extra), reverse=True)


def plain(part: str, type_: str, mentions: int, text: str) -> Entity:
    """An entity that is always written alike."""
    return Entity(part, type_, mentions, {"full": text}, ("full",))
