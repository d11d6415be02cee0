"""One page for a board: the question, the answer, what it depends on, what is asked of you."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Conditions, Document, Prose, Signature
from reidrisk.report.documents import opening
from reidrisk.report.documents.figures import parts_table
from reidrisk.report.documents.outline import Outline, made
from reidrisk.report.words.book import say

MOST_PARTS, MOST_REMEDIES, MOST_PRACTICES = 6, 3, 5
"""So that a page is enough."""


def page(case: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that a board needs to decide."""
    found: list[Block] = [Prose((_question(case),)), opening.verdict(case, most=4)]
    if case["verdict"]["sentence"]:
        found.append(Prose((case["verdict"]["sentence"],)))
    found += opening.failures(case)
    found += [parts_table(case["parts"], most=MOST_PARTS), *opening.overview(case)]
    found += opening.remedies(case, most=MOST_REMEDIES)
    practices = [str(row["clause"] or row["practice"]) for row in case["agreement"]]
    if practices and case["acceptable"]:
        left = len(practices) - MOST_PRACTICES
        more = (f"{left} more in the full report.",) if left > 0 else ()
        found.append(Conditions((*practices[:MOST_PRACTICES], *more)))
    due = (case["release"].get("review") or {}).get("due")
    meaning = (
        "Risk means the probability that somebody finds out whom a record or a document is "
        "about. The full report says how it was measured, and what it does not cover."
    )
    found.append(Prose((f"{meaning} {say('summary.review', due=due)}" if due else meaning,)))
    found.append(Signature(("For the board",)))
    return tuple(found)


def _question(case: dict[str, Any]) -> str:
    release = case["release"]
    if release.get("recipient") and release.get("purpose"):
        return f"May these data be given to {release['recipient']}? Purpose: {release['purpose']}"
    return "May these data be released?"


CHAPTERS: Outline = (("board", page),)


def document(case: dict[str, Any]) -> Document:
    """A single chapter."""
    return made("summary", case, CHAPTERS)
