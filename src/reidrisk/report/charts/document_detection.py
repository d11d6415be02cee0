"""What was found in documents, as bars."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.bars import Bars, draw_bars
from reidrisk.report.charts.canvas import Chart
from reidrisk.report.content import document_detection as content
from reidrisk.report.numbers import count, percent
from reidrisk.report.words.book import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 20
"""Bars; the tables show all."""


def charts(result: dict[str, Any]) -> tuple[Chart, ...]:
    """The share of every type, and of every section where the document has some."""
    total = result["findings"]
    types = _bars("types", result["by_type"], total)
    if not any(row["name"] for row in result["by_section"]):
        return (types,)
    return types, _bars("sections", result["by_section"], total)


def _bars(what: str, found: list[dict[str, Any]], total: int) -> Chart:
    title = say(f"chart.document_detection.{what}")
    if not found:
        nothing = "Nothing was found."
        return Chart(what, title, nothing, nothing, 0.0, None)
    ordered = sorted(found, key=lambda row: (-row["findings"], row["name"]))
    rows = tuple(
        (
            row["name"] or "outside any section",
            row["findings"] / total,
            row.get("role") == "direct",
        )
        for row in ordered[:MOST]
    )
    bars = Bars(rows, "share of all findings")
    spoken = f"{count(len(found))} rows; most findings: {rows[0][0]}, {percent(rows[0][1])}."
    first = "The most frequent first; dark: direct identifiers."
    return Chart(what, title, first, spoken, bars.height, partial(draw_bars, bars=bars))


def figure(result: dict[str, Any]) -> Figure:
    """The charts in a figure."""
    from reidrisk.report.charts.sheet import sheet

    return sheet(f"{content.verdict(result).word}: {content.name_of(result)}", charts(result))
