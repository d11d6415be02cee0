"""Sections of a note and the order of what stands in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reidrisk.demo.choose import Sentence
from reidrisk.demo.entity import Entity, pick
from reidrisk.demo.medicine import Illness
from reidrisk.demo.plan import DISCHARGE, HISTORY, PROGRESS, SOCIAL_WORK
from reidrisk.demo.templates import OPENING, Pieces, Template, fillers_for, pieces_of

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
"""Sections of separate lines and what each line begins with; the others are paragraphs."""
_FROM_ILLNESS = {
    SOCIAL_WORK: (),
    HISTORY: ("history", "exam", "assess", "plan"),
    PROGRESS: ("plan",),
    DISCHARGE: ("history", "course"),
}

_LATER = {(PROGRESS, "exam"): "now", (PROGRESS, "assess"): "status", (DISCHARGE, "plan"): "after"}
"""What is said of the illness once treatment has begun."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence or line, ready to be filled in."""

    pieces: Pieces
    bound: Mapping[str, Entity]


def arranged(
    sentences: Sequence[Sentence], illness: Illness, *, kind: str, rng: np.random.Generator
) -> dict[str, list[Line]]:
    """All lines by section: the opening, the illness, then identifiers among ordinary sentences."""
    sections = {}
    taken = {sentence.template.exclusive for sentence in sentences}
    fillers = [each for each in fillers_for(kind) if each.exclusive is None or each.exclusive not in taken]
    for section in ("letterhead", "header", *HEADINGS[kind], "sign"):
        own = sorted((each for each in sentences if each.template.section == section), key=_place)
        plain = [each for each in fillers if each.section == section]
        opening = [_line(each, rng=rng) for each in own if each.template.group == OPENING]
        opening += [_filler(each, rng=rng) for each in plain if each.group == OPENING]
        middle = [Line(pieces_of(text), {}) for text in _of_illness(section, illness, kind=kind)]
        rest = [_line(each, rng=rng) for each in own if each.template.group != OPENING]
        more = [_filler(each, rng=rng) for each in plain if each.group != OPENING]
        sections[section] = opening + middle + _merged(rest, more, section=section, rng=rng)
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
    """Results in the order of their dates, all else in the order of the list."""
    dated = [entity.forms["iso"] for entity in sentence.bound.values() if "iso" in entity.forms]
    day = max(dated, default="") if sentence.template.section == "data" else ""
    return (day, sentence.template.rank)


def _line(sentence: Sentence, *, rng: np.random.Generator) -> Line:
    return Line(pick(sentence.template.wordings, rng=rng), sentence.bound)


def _filler(template: Template, *, rng: np.random.Generator) -> Line:
    return Line(pick(template.wordings, rng=rng), {})


def _merged(rest: list[Line], more: list[Line], *, section: str, rng: np.random.Generator) -> list[Line]:
    """Mix both at random, each in its own order; results and plans keep them apart."""
    if section in LINES:
        return more + rest if section != "sign" else rest + more
    turns = rng.permutation([True] * len(rest) + [False] * len(more))
    own, other = iter(rest), iter(more)
    return [next(own if from_rest else other) for from_rest in turns]
