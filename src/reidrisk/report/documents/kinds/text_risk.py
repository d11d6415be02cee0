"""Texts in the chapters of a report."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts.text_risk import charts
from reidrisk.report.content import text_counts, text_settings
from reidrisk.report.content import text_risk as content
from reidrisk.report.document import Block, Notice, Pictures, Prose

FORMULAS = ("direct", "quasi", "limits")
DIRECT_AND_QUASI = 2
"""The first charts are of the two risks, the others of what was caught."""


def initial(result: dict[str, Any]) -> tuple[Block, ...]:
    """What the texts hold before anything is masked."""
    return Prose(
        (
            (
                "Texts as they were written name the patients in them: whoever reads them knows "
                "who is meant. What counts is how many values there are that could leak."
            ),
        )
    ), text_counts.quasi_model(result)


def measures(result: dict[str, Any]) -> tuple[Block, ...]:
    """What was masked, and how much of it."""
    return (
        Prose(
            (
                (
                    "A de-identification tool masked the texts. The tables say how much it caught, "
                    "against what people had marked."
                ),
            )
        ),
        text_counts.by_type(result),
        text_counts.measures(result),
    )


def final(result: dict[str, Any]) -> tuple[Block, ...]:
    """Both risks with their intervals and limits, and what was counted."""
    warnings = tuple(Notice(text) for text in result["warnings"])
    drawn = charts(result)
    return (
        *warnings,
        content.risks(result),
        Pictures(drawn[:DIRECT_AND_QUASI]),
        text_counts.model_free(result),
        Pictures(drawn[DIRECT_AND_QUASI:]),
    )


def sensitivity(result: dict[str, Any]) -> tuple[Block, ...]:
    """The rules of the gate side by side."""
    return content.rules(result), content.gates(result)


def identifiers(result: dict[str, Any]) -> tuple[Block, ...]:
    """Which types count as direct and which as quasi-identifiers."""
    return (text_counts.mapping(result),)


def utility(result: dict[str, Any]) -> tuple[Block, ...]:
    """How much was masked that need not have been."""
    return (
        Prose(
            (
                (
                    "Masking more than needed costs usefulness. Precision is the share of what was "
                    "masked that had to be."
                ),
            )
        ),
        text_counts.measures(result),
    )


def settings(result: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that was chosen."""
    return (text_settings.everything(result),)
