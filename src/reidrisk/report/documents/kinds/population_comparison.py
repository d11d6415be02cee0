"""Policies compared, in the chapters of a report."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts.population_comparison import charts
from reidrisk.report.content import population_comparison as content
from reidrisk.report.document import Block, Notice, Pictures, Prose

FORMULAS = ("bins", "total")
CURVES = 2
"""The first charts are of g and of the trust differential, the others of areas."""


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
                    f"Here: {', '.join(content.policies(result))}."
                ),
            )
        ),
    )


def final(result: dict[str, Any]) -> tuple[Block, ...]:
    """The policies side by side."""
    warnings = tuple(Notice(text) for text in content.warnings(result))
    areas = content.areas(result, most=12)
    return (
        *warnings,
        content.side_by_side(result),
        Pictures(charts(result)[:CURVES]),
        *((areas,) if areas else ()),
    )


def sensitivity(result: dict[str, Any]) -> tuple[Block, ...]:
    """How much areas differ under one rule, and every pair of policies."""
    pairs, drawn = content.pairs(result), charts(result)[CURVES:]
    return (*((pairs,) if pairs else ()), *((Pictures(drawn),) if drawn else ()))


def identifiers(result: dict[str, Any]) -> tuple[Block, ...]:
    """Who could be attacked, and with which fields."""
    return (content.attacks(result),)


def utility(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """A policy changes no data here."""
    return (Prose(("A policy was measured, not a data set. What it withholds is its price.",)),)


def settings(result: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that was chosen."""
    return (content.settings(result),)
