"""An attack on a released table in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import table_attack as content
from reidrisk.report.content import table_attack_linkage as linkage
from reidrisk.report.plain_text import fact_lines, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view; the answers to the three questions stand with the verdict."""
    lines = [
        *wrapped(f"Attack on {content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result["warnings"]),
        *table_lines(content.predicted(result)),
        *table_lines(content.attacks(result)),
        *fact_lines(linkage.claims(result)),
        *table_lines(linkage.weights(result)),
        *fact_lines(content.matching(result)),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
