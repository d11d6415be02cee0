"""Horizontal bars: shares, shares with limits, and shares before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, bare_axes, shorten
from reidrisk.report.names import ends_of
from reidrisk.report.numbers import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas


BAR, BAR_MARGINS = 0.24, 0.55
"""Height of a bar, and of the space above and below all bars, in inches."""


@dataclass(frozen=True, slots=True)
class Bars:
    """The name and the share of each bar, and whether it is dark."""

    rows: tuple[tuple[str, float, bool], ...]
    title: str

    @property
    def height(self) -> float:
        """Height of the chart in inches."""
        return BAR * max(len(self.rows), 1) + BAR_MARGINS


def draw_bars(canvas: Canvas, bars: Bars) -> None:
    """Draw one bar per row, the first at the top."""
    axes = bare_axes(canvas, (1.75, 0.15, 0.6, 0.4))
    places = [-place for place in range(len(bars.rows))]
    axes.spines["bottom"].set_visible(False)
    for place, (name, share, strong) in zip(places, bars.rows, strict=True):
        axes.barh([place], [share], height=0.66, color=PALETTE["accent" if strong else "soft"], linewidth=0)
        beside: Any = {"textcoords": "offset points", "va": "center", "fontsize": 8.5}
        axes.annotate(shorten(name, 26), (0, place), (-6, 0), ha="right", **beside)
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


LIMITED_BAR, LIMITED_MARGINS = 0.27, 0.6
"""Height of a bar, and of the space above and below all bars, in inches."""


@dataclass(frozen=True, slots=True)
class LimitedShare:
    """A bar and its limit."""

    name: str
    share: float
    limit: float | None
    is_total: bool = False


def limited_height(rows: Sequence[LimitedShare]) -> float:
    """Height of the chart in inches."""
    return LIMITED_BAR * max(len(rows), 1) + LIMITED_MARGINS


def draw_limited(canvas: Canvas, rows: Sequence[LimitedShare], *, title: str) -> None:
    """Draw one bar per row, with its limit as a dashed line."""
    axes = bare_axes(canvas, (1.75, 0.15, 0.6, 0.45))
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    top = max([1e-9, *(row.share for row in rows), *(row.limit or 0.0 for row in rows)])
    axes.set_xlim(0, top * 1.04)
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    for place, row in enumerate(rows):
        _limited_bar(axes, row, -place)
    axes.axvline(0, color=PALETTE["line"], linewidth=1)
    axes.annotate(
        title,
        (0, 1),
        (0, 8),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=8.5,
        color=PALETTE["muted"],
    )


def _limited_bar(axes: Axes, row: LimitedShare, y: float) -> None:
    weight = "bold" if row.is_total else "normal"
    beside: Any = {"textcoords": "offset points", "va": "center", "fontsize": 8.5, "fontweight": weight}
    color = PALETTE["accent" if row.is_total else "soft"]
    axes.barh([y], [row.share], height=0.62, color=color, linewidth=0)
    axes.annotate(ends_of(row.name, 24), (0, y), (-6, 0), ha="right", **beside)
    axes.annotate(percent(row.share), (1, y), (5, 0), xycoords=("axes fraction", "data"), ha="left", **beside)
    if row.limit is not None:
        axes.plot([row.limit] * 2, [y - 0.48, y + 0.48], color=PALETTE["ink"], linewidth=1.3, dashes=(3, 2))


PAIR, PAIR_MARGINS = 0.34, 0.5
"""Height of a pair of bars, and of the space above and below all pairs, in inches."""
MOST_LABELS = 7
"""Values with their own bars; the others share one."""


@dataclass(frozen=True, slots=True)
class ShareChange:
    """A value and its share of records before and after."""

    label: str
    before: float
    after: float

    @property
    def size(self) -> float:
        """How much the share changed."""
        return abs(self.after - self.before)


def changes(rows: Sequence[dict[str, Any]], *, other_labels: int) -> tuple[ShareChange, ...]:
    """Return the most frequent values in their own order, then all others as one.

    >>> shares = [{"label": str(n), "before": 0.1, "after": 0.1} for n in range(10)]
    >>> [change.label for change in changes(shares, other_labels=2)][-2:]
    ['6', '5 other values']
    """
    own = [place for place, row in enumerate(rows) if row["label"] is not None]
    kept = set(sorted(own, key=lambda place: -(rows[place]["before"] or 0.0))[:MOST_LABELS])
    shown = [_change(str(rows[place]["label"]), [rows[place]]) for place in sorted(kept)]
    rest = [row for place, row in enumerate(rows) if place not in kept]
    if rest:
        number = len(own) - len(kept) + other_labels
        shown.append(
            _change(
                f"{number:,} other value{'' if number == 1 else 's'}",
                rest,
            )
        )
    return tuple(shown)


def _change(label: str, rows: Sequence[dict[str, Any]]) -> ShareChange:
    before, after = (sum(row[side] or 0.0 for row in rows) for side in ("before", "after"))
    return ShareChange(label, before, after)


def changes_height(rows: Sequence[ShareChange]) -> float:
    """Height of the chart in inches."""
    return PAIR * max(len(rows), 1) + PAIR_MARGINS


def draw_changes(canvas: Canvas, rows: Sequence[ShareChange]) -> None:
    """Draw two bars per value: before at the top, after below."""
    axes = bare_axes(canvas, (1.75, 0.1, 1.0, 0.4))
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    axes.set_xlim(0, max([1e-9, *(max(row.before, row.after) for row in rows)]) * 1.02)
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    beside: Any = {"textcoords": "offset points", "va": "center", "fontsize": 8.5}
    for place, row in enumerate(rows):
        axes.barh([-place + 0.19], [row.before], height=0.34, color=PALETTE["soft"], linewidth=0)
        axes.barh([-place - 0.19], [row.after], height=0.34, color=PALETTE["accent"], linewidth=0)
        axes.annotate(ends_of(row.label, 24), (0, -place), (-6, 0), ha="right", **beside)
        numbers = f"{100 * row.before:.1f} → {100 * row.after:.1f} %"
        axes.annotate(numbers, (1, -place), (5, 0), xycoords=("axes fraction", "data"), ha="left", **beside)
    axes.axvline(0, color=PALETTE["line"], linewidth=1)
    _legend(axes)


def _legend(axes: Axes) -> None:
    from matplotlib.transforms import ScaledTranslation

    place: Any = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 8.5}
    for offset, name, color in ((0, "before", "soft"), (56, "after", "accent")):
        shift = ScaledTranslation((offset + 4) / 72, 10 / 72, axes.figure.dpi_scale_trans)
        mark: Any = {"marker": "s", "markersize": 6, "color": PALETTE[color], "clip_on": False}
        axes.plot([0], [1], transform=axes.transAxes + shift, **mark)
        axes.annotate(name, (0, 1), (offset + 11, 7), color=PALETTE["muted"], **place)
