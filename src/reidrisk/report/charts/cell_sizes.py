"""Thresholds in use on one line, and where this context stands among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

NEAR = 1.15
"""Ticks whose sizes differ by less than this factor have no room for two names."""
HEIGHT, MARGINS = 1.35, (0.35, 0.55, 0.35, 0.45)


@dataclass(frozen=True, slots=True)
class Mark:
    """A threshold with a name."""

    probability: float
    name: str
    is_chosen: bool


def draw_cell_sizes(canvas: Canvas, known: Sequence[int], marks: Sequence[Mark]) -> None:
    """Strict at the left, lax at the right; small dots have a precedent."""
    axes = bare_axes(canvas, MARGINS)
    axes.set_xscale("log")
    ends = [*(1 / size for size in known), *(mark.probability for mark in marks)]
    axes.set_xlim(min(ends) / 1.15, max(ends) * 1.15)
    axes.set_ylim(-1, 1)
    axes.set_xticks([1 / size for size in known], labels(known))
    axes.set_xticks([], minor=True)
    axes.set_xlabel("accepted risk of a record, logarithmic scale: strict at the left")
    axes.tick_params(axis="x", labelsize=7.5, length=0)
    axes.axhline(0, color=PALETTE["line"], linewidth=1)
    axes.plot([1 / size for size in known], [0] * len(known), "o", color=PALETTE["soft"], markersize=6)
    for mark in marks:
        _mark(axes, mark)


def labels(known: Sequence[int]) -> list[str]:
    """The names of the ticks, but for one that would run into the last.

    >>> labels([5, 10, 11])
    ['1/5', '', '1/11']
    """
    found: list[str] = []
    last = float("inf")
    for size in sorted(known, reverse=True):
        is_near = last / size < NEAR
        found.insert(0, "" if is_near else f"1/{size}")
        last = last if is_near else size
    return found


def _mark(axes: Axes, mark: Mark) -> None:
    filled: Any = {} if mark.is_chosen else {"markerfacecolor": PALETTE["paper"], "markeredgewidth": 1.8}
    colour = PALETTE["accent" if mark.is_chosen else "contrast"]
    axes.plot([mark.probability], [0], "D", color=colour, markersize=9, zorder=4, **filled)
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
