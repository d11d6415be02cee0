"""The check of the HIPAA lists as a table and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.names import short_path
from reidrisk.report.numbers import count
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict

LEFT = ("found", "possible")
EXPLAINED = (
    "Safe Harbor lists 18 identifiers, 45 CFR 164.514(b)(2)(i)(A) to (R); a limited "
    "data set must not hold 16 of them, 164.514(e)(2)."
)


def name_of(result: dict[str, Any]) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table", "table")))


def verdict(result: dict[str, Any]) -> Verdict:
    """What was found, in the words of the rule; the verdict on the release is not ours."""
    holds = (result["acceptable"], result["limited_data_set"]["remaining"] == 0)
    reasons = tuple(Reason(text, one) for text, one in zip(result["reasons"], holds, strict=True))
    said = "No Safe Harbor identifier found" if result["acceptable"] else "Safe Harbor identifiers remain"
    return Verdict(result["acceptable"], reasons, said)


def identifiers(result: dict[str, Any]) -> Table:
    """Every item of the lists with what was found."""
    rows = tuple(
        (
            f"({one['letter']}) {one['identifier']}",
            one["status"],
            one["limited_status"] or "may be held",
            "; ".join(f"{held['column']}: {held['reason']}" for held in one["columns"]),
        )
        for one in result["identifiers"]
    )
    return Table(
        "Identifiers",
        EXPLAINED,
        (
            Column("identifier"),
            Column("Safe Harbor"),
            Column("limited data set"),
            Column("where and why", is_prose=True),
        ),
        rows,
    )


def not_checked(result: dict[str, Any]) -> Facts:
    """What no program, or not this one, can tell."""
    facts = tuple(Fact(str(place), text) for place, text in enumerate(result["not_checked"], start=1))
    return Facts("Not checked", "What was not looked at, or cannot be told by a program.", facts)


def settings(result: dict[str, Any]) -> Facts:
    """What was checked."""
    facts = [
        Fact("table", str(result["settings"].get("table", "table"))),
        Fact("rows", count(result["rows"])),
    ]
    if result["notes"]:
        facts.append(Fact("read as", "; ".join(result["notes"])))
    return Facts("Settings", "What was checked.", tuple(facts))
