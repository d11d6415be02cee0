"""Suggested roles as bars: how much the values of each column differ."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import table_suggestion as content
from reidrisk.report.numbers import percent
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows all columns."""
STRONG = (say("chart.table_suggestion.direct_identifier"), "quasi-identifier")


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """Distinct values of each column for each row."""
    return (_differing(result),)


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))


def _differing(result: dict[str, Any]) -> Chart:
    rows = result["rows"]
    shares = [
        (one["column"], one["distinct"] / rows if rows else 0.0, one["role"] in STRONG)
        for one in result["columns"]
    ]
    shares.sort(key=lambda share: -share[1])
    bars = Bars(tuple(shares[:MOST]), say("chart.table_suggestion.distinct_values_a"))
    left = len(shares) - MOST
    most = shares[0]
    return Chart(
        "differing",
        say("chart.table_suggestion.how_much_the"),
        say("chart.table_suggestion.dark_suggested_as")
        + ((" " + say("chart.table_suggestion.columns_that_differ", left=left)) if left > 0 else ""),
        say("chart.table_suggestion.the_values_of", most=most[0], most_2=percent(most[1])),
        bars.height,
        partial(draw_bars, bars=bars),
    )
