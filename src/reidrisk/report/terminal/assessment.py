"""An assessment in the terminal: the verdict, the parts, what would help."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import assessment as content
from reidrisk.report.content.assessment_utility import utility
from reidrisk.report.parts import Table
from reidrisk.report.plain_text import fact_lines, heading, note_lines, table_lines, verdict_lines, wrapped

MOST_REMEDIES, MOST_CHOICES = 8, 12
"""Lines of each list; the page and the JSON have all."""


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    since, useful = content.monitoring(result), utility(result)
    lines = [
        *wrapped(f"{content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(content.failures(result)),
        *note_lines(result["context"]["notes"]),
        *table_lines(content.parts(result)),
        *_remedies(result),
        *(table_lines(useful) if useful else ()),
        *(table_lines(since) if since else ()),
        *_choices(content.sensitivity(result), result),
        *_agreement(result),
        *fact_lines(content.context(result)),
    ]
    return "\n".join(lines)


def _remedies(result: dict[str, Any]) -> list[str]:
    """In sentences: what is asked for does not fit a column."""
    table = content.remedies(result, typed=True)
    if table is None:
        return []
    lines = heading(table.title, table.explanation)
    for rank, text, then, typed in table.rows[:MOST_REMEDIES]:
        lines += wrapped(f"{text} [{then}]", first=f"  {rank:>2}. ", rest=" " * 6)
        lines += wrapped(typed, first=" " * 6, rest=" " * 8) if typed else []
    left = len(table.rows) - MOST_REMEDIES
    return [*lines, *(wrapped(f"{left} more are in the report.") if left > 0 else [])]


def _choices(table: Table | None, result: dict[str, Any]) -> list[str]:
    """Only those that would have changed a part's verdict."""
    if table is None:
        return []
    now = {part["name"]: part["judged"]["acceptable"] for part in result["parts"]}
    turned = tuple(
        row
        for row, one in zip(table.rows, result["sensitivity"], strict=True)
        if one["acceptable"] != now[one["part"]]
    )
    if not turned:
        return [*heading(table.title, "No other choice that was tried turns the verdict of a part.")]
    left = len(turned) - MOST_CHOICES
    shown = Table(
        table.title,
        "These choices alone turn the verdict of a part; all that were tried are in the report.",
        table.columns,
        turned[:MOST_CHOICES],
        f"{left} more are in the report." if left > 0 else "",
    )
    return table_lines(shown)


def _agreement(result: dict[str, Any]) -> list[str]:
    number = len(result["agreement"])
    if not number:
        return []
    text = f"The verdict counts on {number} clause{'s' if number > 1 else ''}, listed in the report."
    return heading("For the agreement with the recipient", text)
