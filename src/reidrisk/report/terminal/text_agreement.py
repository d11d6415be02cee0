"""Agreement of annotators in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import text_agreement as content
from reidrisk.report.plain_text import fact_lines, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    pairs = content.pairs(result)
    lines = [
        *wrapped(f"Agreement of {content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *table_lines(content.agreement(result)),
        *(table_lines(pairs) if pairs else ()),
        *table_lines(content.conflicts(result)),
        *fact_lines(content.merged(result)),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
