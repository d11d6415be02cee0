"""Texts with identifiers replaced, in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import text_deidentification as content
from reidrisk.report.plain_text import fact_lines, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    lines = [
        *wrapped(f"De-identified {content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *table_lines(content.by_type(result)),
        *table_lines(content.by_source(result)),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
