"""Shares as horizontal bars, named at the left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes, shortened
from reidrisk.report.numbers import percent

if TYPE_CHECKING:
    from reidrisk.report.charts.canvas import Canvas

EACH, MARGINS = 0.24, 0.55
"""Inches of a bar, and of what is above and below all of them."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Names, shares, and which of them are strong."""

    rows: tuple[tuple[str, float, bool], ...]
    title: str

    @property
    def height(self) -> float:
        """Inches."""
        return EACH * max(len(self.rows), 1) + MARGINS


def draw_bars(canvas: Canvas, bars: Bars) -> None:
    """One bar a row, the first at the top."""
    axes = bare_axes(canvas, (1.75, 0.15, 0.6, 0.4))
    places = [-place for place in range(len(bars.rows))]
    axes.spines["bottom"].set_visible(False)
    for place, (name, share, strong) in zip(places, bars.rows, strict=True):
        axes.barh([place], [share], height=0.66, color=PALETTE["accent" if strong else "soft"], linewidth=0)
        beside: Any = {"textcoords": "offset points", "va": "center", "fontsize": 8.5}
        axes.annotate(shortened(name, 26), (0, place), (-6, 0), ha="right", **beside)
        axes.annotate(percent(share), (share, place), (5, 0), ha="left", **beside)
    axes.axvline(0, color=PALETTE["line"], linewidth=1)
    axes.set_xlim(0, max(1e-9, *(share for _, share, _ in bars.rows)) * 1.02)
    axes.set_ylim(places[-1] - 0.6, 0.6)
    axes.set_xticks([])
    axes.annotate(
        bars.title,
        (0, 1),
        (0, 6),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=8.5,
        color=PALETTE["muted"],
    )
