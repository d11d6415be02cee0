"""A review of findings in documents, in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import document_review as content
from reidrisk.report.plain_text import fact_lines, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    tables = (
        content.reviewers(result),
        content.by_type(result),
        content.agreement(result),
        content.conflicts(result),
    )
    lines = [
        *wrapped(f"Review of {content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *(line for facts in (content.measured(result),) if facts is not None for line in fact_lines(facts)),
        *fact_lines(content.needed(result)),
        *(line for table in tables if table is not None for line in table_lines(table)),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
