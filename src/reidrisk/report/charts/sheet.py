"""Several charts in one figure, two per row."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, WIDTH, Chart, drawing, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

TITLE = 0.55
"""Height of the title of the figure, in inches."""
HEAD = 0.4
"""Height of the title of a chart, in inches."""


def sheet(title: str, charts: Sequence[Chart]) -> Figure:
    """Return a figure with all charts, for a notebook or a file."""
    rows = [charts[at : at + 2] for at in range(0, len(charts), 2)]
    heights = [HEAD + max(chart.height for chart in row) for row in rows]
    with drawing():
        figure = new_figure(2 * WIDTH, sum(heights) + TITLE)
        figure.text(
            0.012, 1 - 0.32 / figure.get_figheight(), title, fontsize=14, fontweight="bold", va="center"
        )
        outer: Any = figure.subfigures(len(rows) + 1, 1, height_ratios=[TITLE, *heights], hspace=0)
        for row, height, band in zip(rows, heights, outer[1:], strict=True):
            for chart, cell in zip(row, band.subfigures(1, 2, wspace=0), strict=False):
                _place(cell, chart, height)
    return figure


def _place(cell: SubFigure, chart: Chart, height: float) -> None:
    """Draw a chart below its title, at its own height; the rest of the cell stays empty."""
    ratios = [HEAD, chart.height, max(height - HEAD - chart.height, 1e-6)]
    cells: Any = cell.subfigures(3, 1, height_ratios=ratios, hspace=0)
    head, body, _ = cells
    head.text(0.025, 0.4, chart.title, fontsize=11, fontweight="bold", va="center")
    if chart.draw is None:
        text = textwrap.fill(chart.caption, 70)
        body.text(0.025, 0.8, text, color=PALETTE["muted"], va="top")
    else:
        chart.draw(body)
