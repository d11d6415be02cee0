"""How a line of text is made to fit a place."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.documents.pdf.lettering.face import shipped

_NARROW = 0.88
"""The shipped font is wide; so much narrower it looks like what reports are set in."""
_NARROWEST = 0.7
_WIDEST = 1.1
_SMALLEST = 0.65
"""Below this share of the size a new value looks odd; it may rather reach into free room."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Size of the letters and how much they are narrowed."""

    size: float
    stretch: float
    width: float
    cramped: bool = False
    """Whether it had to be smaller than is good to read."""


def fitted(text: str, *, size: float, width: float, room: float) -> Fit:
    """Fit a new value: first narrower, then smaller, then beyond the place, at last as small as needed."""
    full = shipped().measure(text) * size or 1e-6
    stretch = min(_WIDEST, max(_NARROWEST, width / full))
    if full * stretch <= width:
        return Fit(size, stretch, full * stretch)
    share = max(_SMALLEST, width / (full * stretch))
    if full * stretch * share <= max(width, room) + 1e-9:
        return Fit(size * share, stretch, full * stretch * share)
    least = max(width, room) / (full * stretch)
    return Fit(size * least, stretch, full * stretch * least, cramped=least < _SMALLEST)


def label_fit(text: str, *, height: float, width: float) -> Fit:
    """Fit a label into its box: as large as the box allows, narrowed before it is made small."""
    size = 0.72 * height
    full = shipped().measure(text) * size or 1e-6
    space = 0.92 * width
    stretch = min(_NARROW, space / full)
    if stretch < 0.5:
        size *= max(stretch / 0.5, 0.05)
        stretch = min(0.5, space / (shipped().measure(text) * size))
    return Fit(size, stretch, shipped().measure(text) * size * stretch)
