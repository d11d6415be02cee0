"""The score of a context in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import context_score as content
from reidrisk.report.plain_text import (
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
        *_missing_lines(result),
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
    for one in result["agreement"]:
        if one["counted_for"] != said:
            lines += wrapped(f"Counted for {one['counted_for']}:")
            said = one["counted_for"]
        lines += _entry(one["practice"], one["clause"])
    return lines


def _missing_lines(result: dict[str, Any]) -> list[str]:
    """What the next threshold lacks, under the names that a checklist uses."""
    part = content.missing(result)
    if part is None:
        return []
    lines = heading(part.title, part.explanation)
    for one in result["next_threshold"]["missing"]:
        lines += _entry(one["practice"], one["text"])
    return lines


def _entry(practice: str, text: str) -> list[str]:
    return wrapped(text, first=f"    {practice:<{NAME}}  ", rest=" " * (NAME + 6))
