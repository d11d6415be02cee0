"""Two shares per row, connected by a line, in groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes, shorten
from reidrisk.report.numbers import level, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

ROW = 0.235
SPACE = 2.0
"""Space for the title of a group and the label of its cutoff, in rows."""
MARGINS = (2.15, 0.32, 0.58, 0.32)


@dataclass(frozen=True, slots=True)
class Pair:
    """A lenient and a strict measure of the same thing."""

    name: str
    size: str
    """Size of the sample as text, shown beside the name; empty for none."""
    light: float | None
    hard: float | None
    is_total: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Pairs with a title and a cutoff."""

    title: str
    cutoff: float | None
    is_cutoff_for_total: bool
    """Whether the cutoff applies to the total instead of each pair."""
    pairs: tuple[Pair, ...]


def height(groups: Sequence[Group]) -> float:
    """Height of the chart in inches."""
    return ROW * _rows(groups) + MARGINS[1] + MARGINS[3]


def draw_pairs(canvas: Canvas, groups: Sequence[Group], *, names: tuple[str, str]) -> None:
    """Draw the groups below each other. The strict measure is filled, and its value is written out."""
    axes = bare_axes(canvas, MARGINS)
    start = _start(groups)
    axes.set_xlim(start, 1)
    axes.set_ylim(-_rows(groups), 0)
    ticks = [start + (1 - start) * quarter / 4 for quarter in range(5)]
    axes.set_xticks(ticks, [f"{100 * tick:.3g} %" for tick in ticks])
    axes.grid(axis="x", color=PALETTE["line"], linewidth=0.5)
    axes.set_axisbelow(True)
    row = 0.0
    for group in groups:
        _group(axes, group, row)
        row += len(group.pairs) + SPACE
    _legend(axes, names)


def _rows(groups: Sequence[Group]) -> float:
    return sum(len(group.pairs) + SPACE for group in groups)


def _start(groups: Sequence[Group]) -> float:
    """Start the axis at 80 %, 50 % or 0, the largest of these that shows every point."""
    known = [
        part
        for group in groups
        for pair in group.pairs
        for part in (pair.light, pair.hard)
        if part is not None
    ]
    cutoffs = [group.cutoff for group in groups if group.cutoff is not None]
    lowest = min([*known, *cutoffs], default=0.0) - 0.02
    return next((start for start in (0.8, 0.5) if lowest >= start), 0.0)


def _group(axes: Axes, group: Group, row: float) -> None:
    top = -row - 0.75
    _beside(axes, group.title, top, weight="bold")
    for number, pair in enumerate(group.pairs):
        y = top - 0.95 - number
        _pair(axes, pair, y)
        if group.cutoff is not None and pair.is_total == group.is_cutoff_for_total:
            axes.plot(
                [group.cutoff] * 2, [y - 0.5, y + 0.5], color=PALETTE["ink"], linewidth=1.3, dashes=(3, 2)
            )
    if group.cutoff is not None:
        y = top - 0.95 - len(group.pairs) + 0.1 if group.is_cutoff_for_total else top - 0.15
        text = f"cutoff {level(group.cutoff)}"
        axes.annotate(text, (group.cutoff, y), ha="center", va="center", fontsize=8)


def _pair(axes: Axes, pair: Pair, y: float) -> None:
    weight = "bold" if pair.is_total else "normal"
    size = f" ({pair.size})" if pair.size else ""
    _beside(axes, shorten(pair.name, 28 - len(size)) + size, y, weight=weight)
    place: dict[str, Any] = {
        "xycoords": ("axes fraction", "data"),
        "textcoords": "offset points",
        "va": "center",
    }
    axes.annotate(percent(pair.hard), (1, y), (10, 0), fontsize=8.5, fontweight=weight, **place)
    if pair.light is None or pair.hard is None:
        return
    axes.plot([pair.light, pair.hard], [y, y], color=PALETTE["soft"], linewidth=2.5, zorder=2)
    ring: dict[str, Any] = {
        "color": PALETTE["accent"],
        "markerfacecolor": PALETTE["paper"],
        "markeredgewidth": 1.3,
    }
    axes.plot([pair.light], [y], "o", markersize=8.5, clip_on=False, zorder=3, **ring)
    axes.plot([pair.hard], [y], "D", markersize=3.8, color=PALETTE["accent"], clip_on=False, zorder=4)


def _beside(axes: Axes, text: str, y: float, *, weight: str) -> None:
    axes.annotate(
        text,
        (0, y),
        (-10, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="right",
        va="center",
        fontsize=8.5,
        fontweight=weight,
    )


def _legend(axes: Axes, names: tuple[str, str]) -> None:
    axes.plot(
        [], [], "o", color=PALETTE["paper"], markeredgecolor=PALETTE["accent"], markersize=8, label=names[0]
    )
    axes.plot([], [], "D", color=PALETTE["accent"], markersize=3.8, label=names[1])
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.06, 1.0),
        ncols=2,
        frameon=False,
        borderpad=0.2,
        handletextpad=0.1,
        columnspacing=1.2,
        fontsize=8.5,
    )
