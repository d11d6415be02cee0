"""Fills templates, and records where each identifier comes to stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from english.fillers import filler
from english.noise import noisy
from english.people import Person
from english.values import SLOTS
from english.words import pick
from reidrisk.text.corpus import Annotation, Document

FAMILIES = ("queries", "notes", "letters", "forms", "messages", "plain", "everyday")
ONE_LINE = ("queries", "plain")
"""Families with one template a line."""
SLOT = re.compile(r"\{(\w+)\}")
PARTS = ("PT", "DR2", "DR", "REL")
PRONOUNS = {"m": {"he": "he", "his": "his", "TITLE": "Mr."}, "f": {"he": "she", "his": "her", "TITLE": "Ms."}}


def templates(family: str) -> list[str]:
    """One a line for queries, else separated by ===."""
    text = (Path(__file__).parent / "templates" / f"{family}.txt").read_text(encoding="utf-8").strip()
    return text.split("\n") if family in ONE_LINE else [part.strip("\n") for part in text.split("===")]


def documents(family: str, count: int, *, seed: int) -> Iterator[Document]:
    """So many documents of a family; longer ones are made of one or two templates."""
    rng = np.random.default_rng([seed, FAMILIES.index(family)])
    known = templates(family)
    for place in range(count):
        pieces = 1 if family == "queries" else int(rng.integers(1, 3 if family != "plain" else 6))
        text, marks = Scribe(rng).fill("\n\n".join(pick(known, rng) for _ in range(pieces)))
        yield noisy(Document(f"{family}-{place}", tuple(marks), text), rng)


class Scribe:
    """One document: the same patient, physicians and relative throughout."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._people = {part: Person.new(rng) for part in PARTS}
        words = PRONOUNS[self._people["PT"].sex]
        self._words = words | {name.capitalize(): word.capitalize() for name, word in words.items()}

    def fill(self, template: str) -> tuple[str, list[Annotation]]:
        """The text, and what identifies in it."""
        parts: list[str] = []
        marks: list[Annotation] = []
        at = length = 0
        for match in SLOT.finditer(template):
            before = template[at : match.start()]
            text, kind = self._slot(match[1])
            parts += [before, text]
            start = length + len(before)
            length = start + len(text)
            if kind is not None:
                marks.append(Annotation(start, length, kind))
            at = match.end()
        return "".join(parts) + template[at:], marks

    def _slot(self, slot: str) -> tuple[str, str | None]:
        if slot in self._words:
            return self._words[slot], None
        if slot in SLOTS:
            kind, make = SLOTS[slot]
            return make(self._rng), kind
        plain = filler(slot, self._rng)
        return (plain, None) if plain is not None else (self._name(slot), "NAME")

    def _name(self, slot: str) -> str:
        if slot in ("INITIALS", "INITIAL"):
            person = self._people["PT"]
            return person.initials if slot == "INITIALS" else person.middle
        part = next((part for part in PARTS if slot.upper().startswith(part)), None)
        person = Person.new(self._rng) if part is None else self._people[part]
        if slot.endswith(("LAST", "FIRST")):
            return person.last if slot.endswith("LAST") else person.first
        if slot.endswith("REV"):
            return person.reversed(self._rng)
        full = person.full(self._rng)
        return full.upper() if slot.endswith("_caps") else full
