"""Places of what a page draws itself, so that it repaints at once: candidates as dots, and risk curves.

A page draws dots and lines where this module puts them; all texts are finished here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10, sqrt
from typing import Any

from reidrisk.report.numbers import count, loss, one_in, percent, probability

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 20, 20, 52
QUARTERS = (0, 0.25, 0.5, 0.75, 1)
SMALLEST, LARGEST = 7.0, 15.0
"""Radius of the dots with the lowest and the highest average risk."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class CandidateDot:
    """A candidate: where it is, and what it says."""

    x: float
    y: float
    radius: float
    node: str
    """Its level numbers, joined by hyphens."""
    label: str
    """For screen readers and as a hint."""
    is_best: bool
    is_selected: bool


@dataclass(frozen=True, slots=True)
class CandidatePlot:
    """All candidates by loss, records in small classes and average risk."""

    dots: tuple[CandidateDot, ...]
    across: tuple[Tick, ...]
    upward: tuple[Tick, ...]
    limit: Tick
    """The suppression limit."""
    across_label: str
    upward_label: str
    title: str = "Candidates"
    caption: str = (
        "Every dot is a combination of levels within the limits: no variable can be more exact, or it has "
        "the smallest loss of all."
    )
    description: str = (
        "To the left less detail is lost. Further down fewer records are in small classes and suppressed. "
        "A larger dot has a higher average risk. The filled dot is described beside the chart; the dot with "
        "a ring has the smallest loss."
    )
    todo: str = (
        "Click a dot, or move with the arrow keys and press Enter. Take one that keeps the variables your "
        "users need; move a slider if none does."
    )


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """One curve as the points of a line."""

    name: str
    points: str
    is_strong: bool


@dataclass(frozen=True, slots=True)
class CurvePlot:
    """The share of records in classes smaller than each size."""

    curves: tuple[DrawnCurve, ...]
    across: tuple[Tick, ...]
    upward: tuple[Tick, ...]
    threshold: Tick
    across_label: str = "class size, logarithmic scale"
    upward_label: str = "records in smaller classes"
    title: str = "Risk curve"
    caption: str = (
        "For each class size, the share of records whose class is smaller, so that their risk is higher "
        "than one in that size."
    )
    description: str = (
        "The lower the strong line, the safer. What lies left of the threshold is suppressed. The thin line "
        "has the most exact levels that the hierarchies allow."
    )
    todo: str = "A steep strong line near the threshold means that a slightly stricter one costs much more."


def node_text(levels: dict[str, int]) -> str:
    """The level numbers of a combination, as URLs carry them."""
    return "-".join(map(str, levels.values()))


def candidate_plot(result: dict[str, Any]) -> CandidatePlot | None:
    """The candidates of an exploration; None if there are none."""
    found = result["candidates"]
    if not found:
        return None
    losses = [one["loss"] for one in found]
    low, high = _span(losses)
    limit = float(result["settings"]["max_suppression"])
    most = max(limit, *(one["suppressed_share"] for one in found)) * 1.08 or 0.01
    risks = [one["average_risk"] or 0.0 for one in found]
    chosen = result["selected"]["level_numbers"] if result["selected"] else None
    dots = tuple(
        CandidateDot(
            round(_across(one["loss"], low, high), 1),
            round(_upward(one["suppressed_share"], most), 1),
            round(_radius(risk, max(risks)), 1),
            node_text(one["level_numbers"]),
            dot_text(one),
            bool(one["chosen"]),
            one["level_numbers"] == chosen,
        )
        for one, risk in zip(found, risks, strict=True)
    )
    return CandidatePlot(
        tuple(sorted(dots, key=lambda dot: (dot.x, dot.y))),
        tuple(Tick(round(_across(tick, low, high), 1), f"{tick:g}") for tick in ticks(low, high)),
        tuple(Tick(round(_upward(tick, most), 1), f"{100 * tick:g} %") for tick in ticks(0.0, most)),
        Tick(round(_upward(limit, most), 1), f"limit {percent(limit)}"),
        f"loss ({result['settings']['loss']})",
        "records in small classes",
    )


def dot_text(one: dict[str, Any]) -> str:
    """A candidate in words."""
    levels = ", ".join(f"{column}: {level}" for column, level in one["levels"].items())
    return (
        f"Loss {loss(one['loss'])}, {count(one['suppressed_records'])} records "
        f"({percent(one['suppressed_share'])}) in small classes, average risk "
        f"{probability(one['average_risk'])}. {levels}"
    )


def curve_plot(result: dict[str, Any]) -> CurvePlot | None:
    """The curves of the described combination."""
    one = result["selected"]
    if one is None:
        return None
    curves = [_curve("these levels", one["risk_curve"], is_strong=True)]
    if one["exact_risk_curve"] is not None:
        curves.append(_curve("most exact levels allowed", one["exact_risk_curve"], is_strong=False))
    size = max(2, result["threshold"]["cell_size"])
    return CurvePlot(
        tuple(curves),
        tuple(Tick(round(_by_size(size), 1), str(size)) for size in (2, 3, 5, 10, 20, 50)),
        tuple(
            Tick(round(_upward(share, 1.0), 1), f"{100 * share:.0f} %") for share in (0, 0.25, 0.5, 0.75, 1)
        ),
        Tick(round(_by_size(size), 1), f"threshold {one_in(1 / size, size)}"),
    )


def _curve(name: str, rows: Sequence[dict[str, Any]], *, is_strong: bool) -> DrawnCurve:
    points = " ".join(
        f"{_by_size(row['cell_size']):.1f},{_upward(row['share_above'], 1.0):.1f}" for row in rows
    )
    return DrawnCurve(name, points, is_strong)


def _by_size(size: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (log10(size) - log10(2)) / (log10(50) - log10(2))


def _across(value: float, low: float, high: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low)


def _upward(value: float, most: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(value / most, 1.0)


def _radius(risk: float, most: float) -> float:
    return SMALLEST + (LARGEST - SMALLEST) * sqrt(risk / most if most else 0.0)


def _span(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis: some room around the values."""
    low, high = min(values), max(values)
    room = (high - low) * 0.08 or abs(high) * 0.25 or 0.1
    return max(0.0, low - room), high + room


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two ends.

    >>> ticks(0.0, 0.17)
    [0.0, 0.05, 0.1, 0.15]
    """
    rough = (high - low) / most
    unit = 10 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough * 0.999)
    first = -floor(-low / step)
    return [round((first + at) * step, 12) for at in range(most + 2) if (first + at) * step <= high * 1.0001]
