"""Where charts are drawn: one style, whatever the user's own settings are, and never a global change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.errors import MissingPackage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    Canvas = Figure | SubFigure

PALETTE = {
    "ink": "#1f2731",
    "muted": "#5a6573",
    "line": "#cdd3da",
    "zone": "#eef0f3",
    "soft": "#a9c1de",
    "accent": "#1f5a9e",
    "contrast": "#a14f00",
    "paper": "#fefefe",
}
"""Light values; on a page each is a CSS variable of the same name, so that dark pages recolour the charts."""

WIDTH = 5.2
"""Inches. At 72 points an inch this is a phone's width, so that the text stays readable there."""

_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": PALETTE["ink"],
    "text.parse_math": False,
    "axes.edgecolor": PALETTE["line"],
    "axes.facecolor": "none",
    "axes.labelcolor": PALETTE["muted"],
    "axes.labelsize": 8.5,
    "axes.unicode_minus": False,
    "figure.facecolor": PALETTE["paper"],
    "figure.dpi": 100,
    "savefig.facecolor": "auto",
    "svg.fonttype": "none",
    "svg.hashsalt": "reidrisk",
    "xtick.color": PALETTE["line"],
    "xtick.labelcolor": PALETTE["muted"],
    "xtick.labelsize": 8.5,
    "ytick.left": False,
    "ytick.labelleft": False,
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture and the words that say the same."""

    name: str
    """Short and unique within a result; part of element ids."""
    title: str
    caption: str
    description: str
    """For those who do not see it."""
    height: float
    """Inches."""
    draw: Callable[[Canvas], None] | None
    """None where there is nothing to draw; the caption says why."""


@contextmanager
def drawing() -> Iterator[None]:
    """The style of every chart, undone afterwards."""
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise MissingPackage.of_extra("matplotlib", "report") from error
    if mpl.rcParams["svg.hashsalt"] == _STYLE["svg.hashsalt"]:  # many charts share one setting of the style
        yield
        return
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield


def new_figure(width: float, height: float) -> Figure:
    """An empty figure that belongs to no window."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def bare_axes(canvas: Canvas, box: tuple[float, float, float, float]) -> Axes:
    """Axes with a bottom line only; `box` is left, bottom, right and top margin in inches."""
    dpi = canvas.figure.dpi
    width, height = canvas.bbox.width / dpi, canvas.bbox.height / dpi
    left, bottom, right, top = box
    axes = canvas.add_axes(
        (left / width, bottom / height, 1 - (left + right) / width, 1 - (bottom + top) / height)
    )
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.set_yticks([])
    return axes


def shortened(name: str, most: int) -> str:
    """A name that fits beside a chart, printable; tables show it in full.

    >>> shortened("HEALTH_PLAN_BENEFICIARY_NUMBER", 20)
    'HEALTH_PLAN_BENEFIC…'
    """
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    return clean if len(clean) <= most else f"{clean[: most - 1]}…"
