"""A transformed table in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import steps
from reidrisk.report.content import table_transformed as content
from reidrisk.report.plain_text import fact_lines, heading, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view; what each step did stands with the verdict."""
    columns = steps.columns(result)
    lines = [
        *wrapped(f"{content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *step_lines(result),
        *(table_lines(columns) if columns else ()),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)


def step_lines(result: dict[str, Any]) -> list[str]:
    """What was done and what it is worth, a paragraph a step; nothing if there was none."""
    if not result.get("steps"):
        return []
    table = steps.done(result)
    lines = heading(table.title, table.explanation)
    for name, done, worth in table.rows:
        lines += wrapped(f"{name}: {done}. Worth: {worth}", rest=" " * 5)
    return lines
