"""Synthetic clinical notes with a gold standard, composed of sentences from a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from reidrisk.demo.cast import Cast, cast_for
from reidrisk.demo.entity import Entity, pick
from reidrisk.demo.medicine import Illness, illnesses
from reidrisk.demo.plan import (
    DISCHARGE,
    GROUPS,
    HISTORY,
    PROGRESS,
    ROLE_OF,
    SOCIAL_WORK,
    NotePlan,
    plan_notes,
)
from reidrisk.demo.templates import OPENING, Pieces, Template, Words, fillers_for, pieces_of, sentences_for
from reidrisk.errors import InvalidSetting
from reidrisk.text.corpus import Annotation, Corpus, Document

PATIENT = "patient"
"""The field of a note that names its patient."""
PATIENTS, MOST_PATIENTS = 1, 100_000
"""The stream of random numbers that numbers patients, and how many numbers there are."""


def clinical_notes(*, seed: int = 7, documents: int = 120) -> Corpus:
    """Generate notes in four groups: random selection, social work, history and physical, progress.

    With 120 documents, the number of identifiers of each type, and of documents with them, is the same as
    in the published case study (doi:10.1016/j.jbi.2016.07.015); other sizes are in proportion. All notes
    are different; the same seed gives the same bytes.

    >>> notes = clinical_notes(documents=8)
    >>> [note.id for note in notes][:3]
    ['random-001', 'random-002', 'social-work-001']
    """
    return Corpus(tuple(document for document, _ in written_notes(seed=seed, documents=documents)))


@dataclass(frozen=True, slots=True)
class NotePatient:
    """The patient of a note, as other records of the same hospital may show them."""

    id: str
    """The number of the patient in the hospital; the field `patient` of the note."""
    illness: Illness
    cast: Cast

    @property
    def visit(self) -> date:
        """The day of the visit or admission."""
        return self.cast.visit

    @property
    def record_number(self) -> str | None:
        """The medical record number, if the note has one."""
        return self._form("mrn", "full")

    @property
    def home_state(self) -> str | None:
        """The abbreviation of the state where the patient lives, if the note tells it."""
        return self._form("state", "abbr")

    def _form(self, part: str, form: str) -> str | None:
        return next((one.forms[form] for one in self.cast.entities if one.part == part), None)


def written_notes(*, seed: int = 7, documents: int = 120) -> list[tuple[Document, NotePatient]]:
    """The notes of `clinical_notes`, each with its patient."""
    if documents < len(GROUPS):
        raise InvalidSetting(
            f"The notes are in four groups, which is too many for {documents} documents.",
            hint="Request at least 4 documents.",
        )
    rng = np.random.default_rng(seed)
    numbers = np.random.default_rng([seed, PATIENTS]).choice(MOST_PATIENTS, documents, replace=False)
    plans = plan_notes(documents, rng=rng)
    return [
        _note(plan, patient_id(int(number)), rng=rng) for plan, number in zip(plans, numbers, strict=True)
    ]


def patient_id(number: int) -> str:
    """The number of a patient in the hospital.

    >>> patient_id(17)
    'P00017'
    """
    return f"P{number:05d}"


def _note(plan: NotePlan, patient: str, *, rng: np.random.Generator) -> tuple[Document, NotePatient]:
    illness = pick(illnesses(), rng=rng)
    cast = cast_for(plan, illness, rng=rng)
    document = compose(plan, illness, cast, rng=rng)
    return replace(document, about=((PATIENT, patient),)), NotePatient(patient, illness, cast)


_PLACES_FIRST = ("street", "zip", "state", "city")
"""Whole addresses come first, before their parts are used in other sentences."""
_SECTION_WEIGHT = {"letterhead": 4.0, "header": 200.0, "sign": 2.0, "data": 1.5}
_OPENING_WEIGHT = 3.0
_REPEAT_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class Sentence:
    """A template with the entities that it mentions."""

    template: Template
    bound: Mapping[str, Entity]


def choose_sentences(entities: Sequence[Entity], *, kind: str, rng: np.random.Generator) -> list[Sentence]:
    """Choose sentences until all planned mentions are used; only repeatable sentences occur twice."""
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
    """Tracks the mentions that still have to be placed."""

    def __init__(self, entities: Sequence[Entity], *, kind: str, rng: np.random.Generator) -> None:
        self.left = np.array([entity.mentions for entity in entities], dtype=np.int64)
        self.chosen: list[Sentence] = []
        self._entities = entities
        self._templates = sentences_for(kind)
        self._rng = rng
        self._used: set[int] = set()
        self._taken: set[str] = set()

    def mention(self, at: int) -> None:
        """Add one sentence that mentions the entity."""
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
        """For each role an entity with enough mentions left, or None."""
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
    """Prefer sentences with many mentions; repeatable sentences come last."""
    weight = _SECTION_WEIGHT.get(template.section, 1.0) * sum(template.needs.values()) ** 2
    if template.group == OPENING:
        weight *= _OPENING_WEIGHT
    return weight * (_REPEAT_WEIGHT if template.again and template.section != "data" else 1.0)


TITLES = {
    SOCIAL_WORK: ("SOCIAL WORK ASSESSMENT", "SOCIAL WORK NOTE", "PSYCHOSOCIAL ASSESSMENT"),
    HISTORY: ("HISTORY AND PHYSICAL", "ADMISSION HISTORY AND PHYSICAL EXAMINATION"),
    PROGRESS: ("PROGRESS NOTE", "DAILY PROGRESS NOTE", "INPATIENT PROGRESS NOTE"),
    DISCHARGE: ("DISCHARGE SUMMARY", "HOSPITAL DISCHARGE SUMMARY"),
}
HEADINGS: Mapping[str, Mapping[str, str]] = {
    SOCIAL_WORK: {
        "reason": "REASON FOR REFERRAL",
        "history": "PRESENT SITUATION",
        "social": "FAMILY AND SOCIAL HISTORY",
        "data": "RECORDS REVIEWED",
        "course": "INTERVENTION",
        "assess": "ASSESSMENT",
        "plan": "PLAN",
        "contact": "CONTACTS",
    },
    HISTORY: {
        "reason": "CHIEF COMPLAINT",
        "history": "HISTORY OF PRESENT ILLNESS",
        "review": "REVIEW OF SYSTEMS",
        "past": "PAST MEDICAL HISTORY",
        "meds": "MEDICATIONS",
        "social": "FAMILY AND SOCIAL HISTORY",
        "exam": "PHYSICAL EXAMINATION",
        "data": "RESULTS",
        "assess": "ASSESSMENT",
        "plan": "PLAN",
        "contact": "CONTACTS",
    },
    PROGRESS: {
        "reason": "REASON FOR STAY",
        "history": "INTERVAL HISTORY",
        "exam": "OBJECTIVE",
        "data": "RESULTS",
        "assess": "ASSESSMENT",
        "plan": "PLAN",
        "social": "SOCIAL SITUATION",
        "contact": "CONTACTS",
    },
    DISCHARGE: {
        "reason": "REASON FOR ADMISSION",
        "history": "BRIEF HISTORY",
        "course": "HOSPITAL COURSE",
        "data": "PROCEDURES AND RESULTS",
        "exam": "CONDITION AT DISCHARGE",
        "meds": "DISCHARGE MEDICATIONS",
        "social": "SOCIAL SITUATION",
        "plan": "FOLLOW-UP AND INSTRUCTIONS",
        "contact": "CONTACTS",
    },
}
LINES = {"letterhead": "", "header": "", "data": "", "plan": "- ", "contact": "", "meds": "- ", "sign": ""}
"""Sections written as lists, and the start of each line; other sections are paragraphs."""
_FROM_ILLNESS = {
    SOCIAL_WORK: (),
    HISTORY: ("history", "exam", "assess", "plan"),
    PROGRESS: ("plan",),
    DISCHARGE: ("history", "course"),
}

_LATER = {(PROGRESS, "exam"): "now", (PROGRESS, "assess"): "status", (DISCHARGE, "plan"): "after"}
"""Sentences about the illness after treatment has begun."""


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A sentence or line, ready to be filled in."""

    pieces: Pieces
    bound: Mapping[str, Entity]


