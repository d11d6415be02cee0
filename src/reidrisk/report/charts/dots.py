"""Scatter plot of areas: risk against number of people, since small areas usually have the highest risk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes
from reidrisk.report.charts.scales import log_people, log_shares
from reidrisk.report.charts.series import draw_legend, filling, legend_height, style_of
from reidrisk.report.names import ends_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

PLOT, BOTTOM, LEFT, RIGHT = 2.8, 0.5, 0.75, 0.3
"""Inches."""
MOST_NAMED = 15
"""With more areas than this, only the extreme ones are labeled."""


@dataclass(frozen=True, slots=True)
class Dot:
    """An area with its number of people and the share of them at risk."""

    area: str
    people: int
    share: float


@dataclass(frozen=True, slots=True)
class Dots:
    """All areas under one policy."""

    name: str
    dots: tuple[Dot, ...]


def height(series: Sequence[Dots]) -> float:
    """Height of the chart in inches."""
    return PLOT + BOTTOM + legend_height([one.name for one in series])


def draw_dots(canvas: Canvas, series: Sequence[Dots]) -> None:
    """Draw people on the x axis and shares on the y axis, both logarithmic, and label the extreme areas."""
    names = [one.name for one in series]
    axes = bare_axes(canvas, (LEFT, BOTTOM, RIGHT, legend_height(names)))
    every = [dot for one in series for dot in one.dots]
    log_people(axes, [dot.people for dot in every], "people of the area, logarithmic scale")
    log_shares(axes, [dot.share for dot in every])
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * (high / low) ** 0.06)  # room for the names
    for number, one in enumerate(series):
        style = style_of(number)
        look: Any = {"color": PALETTE[style.color], "marker": style.marker, "linewidth": 0}
        shown = [dot for dot in one.dots if dot.share > 0 and dot.people > 0]
        axes.plot(
            [dot.people for dot in shown],
            [dot.share for dot in shown],
            markersize=4.5,
            **look,
            **filling(number),
        )
    _names(axes, series)
    draw_legend(axes, names, lines=False)


def outermost(dots: Sequence[Dot]) -> list[Dot]:
    """Return the areas with the most and fewest people and with the highest and lowest shares."""
    shown = [dot for dot in dots if dot.share > 0 and dot.people > 0]
    if not shown:
        return []
    by_people = sorted(shown, key=lambda dot: (dot.people, dot.area))
    by_share = sorted(shown, key=lambda dot: (dot.share, dot.area))
    ends = (by_people[0], by_people[-1], by_share[0], by_share[-1])
    return list(dict.fromkeys(ends))


def _names(axes: Axes, series: Sequence[Dots]) -> None:
    """Label the dots of the first policy: all of them if there are few, otherwise the extreme ones."""
    dots = series[0].dots
    few = len(dots) <= MOST_NAMED and len(series) == 1
    taken: list[tuple[float, float]] = []
    a_point = axes.figure.dpi / 72
    for dot in sorted(dots if few else outermost(dots), key=lambda one: -one.share):
        if dot.share <= 0 or dot.people <= 0:
            continue
        x, y = axes.transData.transform((dot.people, dot.share)) / a_point
        if any(abs(x - left) < 75 and abs(y - low) < 10 for left, low in taken):
            continue
        taken.append((x, y))
        is_right = axes.transAxes.inverted().transform((x * a_point, y * a_point))[0] > 0.7
        axes.annotate(
            ends_of(dot.area, 16),
            (dot.people, dot.share),
            (-6 if is_right else 6, 0) if few else (0, 6),
            textcoords="offset points",
            ha=("right" if is_right else "left") if few else "center",
            va="center" if few else "bottom",
            fontsize=8,
        )
