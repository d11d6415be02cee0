"""Charts of a context: probabilities with their spread, thresholds in use, and practices by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas


CHANCE_ROW, CHANCE_MARGINS = 0.44, (1.7, 0.5, 0.95, 0.12)


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability with its spread, one line of the chart."""

    name: str
    value: float | None
    """None if it is not known."""
    low: float
    high: float
    is_largest: bool

    @property
    def label(self) -> str:
        """The number beside the line."""
        return "unknown" if self.value is None else f"{self.value:.3g}"


def chances_height(rows: Sequence[Chance]) -> float:
    """Height of the chart in inches."""
    return CHANCE_ROW * len(rows) + CHANCE_MARGINS[1] + CHANCE_MARGINS[3]


def draw_chances(canvas: Canvas, rows: Sequence[Chance]) -> None:
    """Draw a dot for each probability and a line for its spread; the largest is dark."""
    axes = bare_axes(canvas, CHANCE_MARGINS)
    axes.set_xlim(0, 1)
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    axes.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    axes.set_xlabel("probability")
    axes.grid(axis="x", color=PALETTE["line"], linewidth=0.5)
    axes.set_axisbelow(True)
    for place, row in enumerate(rows):
        _draw_chance(axes, row, -place)


def _draw_chance(axes: Axes, row: Chance, y: float) -> None:
    color = PALETTE["accent" if row.is_largest else "muted"]
    beside: Any = {
        "xycoords": ("axes fraction", "data"),
        "textcoords": "offset points",
        "va": "center",
        "fontsize": 9,
        "fontweight": "bold" if row.is_largest else "normal",
    }
    axes.annotate(row.name, (0, y), (-8, 0), ha="right", **beside)
    if row.value is None:
        axes.annotate(row.label, (1, y), (8, 0), ha="left", color=PALETTE["muted"], **beside)
        return
    axes.annotate(row.label, (1, y), (8, 0), ha="left", **beside)
    axes.plot([row.low, row.high], [y, y], color=color, linewidth=2.6, solid_capstyle="butt", zorder=2)
    axes.plot([row.value], [y], marker="o", color=color, markersize=7, clip_on=False, zorder=3)


NEAR = 1.15
"""If two ticks differ by less than this factor, there is only room for one label."""
CELL_SIZES_HEIGHT, CELL_SIZE_MARGINS = 1.35, (0.35, 0.55, 0.35, 0.45)


@dataclass(frozen=True, slots=True)
class ThresholdMark:
    """A threshold with a name."""

    probability: float
    name: str
    is_chosen: bool


def draw_cell_sizes(canvas: Canvas, known: Sequence[int], marks: Sequence[ThresholdMark]) -> None:
    """Draw thresholds with the strictest on the left; small dots are thresholds with a precedent."""
    axes = bare_axes(canvas, CELL_SIZE_MARGINS)
    axes.set_xscale("log")
    ends = [*(1 / size for size in known), *(mark.probability for mark in marks)]
    axes.set_xlim(min(ends) / 1.15, max(ends) * 1.15)
    axes.set_ylim(-1, 1)
    axes.set_xticks([1 / size for size in known], tick_labels(known))
    axes.set_xticks([], minor=True)
    axes.set_xlabel("accepted risk of a record (logarithmic scale), strictest on the left")
    axes.tick_params(axis="x", labelsize=7.5, length=0)
    axes.axhline(0, color=PALETTE["line"], linewidth=1)
    axes.plot([1 / size for size in known], [0] * len(known), "o", color=PALETTE["soft"], markersize=6)
    for mark in marks:
        _draw_mark(axes, mark)


def tick_labels(known: Sequence[int]) -> list[str]:
    """Return the labels of the ticks, without those that would overlap the next one.

    >>> tick_labels([5, 10, 11])
    ['1/5', '', '1/11']
    """
    found: list[str] = []
    last = float("inf")
    for size in sorted(known, reverse=True):
        is_near = last / size < NEAR
        found.insert(0, "" if is_near else f"1/{size}")
        last = last if is_near else size
    return found


def _draw_mark(axes: Axes, mark: ThresholdMark) -> None:
    filled: Any = {} if mark.is_chosen else {"markerfacecolor": PALETTE["paper"], "markeredgewidth": 1.8}
    color = PALETTE["accent" if mark.is_chosen else "contrast"]
    axes.plot([mark.probability], [0], "D", color=color, markersize=9, zorder=4, **filled)
    at = axes.transAxes.inverted().transform(axes.transData.transform((mark.probability, 0)))[0]
    side = "left" if at < 0.25 else "right" if at > 0.75 else "center"
    axes.annotate(
        mark.name,
        (mark.probability, 0),
        (0, 10 if mark.is_chosen else 22),
        textcoords="offset points",
        ha=side,
        fontsize=8.5,
        fontweight="bold" if mark.is_chosen else "normal",
        color=PALETTE["ink"],
    )


GROUP_ROW, GROUP_MARGINS = 0.42, (1.65, 0.15, 0.2, 0.42)
LEGEND, LETTER = -110, 4.6
"""Where the legend starts, left of the bars, and the width of a letter, in points."""
STATES = (
    ("with evidence", "accent", "paper"),
    ("without evidence", "soft", "ink"),
    ("not applicable", "line", "ink"),
    ("missing", "contrast", "paper"),
)
"""Name, color, and color of the number on it."""


@dataclass(frozen=True, slots=True)
class PracticeGroup:
    """The practices of one group by state, in the order of STATES."""

    name: str
    counts: tuple[int, int, int, int]


def practices_height(groups: Sequence[PracticeGroup]) -> float:
    """Height of the chart in inches."""
    return GROUP_ROW * len(groups) + GROUP_MARGINS[1] + GROUP_MARGINS[3]


def draw_practices(canvas: Canvas, groups: Sequence[PracticeGroup]) -> None:
    """Draw one bar per group, with one numbered segment per state."""
    axes = bare_axes(canvas, GROUP_MARGINS)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    axes.set_xlim(0, max(sum(group.counts) for group in groups))
    axes.set_ylim(-len(groups) + 0.4, 0.6)
    for place, group in enumerate(groups):
        _draw_bar(axes, group, -place)
    _draw_legend(axes)


def _draw_bar(axes: Axes, group: PracticeGroup, y: float) -> None:
    start = 0
    for number, (_, color, ink) in zip(group.counts, STATES, strict=True):
        if number:
            axes.barh([y], [number], left=[start], height=0.6, color=PALETTE[color], linewidth=0)
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


def _draw_legend(axes: Axes) -> None:
    """Above the bars, from the left edge: there is no room beside them."""
    left: float = LEGEND
    for name, color, _ in STATES:
        box: Any = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 8}
        axes.annotate("■", (0, 1), (left, 8), color=PALETTE[color], **box)
        axes.annotate(name, (0, 1), (left + 11, 8), color=PALETTE["ink"], **box)
        left += len(name) * LETTER + 26
