"""What was taken out of documents, as bars."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import document_anonymization as content
from reidrisk.report.numbers import count, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the table shows all types."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The share of every type; those that were replaced are dark."""
    title = "What was found, by type"
    found = sorted(result["by_type"], key=lambda row: (-row["findings"], row["name"]))
    if not found:
        nothing = "Nothing was found."
        return (Chart("types", title, nothing, nothing, 0.0, None),)
    rows = tuple(
        (row["name"], row["findings"] / result["findings"], row["replaced"] > row["redacted"])
        for row in found[:MOST]
    )
    bars = Bars(rows, "share of what was found; dark: mostly replaced by released values")
    return (
        Chart(
            "types",
            title,
            "Frequent types first.",
            f"{count(len(found))} types; most often {found[0]['name']}, {percent(rows[0][1])}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
