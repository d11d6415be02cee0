"""A table as it is, in the chapters of a report."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts.table_risk import charts
from reidrisk.report.charts.table_transformed import step_charts
from reidrisk.report.content import steps
from reidrisk.report.content import table_events as events
from reidrisk.report.content import table_extras as extras
from reidrisk.report.content import table_population as population
from reidrisk.report.content import table_risk as content
from reidrisk.report.content import table_secrets as secrets
from reidrisk.report.document import Block, Notice, Pictures, Prose

FORMULAS = ("highest", "average")


def initial(result: dict[str, Any]) -> tuple[Block, ...]:
    """Unless it was transformed, the risk is that of chapter 5."""
    if result.get("steps"):
        return (
            Prose(
                (
                    (
                        "The table was transformed before it was measured. The risk that it had before "
                        "stands in the overview above."
                    ),
                )
            ),
        )
    return (
        Prose(
            (
                (
                    "Nothing was changed in this table. Its initial risk is its final risk, which "
                    "stands in a chapter below."
                ),
            )
        ),
        content.classes(result),
    )


def measures(result: dict[str, Any]) -> tuple[Block, ...]:
    """Transformations, if there were any."""
    if not result.get("steps"):
        return (Prose(("Nothing was generalized, suppressed or otherwise changed here.",)),)
    notes = tuple(Notice(text) for text in result["step_notes"])
    return (*notes, *steps.blocks(result), Pictures(step_charts(result)))


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
    quasi = (
        f"Taken as known to an intruder: {', '.join(result['settings']['quasi'])}. Direct "
        "identifiers were not part of what was measured."
    )
    return (Prose((quasi, *events.known(result))),)


def utility(result: dict[str, Any]) -> tuple[Block, ...]:
    """What transformations left of the columns; where nothing was changed, nothing was lost."""
    columns = steps.columns(result) if result.get("steps") else None
    return (
        (Prose(("Nothing was changed in this part, so nothing was lost.",)),)
        if columns is None
        else (columns,)
    )


def settings(result: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that was chosen."""
    return (content.settings(result),)
