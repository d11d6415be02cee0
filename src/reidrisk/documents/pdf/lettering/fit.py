"""How a line of text is made to fit a place."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.documents.pdf.lettering.face import shipped

_LIKE = 0.92
"""The shipped font has large small letters: so much smaller it looks like its neighbours."""
_NARROW = 0.88
"""The width of labels: the shipped font is wide."""
_NARROWEST, _WIDEST = 0.7, 1.1
_SMALL = 0.8
_SQUEEZED = 0.5
"""Narrow letters are read more easily than small ones."""
_LEGIBLE = 0.6
"""Below this share of the size a new value is hard to read, which is reported."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Size of the letters and how much they are narrowed."""

    size: float
    stretch: float
    width: float
    cramped: bool = False
    """Whether it had to be smaller than is good to read."""


def fitted(text: str, *, size: float, width: float, room: float) -> Fit:
    """Fit a new value: beyond the place if that is free, narrower, a little smaller, at last squeezed."""
    size *= _LIKE
    full = shipped().measure(text) * size or 1e-6
    limit = max(width, room)
    wished = max(width, min(limit, full))
    stretch = min(_WIDEST, max(_NARROWEST, wished / full))
    share = 1.0 if full * stretch <= wished else max(_SMALL, wished / (full * stretch))
    if full * stretch * share > limit:
        stretch = max(_SQUEEZED, limit / (full * share))
    if full * stretch * share > limit:
        share = limit / (full * stretch)
    return Fit(size * share, stretch, full * stretch * share, cramped=share < _LEGIBLE)


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
