"""What reviewers found missing and wrong, by type, as bars."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import document_review as content
from reidrisk.report.numbers import count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows all types."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The share of findings of each type that reviewers changed; direct identifiers are dark."""
    title = "What reviewers changed, by type"
    rows = tuple(
        (row["type"], min(1.0, changed / (row["findings"] + row["added"])), row["role"] == "direct")
        for row in result["by_type"]
        if (changed := row["rejected"] + row["retyped"] + row["added"])
    )[:MOST]
    if not rows:
        nothing = "Reviewers changed nothing."
        return (Chart("changed", title, nothing, nothing, 0.0, None),)
    bars = Bars(rows, "share that reviewers changed; dark: direct identifiers")
    return (
        Chart(
            "changed",
            title,
            "Of all that was found or added: rejected, retyped or added by reviewers.",
            f"Reviewers changed {count(len(rows))} types.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
