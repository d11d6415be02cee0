"""Policies by level of detail and risk; the frontier connects those that no other policy dominates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes
from reidrisk.report.charts.scales import log_shares, share_tick
from reidrisk.report.names import ends_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

HEIGHT = 3.6
MARGINS = (0.75, 0.5, 0.25, 0.35)


@dataclass(frozen=True, slots=True)
class Point:
    """A policy with its level of detail and its risk."""

    name: str
    detail: float
    risk: float
    on_frontier: bool
    label: str = ""
    """Shown beside the point; empty for none."""


def draw_frontier(canvas: Canvas, points: Sequence[Point], *, target: float | None, finest: str) -> None:
    """Draw detail on the x axis and risk on the y axis, and shade the zone below the target."""
    axes = bare_axes(canvas, MARGINS)
    shown = [point for point in points if point.risk > 0]
    log_shares(axes, [*(point.risk for point in shown), *((target,) if target else ())])
    axes.set_xlim(-0.03, 1.03)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_xlabel(f"detail: 0 % reveals nothing, 100 % is {ends_of(finest, 30)}")
    if target:
        _target(axes, target)
    plain = [point for point in shown if not point.on_frontier]
    best = sorted(
        (point for point in shown if point.on_frontier), key=lambda point: (point.detail, point.risk)
    )
    dots: Any = {"linewidth": 0, "marker": "o", "clip_on": False}
    axes.plot(*_places(plain), color=PALETTE["muted"], markersize=3, alpha=0.75, **dots)
    axes.plot(*_places(best), color=PALETTE["accent"], linewidth=1.6, drawstyle="steps-post", zorder=3)
    axes.plot(*_places(best), color=PALETTE["accent"], markersize=6, zorder=4, **dots)
    for point in shown:
        if point.label:
            _label(axes, point)


def _places(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    return [point.detail for point in points], [point.risk for point in points]


def _label(axes: Axes, point: Point) -> None:
    is_right = point.detail > 0.5
    axes.plot(
        [point.detail],
        [point.risk],
        marker="D",
        color=PALETTE["contrast"],
        markersize=6,
        clip_on=False,
        zorder=5,
    )
    axes.annotate(
        ends_of(point.label, 40),
        (point.detail, point.risk),
        (-7 if is_right else 8, 8 if is_right else -9),
        textcoords="offset points",
        ha="right" if is_right else "left",
        va="center",
        fontsize=8.5,
        fontweight="bold",
    )


def _target(axes: Axes, target: float) -> None:
    axes.axhspan(axes.get_ylim()[0], target, color=PALETTE["zone"], linewidth=0, zorder=0)
    axes.axhline(target, color=PALETTE["ink"], linewidth=1.3, dashes=(3, 2), zorder=1)
    axes.annotate(
        f"target {share_tick(target)}",
        (0, target),
        (4, 5),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        fontsize=8.5,
    )
