"""Suggested roles as bars: how much the values of each column differ."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import table_suggestion as content
from reidrisk.report.numbers import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows all columns."""
STRONG = ("direct identifier", "quasi-identifier")


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
    bars = Bars(tuple(shares[:MOST]), "distinct values a row")
    left = len(shares) - MOST
    most = shares[0]
    return Chart(
        "differing",
        "How much the values of a column differ",
        "Dark: suggested as direct identifiers or quasi-identifiers."
        + ((" " + f"{left} columns that differ less are in the table below.") if left > 0 else ""),
        f"The values of {most[0]} differ most: {percent(most[1])} of the rows.",
        bars.height,
        partial(draw_bars, bars=bars),
    )
