"""Estimates with intervals, one per row, and the limit that they must not exceed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, WIDTH, bare_axes
from reidrisk.report.numbers import probability

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

ROW = 0.58
"""Height of an interval and its label in inches."""
MARGINS = (0.2, 0.5, 0.2, 0.3)
TINY = 1 / 20
"""The axis becomes logarithmic if an interval is below this share of a linear one, too small to read."""
ZONE_NAME = "not acceptable"
LETTER = 4.9
"""Width of a letter of the labels above the rows, in points: a little more than most need."""
MOST_DECADES = 8
"""Longest logarithmic axis, in powers of ten."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval, one row of the chart."""

    name: str
    value: float
    low: float
    high: float
    decides: bool

    @property
    def label(self) -> str:
        """The numbers as text, so that they need not be read off the axis."""
        if self.low == self.high:
            return probability(self.value)
        return f"{probability(self.value)}  ({probability(self.low)} to {probability(self.high)})"


@dataclass(frozen=True, slots=True)
class Axis:
    """The range of values shown and whether it is logarithmic."""

    start: float
    end: float
    is_log: bool

    def clip(self, value: float) -> float:
        """Return the value, moved to the nearest end of the axis if it is outside."""
        return min(max(value, self.start), self.end)

    def share(self, value: float) -> float:
        """Return the position of a value on the axis, from 0 to 1."""
        value = self.clip(value)
        if not self.is_log:
            return (value - self.start) / (self.end - self.start)
        return log10(value / self.start) / log10(self.end / self.start)


def height(rows: int) -> float:
    """Height of a chart with this number of rows, in inches."""
    return ROW * rows + MARGINS[1] + MARGINS[3]


def axis_for(rows: Sequence[Interval], limit: float) -> Axis:
    """Return a linear axis from 0 if all intervals are readable on it, otherwise a logarithmic one."""
    top = max(limit, *(row.high for row in rows))
    positive = [part for row in rows for part in (row.low, row.value) if part > 0]
    if all(row.high >= TINY * top for row in rows) or not positive:
        return Axis(0.0, min(top * 1.12, 1.0) if top <= 1 else top, is_log=False)
    end = ceil(log10(top) + 0.05)
    start = max(floor(log10(min(positive))), end - MOST_DECADES)
    return Axis(10.0**start, 10.0 ** min(end, 0) if top <= 1 else 10.0**end, is_log=True)


def draw_intervals(canvas: Canvas, rows: Sequence[Interval], *, limit: float, limit_name: str) -> None:
    """Draw one interval per row. The zone above the limit is shaded and labeled as not acceptable."""
    axes = bare_axes(canvas, MARGINS)
    axis = axis_for(rows, limit)
    axes.set_ylim(-len(rows), 0)
    _scale(axes, axis)
    _limit(axes, axis, limit, f"{limit_name} {probability(limit)}")
    for number, row in enumerate(rows):
        _band(axes, axis, limit, -number)
        _interval(axes, axis, row, -number)


def _scale(axes: Axes, axis: Axis) -> None:
    label = "probability of re-identification"
    if axis.is_log:
        axes.set_xscale("log")
        low, high = round(log10(axis.start)), round(log10(axis.end))
        step = max(1, ceil((high - low) / 6))
        ticks = [10.0**power for power in range(low, high + 1, step)]
        axes.set_xticks(ticks, [_tick(tick) for tick in ticks])
        axes.set_xticks([], minor=True)
        label += ", logarithmic scale"
    else:
        axes.locator_params(axis="x", nbins=5)
    axes.set_xlim(axis.start, axis.end)
    axes.set_xlabel(label)


def _tick(value: float) -> str:
    """Write a power of ten as a decimal number, or in scientific notation if it is very small."""
    return f"{value:.5f}".rstrip("0").rstrip(".") if value >= 1e-5 else f"{value:.0e}"


def _band(axes: Axes, axis: Axis, limit: float, top: float) -> None:
    """Shade the zone above the limit behind the interval only, so that no line crosses the labels."""
    ends = (top - 0.94, top - 0.46)
    axes.fill_betweenx(ends, axis.clip(limit), axis.end, color=PALETTE["zone"], linewidth=0, zorder=0)
    axes.plot([limit, limit], ends, color=PALETTE["ink"], linewidth=1.3, dashes=(3, 2), zorder=1)


def _limit(axes: Axes, axis: Axis, limit: float, text: str) -> None:
    is_right = axis.share(limit) > 0.5
    axes.annotate(
        text,
        (limit, 1),
        (-4 if is_right else -_overlap(axis.share(limit), text), 5),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="right" if is_right else "left",
        fontsize=8.5,
    )
    if axis.share(limit) < 0.72:
        axes.annotate(
            ZONE_NAME,
            (1, 1),
            (-2, 5),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="right",
            fontsize=8.5,
            color=PALETTE["muted"],
        )


def _overlap(share: float, text: str) -> float:
    """By how many points the name of a limit in the left half would run into that of the zone."""
    width = 72 * (WIDTH - MARGINS[0] - MARGINS[2])
    end = width * share + LETTER * len(text)
    return min(max(0, round(end - width + LETTER * (len(ZONE_NAME) + 2))), width * share)


def _interval(axes: Axes, axis: Axis, row: Interval, top: float) -> None:
    color = PALETTE["accent"] if row.decides else PALETTE["muted"]
    width, y = (3.0 if row.decides else 1.4), top - 0.68
    low, value, high = (axis.clip(part) for part in (row.low, row.value, row.high))
    axes.plot([low, high], [y, y], color=color, linewidth=width, solid_capstyle="butt")
    for end, is_cut in ((low, row.low < axis.start), (high, False)):
        marker = "<" if is_cut else "|"
        axes.plot([end], [y], marker=marker, color=color, markersize=9 if marker == "|" else 6, clip_on=False)
    axes.plot([value], [y], marker="o", color=color, markersize=7 if row.decides else 5.5, clip_on=False)
    weight = "bold" if row.decides else "normal"
    where: dict[str, Any] = {
        "xycoords": ("axes fraction", "data"),
        "textcoords": "offset points",
        "va": "center",
    }
    axes.annotate(row.name, (0, top - 0.22), (2, 0), ha="left", fontweight=weight, **where)
    axes.annotate(row.label, (1, top - 0.22), (-2, 0), ha="right", fontweight=weight, **where)
