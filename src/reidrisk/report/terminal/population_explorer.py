"""What could be shared, in the terminal."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import population_explorer as content
from reidrisk.report.terminal.layout import fact_lines, note_lines, table_lines, verdict_lines, wrapped


def terminal(result: dict[str, Any]) -> str:
    """The whole view; all policies are on the page and in the result file."""
    possible = content.possible(result)
    lines = [
        *wrapped(f"{content.name_of(result)}: {content.about(result)}", first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(content.warnings(result)),
        *table_lines(content.frontier(result)),
        *(table_lines(possible) if possible else ()),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
