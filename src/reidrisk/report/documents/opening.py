"""The first page of a report: the answer, what leaves, what it depends on, and who signs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from reidrisk.report.blocks import inventory
from reidrisk.report.blocks.evidence import evidence_reason
from reidrisk.report.document import Block, Conditions, Notice, Pictures, Prose
from reidrisk.report.documents.by_part import (
    has_failed,
    judged_risk,
    leaving_table,
    listed,
    measured_parts,
    quoted,
    verdict_word,
)
from reidrisk.report.documents.outline import OutlineEntry
from reidrisk.report.kind import shown_of
from reidrisk.report.kinds.assessment import limits_chart, reason_text, undecided_headline
from reidrisk.report.numbers import more, probability
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.traced import size

MOST_REASONS, MOST_PARTS, MOST_REMEDIES, MOST_UNMEASURED, MOST_CLAUSES, MOST_ITEMS = 4, 8, 8, 5, 4, 6
"""Rows of each list, so that the summary stays on one page."""
PAIR = 2


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where a template has the rest of what its first page begins."""

    parts: str = "in the chapter on the risk that is left"
    clauses: str = "in the chapter on the data-sharing agreement"
    changes: str = "in the chapter on what would change the verdict"


IN_GENERAL = Elsewhere()


def summary(case: dict[str, Any], elsewhere: Elsewhere = IN_GENERAL) -> tuple[Block, ...]:
    """Everything that a decision needs, on one page."""
    return (
        plain_verdict(case),
        *failures(case),
        leaving_table(case["parts"], most=MOST_PARTS, rest=elsewhere.parts),
        *unmeasured(case, most=MOST_UNMEASURED),
        *conditions(case, most=MOST_CLAUSES, rest=elsewhere.clauses),
        *shown_of(case, partial(nearest_remedy, rest=elsewhere.changes)),
        *who_signs(case),
        *((Prose((review,)),) if (review := next_review(case)) else ()),
    )


SUMMARY = OutlineEntry("summary", "Summary", summary)


def plain_verdict(case: dict[str, Any]) -> Verdict:
    """The answer in one sentence; the reasons of a single part, or those that are about no part, below it."""
    alone = len(case["parts"]) == 1
    shown = [one for one in case["reasons"] if alone or (one["part"] is None and one["holds"] is False)]
    reasons = [Reason(plain_sentence(case), case["acceptable"])]
    reasons += [Reason(reason_text(one), one["holds"]) for one in shown[:MOST_REASONS]]
    left = size(shown) - MOST_REASONS
    reasons += [Reason(more(left, "with the verdicts on the parts"), None)] if left > 0 else []
    return Verdict(case["acceptable"], (*reasons, *evidence_reason(case)), undecided_headline(case))


def plain_sentence(case: dict[str, Any]) -> str:
    """Whether the data may be released, and why, in one sentence."""
    if case["acceptable"] is None or not case["context"]:
        return str(case["verdict"]["sentence"])
    to = f" to {case['release']['recipient']}" if case["release"].get("recipient") else ""
    if case["acceptable"]:
        number = size(case["parts"])
        several = f"{'both' if number == PAIR else f'all {number}'} parts are within their limits"
        within = "its risk is within its limit" if number == 1 else several
        under = ", if the practices below are followed" if case["agreement"] else ""
        return f"These data may be released{to}{under}: {within}."
    why = listed(_objections(case)) if _objections(case) else "a reason below stands against it"
    when = "yet" if undecided_headline(case) else "as they are"
    return f"These data may not be released{to} {when}: {why}."


def _objections(case: dict[str, Any]) -> list[str]:
    """What stands against a release, each in a few words."""
    parts = measured_parts(case)
    waiting = [one["name"] for one in parts if one["judged"].get("decision") == "undecided"]
    high = [
        one["name"] for one in parts if one["judged"]["acceptable"] is False and one["name"] not in waiting
    ]
    failed = [one["name"] for one in case["parts"] if has_failed(one)]
    stops = {one.get("part") for one in case["unmeasured"]}
    only_unmeasured = [name for name in high if name in stops and _is_within(case, name)]
    high = [name for name in high if name not in only_unmeasured]
    items = size(case["unmeasured"])
    told = (
        (high, f"{quoted(high)} {'is' if len(high) == 1 else 'are'} above the limit" if high else ""),
        (waiting, f"too few documents were examined to decide about {quoted(waiting)}" if waiting else ""),
        (failed, f"{quoted(failed)} could not be measured" if failed else ""),
        (
            case["unmeasured"],
            f"{items:,} item{'' if items == 1 else 's'} would leave without being measured",
        ),
    )
    return [text for found, text in told if found]


def _is_within(case: dict[str, Any], name: str) -> bool:
    """Whether the risk of a part would be accepted if nothing left unmeasured."""
    judged = next(part["judged"] for part in case["parts"] if part["name"] == name)
    risk = judged_risk(judged)
    return risk is not None and judged["threshold"] is not None and risk <= judged["threshold"]


def verdict(case: dict[str, Any]) -> Verdict:
    """The verdict with all its reasons; those against the release come first."""
    reasons = sorted(case["reasons"], key=lambda reason: reason["holds"] is not False)
    found = [Reason(reason_text(reason), reason["holds"]) for reason in reasons]
    return Verdict(case["acceptable"], (*found, *evidence_reason(case)), undecided_headline(case))


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


