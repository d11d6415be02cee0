"""The check of the HIPAA lists as a table and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.text_risk import short_path
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say

LEFT = ("found", "possible")
EXPLAINED = say("content.table_hipaa.safe_harbor_lists")


def name_of(result: dict[str, Any]) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table", "table")))


def verdict(result: dict[str, Any]) -> Verdict:
    """What was found, in the words of the rule; the verdict on the release is not ours."""
    holds = (result["acceptable"], result["limited_data_set"]["remaining"] == 0)
    reasons = tuple(Reason(text, one) for text, one in zip(result["reasons"], holds, strict=True))
    said = (
        say("content.table_hipaa.no_safe_harbor")
        if result["acceptable"]
        else say("content.table_hipaa.safe_harbor_identifiers")
    )
    return Verdict(result["acceptable"], reasons, said)


def identifiers(result: dict[str, Any]) -> Table:
    """Every item of the lists with what was found."""
    rows = tuple(
        (
            f"({one['letter']}) {one['identifier']}",
            one["status"],
            one["limited_status"] or say("content.table_hipaa.may_be_held"),
            "; ".join(f"{held['column']}: {held['reason']}" for held in one["columns"]),
        )
        for one in result["identifiers"]
    )
    return Table(
        say("content.table_hipaa.identifiers"),
        EXPLAINED,
        (
            Column(say("content.table_hipaa.identifier")),
            Column(say("content.table_hipaa.safe_harbor")),
            Column(say("content.table_hipaa.limited_data_set")),
            Column(say("content.table_hipaa.where_and_why"), is_prose=True),
        ),
        rows,
    )


def not_checked(result: dict[str, Any]) -> Facts:
    """What no program, or not this one, can tell."""
    facts = tuple(Fact(str(place), text) for place, text in enumerate(result["not_checked"], start=1))
    return Facts(say("content.table_hipaa.not_checked"), say("content.table_hipaa.what_was_not"), facts)


def settings(result: dict[str, Any]) -> Facts:
    """What was checked."""
    facts = [
        Fact(say("content.table_hipaa.table"), str(result["settings"].get("table", "table"))),
        Fact(say("content.table_hipaa.rows"), count(result["rows"])),
    ]
    if result["notes"]:
        facts.append(Fact(say("content.table_hipaa.read_as"), "; ".join(result["notes"])))
    return Facts(
        say("content.table_hipaa.settings"), say("content.table_hipaa.what_was_checked"), tuple(facts)
    )
