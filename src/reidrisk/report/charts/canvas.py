"""Figures and axes in one style, independent of the user's matplotlib settings, which are not changed."""

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
"""Colors for a light background. On a page each is a CSS variable, so that a dark page can change it."""

WIDTH = 5.2
"""Width of a chart in inches: at 72 points per inch the width of a phone, so that text is readable there."""

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
    """A chart with its title, caption and text description."""

    name: str
    """Short and unique within a result; used in element ids and file names."""
    title: str
    caption: str
    description: str
    """Text alternative for readers who cannot see the chart."""
    height: float
    """In inches."""
    draw: Callable[[Canvas], None] | None
    """None if there is nothing to draw; the caption then says why."""


@contextmanager
def drawing() -> Iterator[None]:
    """Apply the style of all charts, and restore the user's settings afterwards."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingPackage.of_extra("matplotlib", "report") from None
    if mpl.rcParams["svg.hashsalt"] == _STYLE["svg.hashsalt"]:  # the style is already applied
        yield
        return
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield


def new_figure(width: float, height: float) -> Figure:
    """Create an empty figure that does not open a window."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def bare_axes(canvas: Canvas, box: tuple[float, float, float, float]) -> Axes:
    """Create axes with only a bottom line; `box` is the left, bottom, right and top margin in inches."""
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


def shorten(name: str, most: int) -> str:
    """Shorten a name to fit beside a chart and replace unprintable characters.

    >>> shorten("HEALTH_PLAN_BENEFICIARY_NUMBER", 20)
    'HEALTH_PLAN_BENEFIC…'
    """
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    return clean if len(clean) <= most else f"{clean[: most - 1]}…"
