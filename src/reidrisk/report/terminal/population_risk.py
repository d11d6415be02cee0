"""What a policy exposes in the terminal: the answer first, then the attack and its figures."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import population_risk as content
from reidrisk.report.terminal.layout import fact_lines, note_lines, table_lines, verdict_lines, wrapped

MOST_AREAS = 25
"""Rows; the page shows all."""


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    by_area = content.areas(result, most=MOST_AREAS)
    lines = [
        *wrapped(f"{content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(content.warnings(result)),
        *fact_lines(content.attack(result)),
        *table_lines(content.distinct(result)),
        *fact_lines(content.total(result)),
        *(table_lines(by_area) if by_area else ()),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
