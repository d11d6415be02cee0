"""The risk of each part of a release as a multiple of its limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes
from reidrisk.report.names import ends_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

EACH, TOP, BOTTOM, LEFT, RIGHT = 0.34, 0.32, 0.5, 1.75, 1.35
"""Inches."""
LEAST = 1e-3
"""Smaller multiples are drawn here, with an arrow."""


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A part: its risk as a multiple of its limit."""

    name: str
    times: float
    low: float | None
    high: float | None
    label: str
    is_within: bool


def height(rows: Sequence[LimitRow]) -> float:
    """Height of the chart in inches."""
    return EACH * len(rows) + TOP + BOTTOM


def draw_against(canvas: Canvas, rows: Sequence[LimitRow]) -> None:
    """Draw one line per part on a logarithmic scale, with the limit as a dashed line."""
    axes = bare_axes(canvas, (LEFT, BOTTOM, RIGHT, TOP))
    values = [value for row in rows for value in (row.times, row.low, row.high) if value is not None]
    start, end = _ends(values)
    axes.set_xscale("log")
    axes.set_xlim(start, end)
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    ticks = [10.0**power for power in range(round(log10(start)), round(log10(end)) + 1)]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("risk as a multiple of the limit (logarithmic scale)")
    axes.axvspan(1, end, color=PALETTE["zone"], linewidth=0, zorder=0)
    axes.axvline(1, color=PALETTE["ink"], linewidth=1.3, dashes=(3, 2), zorder=1)
    _heads(axes)
    for place, row in enumerate(rows):
        _draw_row(axes, row, -place, start)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Return powers of ten that enclose the values and the limit."""
    smallest = max(min([*values, 1.0]), LEAST)
    low = min(floor(log10(smallest)), -1)
    return 10.0**low, 10.0 ** max(ceil(log10(max([*values, 1.0])) + 0.05), 1)


def _heads(axes: Axes) -> None:
    place: Any = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points", "fontsize": 8.5}
    axes.annotate("within the limit", (1, 1), (-5, 5), ha="right", color=PALETTE["muted"], **place)
    axes.annotate("above", (1, 1), (5, 5), ha="left", color=PALETTE["muted"], **place)


def _draw_row(axes: Axes, row: LimitRow, y: float, start: float) -> None:
    """Draw a filled marker if the part is acceptable and a hollow one if not, so that color is not needed."""
    color = PALETTE["accent" if row.is_within else "contrast"]
    if row.low is not None and row.high is not None:
        axes.plot([max(row.low, start), max(row.high, start)], [y, y], color=color, linewidth=2)
    is_cut = row.times < start
    axes.plot(
        [max(row.times, start)],
        [y],
        marker="<" if is_cut else "o" if row.is_within else "D",
        color=color,
        markerfacecolor=color if row.is_within else PALETTE["paper"],
        markeredgewidth=1.6,
        markersize=7,
        clip_on=False,
    )
    beside: Any = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "va": "center"}
    axes.annotate(ends_of(row.name, 24), (0, y), (-6, 0), ha="right", fontsize=8.5, **beside)
    axes.annotate(row.label, (1, y), (5, 0), ha="left", fontsize=8.5, **beside)
