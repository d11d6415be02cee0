"""What reviewers found missing and wrong, by type, as bars."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import document_review as content
from reidrisk.report.numbers import count
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows all types."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The share of findings of each type that reviewers changed; direct identifiers are dark."""
    title = say("chart.document_review.title")
    rows = tuple(
        (row["type"], min(1.0, changed / (row["findings"] + row["added"])), row["role"] == "direct")
        for row in result["by_type"]
        if (changed := row["rejected"] + row["retyped"] + row["added"])
    )[:MOST]
    if not rows:
        nothing = say("chart.document_review.nothing")
        return (Chart("changed", title, nothing, nothing, 0.0, None),)
    bars = Bars(rows, say("chart.document_review.share"))
    return (
        Chart(
            "changed",
            title,
            say("chart.document_review.explained"),
            say("chart.document_review.spoken", number=count(len(rows))),
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
