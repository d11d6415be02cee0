"""The check of the HIPAA lists in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import table_hipaa as content
from reidrisk.report.numbers import count
from reidrisk.report.plain_text import fact_lines, heading, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    title = f"HIPAA identifiers in {content.name_of(result)} ({count(result['rows'])} rows)"
    lines = [
        *wrapped(title, first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *identifier_lines(result),
        *not_checked_lines(result),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)


def identifier_lines(result: dict[str, Any]) -> list[str]:
    """What is left, column by column; the rest in one sentence."""
    lines = heading("Identifiers", content.EXPLAINED)
    for one in result["identifiers"]:
        if one["status"] not in content.LEFT:
            continue
        also = "; also not in a limited data set" if one["limited_status"] in content.LEFT else ""
        lines += wrapped(f"({one['letter']}) {one['identifier']}: {one['status']}{also}", rest=" " * 6)
        for held in one["columns"]:
            lines += wrapped(f"{held['column']}: {held['reason']}", first=" " * 6, rest=" " * 8)
    rest = [f"({one['letter']})" for one in result["identifiers"] if one["status"] == "none found"]
    return [*lines, *(wrapped(f"None found: {' '.join(rest)}.") if rest else ())]


def not_checked_lines(result: dict[str, Any]) -> list[str]:
    """What was not looked at."""
    part = content.not_checked(result)
    lines = heading(part.title, part.explanation)
    for fact in part.facts:
        lines += wrapped(fact.value, first="  ! ", rest=" " * 4)
    return lines
