"""Differences between pairs, with intervals: left of zero the first is lower, right of zero the second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

ROW = 0.44
MARGINS = (0.2, 0.5, 0.2, 0.3)


@dataclass(frozen=True, slots=True)
class Gap:
    """The difference between two things, with its interval."""

    first: str
    second: str
    value: float
    low: float
    high: float

    @property
    def decided(self) -> bool:
        """Whether the interval excludes 0."""
        return not self.low <= 0 <= self.high


def height(rows: int) -> float:
    """Height of the chart in inches."""
    return ROW * rows + MARGINS[1] + MARGINS[3]


def draw_gaps(canvas: Canvas, gaps: Sequence[Gap]) -> None:
    """Draw one line per pair below its names; bold if the interval excludes 0."""
    axes = bare_axes(canvas, MARGINS)
    reach = max((abs(end) for gap in gaps for end in (gap.low, gap.high, gap.value)), default=0.0) or 1.0
    axes.set_xlim(-1.08 * reach, 1.08 * reach)
    axes.set_ylim(-len(gaps), 0)
    axes.axvline(0, color=PALETTE["ink"], linewidth=1.1)
    axes.locator_params(axis="x", nbins=5)
    axes.set_xlabel("difference in the probability of re-identification")
    head: dict[str, Any] = {"textcoords": "offset points", "fontsize": 8.5, "color": PALETTE["muted"]}
    axes.annotate("left tool is safer", (0, 1), (2, 5), xycoords="axes fraction", ha="left", **head)
    axes.annotate("right tool is safer", (1, 1), (-2, 5), xycoords="axes fraction", ha="right", **head)
    for number, gap in enumerate(gaps):
        _gap(axes, gap, -number)


def _gap(axes: Axes, gap: Gap, top: float) -> None:
    color = PALETTE["accent"] if gap.decided else PALETTE["muted"]
    y = top - 0.7
    axes.plot([gap.low, gap.high], [y, y], color=color, linewidth=3.0 if gap.decided else 1.4)
    axes.plot([gap.low, gap.high], [y, y], "|", color=color, markersize=8)
    axes.plot([gap.value], [y], "o", color=color, markersize=6.5 if gap.decided else 5)
    where: dict[str, Any] = {
        "xycoords": ("axes fraction", "data"),
        "textcoords": "offset points",
        "va": "center",
        "fontsize": 8.5,
        "fontweight": "bold" if gap.decided else "normal",
    }
    axes.annotate(shorten(gap.first, 30), (0, top - 0.28), (2, 0), ha="left", **where)
    axes.annotate(shorten(gap.second, 30), (1, top - 0.28), (-2, 0), ha="right", **where)
