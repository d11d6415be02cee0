"""A preview of hierarchies as tables and facts."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content.text_risk import short_path
from reidrisk.report.numbers import count, percent
from reidrisk.report.parts import Column, Fact, Facts, Reason, Table, Verdict
from reidrisk.report.words.book import say


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
        Fact(say("content.table_hierarchies.table"), str(result["settings"]["table"])),
        Fact(say("content.table_hierarchies.cell_size"), count(result["settings"]["cell_size"])),
    ]
    if result["notes"]:
        facts.append(Fact(say("content.table_hierarchies.read_as"), "; ".join(result["notes"])))
    return Facts(
        say("content.table_hierarchies.settings"),
        say("content.table_hierarchies.what_was_counted"),
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
            "; ".join(level["examples"]) or say("content.table_hierarchies.all_are_rare"),
        )
        for level in column["levels"]
    )
    heads = (
        Column(say("content.table_hierarchies.level")),
        Column(say("content.table_hierarchies.values"), is_number=True),
        Column(
            say("content.table_hierarchies.smallest_group"),
            is_number=True,
            short=say("content.table_hierarchies.smallest"),
        ),
        Column(
            say("content.table_hierarchies.rows_in_groups", cell_size=cell_size),
            is_number=True,
            short=say("content.table_hierarchies.below", cell_size=cell_size),
        ),
        Column(say("content.table_hierarchies.allowed")),
        Column(say("content.table_hierarchies.examples"), is_prose=True),
    )
    return Table(
        say("content.table_hierarchies.hierarchy_of", column=column["column"]),
        say("content.table_hierarchies.what_each_level"),
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
        parts.append(say("content.table_hierarchies.at_least", min_level=column["min_level"]))
    if column["max_level"] is not None:
        parts.append(
            say("content.table_hierarchies.maximum_acceptable_generalization", max_level=column["max_level"])
        )
    if column["reason"]:
        parts.append(f"Reason: {column['reason']}")
    return " ".join(parts)
