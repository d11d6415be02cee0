"""Expert determination under HIPAA, 45 CFR 164.514(b)(1)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reidrisk.report.document import Block, Prose, ReportDocument, Signature
from reidrisk.report.documents import by_part, closing, context, opening
from reidrisk.report.documents.outline import OutlineEntry, make_document
from reidrisk.report.parts import Column, Fact, Facts, Source, Table

RULE = "45 CFR 164.514(b)(1)"
GUIDANCE = "HHS, Guidance on De-identification (26 November 2012)"
SOURCES = (
    Source(
        "45 CFR 164.514(b)(1). Requirements for de-identification of protected health information: expert "
        "determination."
    ),
    Source(
        "US Department of Health and Human Services, Office for Civil Rights. Guidance Regarding Methods for "
        "De-identification of Protected Health Information in Accordance with the HIPAA Privacy Rule. "
        "26 November 2012."
    ),
)
PRINCIPLES = (
    (
        "Replicability",
        "Is a feature stable, so that it will be the same when someone looks for it again?",
        "The choice of quasi-identifiers, in the chapter on the data and the anticipated recipient.",
    ),
    (
        "Data source availability",
        "Which outside sources contain the feature together with names, and who can get them?",
        "The adversaries, under methods; the attackers of each sharing policy, under results.",
    ),
    (
        "Distinguishability",
        "How well do the features distinguish one person from another?",
        "The class sizes, leaks and g-distinct people, under results.",
    ),
    (
        "Assessment of the risk",
        "The more a feature is stable, available and distinguishing, the greater the risk. How great is it?",
        "The risks with their intervals, under results; the limit, in the chapter that follows.",
    ),
)
"""Principle, question, and where it is answered."""
STATEMENT = (
    "Applying the principles and methods described in this report, I have determined that the risk is very "
    "small that the information could be used, alone or together with other reasonably available "
    "information, by an anticipated recipient to identify an individual who is a subject of the "
    "information."
)


def expert(case: dict[str, Any]) -> tuple[Block, ...]:
    """Who makes the determination; what the release file does not state is left to be filled in."""
    intro = (
        "This report is evidence for an expert. It is not a determination in itself: the expert must be "
        "satisfied that the methods fit the data and the recipient."
    )
    empty = "to be filled in"
    facts = (
        Fact("Name", str(case["release"].get("prepared_by") or empty)),
        Fact("Education and training", empty),
        Fact("Experience with de-identification", empty),
    )
    explanation = (
        "The rule requires knowledge of and experience with generally accepted statistical and scientific "
        "methods. A program has neither."
    )
    return (Prose((intro,)), Facts("Knowledge and experience", explanation, facts))


def data(case: dict[str, Any]) -> tuple[Block, ...]:
    """Which data are shared, with whom, and which identifiers they contain."""
    identifiers = by_part.chapter_by_part(case, "identifiers")
    return (*context.release(case), *context.context(case), *identifiers)


def principles(case: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001 - one signature for all chapters
    """The questions of the official guidance, and where they are answered."""
    explanation = "The questions of the official guidance, and where this report answers them."
    columns = (
        Column("principle"),
        Column("question", is_prose=True),
        Column("where it is answered", is_prose=True),
    )
    return (Table("Principles", explanation, columns, PRINCIPLES),)


def very_small(case: dict[str, Any]) -> tuple[Block, ...]:
    """Why this threshold is considered very small."""
    text = (
        "The rule requires a very small risk and states no number. The number used here was chosen for the "
        "stated reason. Precedents show that others have called similar numbers small; none of them binds "
        "the expert."
    )
    if not case["context"]:
        return (Prose((text,)), Prose((context.NO_CONTEXT,)))
    return (Prose((text,)), context.threshold(case), *context.precedents(case))


def conditions(case: dict[str, Any]) -> tuple[Block, ...]:
    """What the determination depends on, and until when it is valid."""
    due = (case["release"].get("review") or {}).get("due")
    until = (
        f"The determination is meant to be valid until {due}. Renew it earlier if the data, the recipient or "
        "publicly known information change."
        if due
        else "No end date was stated. Renew the determination when the data, the recipient or publicly known "
        "information change."
    )
    return (*context.agreement(case), Prose((until,)))


def determination(case: dict[str, Any]) -> tuple[Block, ...]:
    """The statement to sign; only offered if the verdict supports it."""
    if not case["acceptable"]:
        text = (
            "The figures do not support a determination that the risk is very small. No statement is "
            "offered for signature."
        )
        return (opening.verdict(case), Prose((text,)))
    return (opening.verdict(case), Prose((STATEMENT,)), Signature(("The expert",)))


def references(case: dict[str, Any]) -> tuple[Block, ...]:
    """With the rule and its guidance."""
    return closing.references(case, more=SOURCES)


CHAPTERS = (
    opening.SUMMARY,
    OutlineEntry(
        "expert", "The expert", expert, f"{RULE}: a person with appropriate knowledge and experience"
    ),
    OutlineEntry(
        "data",
        "The data and the anticipated recipient",
        data,
        f"{RULE}(i): the anticipated recipient, other reasonably available information",
    ),
    OutlineEntry(
        "principles",
        "Principles of the assessment",
        principles,
        f"{GUIDANCE}, principles for determining the risk",
    ),
    replace(closing.METHODS, source=f"{RULE}(ii): the methods of the analysis are documented"),
    OutlineEntry(
        "measures",
        "Methods applied to the data",
        by_part.measures,
        f"{RULE}(i): methods for rendering information not individually identifiable",
    ),
    OutlineEntry(
        "before",
        "Results: initial risk",
        by_part.initial,
        f"{RULE}(ii): the results of the analysis are documented",
    ),
    OutlineEntry(
        "after",
        "Results: remaining risk",
        by_part.final,
        f"{RULE}(ii): the results of the analysis are documented",
    ),
    OutlineEntry(
        "very_small", "Whether the risk is very small", very_small, f"{RULE}(i): the risk is very small"
    ),
    closing.SENSITIVITY,
    OutlineEntry(
        "conditions",
        "Conditions and time limit",
        conditions,
        f"{GUIDANCE}, on data use agreements and on time limits",
    ),
    closing.LIMITATIONS,
    OutlineEntry("determination", "Determination", determination, f"{RULE}(i): the expert determines"),
    OutlineEntry("references", "References", references),
)
APPENDICES = (closing.REMEDIES, context.CHECKLIST, closing.SETTINGS)


def document(case: dict[str, Any]) -> ReportDocument:
    """All chapters in their order."""
    title = "Expert determination under the HIPAA Privacy Rule"
    return make_document("hipaa", title, case, CHAPTERS, APPENDICES)
