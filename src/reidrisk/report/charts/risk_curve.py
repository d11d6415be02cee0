"""Cumulative curves of record risk with a histogram along the top, as in the prescription-records study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes
from reidrisk.report.numbers import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

HEIGHT = 4.1
"""Inches."""
BINS = 25
WIDEST = 5
"""The axis ends at this multiple of the largest limit; the last bar of the histogram has the rest."""
LEFT, RIGHT, BOTTOM = 0.55, 0.2, 0.5
CURVE_TOP, STRIP_BOTTOM, STRIP_TOP = 1.5, 3.0, 0.35


@dataclass(frozen=True, slots=True)
class Curve:
    """Records by class size."""

    name: str
    sizes: tuple[tuple[int, int], ...]
    """Pairs (size of class, number of such classes)."""
    is_strong: bool

    @property
    def records(self) -> int:
        """All records."""
        return sum(size * classes for size, classes in self.sizes)

    @property
    def highest(self) -> float:
        """Risk of the most exposed record."""
        return 1 / min(size for size, _ in self.sizes)

    def share_within(self, cell_size: int) -> float:
        """Share of records in classes of at least this size.

        >>> Curve("after", ((2, 1), (3, 2)), True).share_within(3)
        0.75
        """
        return sum(size * classes for size, classes in self.sizes if size >= cell_size) / self.records

    def steps(self) -> tuple[list[float], list[float]]:
        """Risks and the share of records at or below them, starting at 0."""
        risks, shares, below = [0.0], [0.0], 0
        for size, classes in sorted(self.sizes, reverse=True):
            below += size * classes
            risks.append(1 / size)
            shares.append(below / self.records)
        return risks, shares


@dataclass(frozen=True, slots=True)
class Limit:
    """A risk limit that is marked on the curve."""

    label: str
    risk: float
    decides: bool


def draw_curves(canvas: Canvas, curves: Sequence[Curve], limits: Sequence[Limit]) -> None:
    """Draw the curves, and above them the histogram of the same records, on one axis of risk."""
    end = axis_end(curves, limits)
    axes = bare_axes(canvas, (LEFT, BOTTOM, RIGHT, CURVE_TOP))
    strip = bare_axes(canvas, (LEFT, STRIP_BOTTOM, RIGHT, STRIP_TOP))
    for part in (axes, strip):
        part.set_xlim(0, end)
    _zone(axes, strip, limits, end)
    for curve in curves:
        _curve(axes, curve, end)
        _histogram(strip, curve, end)
    _scale(axes, strip)
    _limits(axes, limits, end)
    _legend(strip, curves, end)


def axis_end(curves: Sequence[Curve], limits: Sequence[Limit]) -> float:
    """Return the largest risk to draw: all risks, unless the part below the limits would be too narrow."""
    largest = max(limit.risk for limit in limits)
    highest = max(curve.highest for curve in curves)
    return min(max(highest, 1.3 * largest), WIDEST * largest, 1.0) * 1.01


def bars(curve: Curve, end: float) -> list[float]:
    """Return the share of records in each bin of risk; bins have equal width."""
    heights = [0.0] * BINS
    for size, classes in curve.sizes:
        heights[min(int(1 / size / end * BINS), BINS - 1)] += size * classes / curve.records
    return heights


def _curve(axes: Axes, curve: Curve, end: float) -> None:
    risks, shares = curve.steps()
    style: Any = (
        {"color": PALETTE["accent"], "linewidth": 2.4}
        if curve.is_strong
        else {"color": PALETTE["muted"], "linewidth": 1.5, "dashes": (4, 2)}
    )
    axes.step(
        [*risks, max(end, risks[-1])],
        [*shares, 1.0],
        where="post",
        zorder=4 if curve.is_strong else 3,
        **style,
    )


def _histogram(strip: Axes, curve: Curve, end: float) -> None:
    heights = bars(curve, end)
    left = [end / BINS * at for at in range(BINS)]
    width = end / BINS
    if curve.is_strong:
        strip.bar(left, heights, width=width * 0.8, align="edge", color=PALETTE["accent"], linewidth=0)
        return
    strip.bar(
        left, heights, width=width, align="edge", color="none", edgecolor=PALETTE["muted"], linewidth=0.9
    )


def _scale(axes: Axes, strip: Axes) -> None:
    axes.set_ylim(0, 1.02)
    quarters = [0, 0.25, 0.5, 0.75, 1]
    axes.set_yticks(quarters, [f"{100 * tick:.0f} %" for tick in quarters])
    axes.tick_params(axis="y", labelleft=True, labelsize=8.5, labelcolor=PALETTE["muted"], length=0)
    axes.grid(axis="y", color=PALETTE["line"], linewidth=0.5)
    axes.set_axisbelow(True)
    axes.locator_params(axis="x", nbins=5)
    axes.set_xlabel("risk of re-identification of a record, at most")
    strip.set_xticks([])


def _zone(axes: Axes, strip: Axes, limits: Sequence[Limit], end: float) -> None:
    for limit in limits:
        if limit.decides and limit.risk < end:
            for part in (axes, strip):
                part.axvspan(limit.risk, end, color=PALETTE["zone"], linewidth=0, zorder=0)


def _limits(axes: Axes, limits: Sequence[Limit], end: float) -> None:
    """Draw limits with their names in two rows above the curve, so that they do not overlap."""
    for row, limit in enumerate(sorted(limits, key=lambda one: one.risk)):
        is_right = limit.risk > 0.55 * end
        dashes = (3, 2) if limit.decides else (1, 2)
        axes.axvline(limit.risk, color=PALETTE["ink"], linewidth=1.3, dashes=dashes, zorder=2)
        axes.annotate(
            limit.label,
            (limit.risk, 1),
            (-3 if is_right else 3, 5 + 11 * (row % 2)),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="right" if is_right else "left",
            fontsize=8.5,
            fontweight="bold" if limit.decides else "normal",
        )


def _legend(strip: Axes, curves: Sequence[Curve], end: float) -> None:
    place: Any = {
        "xycoords": "axes fraction",
        "textcoords": "offset points",
        "fontsize": 8.5,
        "annotation_clip": False,
    }
    offset = 0.0
    for curve in curves:
        color = PALETTE["accent" if curve.is_strong else "muted"]
        mark = "━━" if curve.is_strong else "╌╌"
        strip.annotate(f"{mark} {curve.name}", (0, 1), (offset, 8), color=color, **place)
        offset += 12.0 + 6.2 * (len(curve.name) + 3)
    most = max(height for curve in curves for height in bars(curve, end))
    strip.annotate(
        f"tallest bar {percent(most)}",
        (1, 1),
        (0, 8),
        ha="right",
        color=PALETTE["muted"],
        **place,
    )
