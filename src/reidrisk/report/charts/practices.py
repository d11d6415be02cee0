"""How many practices are in place, group by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

ROW, MARGINS = 0.42, (1.65, 0.15, 0.2, 0.42)
LEGEND, LETTER = -110, 4.6
"""Points: where the legend begins, left of the bars, and the width of a letter."""
PARTS = (
    ("with evidence", "accent", "paper"),
    ("without evidence", "soft", "ink"),
    ("does not apply", "line", "ink"),
    ("missing", "contrast", "paper"),
)
"""Name, colour and colour of the number on it."""


@dataclass(frozen=True, slots=True)
class Group:
    """The practices of one group by state, in the order of PARTS."""

    name: str
    counts: tuple[int, int, int, int]


def height(groups: Sequence[Group]) -> float:
    """Inches."""
    return ROW * len(groups) + MARGINS[1] + MARGINS[3]


def draw_practices(canvas: Canvas, groups: Sequence[Group]) -> None:
    """One bar a group, one piece a state, the number on it."""
    axes = bare_axes(canvas, MARGINS)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    axes.set_xlim(0, max(sum(group.counts) for group in groups))
    axes.set_ylim(-len(groups) + 0.4, 0.6)
    for place, group in enumerate(groups):
        _bar(axes, group, -place)
    _legend(axes)


def _bar(axes: Axes, group: Group, y: float) -> None:
    start = 0
    for number, (_, colour, ink) in zip(group.counts, PARTS, strict=True):
        if number:
            axes.barh([y], [number], left=[start], height=0.6, color=PALETTE[colour], linewidth=0)
            axes.annotate(
                str(number),
                (start + number / 2, y),
                ha="center",
                va="center",
                fontsize=8.5,
                color=PALETTE[ink],
            )
        start += number
    axes.annotate(
        fill(group.name, 24),
        (0, y),
        (-6, 0),
        textcoords="offset points",
        ha="right",
        va="center",
        fontsize=8.5,
    )


def _legend(axes: Axes) -> None:
    """Above the bars, from the left edge: there is no room beside them."""
    left: float = LEGEND
    for name, colour, _ in PARTS:
        box: Any = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 8}
        axes.annotate("■", (0, 1), (left, 8), color=PALETTE[colour], **box)
        axes.annotate(name, (0, 1), (left + 11, 8), color=PALETTE["ink"], **box)
        left += len(name) * LETTER + 26
