"""A sample of documents to annotate in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import text_sample as content
from reidrisk.report.plain_text import fact_lines, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    needed = content.needed(result)
    lines = [
        *wrapped(f"Sample of {content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *(fact_lines(needed) if needed else ()),
        *table_lines(content.strata(result, most=content.MOST_STRATA)),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
