"""Write a note piece by piece, recording where each identifier comes to stand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reidrisk.demo.cast import Cast
from reidrisk.demo.choose import choose_sentences
from reidrisk.demo.entity import Entity, pick
from reidrisk.demo.layout import HEADINGS, LINES, TITLES, Line, arranged
from reidrisk.demo.medicine import Illness
from reidrisk.demo.plan import NotePlan
from reidrisk.demo.tally import ROLE_OF
from reidrisk.demo.words import Words
from reidrisk.text.corpus import Annotation, Document


def compose(plan: NotePlan, illness: Illness, cast: Cast, *, rng: np.random.Generator) -> Document:
    """One note with its gold standard."""
    sentences = choose_sentences(cast.entities, kind=plan.kind, rng=rng)
    sections = arranged(sentences, illness, kind=plan.kind, rng=rng)
    scribe = _Scribe(cast.entities, Words(illness, cast.facts, rng=rng), rng=rng)
    headings = {
        "letterhead": "",
        "header": pick(TITLES[plan.kind], rng=rng),
        **HEADINGS[plan.kind],
        "sign": "",
    }
    for section, heading in headings.items():
        if sections[section] or section == "header":  # a note always has its title
            scribe.section(heading, sections[section], bullet=LINES.get(section))
    return Document(plan.id, tuple(scribe.annotations), scribe.text)


class _Scribe:
    """The text so far and the annotations in it."""

    def __init__(self, entities: Sequence[Entity], words: Words, *, rng: np.random.Generator) -> None:
        self.annotations: list[Annotation] = []
        self._names = _entity_ids(entities)
        self._words = words
        self._rng = rng
        self._text: list[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        """All that is written."""
        return "".join(self._text).rstrip("\n") + "\n"

    def section(self, heading: str, lines: Sequence[Line], *, bullet: str | None) -> None:
        """Heading and lines, or a paragraph where there is no bullet."""
        if heading:
            self._write(f"{heading}\n")
        for at, line in enumerate(lines):
            self._write(bullet if bullet is not None else " " * (at > 0))
            self._fill(line)
            self._write("\n" if bullet is not None else "")
        self._write("\n" if bullet is not None else "\n\n")

    def _fill(self, line: Line) -> None:
        for piece in line.pieces:
            if isinstance(piece, str):
                self._write(piece)
            elif piece.marked:
                self._mark(line.bound[piece.name], piece.form)
            elif piece.fact:
                self._write(line.bound[piece.name].facts[piece.fact])
            else:
                self._write(self._words(piece.name))

    def _mark(self, entity: Entity, form: str) -> None:
        start = self._length
        self._write(entity.forms[form or pick(entity.usual, rng=self._rng)])
        name = self._names[id(entity)]
        role = ROLE_OF[entity.type]
        self.annotations.append(Annotation(start, self._length, entity.type, role, name))

    def _write(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)


def _entity_ids(entities: Sequence[Entity]) -> dict[int, str]:
    """Ids such as name-2, numbered by type within the note."""
    counts: dict[str, int] = {}
    names = {}
    for entity in entities:
        counts[entity.type] = counts.get(entity.type, 0) + 1
        names[id(entity)] = f"{entity.type.lower()}-{counts[entity.type]}"
    return names
