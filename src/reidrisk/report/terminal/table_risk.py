"""The risk of a table in the terminal: the verdict first, then what it rests on."""

from __future__ import annotations

from typing import Any

from reidrisk.report.content import table_events as events
from reidrisk.report.content import table_extras as extras
from reidrisk.report.content import table_population as population
from reidrisk.report.content import table_risk as content
from reidrisk.report.content import table_secrets as secrets
from reidrisk.report.numbers import count
from reidrisk.report.plain_text import (
    block_lines,
    fact_lines,
    note_lines,
    table_lines,
    verdict_lines,
    wrapped,
)
from reidrisk.report.terminal.table_transformed import step_lines


def terminal(result: dict[str, Any]) -> str:
    """The whole view."""
    title = f"Risk of re-identification in {content.name_of(result)} ({count(result['records'])} records)"
    lines = [
        *wrapped(title, first="", rest=""),
        "",
        *verdict_lines(content.verdict(result)),
        *note_lines(result.get("step_notes", ())),
        *step_lines(result),
        *table_lines(content.attacks(result)),
        *(line for block in events.terminal_blocks(result) for line in block_lines(block)),
        *fact_lines(content.classes(result)),
        *table_lines(content.drivers(result)),
        *table_lines(content.singling(result)),
        *(line for block in population.terminal_blocks(result) for line in block_lines(block)),
        *(line for block in secrets.blocks(result) for line in table_lines(block)),
        *(line for block in extras.blocks(result) for line in table_lines(block)),
        *fact_lines(content.settings(result)),
    ]
    return "\n".join(lines)
