"""Any other kind of result: its page is its final chapter."""

from __future__ import annotations

from typing import Any

from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.parts import Facts, Table
from reidrisk.report.views import kind_of

FORMULAS: tuple[str, ...] = ()


def initial(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001 - one shape for all kinds
    """There is no state before."""
    return (Prose(("This kind of result has no state before.",)),)


def measures(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """None."""
    return (Prose(("Nothing was generalized, suppressed or otherwise changed here.",)),)


def final(result: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that the page of this kind shows."""
    section = kind_of(result).section(result, id="part", title="")
    blocks: list[Block] = [Notice(text) for text in (*section.alarms, *section.warnings)]
    blocks.append(Pictures(tuple(picture.chart for picture in section.pictures)))
    blocks += [block for block in section.blocks if isinstance(block, Table | Facts)]
    return tuple(blocks)


def sensitivity(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """Nothing was varied."""
    return ()


def identifiers(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """Nothing beside the result itself."""
    return (Prose(("The result below names what was looked at.",)),)


def utility(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """Nothing was changed, so nothing was lost."""
    return (Prose(("Nothing was changed in this part, so nothing was lost.",)),)


def settings(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """They stand with the result."""
    return ()
