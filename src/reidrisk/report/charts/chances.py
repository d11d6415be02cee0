"""Chances between 0 and 1, one a line, with their spread where they have one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

ROW, MARGINS = 0.44, (1.7, 0.5, 0.95, 0.12)


@dataclass(frozen=True, slots=True)
class Chance:
    """A line of the chart."""

    name: str
    value: float | None
    """None if it is not known."""
    low: float
    high: float
    is_largest: bool

    @property
    def label(self) -> str:
        """The number, so that nobody must read it off the axis."""
        return "unknown" if self.value is None else f"{self.value:.3g}"


def height(rows: Sequence[Chance]) -> float:
    """Inches."""
    return ROW * len(rows) + MARGINS[1] + MARGINS[3]


def draw_chances(canvas: Canvas, rows: Sequence[Chance]) -> None:
    """A dot for each chance and a line for its spread; the largest is dark."""
    axes = bare_axes(canvas, MARGINS)
    axes.set_xlim(0, 1)
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    axes.set_xlabel("probability")
    axes.grid(axis="x", color=PALETTE["line"], linewidth=0.5)
    axes.set_axisbelow(True)
    for place, row in enumerate(rows):
        _draw(axes, row, -place)


def _draw(axes: Axes, row: Chance, y: float) -> None:
    colour = PALETTE["accent" if row.is_largest else "muted"]
    beside: Any = {
        "xycoords": ("axes fraction", "data"),
        "textcoords": "offset points",
        "va": "center",
        "fontsize": 9,
        "fontweight": "bold" if row.is_largest else "normal",
    }
    axes.annotate(row.name, (0, y), (-8, 0), ha="right", **beside)
    if row.value is None:
        axes.annotate(row.label, (1, y), (8, 0), ha="left", color=PALETTE["muted"], **beside)
        return
    axes.annotate(row.label, (1, y), (8, 0), ha="left", **beside)
    axes.plot([row.low, row.high], [y, y], color=colour, linewidth=2.6, solid_capstyle="butt", zorder=2)
    axes.plot([row.value], [y], marker="o", color=colour, markersize=7, clip_on=False, zorder=3)
