"""Policies compared in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import population_comparison as content
from reidrisk.report.parts import Table
from reidrisk.report.terminal.layout import (
    fact_lines,
    heading,
    note_lines,
    table_lines,
    verdict_lines,
    wrapped,
)
from reidrisk.report.terminal.population_risk import MOST_AREAS


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    more = (content.pairs(result), content.areas(result, most=MOST_AREAS))
    lines = [
        *wrapped(f"{content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(content.warnings(result)),
        *_attack_lines(content.attacks(result)),
        *table_lines(content.side_by_side(result)),
        *(line for table in more if table for line in table_lines(table)),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)


def _attack_lines(table: Table) -> list[str]:
    """In sentences: the fields of a policy do not fit a column."""
    lines = heading(table.title, table.explanation)
    for policy, released, used, groups in table.rows:
        lines += wrapped(f"{policy} releases {released}; used are {used} ({groups} groups).", rest=" " * 4)
    return [*lines, *wrapped(table.note)]
