"""Shares as bars, each against a limit of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes
from reidrisk.report.names import ends_of
from reidrisk.report.numbers import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

EACH, MARGINS = 0.27, 0.6
"""Inches of a bar, and of what is above and below all of them."""


@dataclass(frozen=True, slots=True)
class LimitedShare:
    """A bar and the line that it must not cross."""

    name: str
    share: float
    limit: float | None
    is_total: bool = False


def height(rows: Sequence[LimitedShare]) -> float:
    """Inches."""
    return EACH * max(len(rows), 1) + MARGINS


def draw_limited(canvas: Canvas, rows: Sequence[LimitedShare], *, title: str) -> None:
    """One bar a row; a dashed line across it is its limit."""
    axes = bare_axes(canvas, (1.75, 0.15, 0.6, 0.45))
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    top = max([1e-9, *(row.share for row in rows), *(row.limit or 0.0 for row in rows)])
    axes.set_xlim(0, top * 1.04)
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    for place, row in enumerate(rows):
        _bar(axes, row, -place)
    axes.axvline(0, color=PALETTE["line"], linewidth=1)
    axes.annotate(
        title,
        (0, 1),
        (0, 8),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=8.5,
        color=PALETTE["muted"],
    )


def _bar(axes: Axes, row: LimitedShare, y: float) -> None:
    weight = "bold" if row.is_total else "normal"
    beside: Any = {"textcoords": "offset points", "va": "center", "fontsize": 8.5, "fontweight": weight}
    colour = PALETTE["accent" if row.is_total else "soft"]
    axes.barh([y], [row.share], height=0.62, color=colour, linewidth=0)
    axes.annotate(ends_of(row.name, 24), (0, y), (-6, 0), ha="right", **beside)
    axes.annotate(percent(row.share), (1, y), (5, 0), xycoords=("axes fraction", "data"), ha="left", **beside)
    if row.limit is not None:
        axes.plot([row.limit] * 2, [y - 0.48, y + 0.48], color=PALETTE["ink"], linewidth=1.3, dashes=(3, 2))