def unmeasured(case: dict[str, Any], *, most: int, most_items: int = MOST_ITEMS) -> list[Block]:
    """What leaves without being measured."""
    table = inventory.unmeasured(case, most=most, most_items=most_items, rest="in the annex")
    return [] if table is None else [table]


def limit_pictures(case: dict[str, Any]) -> list[Block]:
    """The parts against their limits in one chart; none where fewer than two parts have a limit."""
    parts = [
        part
        for part in measured_parts(case)
        if part["judged"]["threshold"] and judged_risk(part["judged"]) is not None
    ]
    return [Pictures((limits_chart(parts),))] if len(parts) > 1 else []


def conditions(case: dict[str, Any], *, most: int, rest: str) -> list[Block]:
    """What the recipient must do; nothing if the release is not acceptable.

    What a part asks for counts only without a context: a context has checked it.
    """
    if not case["acceptable"]:
        return []
    own = [
        f"{part['name']}: {text}"
        for part in ([] if case["context"] else measured_parts(case))
        for text in part["result"].get("conditions") or ()
    ]
    clauses = [str(row["clause"] or row["practice"]) for row in case["agreement"]]
    left = size(clauses) - most
    others = [more(left, rest, "practice")] if left > 0 else []
    found = (*own, *clauses[:most], *others)
    return [Conditions(found)] if found else []


def nearest_remedy(case: dict[str, Any], *, rest: str) -> list[Block]:
    """The change that would help most, in a sentence; nothing where nothing was tried."""
    if case["acceptable"] or not case["remedies"]:
        return []
    best, left = case["remedies"][0], size(case["remedies"]) - 1
    effect = {
        True: "With it, everything is acceptable.",
        False: "It is not enough on its own.",
        None: "Assess the release again to find out whether it is enough.",
    }[best["acceptable_after"]]
    text = str(best["text"]).rstrip(".")
    others = f" {more(left, rest, 'change')}" if left else ""
    return [Prose((f"What would help most: {text}. {effect}{others}",))]


def who_signs(case: dict[str, Any]) -> list[Block]:
    """Who prepares, decides and receives, and whether they have signed; nothing without a release."""
    release = case["release"]
    if not release:
        return []
    approves = "must not be the person who prepared it"
    decides = approves if case["acceptable"] else "confirms the refusal"
    facts = [
        Fact("Prepared by", str(release.get("prepared_by") or "not named"), _signed(case, "preparer")),
        *(Fact("Reviewed by", text) for text in [_signed(case, "reviewer", empty="")] if text),
        Fact(
            "Decided by",
            f"for {release['custodian']}" if release.get("custodian") else "not named",
            _signed(case, "approver", empty=f"{decides}, {UNSIGNED}"),
        ),
    ]
    number = size(case["agreement"])
    if case["acceptable"] and number:
        practices = "1 practice" if number == 1 else f"{number} practices"
        name = str(release.get("recipient") or "not named")
        facts.append(Fact("Recipient", name, f"agrees to {practices} in writing"))
    return [Facts("Who must sign", "", tuple(facts))]


UNSIGNED = "has not signed yet"


def _signed(case: dict[str, Any], role: str, *, empty: str = UNSIGNED) -> str:
    """Who signed this state of the assessment in a role, and when."""
    own: Sequence[dict[str, Any]] = [
        one for one in case.get("signatures") or () if one["role"] == role and one["root"] == case["root"]
    ]
    if not own:
        return empty
    return "; ".join(f"signed by {one['name']}, {str(one['time'])[:10]}" for one in own)


def remedies(case: dict[str, Any], *, most: int | None = None, rest: str = "in the annex") -> list[Block]:
    """Changes that would help, the best first."""
    found = case["remedies"] if most is None else case["remedies"][:most]
    if not found and any(map(has_failed, case["parts"])):
        return [Prose(tuple(_measure_first(part) for part in case["parts"] if has_failed(part)))]
    if not found:
        tried = case["context"] and case["acceptable"] is False
        return [Prose(("None of the single changes tried makes the release acceptable.",))] if tried else []
    left = size(case["remedies"]) - size(found)
    rows = tuple(
        (
            remedy["text"],
            remedy["part"] or "all",
            probability(remedy["risk_before"]),
            probability(remedy["risk_after"]),
            "not known" if remedy["acceptable_after"] is None else verdict_word(remedy["acceptable_after"]),
        )
        for remedy in found
    )
    table = Table(
        "Changes that would help",
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
        more(left, rest, "change") if left else "",
    )
    return [table]


def _measure_first(part: dict[str, Any]) -> str:
    """What to do about a part that could not be measured."""
    error = part["error"] or {}
    why = f" {error['problem']}" if error.get("problem") else ""
    hint = f" {error['hint']}" if error.get("hint") else ""
    hint += "" if not hint or hint.endswith(".") else "."
    return f'"{part["name"]}" must be measured first.{why}{hint} Then assess the release again.'


def most_remedies(case: dict[str, Any]) -> list[Block]:
    """The changes that would help most."""
    return shown_of(case, partial(remedies, most=MOST_REMEDIES))


def next_review(case: dict[str, Any]) -> str:
    """When the next review is due; empty where no date is stated."""
    due = (case["release"].get("review") or {}).get("due")
    if not due:
        return ""
    return (
        f"The next review is due on {due}. Review earlier if the data, the recipient or the controls change."
    )
