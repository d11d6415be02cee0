"""One page for a board: the question, the answer, what it depends on, and a line to sign."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any

from reidrisk.report.document import Block, Bullets, Conditions, Prose, ReportDocument, Signature
from reidrisk.report.documents import closing, opening
from reidrisk.report.documents.by_part import (
    NOT_SHOWN,
    has_failed,
    in_words,
    is_hidden,
    judged_risk,
    listed,
    measured_parts,
    part_word,
)
from reidrisk.report.documents.outline import OutlineEntry, make_document
from reidrisk.report.kind import shown_of
from reidrisk.report.kinds.assessment import undecided_headline
from reidrisk.report.numbers import more
from reidrisk.report.parts import Column, Reason, Table, Verdict
from reidrisk.report.traced import size

MOST_PARTS, MOST_REMEDIES, MOST_PRACTICES, MOST_ITEMS = 8, 3, 4, 3
"""Rows of each list, so that one page is enough."""
MEANING = (
    "Risk means the chance that somebody finds out whom a record or a document is about. The full report "
    "explains how it was measured and what it does not cover."
)


def page(case: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that a board needs to decide."""
    return (
        Prose((_question(case),)),
        Verdict(
            case["acceptable"],
            tuple(Reason(text, case["acceptable"]) for text in _answer(case)),
            undecided_headline(case),
        ),
        *opening.failures(case),
        _parts(case["parts"]),
        *shown_of(case, _not_measured),
        *_lost_columns(case),
        *_conditions(case),
        *shown_of(case, what_would_change),
        Prose((MEANING,)),
        Signature((_signer(case),)),
    )


def _question(case: dict[str, Any]) -> str:
    release = case["release"]
    if release.get("recipient") and release.get("purpose"):
        purpose = str(release["purpose"]).rstrip(".")
        return f"May these data be released to {release['recipient']}? Purpose: {purpose}."
    return "May these data be released?"


def _answer(case: dict[str, Any]) -> tuple[str, ...]:
    """The answer in words that anybody understands, with the largest risk that decides."""
    known = [part["judged"] for part in measured_parts(case) if part["judged"]["risk"]]
    if not known:
        return (opening.plain_sentence(case),)
    worst = max(known, key=lambda one: one["risk"])
    said = worst_case(worst["risk"], worst["statistic"])
    if any(map(has_failed, case["parts"])):
        said = f"In the parts that could be measured: {said[0].lower()}{said[1:]}"
    return opening.plain_sentence(case), said


def worst_case(risk: float, statistic: str | None = None) -> str:
    """A risk as a chance, never smaller than it is.

    >>> worst_case(0.2)
    'At worst, the chance that a patient is re-identified is one in five.'
    >>> worst_case(0.3, "average risk of the records")
    'On average, the chance that a patient is re-identified is one in three.'
    >>> worst_case(1.0)
    'At worst, a patient could be re-identified with certainty.'
    """
    start = "On average" if statistic and "average" in statistic else "At worst"
    if risk > 0.5:
        certain = "with certainty" if risk >= 1 else "more likely than not"
        return f"{start}, a patient could be re-identified {certain}."
    number = floor(1 / risk + 1e-9)
    shown = NUMBERS[number - 2] if number - 2 < len(NUMBERS) else f"{number:,}"
    return f"{start}, the chance that a patient is re-identified is one in {shown}."


NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def chance(risk: float | str | None) -> str:
    """A chance as one in so many, never smaller than it is.

    >>> [chance(one) for one in (1.0, 0.6, 0.2, 0.0877, 0.0, None)]
    ['certain', 'over 1 in 2', '1 in 5', '1 in 11', 'none', 'not known']
    """
    if risk is None or isinstance(risk, str):
        return risk or "not known"
    if risk > 0.5:
        return "certain" if risk >= 1 else "over 1 in 2"
    return f"1 in {floor(1 / risk + 1e-9):,}" if risk else "none"


def _parts(parts: Sequence[dict[str, Any]]) -> Table:
    """What leaves, with its risk as one in so many."""
    left = size(parts) - MOST_PARTS
    return Table(
        "What would leave",
        "Each part, the chance that somebody in it is found, and the largest chance that is accepted.",
        (
            Column("part"),
            Column("what it is", is_prose=True),
            Column("risk", is_number=True),
            Column("accepted", is_number=True),
            Column("verdict"),
        ),
        tuple(_part_row(part) for part in parts[:MOST_PARTS]),
        more(left, "in the full report", "part") if left > 0 else "",
    )


