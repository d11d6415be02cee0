"""Suggested roles in the terminal: columns by role, then what to type next."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import table_suggestion as content
from reidrisk.report.names import ends_of
from reidrisk.report.numbers import count
from reidrisk.report.plain_text import fact_lines, heading, printable, verdict_lines, width_of, wrapped
from reidrisk.report.terminal.table_hipaa import identifier_lines

NAME = 26
"""Room for the name of a column."""


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    title = f"Roles suggested for the columns of {content.name_of(result)} ({count(result['rows'])} rows)"
    lines = [*wrapped(title, first="", rest=""), "", *verdict_lines(content.verdict(result))]
    for role, meaning in content.ROLES.items():
        lines += _role_lines(result, role, meaning)
    lines += [*_scenario_lines(result), *_hipaa_lines(result["hipaa"])]
    return "\n".join([*lines, *fact_lines(content.settings(result)), *_next_lines(result)])


def _role_lines(result: dict[str, Any], role: str, meaning: str) -> list[str]:
    found = content.in_role(result, role)
    if not found:
        return []
    room = min(max(width_of(printable(column["column"])) for column in found), NAME)
    lines = heading(f"{role} ({len(found)})", meaning)
    for column in found:
        name = ends_of(column["column"], room)
        first = f"  {name}{' ' * (room - width_of(name))}  {column['confidence']:<8}  "
        text = f"{column['reason']} ({content.numbers_of(column)})"
        lines += wrapped(text, first=first, rest=" " * (room + 14))
    return lines


def _scenario_lines(result: dict[str, Any]) -> list[str]:
    table = content.scenario(result)
    if table is None:
        return []
    lines = heading(table.title, table.explanation)
    sources = list(dict.fromkeys(source for _, _, source in table.rows))
    for column, why, source in table.rows:
        lines += wrapped(f"{column}: {why} [{sources.index(source) + 1}]", rest=" " * 4)
    lines += wrapped(table.note) if table.note else []
    for place, source in enumerate(sources, start=1):
        lines += wrapped(f"[{place}] {source}", rest=" " * 6)
    return lines


def _hipaa_lines(hipaa: dict[str, Any]) -> list[str]:
    lines = identifier_lines(hipaa)
    lines[1] = "HIPAA IDENTIFIERS"
    return [*lines, *wrapped("What was not checked: reidrisk table hipaa tells.")]


def _next_lines(result: dict[str, Any]) -> list[str]:
    part = content.next_step(result)
    lines = heading(part.title, part.explanation)
    for fact in part.facts[1:]:
        lines += wrapped(f"{fact.name}: {fact.value}.", rest=" " * 4)
    # The command is one line, whatever its length, so that it can be copied.
    return [*lines, "", f"  {printable(part.facts[0].value)}"]
