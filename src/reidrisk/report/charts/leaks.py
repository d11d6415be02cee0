"""Histogram of leaks per document; documents without a leak are set apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from reidrisk.report.charts.canvas import PALETTE, bare_axes
from reidrisk.report.numbers import count, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

STARTS = (0, 1, 2, 3, 4, 5, 10, 20, 50, 100)
"""First number of each class; large numbers of leaks share a bar."""
GAP = 0.7
"""Space between the first bar and the others, in bar widths."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The documents with a number of leaks, or with a range of numbers."""

    label: str
    start: int
    documents: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """The bars of one role."""

    title: str
    remark: str
    bars: tuple[Bar, ...]
    strong_from: int
    """Number of leaks that re-identify a person; bars from here on are darker."""


def classes(rows: Iterable[Mapping[str, int]]) -> tuple[Bar, ...]:
    """Count documents by class of leaks, up to the largest number that occurs, and at least up to 2.

    >>> [bar.label for bar in classes([{"leaks": 0, "documents": 9}, {"leaks": 6, "documents": 1}])]
    ['0', '1', '2', '3', '4', '5–9']
    """
    pairs = [(row["leaks"], row["documents"]) for row in rows]
    largest = max([2, *(leaks for leaks, _ in pairs)])
    return tuple(
        Bar(_label(start, following), start, sum(many for leaks, many in pairs if start <= leaks < following))
        for start, following in zip(STARTS, (*STARTS[1:], inf), strict=True)
        if start <= largest
    )


def draw_leaks(canvas: Canvas, parts: tuple[Histogram, ...]) -> None:
    """Draw the histograms below each other."""
    each = canvas.bbox.height / canvas.figure.dpi / len(parts)
    for number, part in enumerate(parts):
        _histogram(canvas, part, (each * (len(parts) - 1 - number) + 0.5, each * number + 0.55))


def _histogram(canvas: Canvas, part: Histogram, margins: tuple[float, float]) -> None:
    axes = bare_axes(canvas, (0.15, margins[0], 0.15, margins[1]))
    total = sum(bar.documents for bar in part.bars)
    tallest = max(bar.documents for bar in part.bars)
    places = [at if bar.start == 0 else at + GAP for at, bar in enumerate(part.bars)]
    for place, bar in zip(places, part.bars, strict=True):
        axes.bar([place], [bar.documents], width=0.78, color=PALETTE[_tone(bar, part)], linewidth=0)
        share = f"\n{percent(bar.documents / total)}" if bar.documents else ""
        axes.annotate(
            f"{count(bar.documents)}{share}",
            (place, bar.documents),
            (0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=8,
            linespacing=1.15,
        )
    axes.set_ylim(0, tallest * 1.5)
    axes.set_xlim(-0.6, max(places[-1] + 0.6, 6))
    axes.set_xticks(places, [bar.label for bar in part.bars])
    axes.axvline((places[0] + places[1]) / 2, color=PALETTE["line"], linewidth=1, ymax=0.95)
    axes.tick_params(axis="x", length=0)
    axes.annotate(
        part.title, (0, 1), (0, 16), xycoords="axes fraction", textcoords="offset points", fontweight="bold"
    )
    axes.annotate(
        part.remark, (0, 1), (0, 3), xycoords="axes fraction", textcoords="offset points", fontsize=8.5
    )
    _label_bars(axes, places)


def _label_bars(axes: Axes, places: list[float]) -> None:
    """Write what the numbers below the bars count."""
    for place, text, side in (
        (places[0], "no leak", "center"),
        (places[1] - 0.39, "leaks per document", "left"),
    ):
        axes.annotate(
            text,
            (place, 0),
            (0, -17),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha=side,
            va="top",
            fontsize=8.5,
            color=PALETTE["muted"],
        )


def _tone(bar: Bar, part: Histogram) -> str:
    if bar.start == 0:
        return "line"
    return "accent" if bar.start >= part.strong_from else "soft"


def _label(start: float, following: float) -> str:
    if following == inf:
        return f"{start}+"
    return str(start) if following == start + 1 else f"{start}–{following - 1}"
