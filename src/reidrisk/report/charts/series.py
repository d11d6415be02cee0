"""Series of a chart: each told apart by colour, dashes and marker, and named above the axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE
from reidrisk.report.names import ends_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.2
"""Inches of a name."""
LONGEST = 62
"""Letters of a name."""


@dataclass(frozen=True, slots=True)
class Style:
    """How one series looks; blue and orange differ for everybody, and dashes without colour."""

    colour: str
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
    """The look of a series; they repeat after the fifth."""
    return STYLES[number % len(STYLES)]


def line_of(style: Style) -> dict[str, Any]:
    """What matplotlib calls it."""
    return {
        "color": PALETTE[style.colour],
        "linewidth": 2.0,
        **({"dashes": style.dashes} if style.dashes else {}),
    }


def filling(number: int) -> dict[str, Any]:
    """Of markers: the first series is filled, the others are not."""
    return {} if number == 0 else {"markerfacecolor": PALETTE["paper"]}


def legend_height(names: Sequence[str]) -> float:
    """Inches above the axes."""
    return ROW * len(names) + 0.1 if len(names) > 1 else 0.15


def draw_legend(axes: Axes, names: Sequence[str], *, lines: bool) -> None:
    """One name a row; nothing where there is one series only."""
    if len(names) < 2:
        return
    height = axes.bbox.height / axes.figure.dpi
    for number, name in enumerate(names):
        y = 1 + (ROW * (len(names) - number) - 0.06) / height
        style = style_of(number)
        look = line_of(style) if lines else {"color": PALETTE[style.colour], "linewidth": 0}
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
