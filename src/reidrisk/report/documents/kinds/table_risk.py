"""A table as it is, in the chapters of a report."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts.table_risk import charts
from reidrisk.report.content import table_events as events
from reidrisk.report.content import table_extras as extras
from reidrisk.report.content import table_population as population
from reidrisk.report.content import table_risk as content
from reidrisk.report.content import table_secrets as secrets
from reidrisk.report.document import Block, Notice, Pictures, Prose
from reidrisk.report.words.book import say

FORMULAS = ("highest", "average")


def initial(result: dict[str, Any]) -> tuple[Block, ...]:
    """Nothing was changed: the risk is that of chapter 5."""
    return (Prose((say("initial.table"),)), content.classes(result))


def measures(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001 - one shape for all kinds
    """None."""
    return (Prose((say("measures.none"),)),)


def final(result: dict[str, Any]) -> tuple[Block, ...]:
    """The three attacks, and what exposes the records."""
    alarms = tuple(Notice(text) for text in extras.alarms(result))
    return (
        *alarms,
        content.attacks(result),
        Pictures(charts(result)),
        *events.blocks(result),
        content.drivers(result),
        content.singling(result),
        *population.blocks(result),
        *secrets.blocks(result),
        *extras.blocks(result),
    )


def sensitivity(result: dict[str, Any]) -> tuple[Block, ...]:
    """How many records are above other thresholds."""
    return (content.curve(result),)


def identifiers(result: dict[str, Any]) -> tuple[Block, ...]:
    """The columns that an intruder is taken to know."""
    quasi = say("identifiers.table", columns=", ".join(result["settings"]["quasi"]))
    return (Prose((quasi, *events.known(result))),)


def utility(result: dict[str, Any]) -> tuple[Block, ...]:  # noqa: ARG001
    """Nothing was changed, so nothing was lost."""
    return (Prose((say("utility.none"),)),)


def settings(result: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that was chosen."""
    return (content.settings(result),)
