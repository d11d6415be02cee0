"""What a page draws: glyphs with the bytes that ask for them, pictures, and where both lie."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import Any, NamedTuple

from reidrisk.documents.pdf.fonts import Font

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def times(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that applies `first` and afterwards `then`."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def at(matrix: Matrix, x: float, y: float) -> Point:
    """Where a point comes to lie."""
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e, b * x + d * y + f)


def inverse(matrix: Matrix) -> Matrix | None:
    """The way back; None where the matrix flattens the plane."""
    a, b, c, d, e, f = matrix
    size = a * d - b * c
    if abs(size) < 1e-12:
        return None
    return (d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size)


def shifted(matrix: Matrix, x: float, y: float = 0.0) -> Matrix:
    """The matrix after a step within its own space."""
    a, b, c, d, e, f = matrix
    return (a, b, c, d, a * x + c * y + e, b * x + d * y + f)


def lengths(matrix: Matrix) -> Point:
    """How long a unit step to the right and a unit step upward become."""
    return hypot(matrix[0], matrix[1]), hypot(matrix[2], matrix[3])


@dataclass(frozen=True, slots=True)
class Drawn:
    """One use of a content stream: the page's own, or a form's, at the end of the path of operators to it."""

    path: tuple[int, ...]
    """Operators that lead to it, from the page's content downward; empty: the page's own."""
    source: Any = field(repr=False)
    instructions: list[Any] = field(repr=False)


class ShowSetting(NamedTuple):
    """What a text object needs to go on after something else was written in it."""

    begin: int
    """The operator that began the text object; nothing but text and its state came since."""
    font: int
    """The operator that chose the font."""
    fill: bytes | tuple[int, ...]
    """The operators that chose the color, or how to write them where they stand in another stream."""


@dataclass(slots=True, eq=False)
class TextShow:
    """One operator that shows text, with the state that it finds."""

    drawn: Drawn
    index: int
    """Which operator of its stream."""
    ctm: Matrix
    line: Matrix
    """Start of the line, which the operators for new lines count from."""
    font: Font
    size: float
    spacing: float
    word_spacing: float
    stretch: float
    rise: float
    mode: int
    inside: bool
    """Whether a text object is open."""
    setting: ShowSetting | None = None
    """How to come back to the state; None where that cannot be told."""
    start: float = 0.0
    """How far along the line the text position was, before stretching; upright fonts count downward."""
    glyphs: list[Glyph] = field(default_factory=list, repr=False)


@dataclass(slots=True, eq=False)
class Glyph:
    """One glyph on the page."""

    show: TextShow = field(repr=False)
    item: int
    """Which element of the operator's array."""
    start: int
    end: int
    """Its bytes in that element."""
    number: int
    text: str | None = field(repr=False)
    matrix: Matrix
    """From the unit square of the glyph, origin on the base line, to the page."""
    advance: float
    """How far it moves, in the units of the matrix."""
    step: float
    """How far it moves the text position, before stretching, spacing included."""
    span: int = -1
    """Which stretch with a text of its own (ActualText) it belongs to."""


@dataclass(slots=True, eq=False)
class Picture:
    """An image on the page."""

    drawn: Drawn
    index: int
    source: Any = field(repr=False)
    """The image object; for an inline image the instruction."""
    matrix: Matrix
    inline: bool


@dataclass(slots=True, eq=False)
class Mark:
    """A marked stretch: a part of the structure, a layer, or text that stands for what is drawn."""

    drawn: Drawn
    index: int
    tag: str
    properties: Any = field(repr=False)
    """A dictionary, or None."""
    first: int
    last: int = -1
    """Its operators that show text: from the first to before the last, in the order of the page."""


@dataclass(slots=True)
class Content:
    """Everything a page draws that matters here."""

    shows: list[TextShow] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    spans: list[str] = field(default_factory=list)
    """Texts that stand for stretches of glyphs (ActualText)."""
    drawn: list[Drawn] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    concealed: set[tuple[tuple[int, ...], int]] = field(default_factory=set)
    """Painting operators in layers that are switched off."""
    unread: set[tuple[tuple[int, ...], int]] = field(default_factory=set)
    """Operators that show text which cannot be read."""
    is_broken: bool = False
    """Whether instructions could not be read: then nobody knows all that it draws."""

    @property
    def glyphs(self) -> list[Glyph]:
        """All glyphs in the order in which they are drawn."""
        return [glyph for show in self.shows for glyph in show.glyphs]


def show_text(show: TextShow, items: list[Any], text: Matrix, span: int) -> Matrix:
    """Add the glyphs of the strings and steps in `items`; the text matrix afterwards.

    `along` counts from the start of the operator, before stretching; upright fonts count downward.
    """
    along, size, em = 0.0, show.size, show.font.em
    show.start = _offset(show, text)
    matrix, (dx, dy) = _pen(show, text)
    a, b, c, d, e, f = matrix
    codes, spacing, word_spacing, add = show.font.codes, show.spacing, show.word_spacing, show.glyphs.append
    for place, item in enumerate(items):
        if not isinstance(item, bytes):
            along -= float(item) / 1000 * size
            continue
        for start, end, number, says, width in codes(item):
            step = width * size + spacing
            if number == 32 and end - start == 1:
                step += word_spacing
            here = (a, b, c, d, e + along * dx, f + along * dy)
            add(Glyph(show, place, start, end, number, says, here, abs(width / em), step, span))
            along += step
    return shifted(text, 0.0, along) if show.font.vertical else shifted(text, along * show.stretch)


def _pen(show: TextShow, text: Matrix) -> tuple[Matrix, tuple[float, float]]:
    """From the unit square of the first glyph to the page, and how a step along the line moves it there."""
    size = show.size * show.font.em
    unit: Matrix = (abs(size) * show.stretch, 0.0, 0.0, size, 0.0, show.rise)
    whole = times(text, show.ctm)
    a, b, c, d, e, f = times(unit, whole)
    if show.font.vertical:  # the glyph counts as a letter of a line that runs downward, centred on it
        return (-c, -d, a, b, e - 0.5 * a, f - 0.5 * b), (whole[2], whole[3])
    return (a, b, c, d, e, f), (whole[0] * show.stretch, whole[1] * show.stretch)


def _offset(show: TextShow, text: Matrix) -> float:
    """How far the text position already was from the start of the line, before stretching."""
    a, b, c, d, e, f = show.line
    if show.font.vertical:
        return ((text[4] - e) * c + (text[5] - f) * d) / ((c * c + d * d) or 1.0)
    return ((text[4] - e) * a + (text[5] - f) * b) / (((a * a + b * b) or 1.0) * (show.stretch or 1.0))
