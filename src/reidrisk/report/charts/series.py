"""Styles that distinguish the series of a chart by color, dashes and marker, and the legend above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE
from reidrisk.report.names import ends_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.2
"""Height of a name in the legend, in inches."""
LONGEST = 62
"""Longest name in the legend, in characters."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of one series. Dashes and markers differ too, for readers who cannot tell colors apart."""

    color: str
    dashes: tuple[float, float] | None
    marker: str


STYLES = (
    Style("accent", None, "o"),
    Style("contrast", (5, 2), "D"),
    Style("ink", (1.5, 1.5), "s"),
    Style("muted", (7, 2), "^"),
    Style("soft", (2, 3), "v"),
)


def style_of(number: int) -> Style:
    """Return the style of a series. Styles repeat after the fifth."""
    return STYLES[number % len(STYLES)]


def line_of(style: Style) -> dict[str, Any]:
    """Return the line style as arguments of matplotlib."""
    return {
        "color": PALETTE[style.color],
        "linewidth": 2.0,
        **({"dashes": style.dashes} if style.dashes else {}),
    }


def filling(number: int) -> dict[str, Any]:
    """Return the fill of markers as arguments of matplotlib: filled for the first series only."""
    return {} if number == 0 else {"markerfacecolor": PALETTE["paper"]}


def legend_height(names: Sequence[str]) -> float:
    """Height of the legend above the axes, in inches."""
    return ROW * len(names) + 0.1 if len(names) > 1 else 0.15


def draw_legend(axes: Axes, names: Sequence[str], *, lines: bool) -> None:
    """Draw one name per row, or nothing if there is only one series."""
    if len(names) < 2:
        return
    height = axes.bbox.height / axes.figure.dpi
    for number, name in enumerate(names):
        y = 1 + (ROW * (len(names) - number) - 0.06) / height
        style = style_of(number)
        look = line_of(style) if lines else {"color": PALETTE[style.color], "linewidth": 0}
        marker: Any = {} if lines else {"marker": style.marker, "markersize": 5} | filling(number)
        start = [0.0, 0.055] if lines else [0.03]
        axes.plot(start, [y] * len(start), transform=axes.transAxes, clip_on=False, **look, **marker)
        axes.annotate(
            ends_of(name, LONGEST),
            (0.07, y),
            xycoords="axes fraction",
            va="center",
            fontsize=8.5,
            annotation_clip=False,
        )
