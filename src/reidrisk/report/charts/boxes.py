"""Box plots of a share across areas: one box per g, from the first to the third quartile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes, shorten
from reidrisk.report.charts.scales import log_ticks, share_tick
from reidrisk.report.numbers import brief_percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

ROW, MARGINS = 0.52, (0.85, 0.5, 0.25, 0.15)
WIDE = 50
"""The axis becomes logarithmic if the medians of two boxes differ by more than this factor."""


@dataclass(frozen=True, slots=True)
class Box:
    """The shares of all areas for one box."""

    name: str
    shares: tuple[tuple[str, float], ...]
    """Pairs (area, share)."""

    @property
    def values(self) -> list[float]:
        """The shares in ascending order."""
        return sorted(share for _, share in self.shares)

    def quarter(self, number: int) -> float:
        """Return the minimum (0), a quartile (1 to 3) or the maximum (4), interpolated linearly.

        >>> Box("1-distinct", (("A", 0.1), ("B", 0.2), ("C", 0.6))).quarter(2)
        0.2
        """
        values = self.values
        place = (len(values) - 1) * number / 4
        low = int(place)
        high = min(low + 1, len(values) - 1)
        return values[low] + (values[high] - values[low]) * (place - low)

    def fences(self) -> tuple[float, float]:
        """Return the ends of the whiskers: the outermost values within 1.5 box lengths of the box."""
        reach = 1.5 * (self.quarter(3) - self.quarter(1))
        inside = [
            value for value in self.values if self.quarter(1) - reach <= value <= self.quarter(3) + reach
        ]
        return inside[0], inside[-1]


def height(boxes: Sequence[Box]) -> float:
    """Height of the chart in inches."""
    return ROW * len(boxes) + MARGINS[1] + MARGINS[3]


def draw_boxes(canvas: Canvas, boxes: Sequence[Box]) -> None:
    """Draw one box per row. Areas beyond the whiskers are dots, and the largest share is labeled."""
    axes = bare_axes(canvas, MARGINS)
    axes.set_ylim(-len(boxes) + 0.45, 0.55)
    floor_at = _scale(axes, boxes)
    for place, box in enumerate(boxes):
        _box(axes, box, -place, floor_at)


def _scale(axes: Axes, boxes: Sequence[Box]) -> float:
    """Set up the axis and return the smallest value that it shows."""
    middles = [box.quarter(2) for box in boxes]
    values = [value for box in boxes for value in box.values]
    top = max([*values, 1e-12])
    is_log = max(middles) > WIDE * max(min(middles), 1e-12) or max(middles) < top / WIDE
    axes.grid(axis="x", color=PALETTE["line"], linewidth=0.5)
    axes.set_axisbelow(True)
    if not is_log:
        axes.set_xlim(0, top * 1.04)
        axes.locator_params(axis="x", nbins=5)
        ticks = [tick for tick in axes.get_xticks().tolist() if 0 <= tick <= top * 1.04]
        axes.set_xticks(ticks, [share_tick(tick) for tick in ticks])
        axes.set_xlabel("share of an area's people")
        return 0.0
    ticks = log_ticks(values)
    low = ticks[0]
    axes.set_xscale("log")
    axes.set_xlim(low / 1.2, ticks[-1] * 1.2)
    axes.set_xticks(ticks, [share_tick(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("share of an area's people, logarithmic scale")
    return low / 1.2


def _box(axes: Axes, box: Box, y: float, floor_at: float) -> None:
    low, first, middle, third, high = (
        max(value, floor_at)
        for value in (box.fences()[0], *(box.quarter(number) for number in (1, 2, 3)), box.fences()[1])
    )
    axes.plot([low, high], [y, y], color=PALETTE["muted"], linewidth=1.3, zorder=2)
    axes.barh([y], [third - first], left=[first], height=0.36, color=PALETTE["soft"], linewidth=0, zorder=3)
    axes.plot([middle] * 2, [y - 0.18, y + 0.18], color=PALETTE["ink"], linewidth=1.8, zorder=4)
    beyond = [(area, share) for area, share in box.shares if not low <= max(share, floor_at) <= high]
    dot: Any = {"color": PALETTE["accent"], "markersize": 3.5, "linewidth": 0, "marker": "o", "zorder": 4}
    axes.plot([max(share, floor_at) for _, share in beyond], [y] * len(beyond), **dot)
    beside: Any = {"textcoords": "offset points", "fontsize": 8.5, "va": "center"}
    axes.annotate(
        box.name, (0, y), (-8, 0), xycoords=("axes fraction", "data"), ha="right", fontweight="bold", **beside
    )
    area, share = max(box.shares, key=lambda pair: pair[1])
    at = axes.transAxes.inverted().transform(axes.transData.transform((max(share, floor_at), y)))[0]
    axes.annotate(
        f"{shorten(area, 18)} {brief_percent(share)}",
        (max(share, floor_at), y),
        (0, -13),
        ha="left" if at < 0.35 else "right",
        color=PALETTE["muted"],
        **(beside | {"fontsize": 8}),
    )
