"""A preview of hierarchies as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.names import short_path
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict


def name_of(result: dict[str, Any]) -> str:
    """The table, by the last part of its path."""
    return short_path(str(result["settings"]["table"]))


def verdict(result: dict[str, Any]) -> Verdict:
    """That nothing is decided."""
    return Verdict(
        acceptable=True, reasons=tuple(Reason(text, holds=True) for text in result["reasons"]), said="Preview"
    )


def columns(result: dict[str, Any]) -> tuple[Table, ...]:
    """The levels of every column."""
    return tuple(_levels(column, result["settings"]["cell_size"]) for column in result["columns"])


def settings(result: dict[str, Any]) -> Facts:
    """What was counted."""
    facts = [
        Fact("table", str(result["settings"]["table"])),
        Fact("cell size", count(result["settings"]["cell_size"])),
    ]
    if result["notes"]:
        facts.append(Fact("read as", "; ".join(result["notes"])))
    return Facts(
        "Settings",
        "What was counted.",
        tuple(facts),
    )


def _levels(column: dict[str, Any], cell_size: int) -> Table:
    rows = tuple(
        (
            _level_name(level),
            count(level["values"]),
            count(level["smallest_group"]),
            percent(level["share_below_cell_size"]),
            "yes" if level["allowed"] else "no",
            "; ".join(level["examples"]) or "(all are rare)",
        )
        for level in column["levels"]
    )
    heads = (
        Column("level"),
        Column("values", is_number=True),
        Column(
            "smallest group",
            is_number=True,
            short="smallest",
        ),
        Column(
            f"rows in groups below {cell_size}",
            is_number=True,
            short=f"below {cell_size}",
        ),
        Column("allowed"),
        Column("examples", is_prose=True),
    )
    return Table(
        f"Hierarchy of {column['column']}",
        "What each level leaves of this column alone. Rare values are not shown.",
        heads,
        rows,
        _note(column),
    )


def _level_name(level: dict[str, Any]) -> str:
    number, name = str(level["number"]), str(level["level"])
    return number if name == number else f"{number} {name}"


def _note(column: dict[str, Any]) -> str:
    parts = []
    if column["min_level"] is not None:
        parts.append(f"At least: {column['min_level']}.")
    if column["max_level"] is not None:
        parts.append(f"Maximum acceptable generalization: {column['max_level']}.")
    if column["reason"]:
        parts.append(f"Reason: {column['reason']}")
    return " ".join(parts)
