"""A sample as bars: how much of every stratum was drawn."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import text_sample as content
from reidrisk.report.numbers import count, percent
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows all strata."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The share drawn of each stratum."""
    found = sorted(result["strata"], key=lambda one: -one["documents"])
    rows = tuple((one["name"], one["sampled"] / one["documents"], True) for one in found[:MOST])
    bars = Bars(rows, say("chart.text_sample.share_of_the"))
    left = len(found) - len(rows)
    most = max(rows, key=lambda row: row[1])
    return (
        Chart(
            "strata",
            say("chart.text_sample.drawn_from_each"),
            say("chart.text_sample.large_strata_first")
            + ((" " + say("chart.text_sample.smaller_ones_are", left=count(left))) if left else ""),
            say(
                "chart.text_sample.strata_the_largest",
                number=count(len(found)),
                most=percent(most[1]),
                most_2=most[0],
            ),
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
