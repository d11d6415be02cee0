"""Parts of lines that are to change, each in a frame of its own on its page."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot

from reidrisk.documents.document import Change
from reidrisk.documents.pdf.glyphs import Glyph, Matrix, Point, at, inverse, shifted

_INVISIBLE = 3
_MARGIN = 0.15
"""Of the letters' height, around text that a program recognised."""


@dataclass(slots=True, eq=False)
class PagePlace:
    """A part of one line, in a frame of its own: along the line from 0, upward from the base line."""

    change: Change
    frame: Matrix
    """From the frame to the page; lengths stay as they are on the page."""
    height: float
    """Height of the letters."""
    ascent: float
    descent: float
    end: float
    glyphs: list[Glyph] = field(default_factory=list, repr=False)
    seen: bool = True
    """Whether the text was drawn to be seen; text over a scan, or under it, is not."""
    on_top: bool = False
    """Whether it is drawn over all of the page: over a scan, or over a note that marks its text."""
    text: str | None = field(default=None, repr=False)
    """What is written there afterwards: the part of a new value, or a label."""
    room: float = 0.0
    """How far along the line a new value may reach."""

    moved: float = 0.0
    """How far along the line it is drawn from where it was, because of new values before it."""
    pushes: float = 0.0
    """How far it moves what its operator draws behind it."""
    tail: float = 0.0
    """Where what it moves ends afterwards."""
    reach: float = 0.0
    """How far along the line something was drawn."""
    _back: Matrix | None = None

    def __post_init__(self) -> None:
        self._back = inverse(self.frame)

    def inner(self, point: Point) -> Point:
        """A point of the page in this frame."""
        return at(self._back, *point) if self._back is not None else (-1e9, -1e9)

    def add(self, glyph: Glyph) -> None:
        """Reach as far as a glyph does, to the right or, in scripts that run so, to the left."""
        self.glyphs.append(glyph)
        first = self.inner((glyph.matrix[4], glyph.matrix[5]))[0]
        last = self.inner(at(glyph.matrix, glyph.advance, 0.0))[0]
        self.end = max(self.end, last)
        if first < 0:
            self.frame = shifted(self.frame, first)
            self.end -= first
            self._back = inverse(self.frame)

    @property
    def corners(self) -> list[Point]:
        """The box around it on the page."""
        low, high = self.descent * self.height, self.ascent * self.height
        return [at(self.frame, x, y) for x, y in ((0, low), (self.end, low), (self.end, high), (0, high))]

    def drawn(self) -> list[Point]:
        """The box where it is drawn."""
        return [at(shifted(self.frame, self.moved), *self.inner(point)) for point in self.padded()]

    def padded(self) -> list[Point]:
        """The box with a margin where the text only lies over a scan: it seldom fits exactly."""
        if self.seen:
            return self.corners
        margin = _MARGIN * self.height
        low, high = self.descent * self.height - margin / 2, self.ascent * self.height + margin / 2
        left, right = -margin, self.end + margin
        return [at(self.frame, x, y) for x, y in ((left, low), (right, low), (right, high), (left, high))]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of the box on the page."""
        low, high = self.descent * self.height, self.ascent * self.height
        beyond = [at(self.frame, self.reach, low), at(self.frame, self.reach, high)]
        across, upward = zip(*self.padded(), *beyond, strict=True)
        return min(across), min(upward), max(across), max(upward)


def places_of(change: Change, glyphs: list[Glyph]) -> list[PagePlace]:
    """The places of one change, line by line."""
    places: list[PagePlace] = []
    for glyph in glyphs:
        if not places or not _goes_on(places[-1], glyph):
            places.append(_start(change, glyph))
        places[-1].add(glyph)
    return [place for place in places if not _blank(place)]


def _blank(place: PagePlace) -> bool:
    return all(glyph.text is not None and glyph.text.isspace() for glyph in place.glyphs)


def _start(change: Change, glyph: Glyph) -> PagePlace:
    a, b, c, d, e, f = glyph.matrix
    along, upward = hypot(a, b) or 1.0, hypot(c, d) or 1.0
    frame = (a / along, b / along, c / upward, d / upward, e, f)
    font = glyph.show.font
    seen = glyph.show.mode % 4 != _INVISIBLE
    return PagePlace(change, frame, upward, font.ascent, font.descent, 0.0, seen=seen)


def _goes_on(place: PagePlace, glyph: Glyph) -> bool:
    a, b, *_ = glyph.matrix
    length = hypot(a, b) or 1.0
    same = (a * place.frame[0] + b * place.frame[1]) / length > 0.98
    x, y = place.inner((glyph.matrix[4], glyph.matrix[5]))
    gap = max(x - place.end, -x - glyph.advance * length)
    return same and abs(y) < 0.5 * place.height and gap < 1.5 * place.height
