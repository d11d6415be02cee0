"""A de-identified table in the chapters of a report."""

from __future__ import annotations

from typing import Any

from reidrisk.report.charts import table_risk as before_charts
from reidrisk.report.charts.table_deidentified import charts, distributions
from reidrisk.report.charts.table_events import compared
from reidrisk.report.charts.table_transformed import step_charts
from reidrisk.report.charts.table_utility import charts_beside
from reidrisk.report.content import (
    deidentified_events,
    deidentified_settings,
    deidentified_solutions,
    deidentified_utility,
    steps,
)
from reidrisk.report.content import table_deidentified as content
from reidrisk.report.content import table_risk as before_content
from reidrisk.report.content import table_secrets as secrets
from reidrisk.report.content import table_utility as useful
from reidrisk.report.content.deidentified_by_record import by_record, is_by_record
from reidrisk.report.document import Block, Conditions, Notice, Pictures, Prose

FORMULAS = ("highest", "average", "loss")


def initial(result: dict[str, Any]) -> tuple[Block, ...]:
    """The table as it was asked for."""
    before = result["before"]
    return (
        Prose(
            (
                (
                    "The table as it was asked for, after direct identifiers were taken out and before "
                    "anything was generalized or suppressed."
                ),
            )
        ),
        before_content.attacks(before),
        Pictures(before_charts.charts(before)[:1]),
    )


def measures(result: dict[str, Any]) -> tuple[Block, ...]:
    """Levels, suppression, and the way to them."""
    found: list[Block] = [
        *steps.blocks(result),
        *((Pictures(step_charts(result)),) if step_charts(result) else ()),
        content.loop(result),
        content.layout(result),
        *by_record(result),
    ]
    if result["solution"] is not None:
        found += [deidentified_utility.suppression(result), Pictures(charts(result)[1:])]
    return tuple(found)


def final(result: dict[str, Any]) -> tuple[Block, ...]:
    """The risk of what is released, beside that before."""
    alarms = tuple(Notice(text) for text in content.alarms(result))
    conditions = (Conditions(tuple(result["conditions"])),) if result["conditions"] else ()
    return (
        *alarms,
        *conditions,
        deidentified_utility.risks(result),
        *deidentified_events.blocks(result),
        *secrets.blocks(result["after"] or result["before"]),
        Pictures((*charts(result)[:1], *compared(result))),
        *((deidentified_utility.readings(result),) if _searched(result) else ()),
    )


def _searched(result: dict[str, Any]) -> bool:
    """Whether there is a solution that was chosen among others."""
    return result["solution"] is not None and not is_by_record(result)


def sensitivity(result: dict[str, Any]) -> tuple[Block, ...]:
    """What other layouts and other solutions would cost."""
    named = (deidentified_solutions.named(result),) if result["named_solutions"] else ()
    found = (deidentified_solutions.candidates(result),) if _searched(result) else ()
    return (*named, *found)


def identifiers(result: dict[str, Any]) -> tuple[Block, ...]:
    """Every column, its role and what was done to it."""
    return (deidentified_settings.codebook(result),)


def utility(result: dict[str, Any]) -> tuple[Block, ...]:
    """What the data lost, by several measures, and how their values moved."""
    if result["solution"] is None:
        return (Prose(("No solution was found, so nothing was changed and nothing lost.",)),)
    drawn = (*charts_beside(result), *distributions(result))
    return (
        deidentified_utility.utility(result),
        deidentified_utility.associations(result),
        *useful.beside_risk(result.get("usefulness")),
        *((Pictures(drawn),) if drawn else ()),
    )


def settings(result: dict[str, Any]) -> tuple[Block, ...]:
    """Everything that was chosen."""
    return deidentified_solutions.proof(result), deidentified_settings.settings(result)
