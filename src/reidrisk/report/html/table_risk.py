"""The risk of a table on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.report.blocks.settings import versions
from reidrisk.report.charts.table_risk import charts
from reidrisk.report.charts.table_transformed import step_charts
from reidrisk.report.content import steps
from reidrisk.report.content import table_events as events
from reidrisk.report.content import table_extras as extras
from reidrisk.report.content import table_population as population
from reidrisk.report.content import table_risk as content
from reidrisk.report.content import table_secrets as secrets
from reidrisk.report.content.table_guide import GUIDE
from reidrisk.report.numbers import count, percent, probability
from reidrisk.report.parts import Column, Guide, Table
from reidrisk.report.section import Section, drawn

TITLE = "Risk of re-identification in a table"


def section(result: dict[str, Any], *, id: str, title: str) -> Section:  # noqa: A002
    """Everything that the page shows of this result."""
    return Section(
        id=id,
        title=title,
        about=f"{count(result['records'])} records. Known to an intruder: {_known(result)}.",
        verdict=content.verdict(result),
        warnings=tuple(result.get("step_notes", ())),
        alarms=extras.alarms(result),
        pictures=drawn((*charts(result), *step_charts(result)), prefix=id),
        blocks=(
            *steps.blocks(result),
            content.attacks(result),
            *events.blocks(result),
            content.classes(result),
            content.curve(result),
            content.drivers(result),
            content.singling(result),
            *population.blocks(result),
            *secrets.blocks(result),
            *extras.blocks(result),
            content.settings(result),
            versions(result),
        ),
    )


def _known(result: dict[str, Any]) -> str:
    quasi = ", ".join(result["settings"]["quasi"])
    events = result.get("longitudinal")
    if not events:
        return quasi
    one = "event" if events["known"] == 1 else "events"
    return f"{quasi}; and {events['known']} {one} of a person ({', '.join(events['columns'])})"


def overview(results: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    """The results side by side, before their details."""
    rows = tuple(
        (
            name,
            count(result["records"]),
            probability(result["prosecutor"]["highest"]),
            probability(result["prosecutor"]["average"]),
            percent(result["prosecutor"]["share_above_threshold"]),
            content.verdict(result).word,
        )
        for name, result in zip(names, results, strict=True)
    )
    columns = (
        Column("table"),
        Column("records", is_number=True),
        Column("highest risk", is_number=True),
        Column("average risk", is_number=True),
        Column("above the threshold", is_number=True),
        Column("verdict"),
    )
    return Table("Overview", "The risk of every table to an adversary who knows who is in it.", columns, rows)


def guide() -> Guide:
    """The words, assumptions and sources of this kind."""
    return GUIDE
