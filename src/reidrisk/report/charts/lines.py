"""Line charts over g: shares of people, or ratios of shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reidrisk.report.charts.canvas import bare_axes
from reidrisk.report.charts.scales import log_people, log_ratios, log_shares, plain_shares
from reidrisk.report.charts.series import draw_legend, legend_height, line_of, style_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

PLOT, BOTTOM, LEFT, RIGHT = 2.5, 0.5, 0.75, 0.2
"""Inches."""
MOST_NAMED = 20
"""With more points on a linear axis, they have no markers, and only every fifth is named."""
Scale = Literal["plain", "log", "ratio"]


@dataclass(frozen=True, slots=True)
class Line:
    """A series of points in ascending order of g."""

    name: str
    points: tuple[tuple[float, float], ...]


def height(lines: Sequence[Line]) -> float:
    """Height of the chart in inches."""
    return PLOT + BOTTOM + legend_height([line.name for line in lines])


def draw_lines(canvas: Canvas, lines: Sequence[Line], *, scale: Scale, label: str) -> None:
    """Draw shares on linear or logarithmic axes, or ratios on logarithmic axes."""
    names = [line.name for line in lines]
    axes = bare_axes(canvas, (LEFT, BOTTOM, RIGHT, legend_height(names)))
    values = [value for line in lines for _, value in line.points]
    _below(axes, [size for line in lines for size, _ in line.points], scale, label)
    {"plain": plain_shares, "log": log_shares, "ratio": log_ratios}[scale](axes, values)
    for number, line in enumerate(lines):
        shown = [point for point in line.points if scale == "plain" or point[1] > 0]
        look = line_of(style_of(number))
        if (scale == "plain" and len(shown) <= MOST_NAMED) or len(shown) < 2:
            look |= {"marker": style_of(number).marker, "markersize": 4.5}
        axes.plot([size for size, _ in shown], [value for _, value in shown], **look)
    draw_legend(axes, names, lines=True)


def _below(axes: Axes, sizes: Sequence[float], scale: Scale, label: str) -> None:
    if scale != "plain":
        log_people(axes, sizes, f"{label}, logarithmic scale")
        return
    whole = sorted(set(sizes))
    axes.set_xlim(whole[0] - 0.3, whole[-1] + 0.3)
    named = whole if len(whole) <= MOST_NAMED else [whole[0], *(one for one in whole if one % 5 == 0)]
    axes.set_xticks(named, [f"{size:g}" for size in named])
    axes.set_xlabel(label)
