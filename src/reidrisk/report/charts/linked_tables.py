"""Linked tables as a graph: the people first, and an arrow from each key to the table that it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.report.charts.canvas import PALETTE, WIDTH, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reidrisk.report.charts.canvas import Canvas

ROW, MARGIN, BOX = 0.62, 0.12, 0.44
"""Height of a row, of the space around all boxes, and of a box, in inches."""
GAP = 0.42
"""Width between two columns of boxes, in inches."""
BEND, REACH = 0.5, 0.3
"""Of an arrow within a column: its largest curvature, and how far it leaves the column, in inches."""
NAME, SMALL = 9, 7
"""Size of a name, and of one that would not fit its box otherwise."""
POINTS = 5.7
"""Points that a letter of a name takes; what still does not fit its box is shortened."""


@dataclass(frozen=True, slots=True)
class TableBox:
    """A table of the graph."""

    name: str
    text: str
    """What stands below the name, such as its rows."""
    layer: int
    """0 for the table of people, then the number of keys that lead there; tables of nobody come last."""


@dataclass(frozen=True, slots=True)
class TableArrow:
    """A key of one table that names rows of another."""

    child: str
    parent: str
    columns: str


def layers_of(tables: Sequence[str], keys: Sequence[tuple[str, str]], person: str) -> dict[str, int]:
    """How many keys lead from each table to the people.

    >>> layers_of(["person", "visit", "drug", "code"], [("visit", "person"), ("drug", "visit")], "person")
    {'person': 0, 'visit': 1, 'drug': 2, 'code': 3}
    """
    found = {person: 0}
    for _ in tables:
        for child, parent in keys:
            if parent in found and child not in found:
                found[child] = found[parent] + 1
    last = max(found.values()) + 1
    return {name: found.get(name, last) for name in tables}


def height(boxes: Sequence[TableBox]) -> float:
    """Height of the chart in inches."""
    layers = [one.layer for one in boxes]
    return ROW * max([1, *(layers.count(layer) for layer in layers)]) + 2 * MARGIN


def draw_linked(canvas: Canvas, boxes: Sequence[TableBox], arrows: Sequence[TableArrow]) -> None:
    """Draw the people at the left, and every other table beside the tables that its keys name."""
    high = canvas.bbox.height / canvas.figure.dpi
    axes = canvas.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(0, high)
    places = _places(boxes, high)
    for one in arrows:
        if one.child in places and one.parent in places and one.child != one.parent:
            _arrow(axes, places[one.child], places[one.parent])
    for box in boxes:
        _box(axes, box, places[box.name])


@dataclass(frozen=True, slots=True)
class _Place:
    left: float
    middle: float
    width: float


def _places(boxes: Sequence[TableBox], high: float) -> dict[str, _Place]:
    layers = sorted({one.layer for one in boxes})
    width = (WIDTH - 2 * MARGIN - GAP * (len(layers) - 1)) / len(layers)
    found = {}
    for column, layer in enumerate(layers):
        own = [one for one in boxes if one.layer == layer]
        step = (high - 2 * MARGIN) / len(own)
        for row, box in enumerate(own):
            middle = high - MARGIN - step * (row + 0.5)
            found[box.name] = _Place(MARGIN + column * (width + GAP), middle, width)
    return found


def _box(axes: Axes, box: TableBox, place: _Place) -> None:
    from matplotlib.patches import Rectangle

    is_people = box.layer == 0
    axes.add_patch(
        Rectangle(
            (place.left, place.middle - BOX / 2),
            place.width,
            BOX,
            facecolor=PALETTE["soft" if is_people else "zone"],
            edgecolor=PALETTE["accent" if is_people else "muted"],
            linewidth=1,
        )
    )
    most = max(4, int(place.width * 72 / POINTS))
    written: Any = {"ha": "center", "va": "center"}
    size = NAME if len(box.name) <= most else SMALL
    center = place.left + place.width / 2
    color = "#1f2731" if is_people else PALETTE["ink"]
    axes.text(
        center, place.middle + 0.09, shorten(box.name, most * NAME // size), fontsize=size,
        fontweight="bold", color=color, **written,
    )  # fmt: skip
    axes.text(center, place.middle - 0.1, shorten(box.text, most + 3), fontsize=7.5, color=color, **written)


def _arrow(axes: Axes, child: _Place, parent: _Place) -> None:
    """From the side of the child that faces the parent, behind all boxes; in one column, around them."""
    style: Any = {"arrowstyle": "->", "color": PALETTE["muted"], "linewidth": 1, "shrinkA": 0, "shrinkB": 1}
    if child.left == parent.left:
        is_last = child.left + child.width + GAP > WIDTH
        side = child.left if is_last else child.left + child.width
        up = parent.middle - child.middle
        bend = min(BEND, 2 * REACH / abs(up)) * (-1 if is_last else 1)
        style["connectionstyle"] = f"arc3,rad={bend if up > 0 else -bend}"
        start, end = (side, child.middle), (side, parent.middle)
    else:
        forward = child.left > parent.left
        start = (child.left if forward else child.left + child.width, child.middle)
        end = (parent.left + parent.width if forward else parent.left, parent.middle)
    axes.annotate("", end, start, arrowprops=style, zorder=0)
