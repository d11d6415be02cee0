"""How the ranking of areas changes between measures: one line per area, from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes
from reidrisk.report.charts.series import line_of, style_of
from reidrisk.report.names import ends_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

MARGINS = (1.25, 0.4, 1.25, 0.2)
MOST_NAMED = 12
"""With more areas than this, only a few are labeled."""


@dataclass(frozen=True, slots=True)
class AreaRanks:
    """An area and its rank under each measure; rank 1 has the highest risk."""

    area: str
    places: tuple[int, ...]

    @property
    def moves(self) -> int:
        """The largest change in rank."""
        return max(self.places) - min(self.places)


def movers(rows: Sequence[AreaRanks]) -> list[AreaRanks]:
    """Return the two areas whose rank changes most."""
    return sorted((row for row in rows if row.moves), key=lambda row: (-row.moves, row.area))[:2]


def areas_to_label(rows: Sequence[AreaRanks]) -> list[AreaRanks]:
    """Return the areas to label: all if there are few, otherwise the first, the last and the movers."""
    if len(rows) <= MOST_NAMED:
        return list(rows)
    order = sorted(rows, key=lambda row: (row.places[0], row.area))
    return list(dict.fromkeys([*order[:2], *order[-2:], *movers(rows)]))


def height(rows: Sequence[AreaRanks]) -> float:
    """Height of the chart in inches."""
    return 3.2 if len(rows) > MOST_NAMED else max(0.25 * len(rows) + 0.7, 1.3)


def apart(places: Sequence[float], gap: float) -> list[float]:
    """Move positions apart so that neighbors are at least `gap` from each other, in the same order.

    >>> apart([1.0, 1.2, 5.0], 1.0)
    [0.6, 1.6, 5.0]
    """
    order = sorted(range(len(places)), key=lambda at: places[at])
    blocks: list[list[int]] = []
    for at in order:
        blocks.append([at])
        while (
            len(blocks) > 1 and _reach(blocks[-2], places, gap)[1] + gap > _reach(blocks[-1], places, gap)[0]
        ):
            last = blocks.pop()
            blocks[-1] += last
    found = list(places)
    for block in blocks:
        start, _ = _reach(block, places, gap)
        for number, at in enumerate(block):
            found[at] = round(start + gap * number, 9)
    return found


def _reach(block: Sequence[int], places: Sequence[float], gap: float) -> tuple[float, float]:
    middle = sum(places[at] for at in block) / len(block)
    half = gap * (len(block) - 1) / 2
    return middle - half, middle + half


def draw_ranks(canvas: Canvas, rows: Sequence[AreaRanks], *, measures: Sequence[str]) -> None:
    """Draw a faint line per area, and a strong one for areas labeled at both ends."""
    axes = bare_axes(canvas, MARGINS)
    axes.spines["bottom"].set_visible(False)
    last = len(rows)
    axes.set_ylim(last + 0.5, 0.5)
    axes.set_xlim(-0.05, len(measures) - 0.95)
    axes.set_xticks(range(len(measures)), measures)
    axes.tick_params(axis="x", length=0)
    axes.tick_params(axis="x", pad=4 if last <= MOST_NAMED else 14)
    across = range(len(measures))
    moving, shown = movers(rows), areas_to_label(rows)
    for row in rows:
        look: Any = {"color": PALETTE["line"], "linewidth": 0.6, "zorder": 1}
        if row in moving:
            style = style_of(moving.index(row))
            look = line_of(style) | {"marker": style.marker, "markersize": 4, "zorder": 3}
        elif row in shown:
            look = {"color": PALETTE["muted"], "linewidth": 1.2, "zorder": 2}
        axes.plot(across, row.places, clip_on=False, **look)
    gap = 0.17 / (axes.bbox.height / axes.figure.dpi) * last
    _names(axes, shown, gap, is_left=True)
    _names(axes, shown, gap, is_left=False)


def _names(axes: Axes, rows: Sequence[AreaRanks], gap: float, *, is_left: bool) -> None:
    at, side = (0, -1) if is_left else (-1, 1)
    where = apart([row.places[at] for row in rows], gap)
    moving = movers(rows)
    for row, y in zip(rows, where, strict=True):
        text, place = ends_of(row.area, 15), row.places[at]
        axes.annotate(
            f"{text} {place}" if is_left else f"{place} {text}",
            (0.0 if is_left else 1.0, y),
            (7 * side, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            ha="right" if is_left else "left",
            va="center",
            fontsize=8.5,
            fontweight="bold" if row in moving else "normal",
            annotation_clip=False,
        )
