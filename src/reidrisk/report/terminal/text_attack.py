"""An attack on released texts in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import text_attack as content
from reidrisk.report.plain_text import fact_lines, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    tables = (content.attacks(result), content.by_type(result), content.trade(result), content.risks(result))
    lines = [
        *wrapped(f"Attack on {content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *fact_lines(content.recognition(result)),
        *(line for table in tables if table is not None for line in table_lines(table)),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