def _part_row(part: dict[str, Any]) -> tuple[str, ...]:
    judged = part["judged"] or {}
    risk = None if has_failed(part) else judged_risk(judged)
    limit = None if has_failed(part) else judged["threshold"]
    accepted = "no limit" if limit is None else chance(limit)
    shown = NOT_SHOWN if is_hidden(part) else chance(risk)
    return (part["name"], in_words(part), shown, accepted, part_word(part))


def _not_measured(case: dict[str, Any]) -> tuple[Block, ...]:
    """What leaves without a figure, and whether somebody accepted that."""
    told = [
        f"{start}: {found}."
        for status, start in (
            ("unmeasured", "Would leave without being measured, and nobody has accepted it"),
            ("accepted", "Not measured, and accepted by name for a stated reason"),
        )
        if (found := _items(case, status))
    ]
    return (Prose((" ".join(told),)),) if told else ()


def _items(case: dict[str, Any], status: str) -> str:
    """The items with a status, by part."""
    by_part: dict[str, list[str]] = {}
    for one in case["inventory"]:
        if one["status"] == status:
            by_part.setdefault(one["part"], []).append(one["item"])
    return "; ".join(f'in "{part}", {listed(items, most=MOST_ITEMS)}' for part, items in by_part.items())


def _lost_columns(case: dict[str, Any]) -> tuple[Block, ...]:
    """Columns that leave without any detail, by part."""
    lost = [
        f"{row['column']} ({part['name']})"
        for part in measured_parts(case)
        for row in part["result"].get("fully_suppressed") or ()
    ]
    if not lost:
        return ()
    return (Prose((f"Columns that leave without any detail: {listed(lost, most=MOST_ITEMS)}.",)),)


def _conditions(case: dict[str, Any]) -> tuple[Block, ...]:
    practices = [str(row["clause"] or row["practice"]) for row in case["agreement"]]
    if not practices or not case["acceptable"]:
        return ()
    left = size(practices) - MOST_PRACTICES
    rest = (more(left, "in the full report"),) if left > 0 else ()
    return (Conditions((*practices[:MOST_PRACTICES], *rest)),)


def what_would_change(case: dict[str, Any]) -> list[Block]:
    """For a refusal, what would help; for an acceptance, what would end it."""
    found = _what_would_end_it(case) if case["acceptable"] else _what_would_help(case)
    return [Bullets("What would change this answer", tuple(found))] if found else []


def _what_would_help(case: dict[str, Any]) -> list[str]:
    ends = {True: " Then the answer is yes.", False: " Not enough on its own.", None: ""}
    first = [
        f'Correct what stops the measurement of "{part["name"]}", and assess the release again.'
        for part in case["parts"]
        if has_failed(part)
    ]
    first += (
        ["Measure what would leave unmeasured, remove it, or accept it by name."]
        if case["unmeasured"]
        else []
    )
    found = [
        f"{str(one['text']).rstrip('.')}.{ends[one['acceptable_after']]}"
        for one in case["remedies"][:MOST_REMEDIES]
    ]
    left = size(case["remedies"]) - size(found)
    return [*first, *found, *([more(left, "in the full report", "change")] if left > 0 else ())]


def _what_would_end_it(case: dict[str, Any]) -> list[str]:
    """Changes of the world, the review, and choices under which the answer would be no."""
    due = (case["release"].get("review") or {}).get("due")
    found = ["The data, the recipient or its practices change, or more becomes known about the people."]
    found += [f"The review that is due on {due} is not made."] if due else []
    stricter, tried = size(closing.turned(case)), size(case["sensitivity"])
    if stricter:
        found.append(
            f"With {stricter} of {tried} other choices that were tried, a part would be refused. See the "
            "full report."
        )
    return found


def _signer(case: dict[str, Any]) -> str:
    custodian = case["release"].get("custodian")
    return f"For {custodian}" if custodian else "For the board"


CHAPTERS = (OutlineEntry("board", "The decision in brief", page),)


def document(case: dict[str, Any]) -> ReportDocument:
    """A single chapter."""
    return make_document("summary", "Decision on a release of data", case, CHAPTERS)
