"""What stands on the first page: the answer, the parts, and what would change it."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Conditions, Notice, Pictures, Prose
from reidrisk.report.documents.figures import decisive, failed, judged_word, parts_table
from reidrisk.report.kinds.assessment import limits_chart
from reidrisk.report.numbers import probability
from reidrisk.report.parts import Column, Fact, Reason, Table, Verdict
from reidrisk.report.words.book import phrases

MOST_REASONS, MOST_PARTS, MOST_REMEDIES = 6, 8, 3
"""So that the summary stays on one page."""


def title_facts(case: dict[str, Any]) -> tuple[Fact, ...]:
    """Who releases what to whom."""
    release = case["release"]
    names = phrases("release")
    return tuple(
        Fact(names[name], str(release[name]))
        for name in ("custodian", "recipient", "prepared_by", "date")
        if release.get(name)
    )


def verdict(case: dict[str, Any], *, most: int | None = None) -> Verdict:
    """The answer; what speaks against the release stands first."""
    reasons = sorted(case["reasons"], key=lambda reason: reason["holds"] is not False)
    shown = reasons if most is None else reasons[:most]
    said = [Reason(_reason(reason), reason["holds"]) for reason in shown]
    if len(shown) < len(reasons):
        said.append(
            Reason(
                (f"{len(reasons) - len(shown)} more in the full report, under the verdicts of the parts."),
                None,
            )
        )
    return Verdict(case["acceptable"], tuple(said))


def _reason(reason: dict[str, Any]) -> str:
    return f"{reason['part']}: {reason['text']}" if reason["part"] else str(reason["text"])


def summary(case: dict[str, Any]) -> tuple[Block, ...]:
    """The whole story on one page."""
    found: list[Block] = [verdict(case, most=MOST_REASONS)]
    sentence = case["verdict"]["sentence"]
    if sentence:
        found.append(Prose((sentence,)))
    found += failures(case)
    found.append(parts_table(case["parts"], most=MOST_PARTS))
    found += overview(case)
    found += remedies(case, most=MOST_REMEDIES)
    found += outlook(case)
    return tuple(found)


def failures(case: dict[str, Any]) -> list[Block]:
    """Parts that could not be measured are never left out silently."""
    return [
        Notice(
            f"{part['name']} could not be measured: {(part['error'] or {}).get('problem', '')} "
            "Nothing is said of it here but this, and the release cannot be called acceptable."
        )
        for part in case["parts"]
        if failed(part)
    ]


def overview(case: dict[str, Any]) -> list[Block]:
    """The parts against their limits in one picture; none where no part has a limit."""
    parts = [
        part
        for part in case["parts"]
        if not failed(part) and part["judged"]["threshold"] and decisive(part["judged"]) is not None
    ]
    return [Pictures((limits_chart(parts[:MOST_PARTS]),))] if parts else []


def remedies(case: dict[str, Any], *, most: int | None = None) -> list[Block]:
    """What would make it acceptable, the smallest change first."""
    found = case["remedies"] if most is None else case["remedies"][:most]
    if not found:
        tried = case["context"] and case["acceptable"] is False
        return [Prose(("No single change that was tried makes the release acceptable.",))] if tried else []
    left = len(case["remedies"]) - len(found)
    columns = (
        Column("change", is_prose=True),
        Column("part"),
        Column("risk now", is_number=True),
        Column("risk then", is_number=True),
        Column("the release then"),
    )
    rows = tuple(
        (
            remedy["text"],
            remedy["part"] or "all",
            probability(remedy["risk_before"]),
            probability(remedy["risk_after"]),
            judged_word(remedy["acceptable_after"]),
        )
        for remedy in found
    )
    note = f"Further changes in the full report: {left}." if left else ""
    return [
        Table(
            "What would change the verdict",
            (
                "Each line is one change, tried on the figures of this release. Those that make "
                "everything acceptable stand first, then the smaller change."
            ),
            columns,
            rows,
            note,
        )
    ]


def outlook(case: dict[str, Any]) -> list[Block]:
    """On what the verdict depends, and until when it holds."""
    found: list[Block] = []
    if case["acceptable"] and case["agreement"]:
        found.append(
            Conditions(
                (
                    (
                        f"The verdict counts on {len(case['agreement'])} practices of the recipient. They "
                        "stand in the chapter on the data-sharing agreement and belong in it."
                    ),
                )
            )
        )
    due = (case["release"].get("review") or {}).get("due")
    if due:
        found.append(
            Prose(
                (
                    (
                        f"The next review is due on {due}. New data, a new recipient or new controls ask "
                        "for an earlier one."
                    ),
                )
            )
        )
    return found