def arrange(
    sentences: Sequence[Sentence], illness: Illness, *, kind: str, rng: np.random.Generator
) -> dict[str, list[NoteLine]]:
    """All lines by section: the opening, the illness, then identifiers mixed with ordinary sentences."""
    sections = {}
    taken = {sentence.template.exclusive for sentence in sentences}
    fillers = [each for each in fillers_for(kind) if each.exclusive is None or each.exclusive not in taken]
    for section in ("letterhead", "header", *HEADINGS[kind], "sign"):
        own = sorted((each for each in sentences if each.template.section == section), key=_place)
        plain = [each for each in fillers if each.section == section]
        opening = [_line(each, rng=rng) for each in own if each.template.group == OPENING]
        opening += [_filler(each, rng=rng) for each in plain if each.group == OPENING]
        middle = [NoteLine(pieces_of(text), {}) for text in _of_illness(section, illness, kind=kind)]
        rest = [_line(each, rng=rng) for each in own if each.template.group != OPENING]
        more = [_filler(each, rng=rng) for each in plain if each.group != OPENING]
        sections[section] = opening + middle + _merge_lines(rest, more, section=section, rng=rng)
    return sections


def _of_illness(section: str, illness: Illness, *, kind: str) -> Sequence[str]:
    if section == "meds":
        before = illness.said.get("home", ()) if kind == HISTORY else ()
        return (before or illness.said["drug"])[0].split("; ")
    later = _LATER.get((kind, section))
    if later is not None:
        return illness.said[later]
    return illness.said[section] if section in _FROM_ILLNESS[kind] else ()


