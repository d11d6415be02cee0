"""The columns that hold HIPAA identifiers as bars: how many of the rows they concern."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import table_hipaa as content

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows all."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Share of rows that each column with an identifier concerns."""
    return (_held(result),)


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))


def _held(result: dict[str, Any]) -> Chart:
    rows = [
        (f"({one['letter']}) {held['column']}", held["cells"] / result["rows"], held["limited"])
        for one in result["identifiers"]
        for held in one["columns"]
    ]
    if not rows:
        caption = "No column holds an identifier of the lists, as far as was seen."
        return Chart("held", "Rows with an identifier", caption, caption, 0.5, None)
    bars = Bars(tuple(rows[:MOST]), "share of rows")
    left = len(rows) - MOST
    return Chart(
        "held",
        "Rows with an identifier",
        (
            "Dark: identifiers that a limited data set must not hold either. In brackets the "
            "letter of the list."
        )
        + ((" " + f"{left} more are in the table below.") if left > 0 else ""),
        f"{len(rows)} columns hold identifiers of Safe Harbor.",
        bars.height,
        partial(draw_bars, bars=bars),
    )
