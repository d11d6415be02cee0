"""The risk of people against the number of their events that an adversary knows."""

from __future__ import annotations

from functools import partial
from typing import Any

from reidrisk.report.charts import lines
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.charts.lines import Line, draw_lines
from reidrisk.report.numbers import percent
from reidrisk.report.words.book import say

SERIES = ("share_above_threshold", "unique_share", "average")


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Nothing, unless the table is one of events."""
    found = result.get("longitudinal")
    if not found:
        return ()
    rows = found["by_known"]
    drawn = [
        Line(
            say(f"chart.table_events.{name}", cell_size=found["cell_size"]),
            tuple((row["known"], row[name]) for row in rows),
        )
        for name in SERIES
    ]
    above = "; ".join(
        (
            f"{row['known']}: {percent(row['share_above_threshold'])} above the threshold, "
            f"{percent(row['unique_share'])} singled out"
        )
        for row in rows
    )
    bound = f" {say('chart.table_events.lower_bound')}" if found["highest_is_lower_bound"] else ""
    return (
        Chart(
            "known",
            "Risk by the number of known events",
            f"{say('chart.table_events.how_it_grows')}{bound}",
            f"Events known: {above}.",
            lines.height(drawn),
            partial(
                draw_lines,
                lines=drawn,
                scale="plain",
                label="events known of a person, beside the quasi-identifiers",
            ),
        ),
    )


def compared(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Before and after a de-identification; nothing, unless the table is one of events."""
    both = [(name, result[name]) for name in ("before", "after") if result[name] is not None]
    known = [(name, risk["longitudinal"]) for name, risk in both if risk.get("longitudinal")]
    if not known:
        return ()
    drawn = [
        Line(
            say(f"chart.table_events.{name}", cell_size=found["cell_size"]),
            tuple((row["known"], row["share_above_threshold"]) for row in found["by_known"]),
        )
        for name, found in known
    ]
    said = "; ".join(f"{line.name}, with all known events {percent(line.points[-1][1])}" for line in drawn)
    return (
        Chart(
            "known",
            "Risk by the number of known events",
            (
                "Each known event leaves fewer people whom it fits. At 0 the adversary knows the "
                "quasi-identifiers alone."
            ),
            said,
            lines.height(drawn),
            partial(
                draw_lines,
                lines=drawn,
                scale="plain",
                label="events known of a person, beside the quasi-identifiers",
            ),
        ),
    )
