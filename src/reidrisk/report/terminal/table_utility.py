"""A release held against its original in the terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reidrisk.report.content import table_utility as content
from reidrisk.report.parts import Facts, Table
from reidrisk.report.plain_text import fact_lines, note_lines, table_lines, verdict_lines, wrapped

MOST_ROWS = 10
"""Of each table; the page shows more."""


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    lines = [
        *wrapped(f"Utility of {content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *block_lines(result),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)


def block_lines(result: dict[str, Any]) -> list[str]:
    """Every measure, long tables cut."""
    return [line for block in content.blocks(result) for line in _lines(block)]


def beside_risk_lines(result: dict[str, Any] | None) -> list[str]:
    """What users of a de-identified table asked for."""
    return [line for block in content.beside_risk(result) for line in _lines(block)]


def _lines(block: Table | Facts) -> list[str]:
    if isinstance(block, Facts):
        return fact_lines(block)
    left = len(block.rows) - MOST_ROWS
    more = [f"  {left:,} more are on the page."] if left > 0 else []
    return [*table_lines(replace(block, rows=block.rows[:MOST_ROWS])), *more]
