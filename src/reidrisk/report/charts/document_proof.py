"""Where values were found in a document, as bars."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import document_proof as content
from reidrisk.report.numbers import count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows more."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Which share of the values stands in each place."""
    title = "Where values were found"
    places = content.places(result)
    if not places:
        nothing = f"None of {count(result['values'])} values was found."
        return (Chart("places", title, nothing, nothing, 0.0, None),)
    rows = tuple((where, number / result["values"], True) for where, number in list(places.items())[:MOST])
    bars = Bars(rows, "share of the values that stand there")
    return (
        Chart(
            "places",
            title,
            "Places with most values first.",
            f"{count(result['values_found'])} values were found in {count(len(places))} places.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
