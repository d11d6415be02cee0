"""What a policy exposes, in the chapters of a report."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts.population_risk import charts
from reidrisk.report.content import population_risk as content
from reidrisk.report.document import Block, Notice, Pictures, Prose

FORMULAS = ("bins", "total")


def initial(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001 - one shape for all kinds
    """Nothing is released as it is."""
    return (
        Prose(
            (
                (
                    "Nothing of the population is released as it is. What could be known of everybody "
                    "is the starting point."
                ),
            )
        ),
    )


def measures(result: dict[str, Any]) -> tuple[Block, ...]:
    """The policy itself is the measure."""
    return (
        Prose(
            (
                (
                    "The policy itself is the measure: it says which facts leave, and how finely. "
                    f"Here: {content.name_of(result)}."
                ),
            )
        ),
    )


def final(result: dict[str, Any]) -> tuple[Block, ...]:
    """The people that can be told apart, and the right guesses."""
    warnings = tuple(Notice(text) for text in content.warnings(result))
    areas = content.areas(result, most=12)
    return (
        *warnings,
        content.total(result),
        content.distinct(result),
        Pictures(charts(result)),
        *((areas,) if areas else ()),
    )


def sensitivity(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """Nothing beside what the assessment varies."""
    return ()


def identifiers(result: dict[str, Any]) -> tuple[Block, ...]:
    """Who could be attacked, and with which fields."""
    return (content.attack(result),)


def utility(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """A policy changes no data here."""
    return (Prose(("A policy was measured, not a data set. What it withholds is its price.",)),)


def settings(result: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that was chosen."""
    return (content.settings(result),)
