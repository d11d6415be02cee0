"""Tools compared in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import text_comparison as content
from reidrisk.report.content import text_improvements
from reidrisk.report.content.text_risk import ROLES
from reidrisk.report.plain_text import fact_lines, heading, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view; each tool's own details are on the page and in the result file."""
    pairs = [table for role in ROLES if (table := content.differences(result, role))]
    lines = [
        *wrapped(f"{content.name_of(result)} compared. {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *table_lines(content.tools(result)),
        *_improvement_lines(result),
        *(line for table in pairs for line in table_lines(table)),
        *fact_lines(content.settings(result)),
        "",
        *wrapped("Each tool's own details: evaluate it alone, or ask for --html or --json."),
    ]
    return "\n".join(lines)


def _improvement_lines(result: dict[str, Any]) -> list[str]:
    table = content.improvements(result)
    lines = heading(table.title, table.explanation)
    for tool in content.in_order(result):
        lines += wrapped(f"{tool['name']}: {text_improvements.brief(tool)}", rest=" " * 4)
    return lines
