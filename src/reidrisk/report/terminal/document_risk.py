"""The risk of documents in the terminal: the verdict first, then what it rests on."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import document_risk as content
from reidrisk.report.content.document_criteria import criteria
from reidrisk.report.parts import Facts, Table
from reidrisk.report.plain_text import fact_lines, heading, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    tables = (
        content.stages(result),
        content.sides(result),
        content.classes(result),
        content.recall(result),
        criteria(result),
        content.sections(result),
    )
    facts: tuple[Facts | None, ...] = (content.qualitative(result), content.settings(result))
    lines = [
        *wrapped(
            f"Risk of the documents of {content.name_of(result)}: {content.about(result)}", first="", rest=""
        ),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *_measures(content.measures(result)),
        *(line for table in tables if table is not None for line in table_lines(table)),
        *(line for block in facts if block is not None for line in fact_lines(block)),
    ]
    return "\n".join(lines)


def _measures(table: Table | None) -> list[str]:
    """Lists of variables are too long for columns."""
    if table is None:
        return []
    lines = [line for row in table.rows for line in wrapped(f"{row[0]} ({row[1]}): {row[2]}", rest="    ")]
    return [*heading(table.title, table.explanation), *lines]
