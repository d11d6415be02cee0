"""One page for a board: the question, the answer, and what it depends on."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.document import Block, Conditions, Prose, ReportDocument, Signature
from reidrisk.report.documents import opening
from reidrisk.report.documents.by_part import parts_table
from reidrisk.report.documents.outline import OutlineEntry, make_document
from reidrisk.report.kind import shown_of
from reidrisk.report.numbers import more

MOST_REASONS, MOST_PARTS, MOST_REMEDIES, MOST_PRACTICES, MOST_UNMEASURED = 4, 6, 3, 5, 6
"""Rows of each list, so that one page is enough."""
MEANING = (
    "Risk means the probability that someone finds out whom a record or a document is about. The full report "
    "explains how it was measured and what it does not cover."
)


def page(case: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that a board needs to decide."""
    sentence, review = case["verdict"]["sentence"], opening.next_review(case)
    return (
        Prose((_question(case),)),
        opening.verdict(case, most=MOST_REASONS),
        *((Prose((sentence,)),) if sentence else ()),
        *opening.failures(case),
        *opening.unmeasured(case, most=MOST_UNMEASURED),
        parts_table(case["parts"], most=MOST_PARTS),
        *opening.limit_pictures(case),
        *shown_of(case, partial(opening.remedies, most=MOST_REMEDIES)),
        *_conditions(case),
        Prose((f"{MEANING} {review}".strip(),)),
        Signature(("For the board",)),
    )


def _question(case: dict[str, Any]) -> str:
    release = case["release"]
    if release.get("recipient") and release.get("purpose"):
        return f"May these data be released to {release['recipient']}? Purpose: {release['purpose']}"
    return "May these data be released?"


def _conditions(case: dict[str, Any]) -> tuple[Block, ...]:
    practices = [str(row["clause"] or row["practice"]) for row in case["agreement"]]
    if not practices or not case["acceptable"]:
        return ()
    left = len(practices) - MOST_PRACTICES
    rest = (more(left, "in the full report"),) if left > 0 else ()
    return (Conditions((*practices[:MOST_PRACTICES], *rest)),)


CHAPTERS = (OutlineEntry("board", "The decision in brief", page),)


def document(case: dict[str, Any]) -> ReportDocument:
    """A single chapter."""
    return make_document("summary", "Decision on a release of data", case, CHAPTERS)
