"""The first page of a report: the answer, the parts, and what would change the verdict."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.blocks import inventory
from reidrisk.report.blocks.evidence import evidence_reason
from reidrisk.report.document import Block, Conditions, Notice, Pictures, Prose
from reidrisk.report.documents.by_part import has_failed, judged_risk, parts_table, verdict_word
from reidrisk.report.documents.outline import OutlineEntry
from reidrisk.report.kind import shown_of
from reidrisk.report.kinds.assessment import limits_chart, reason_text, undecided_headline
from reidrisk.report.numbers import more, probability
from reidrisk.report.parts import Column, Reason, Table, Verdict

MOST_REASONS, MOST_PARTS, MOST_REMEDIES, MOST_UNMEASURED = 6, 8, 3, 8
"""Rows of each list, so that the summary stays on one page."""


def verdict(case: dict[str, Any], *, most: int | None = None) -> Verdict:
    """The verdict; reasons against the release come first."""
    reasons = sorted(case["reasons"], key=lambda reason: reason["holds"] is not False)
    shown = reasons if most is None else reasons[:most]
    found = [Reason(reason_text(reason), reason["holds"]) for reason in shown]
    left = len(reasons) - len(shown)
    if left:
        text = more(left, "in the full report, with the verdicts on the parts")
        found.append(Reason(text, None))
    found += evidence_reason(case)
    return Verdict(case["acceptable"], tuple(found), undecided_headline(case))


def summary(case: dict[str, Any]) -> tuple[Block, ...]:
    """Everything important on one page."""
    sentence = case["verdict"]["sentence"]
    return (
        verdict(case, most=MOST_REASONS),
        *((Prose((sentence,)),) if sentence else ()),
        *failures(case),
        *unmeasured(case, most=MOST_UNMEASURED),
        parts_table(case["parts"], most=MOST_PARTS),
        *limit_pictures(case),
        *shown_of(case, partial(remedies, most=MOST_REMEDIES)),
        *_outlook(case),
    )


SUMMARY = OutlineEntry("summary", "Summary", summary)


def failures(case: dict[str, Any]) -> list[Block]:
    """A notice for each part that could not be measured."""
    return [
        Notice(
            f"{part['name']} could not be measured: {(part['error'] or {}).get('problem', '')} "
            "It is missing from the figures below, so the release cannot be called acceptable."
        )
        for part in case["parts"]
        if has_failed(part)
    ]


def unmeasured(case: dict[str, Any], *, most: int) -> list[Block]:
    """What leaves without being measured."""
    table = inventory.unmeasured(case, most=most)
    return [] if table is None else [table]


def limit_pictures(case: dict[str, Any]) -> list[Block]:
    """The parts against their limits in one chart; none where no part has a limit."""
    parts = [
        part
        for part in case["parts"]
        if not has_failed(part) and part["judged"]["threshold"] and judged_risk(part["judged"]) is not None
    ]
    return [Pictures((limits_chart(parts[:MOST_PARTS]),))] if parts else []


def remedies(case: dict[str, Any], *, most: int | None = None) -> list[Block]:
    """Changes that would help, the best first."""
    found = case["remedies"] if most is None else case["remedies"][:most]
    if not found:
        tried = case["context"] and case["acceptable"] is False
        return [Prose(("None of the single changes tried makes the release acceptable.",))] if tried else []
    left = len(case["remedies"]) - len(found)
    rows = tuple(
        (
            remedy["text"],
            remedy["part"] or "all",
            probability(remedy["risk_before"]),
            probability(remedy["risk_after"]),
            verdict_word(remedy["acceptable_after"]),
        )
        for remedy in found
    )
    table = Table(
        "What would change the verdict",
        "Each row is one change, tried on the figures of this release. Changes that make everything "
        "acceptable come first, then smaller changes.",
        (
            Column("change", is_prose=True),
            Column("part"),
            Column("risk now", is_number=True),
            Column("risk after", is_number=True),
            Column("release after"),
        ),
        rows,
        f"Further changes in the full report: {left}." if left else "",
    )
    return [table]


def _outlook(case: dict[str, Any]) -> list[Block]:
    """What the verdict depends on, and until when it is valid."""
    found: list[Block] = []
    number = len(case["agreement"])
    if case["acceptable"] and number:
        text = (
            f"The verdict depends on {number} practices of the recipient. They belong in the data-sharing "
            "agreement and are listed in the chapter about it."
        )
        found.append(Conditions((text,)))
    review = next_review(case)
    return [*found, Prose((review,))] if review else found


def next_review(case: dict[str, Any]) -> str:
    """When the next review is due; empty where no date is stated."""
    due = (case["release"].get("review") or {}).get("due")
    if not due:
        return ""
    return (
        f"The next review is due on {due}. Review earlier if the data, the recipient or the controls change."
    )
