"""What was replaced, as bars."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import text_deidentification as content
from reidrisk.report.numbers import count, percent
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows all types."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The share of every type; direct identifiers are dark."""
    found = result["by_type"]
    if not found:
        return (
            Chart(
                "types",
                say("chart.text_deidentification.what_was_replaced"),
                say("chart.text_deidentification.nothing_was_found"),
                say("chart.text_deidentification.nothing_was_found"),
                0.0,
                None,
            ),
        )
    rows = tuple(
        (one["type"], one["replaced"] / result["replaced"], one["role"] == "direct") for one in found[:MOST]
    )
    bars = Bars(rows, say("chart.text_deidentification.share_of_what"))
    left = len(found) - len(rows)
    return (
        Chart(
            "types",
            say("chart.text_deidentification.what_was_replaced"),
            say("chart.text_deidentification.frequent_types_first")
            + ((" " + say("chart.text_deidentification.more_are_in", left=count(left))) if left else ""),
            say(
                "chart.text_deidentification.types_most_often",
                number=count(len(found)),
                type=found[0]["type"],
                rows=percent(rows[0][1]),
            ),
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
