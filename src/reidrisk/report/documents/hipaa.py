"""Expert determination under HIPAA, 45 CFR 164.514(b)(1)."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Document, Prose, Signature
from reidrisk.report.documents import closing, course, opening, practices, robustness, setting
from reidrisk.report.documents.outline import Outline, made
from reidrisk.report.parts import Column, Fact, Facts, Source, Table
from reidrisk.report.words.book import phrases

PRINCIPLES = ("replicability", "availability", "distinguishability", "assess")


def expert(case: dict[str, Any]) -> tuple[Block, ...]:
    """Who determines, and by what knowledge; what the release does not state is left to be filled in."""
    words = phrases("hipaa.expert")
    named = case["release"].get("prepared_by") or words["blank"]
    facts = (
        Fact(words["name"], str(named)),
        Fact(words["education"], words["blank"]),
        Fact(words["experience"], words["blank"]),
    )
    return (Prose((words["intro"],)), Facts(words["title"], words["explanation"], facts))


def data(case: dict[str, Any]) -> tuple[Block, ...]:
    """What is shared, with whom, and which facts it tells."""
    return (*setting.release(case), *setting.context(case), *course.by_part(case, "identifiers"))


def principles(case: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001 - one shape for all chapters
    """The questions of the official guidance, and where they are answered."""
    words = phrases("hipaa.principle")
    columns = (
        Column(words["name"]),
        Column(words["question"], is_prose=True),
        Column(words["answer"], is_prose=True),
    )
    rows = tuple((words[name], words[f"{name}_question"], words[f"{name}_answer"]) for name in PRINCIPLES)
    return (Table(words["title"], words["explanation"], columns, rows),)


def very_small(case: dict[str, Any]) -> tuple[Block, ...]:
    """Why this number is taken for very small."""
    intro = Prose(
        (
            (
                "The rule asks for a risk that is very small and names no number. The number used "
                "here is a choice with its reason. Precedents show that others have called similar "
                "numbers small; none of them binds the expert."
            ),
        )
    )
    if not case["context"]:
        return (
            intro,
            Prose(
                (
                    (
                        "No context was given. The threshold of each result is the one that it was "
                        "measured with."
                    ),
                )
            ),
        )
    return (intro, setting.threshold(case), *setting.precedents(case))


def conditions(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the determination depends on, and until when it holds."""
    due = (case["release"].get("review") or {}).get("due")
    until = (
        (
            f"The determination is meant to hold until {due}. It should be renewed earlier if "
            "the data, the recipient or what is publicly known change."
        )
        if due
        else (
            "No end was stated. A determination should be renewed when the data, the recipient "
            "or what is publicly known change."
        )
    )
    return (*practices.agreement(case), Prose((until,)))


def determination(case: dict[str, Any]) -> tuple[Block, ...]:
    """The statement to be signed; not offered for signature where the verdict speaks against it."""
    if not case["acceptable"]:
        return (
            opening.verdict(case),
            Prose(
                (
                    (
                        "The figures do not support a determination that the risk is very small. No "
                        "statement is offered for signature."
                    ),
                )
            ),
        )
    return (
        opening.verdict(case),
        Prose(
            (
                (
                    "Applying the principles and methods described in this report, I have determined "
                    "that the risk is very small that the information could be used, alone or together "
                    "with other reasonably available information, by an anticipated recipient to "
                    "identify an individual who is a subject of the information."
                ),
            )
        ),
        Signature(("The expert",)),
    )


def references(case: dict[str, Any]) -> tuple[Block, ...]:
    """With the rule and its guidance."""
    return closing.references(case, more=tuple(map(Source, phrases("hipaa.source").values())))


CHAPTERS: Outline = (
    ("summary", opening.summary),
    ("expert", expert),
    ("data", data),
    ("principles", principles),
    ("methods", closing.methods),
    ("measures", course.measures),
    ("before", course.initial),
    ("after", course.final),
    ("very_small", very_small),
    ("sensitivity", robustness.sensitivity),
    ("conditions", conditions),
    ("limits", closing.limits),
    ("determination", determination),
    ("references", references),
)
APPENDICES: Outline = (
    ("remedies", closing.remedies),
    ("checklist", practices.checklist),
    ("settings", closing.appendix),
)


def document(case: dict[str, Any]) -> Document:
    """All chapters in their order."""
    return made("hipaa", case, CHAPTERS, APPENDICES)
