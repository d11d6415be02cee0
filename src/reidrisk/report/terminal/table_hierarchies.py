"""A preview of hierarchies in the terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reidrisk.report.content import table_hierarchies as content
from reidrisk.report.numbers import count
from reidrisk.report.parts import Table
from reidrisk.report.plain_text import fact_lines, table_lines, wrapped

ROOM = 34
"""Columns of the terminal for examples."""


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    title = f"Hierarchies on {content.name_of(result)} ({count(result['rows'])} rows)"
    lines = [*wrapped(title, first="", rest=""), *wrapped(" ".join(result["reasons"]))]
    for table in content.columns(result):
        lines += table_lines(_narrow(table))
    return "\n".join([*lines, *fact_lines(content.settings(result))])


def _narrow(table: Table) -> Table:
    """As many examples as there is room for."""
    rows = tuple((*row[:-1], _fitting(row[-1])) for row in table.rows)
    return replace(table, rows=rows)


def _fitting(examples: str) -> str:
    if len(examples) <= ROOM:
        return examples
    parts = examples[:ROOM].rsplit("; ", 1)
    return f"{parts[0]}; .." if len(parts) > 1 else f"{examples[: ROOM - 2]}.."
