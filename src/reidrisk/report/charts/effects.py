"""One risk under several assumptions: groups of intervals on a common scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes
from reidrisk.report.charts.intervals import Axis, Interval, axis_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

ROW, HEAD = 0.46, 0.34
MARGINS = (0.2, 0.5, 0.2, 0.1)


@dataclass(frozen=True, slots=True)
class Effects:
    """A group of intervals with a title."""

    title: str
    rows: tuple[Interval, ...]


def height(groups: Sequence[Effects]) -> float:
    """Height of the chart in inches."""
    return sum(HEAD + ROW * len(group.rows) for group in groups) + MARGINS[1] + MARGINS[3]


def draw_effects(
    canvas: Canvas, groups: Sequence[Effects], *, axis: Axis | None = None, label: str = ""
) -> None:
    """Draw a heading per group and a line per assumption. Without `axis`, one that fits is chosen."""
    axes = bare_axes(canvas, MARGINS)
    every = [row for group in groups for row in group.rows]
    axis = axis or axis_for(every, max(row.high for row in every))
    axes.set_ylim(-sum(HEAD + ROW * len(group.rows) for group in groups), 0)
    _scale(axes, axis, label or "probability of re-identification")
    top = 0.0
    for group in groups:
        _text(axes, group.title, (0, top - HEAD / 2), PALETTE["muted"])
        top -= HEAD
        for row in group.rows:
            _line(axes, axis, row, top)
            top -= ROW


def _scale(axes: Axes, axis: Axis, label: str) -> None:
    if axis.is_log:
        axes.set_xscale("log")
        low, high = round(log10(axis.start)), round(log10(axis.end))
        ticks = [10.0**power for power in range(low, high + 1, max(1, (high - low) // 4))]
        axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axes.set_xticks([], minor=True)
        label += ", logarithmic scale"
    else:
        axes.locator_params(axis="x", nbins=5)
    axes.set_xlim(axis.start, axis.end)
    axes.set_xlabel(label)


def _line(axes: Axes, axis: Axis, row: Interval, top: float) -> None:
    color = PALETTE["accent" if row.decides else "muted"]
    y = top - 0.33
    low, value, high = (axis.clip(part) for part in (row.low, row.value, row.high))
    axes.plot([low, high], [y, y], color=color, linewidth=3.0 if row.decides else 1.4, solid_capstyle="butt")
    axes.plot([value], [y], marker="o", color=color, markersize=6.5 if row.decides else 5, clip_on=False)
    weight = "bold" if row.decides else "normal"
    _text(axes, row.name, (0, top - 0.12), PALETTE["ink"], weight=weight)
    _text(axes, row.label, (1, top - 0.12), PALETTE["ink"], weight=weight)


def _text(axes: Axes, text: str, place: tuple[float, float], color: str, *, weight: str = "normal") -> None:
    right = place[0] == 1
    where: Any = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "va": "center"}
    axes.annotate(
        text,
        place,
        (-2 if right else 2, 0),
        ha="right" if right else "left",
        fontsize=8.5,
        fontweight=weight,
        color=color,
        **where,
    )
