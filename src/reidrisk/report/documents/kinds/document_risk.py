"""Clinical documents in the chapters of a report."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts.document_risk import charts
from reidrisk.report.content import document_risk as content
from reidrisk.report.content.document_criteria import criteria
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.words.book import say

FORMULAS = ("direct", "quasi", "combined", "highest")


def initial(result: dict[str, Any]) -> tuple[Block, ...]:
    """The documents as they are, and as they are published."""
    return _present(
        Prose(
            (
                (
                    "The documents as they were written. Participants are named by their ids, and what "
                    "is told of them singles them out."
                ),
            )
        ),
        content.stages(result),
    )


def measures(result: dict[str, Any]) -> tuple[Block, ...]:
    """How well identifiers were found; what was done to them stands above."""
    return _present(Prose((content.about(result),)), content.recall(result))


def final(result: dict[str, Any]) -> tuple[Block, ...]:
    """Leak and catch, the classes, and the three criteria."""
    warnings = tuple(Notice(text) for text in result["warnings"])
    return _present(
        *warnings,
        content.sides(result),
        Pictures(charts(result)),
        content.classes(result),
        criteria(result),
        content.qualitative(result),
    )


def sensitivity(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001 - one shape for all kinds
    """Other thresholds stand with the assessment."""
    return ()


def identifiers(result: dict[str, Any]) -> tuple[Block, ...]:
    """What names a participant, and what could in combination."""
    said = result["settings"]
    text = (
        f"{said['subject']} and the other ids of participants name them by themselves. "
        f"Taken as known to an intruder: {', '.join(said['quasi'])}. Dates of participants "
        "are shifted or redacted. Where each was found stands below, by section of the "
        "report."
    )
    return _present(Prose((text,)), content.sections(result))


def utility(result: dict[str, Any]) -> tuple[Block, ...]:
    """What a reader of the documents still learns."""
    how = "redacted" if result["scenario"] == "redacted" else "replaced"
    return _present(Prose((say(f"utility.document_{how}"),)), content.measures(result))


def settings(result: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that was chosen."""
    return (content.settings(result),)


def _present(*blocks: Block | None) -> tuple[Block, ...]:
    return tuple(block for block in blocks if block is not None)
