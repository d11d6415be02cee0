"""A waterfall: what each step adds to a share, and where all steps together end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes, shorten
from reidrisk.report.numbers import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

STEP, MARGINS = 0.32, 0.6
"""Height of a bar, and of the space above and below all bars, in inches."""


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """A bar that begins where the one before ends; the last bar is the total."""

    name: str
    before: float
    after: float
    is_total: bool = False

    @property
    def text(self) -> str:
        """What stands beside the bar."""
        return percent(self.after) if self.is_total else f"+{percent(self.after - self.before)}"


def waterfall_steps(rows: Sequence[tuple[str, float]], total: str) -> tuple[WaterfallStep, ...]:
    """From the share after each step.

    >>> [one.text for one in waterfall_steps([("table", 0.1), ("notes", 0.25)], "together")]
    ['+10.0 %', '+15.0 %', '25.0 %']
    """
    ends = [0.0, *(share for _, share in rows)]
    steps = [
        WaterfallStep(name, before, after) for (name, after), before in zip(rows, ends[:-1], strict=True)
    ]
    return *steps, WaterfallStep(total, 0.0, ends[-1], is_total=True)


def height(steps: Sequence[WaterfallStep]) -> float:
    """Height of the chart in inches."""
    return STEP * max(len(steps), 1) + MARGINS


def draw_waterfall(canvas: Canvas, steps: Sequence[WaterfallStep], *, title: str) -> None:
    """Draw one bar per step, the first at the top, with lines from each end to the next beginning."""
    axes = bare_axes(canvas, (1.75, 0.15, 0.75, 0.45))
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    axes.set_xlim(0, max([1e-9, *(one.after for one in steps)]) * 1.02)
    axes.set_ylim(-len(steps) + 0.4, 0.6)
    for place, one in enumerate(steps):
        _bar(axes, one, -place)
        if not one.is_total:
            axes.plot([one.after] * 2, [-place - 1.31, -place + 0.31], color=PALETTE["muted"], linewidth=0.8)
    axes.axvline(0, color=PALETTE["line"], linewidth=1)
    above: Any = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 8.5}
    axes.annotate(title, (0, 1), (0, 8), color=PALETTE["muted"], **above)


def _bar(axes: Axes, one: WaterfallStep, y: float) -> None:
    weight = "bold" if one.is_total else "normal"
    beside: Any = {"textcoords": "offset points", "va": "center", "fontsize": 8.5, "fontweight": weight}
    color = PALETTE["accent" if one.is_total else "soft"]
    axes.barh([y], [one.after - one.before], left=one.before, height=0.62, color=color, linewidth=0)
    axes.annotate(shorten(one.name, 24), (0, y), (-6, 0), ha="right", **beside)
    axes.annotate(one.text, (one.after, y), (5, 0), ha="left", **beside)
