"""A transformed table in the chapters of a report; no risk was measured."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts.table_transformed import charts
from reidrisk.report.content import steps
from reidrisk.report.content import table_transformed as content
from reidrisk.report.document import Block, Notice, Pictures, Prose

FORMULAS: tuple[str, ...] = ()


def initial(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001 - one shape for all kinds
    """It was not measured."""
    return (Prose(("This kind of result has no state before.",)),)


def measures(result: dict[str, Any]) -> tuple[Block, ...]:
    """What was done in turn, and what it is worth."""
    return (*steps.blocks(result), Pictures(charts(result)))


def final(result: dict[str, Any]) -> tuple[Block, ...]:
    """Nothing but what must be read."""
    return tuple(Notice(text) for text in result["warnings"])


def sensitivity(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """Nothing was varied."""
    return ()


def identifiers(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """Nothing is said of roles."""
    return (Prose(("The result below names what was looked at.",)),)


def utility(result: dict[str, Any]) -> tuple[Block, ...]:
    """What transformations left of the columns."""
    columns = steps.columns(result)
    return (
        (Prose(("Nothing was changed in this part, so nothing was lost.",)),)
        if columns is None
        else (columns,)
    )


def settings(result: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that was chosen."""
    return (content.settings(result),)
