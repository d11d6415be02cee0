"""Linear and logarithmic axes for shares, people and ratios, with tick labels that are easy to read."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from reidrisk.core.wording import large_number
from reidrisk.report.charts.canvas import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_TICKS = 6
LEAST = 1e-8
"""Smaller shares are treated as zero."""


def short(value: float) -> str:
    """Write a count or a ratio in a few characters.

    >>> [short(value) for value in (1, 20, 5000, 20000, 3.5e6, 2e12, 0.5)]
    ['1', '20', '5,000', '20,000', '3.5 million', '2 trillion', '0.5']
    """
    if value >= 1e6:
        return large_number(value) if value < 1e15 else f"{value:.0e}"
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:g}"


def share_tick(value: float) -> str:
    """Write a share as a tick label.

    >>> [share_tick(value) for value in (1, 0.25, 0.001, 1e-05, 1e-08)]
    ['100 %', '25 %', '0.1 %', '0.001 %', '0.000001 %']
    """
    return f"{100 * value:.6f}".rstrip("0").rstrip(".") + " %"


def log_ticks(values: Iterable[float], *, floor_at: float = LEAST) -> list[float]:
    """Return round numbers that enclose the values: powers of ten, plus 2 and 5 times them on a short axis.

    >>> log_ticks([0.0, 0.00002, 0.6])
    [1e-05, 0.0001, 0.001, 0.01, 0.1, 1.0]
    >>> log_ticks([0.25, 0.985])
    [0.2, 0.5, 1.0]
    """
    shown = [value for value in values if value >= floor_at] or [0.1, 1.0]
    low, high = min(shown) * (1 + 1e-9), max(shown) * (1 - 1e-9)
    first, last = floor(log10(low)), ceil(log10(high))
    if last - first > 2:
        step = ceil((last - first) / MOST_TICKS)
        return sorted(_power(power) for power in range(last, first - step, -step))
    fine = [float(f"{part}e{power}") for power in range(first, last + 1) for part in (1, 2, 5)]
    start = max(at for at, tick in enumerate(fine) if tick <= low)
    end = min(at for at, tick in enumerate(fine) if tick >= high)
    return fine[start : max(end, start + 1) + 1]


def _power(power: int) -> float:
    return float(f"1e{power}")


def log_people(axes: Axes, values: Iterable[float], label: str) -> None:
    """Make the x axis a logarithmic axis of counts."""
    ticks = log_ticks(values, floor_at=1)
    axes.set_xscale("log")
    axes.set_xlim(ticks[0] / 1.1, ticks[-1] * 1.1)
    axes.set_xticks(ticks, [short(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel(label)


def log_shares(axes: Axes, values: Iterable[float]) -> None:
    """Make the y axis a logarithmic axis of shares."""
    ticks = log_ticks(values)
    axes.set_yscale("log")
    axes.set_ylim(ticks[0] / 1.1, ticks[-1] * 1.15)
    _left(axes, [(tick, share_tick(tick)) for tick in ticks])


def log_ratios(axes: Axes, values: Iterable[float]) -> None:
    """Make the y axis a logarithmic axis of ratios."""
    ticks = log_ticks([1.0, *(value for value in values if abs(value - 1) > 0.01)])
    axes.set_yscale("log")
    axes.set_ylim(ticks[0] / 1.1, ticks[-1] * 1.1)
    _left(axes, [(tick, short(tick)) for tick in ticks])


def plain_shares(axes: Axes, values: Iterable[float]) -> None:
    """Make the y axis a linear axis of shares that starts at 0."""
    top = max(values, default=0.0)
    top = top if top > 0 else 1.0
    unit = 10.0 ** floor(log10(top))
    step = next(unit * part for part in (0.2, 0.25, 0.5, 1, 2, 2.5) if top / (unit * part) <= 5)
    ticks = [step * number for number in range(ceil(top / step - 1e-9) + 1)]
    axes.set_ylim(0, max(ticks[-1], top) * 1.02)
    _left(axes, [(tick, share_tick(tick)) for tick in ticks])


def _left(axes: Axes, ticks: list[tuple[float, str]]) -> None:
    axes.set_yticks([place for place, _ in ticks], [text for _, text in ticks])
    axes.set_yticks([], minor=True)
    axes.tick_params(axis="y", labelleft=True, labelsize=8.5, labelcolor=PALETTE["muted"], length=0)
    axes.grid(axis="y", color=PALETTE["line"], linewidth=0.5)
    axes.set_axisbelow(True)
