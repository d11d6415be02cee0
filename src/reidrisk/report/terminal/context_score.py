"""The score of a context in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import context_score as content
from reidrisk.report.parts import Table
from reidrisk.report.terminal.layout import (
    bar,
    fact_lines,
    heading,
    note_lines,
    table_lines,
    verdict_lines,
    wrapped,
)

NAME = 24
"""Room for the name of a practice."""


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    title = f"Context of a {content.ACCESS[result['access']]} release: {content.name_of(result)}"
    lines = [
        *wrapped(title, first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["notes"]),
        *_risk_lines(result),
        *_listed(content.missing(result), at=2),
        *_agreement_lines(result),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)


def _risk_lines(result: dict[str, Any]) -> list[str]:
    """The three risks and the spread of the attempt."""
    lines = table_lines(content.risks(result))
    attempt = result["attempt"]
    if attempt["low"] < attempt["high"]:
        drawn = bar(attempt["low"], attempt["mode"], attempt["high"], limit=None, top=1.0)
        lines += ["", f"  attempt, from 0 to 1     |{drawn}|"]
    return lines


def _agreement_lines(result: dict[str, Any]) -> list[str]:
    """The clauses; what they are counted for is said once where it is the same."""
    part = content.agreement(result)
    if part is None:
        return []
    lines = heading(part.title, part.explanation)
    said = ""
    for practice, clause, counted in part.rows:
        if counted != said:
            lines += wrapped(f"Counted for {counted}:")
            said = counted
        lines += _entry(practice, clause)
    return lines


def _listed(part: Table | None, *, at: int) -> list[str]:
    """Practices and a sentence each."""
    if part is None:
        return []
    lines = heading(part.title, part.explanation)
    for row in part.rows:
        lines += _entry(row[0], row[at])
    return lines


def _entry(practice: str, text: str) -> list[str]:
    return wrapped(text, first=f"    {practice:<{NAME}}  ", rest=" " * (NAME + 6))
