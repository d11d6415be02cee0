"""Suggested roles as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict

ROLES = {
    "direct identifier": "May name people: remove it, or replace it by a code.",
    "quasi-identifier": "An intruder may know it; the risk is counted on these.",
    "sensitive": "What an intruder would learn.",
    "unit candidate": "May say which rows are one person or visit.",
    "other": "Neither known to outsiders nor telling, as far as seen.",
}


def name_of(result: dict[str, Any]) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"].get("table", "table")))


def verdict(result: dict[str, Any]) -> Verdict:
    """No verdict on the risk: what stands out, and who decides."""
    holds = (result["acceptable"], True)
    reasons = tuple(Reason(text, one) for text, one in zip(result["reasons"], holds, strict=True))
    return Verdict(result["acceptable"], reasons, "A suggestion, not a decision")


def in_role(result: dict[str, Any], role: str) -> list[dict[str, Any]]:
    """The columns of a role, the surest first."""
    order = ("certain", "likely", "possible")
    found = [column for column in result["columns"] if column["role"] == role]
    return sorted(found, key=lambda column: order.index(column["confidence"]))


def numbers_of(column: dict[str, Any]) -> str:
    """The column in numbers."""
    empty = f", {percent(column['missing_share'])} empty" if column["missing"] else ""
    return f"{column['shape']}, {count(column['distinct'])} distinct{empty}"


def columns(result: dict[str, Any]) -> Table:
    """Every column with its role and why."""
    rows = tuple(
        (column["column"], _role(column), column["confidence"], column["reason"], numbers_of(column))
        for role in ROLES
        for column in in_role(result, role)
    )
    return Table(
        "Columns",
        ("The role that each column seems to have, how sure that is, and why. No value is shown."),
        (
            Column("column"),
            Column("suggested role"),
            Column("confidence"),
            Column("why", is_prose=True),
            Column("values"),
        ),
        rows,
    )


def _role(column: dict[str, Any]) -> str:
    unit = column["unit_candidate"]
    return f"{column['role']} ({unit})" if unit else str(column["role"])


def scenario(result: dict[str, Any]) -> Table | None:
    """What the intruder knows, and who says so; None without a scenario."""
    found = result["scenario"]
    if found is None:
        return None
    rows = tuple((one["column"], one["why"], one["source"]) for one in found["quasi"])
    left = ", ".join(found["left_out"])
    return Table(
        f"Scenario: {found['name']}",
        found["says"],
        (
            Column("column"),
            Column("why it is known", is_prose=True),
            Column("source", is_prose=True),
        ),
        rows,
        f"Quasi-identifiers that this intruder is not thought to know: {left}." if left else "",
    )


def next_step(result: dict[str, Any]) -> Facts:
    """What to type next, and what is left out of it."""
    said = result["next_step"] or "No column seems to be a quasi-identifier; name them yourself."
    facts = [Fact("measure the risk", said)]
    if result["to_consider"]:
        facts.append(Fact("not in it, to consider", ", ".join(result["to_consider"])))
    unit = result["unit"]
    if unit:
        varying = f"; these vary within one: {', '.join(unit['varying'])}" if unit["varying"] else ""
        facts.append(
            Fact(
                "unit",
                f"{unit['column']}, {count(unit['units'])} of them{varying}",
            )
        )
    return Facts("Next", "Check the columns first; then type or change this.", tuple(facts))


def settings(result: dict[str, Any]) -> Facts:
    """What was looked at."""
    said = result["settings"]
    facts = [
        Fact("table", str(said["table"])),
        Fact("rows", count(result["rows"])),
        Fact("patterns sought in", said["patterns_sought_in"]),
        Fact(
            "scenario",
            said["scenario"] or "none; every likely quasi-identifier counts",
        ),
    ]
    if result["notes"]:
        facts.append(Fact("read as", "; ".join(result["notes"])))
    return Facts(
        "Settings",
        "What was looked at.",
        tuple(facts),
    )
