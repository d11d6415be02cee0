"""What was replaced, as bars."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import text_deidentification as content
from reidrisk.report.numbers import count, percent

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
                "What was replaced",
                "Nothing was found.",
                "Nothing was found.",
                0.0,
                None,
            ),
        )
    rows = tuple(
        (one["type"], one["replaced"] / result["replaced"], one["role"] == "direct") for one in found[:MOST]
    )
    bars = Bars(rows, "share of what was replaced; dark: direct identifiers")
    left = len(found) - len(rows)
    return (
        Chart(
            "types",
            "What was replaced",
            "Frequent types first." + ((" " + f"{count(left)} more are in the table below.") if left else ""),
            f"{count(len(found))} types; most often {found[0]['type']}, {percent(rows[0][1])}.",
            bars.height,
            partial(draw_bars, bars=bars),
        ),
    )


def figure(result: dict[str, Any]) -> Figure:
    """The chart in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
