"""A trained model in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import text_training as content
from reidrisk.report.plain_text import fact_lines, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    lines = [
        *wrapped(f"Model {content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *fact_lines(content.summary(result)),
        *table_lines(content.by_type(result)),
        *table_lines(content.knob(result)),
        *table_lines(content.calibration(result)),
        *fact_lines(content.model(result)),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
