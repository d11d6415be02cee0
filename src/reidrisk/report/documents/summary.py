"""One page for a board: the question, the answer, and what it depends on."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.document import Block, Conditions, Prose, ReportDocument, Signature
from reidrisk.report.documents import opening
from reidrisk.report.documents.by_part import measured_parts, parts_table
from reidrisk.report.documents.outline import OutlineEntry, make_document
from reidrisk.report.kind import shown_of
from reidrisk.report.kinds.assessment import undecided_headline
from reidrisk.report.numbers import more

MOST_REASONS, MOST_PARTS, MOST_REMEDIES, MOST_PRACTICES, MOST_UNMEASURED, MOST_LOST = 4, 6, 3, 5, 6, 12
"""Rows of each list, so that one page is enough."""
MEANING = (
    "Risk means the probability that someone finds out whom a record or a document is about. The full report "
    "explains how it was measured and what it does not cover."
)


def page(case: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that a board needs to decide."""
    sentence, review = case["verdict"]["sentence"], opening.next_review(case)
    return (
        Prose((_question(case), *plain_sentences(case))),
        opening.verdict(case, most=MOST_REASONS),
        *((Prose((sentence,)),) if sentence else ()),
        *opening.failures(case),
        *opening.unmeasured(case, most=MOST_UNMEASURED),
        *_lost_columns(case),
        parts_table(case["parts"], most=MOST_PARTS),
        *shown_of(case, partial(opening.remedies, most=MOST_REMEDIES)),
        *_conditions(case),
        Prose((f"{MEANING} {review}".strip(),)),
        Signature(("For the board",)),
    )


def plain_sentences(case: dict[str, Any]) -> tuple[str, ...]:
    """The answer in words that anybody understands; nothing if no part has a risk."""
    judged = [part["judged"] for part in measured_parts(case)]
    known = [one for one in judged if one["risk"]]
    if not known:
        return ()
    worst = max(known, key=lambda one: one["risk"])
    answer = {True: "Yes. ", False: "No. "}.get(case["acceptable"], "")
    if undecided_headline(case):
        answer = "Not yet: too few documents were examined to decide. "
    stops = len(case["unmeasured"])
    items = "1 item" if stops == 1 else f"{stops} items"
    more_leaves = f" But {items} would leave without being measured." if stops else ""
    return (f"{answer}{worst_case(worst['risk'], worst['statistic'])}{more_leaves}",)


def worst_case(risk: float, statistic: str | None = None) -> str:
    """A risk as the people that it means, never fewer than it says.

    >>> worst_case(0.2)
    'At worst, one patient in five could be re-identified.'
    >>> worst_case(0.3, "average risk of the records")
    'On average, one patient in three could be re-identified.'
    >>> worst_case(1.0)
    'At worst, a patient could be re-identified with certainty.'
    """
    start = "On average" if statistic and "average" in statistic else "At worst"
    if risk > 0.5:
        certain = "with certainty" if risk >= 1 else "more likely than not"
        return f"{start}, a patient could be re-identified {certain}."
    number = int(1 / risk + 1e-9)
    shown = NUMBERS[number - 2] if number - 2 < len(NUMBERS) else f"{number:,}"
    return f"{start}, one patient in {shown} could be re-identified."


NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _lost_columns(case: dict[str, Any]) -> tuple[Block, ...]:
    """Columns that leave without any value, by part."""
    lost = [
        f"{row['column']} ({part['name']})"
        for part in measured_parts(case)
        for row in part["result"].get("fully_suppressed") or ()
    ]
    if not lost:
        return ()
    shown, left = lost[:MOST_LOST], len(lost) - MOST_LOST
    rest = f" {more(left, 'in the full report')}" if left > 0 else ""
    return (
        Prose(
            (f"Columns that leave without any value, because all are suppressed: {', '.join(shown)}.{rest}",)
        ),
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