def _place(sentence: Sentence) -> tuple[str, int]:
    """Sort key: results by date, everything else in the order of the list."""
    dated = [entity.forms["iso"] for entity in sentence.bound.values() if "iso" in entity.forms]
    day = max(dated, default="") if sentence.template.section == "data" else ""
    return (day, sentence.template.rank)


def _line(sentence: Sentence, *, rng: np.random.Generator) -> NoteLine:
    return NoteLine(pick(sentence.template.wordings, rng=rng), sentence.bound)


def _filler(template: Template, *, rng: np.random.Generator) -> NoteLine:
    return NoteLine(pick(template.wordings, rng=rng), {})


def _merge_lines(
    rest: list[NoteLine], more: list[NoteLine], *, section: str, rng: np.random.Generator
) -> list[NoteLine]:
    """Mix both lists at random, keeping the order within each; results and plans are not mixed."""
    if section in LINES:
        return more + rest if section != "sign" else rest + more
    turns = rng.permutation([True] * len(rest) + [False] * len(more))
    own, other = iter(rest), iter(more)
    return [next(own if from_rest else other) for from_rest in turns]


def compose(plan: NotePlan, illness: Illness, cast: Cast, *, rng: np.random.Generator) -> Document:
    """Compose one note with its gold standard."""
    sentences = choose_sentences(cast.entities, kind=plan.kind, rng=rng)
    sections = arrange(sentences, illness, kind=plan.kind, rng=rng)
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
        """The whole text."""
        return "".join(self._text).rstrip("\n") + "\n"

    def section(self, heading: str, lines: Sequence[NoteLine], *, bullet: str | None) -> None:
        """Write a heading and lines, or a paragraph if there is no bullet."""
        if heading:
            self._write(f"{heading}\n")
        for at, line in enumerate(lines):
            self._write(bullet if bullet is not None else " " * (at > 0))
            self._fill(line)
            self._write("\n" if bullet is not None else "")
        self._write("\n" if bullet is not None else "\n\n")

    def _fill(self, line: NoteLine) -> None:
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
