"""The columns that hold HIPAA identifiers as bars: how many of the rows they concern."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import table_hipaa as content
from reidrisk.report.words.book import say

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
        caption = say("chart.table_hipaa.no_column_holds")
        return Chart("held", say("chart.table_hipaa.rows_with_an"), caption, caption, 0.5, None)
    bars = Bars(tuple(rows[:MOST]), say("chart.table_hipaa.share_of_rows"))
    left = len(rows) - MOST
    return Chart(
        "held",
        say("chart.table_hipaa.rows_with_an"),
        say("chart.table_hipaa.dark_identifiers_that")
        + ((" " + say("chart.table_hipaa.more_are_in", left=left)) if left > 0 else ""),
        say("chart.table_hipaa.columns_hold_identifiers", number=len(rows)),
        bars.height,
        partial(draw_bars, bars=bars),
    )
