"""A sample as bars: how much of every stratum was drawn."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import text_sample as content
from reidrisk.report.numbers import count, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows all strata."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The share drawn of each stratum."""
    found = sorted(result["strata"], key=lambda one: -one["documents"])
    rows = tuple((one["name"], one["sampled"] / one["documents"], True) for one in found[:MOST])
    bars = Bars(rows, "share of the documents that was drawn")
    left = len(found) - len(rows)
    most = max(rows, key=lambda row: row[1])
    return (
        Chart(
            "strata",
            "Drawn from each stratum",
            "Large strata first. Small ones give at least one document."
            + ((" " + f"{count(left)} smaller ones are in the table below.") if left else ""),
            (f"{count(len(found))} strata; the largest share, {percent(most[1])}, was drawn from {most[0]}."),
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
