"""What a page draws: glyphs with the bytes that ask for them, pictures, and where both lie."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reidrisk.documents.pdf.affine import Matrix
from reidrisk.documents.pdf.fonts.font import Font


@dataclass(frozen=True, slots=True)
class Drawn:
    """One use of a content stream: the page's own, or a form's, at the end of the path of operators to it."""

    path: tuple[int, ...]
    """Operators that lead to it, from the page's content downward; empty: the page's own."""
    source: Any = field(repr=False)
    instructions: list[Any] = field(repr=False)


@dataclass(slots=True, eq=False)
class Show:
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
    start: float = 0.0
    """How far along the line the text position was, before stretching; upright fonts count downward."""
    glyphs: list[Glyph] = field(default_factory=list, repr=False)


@dataclass(slots=True, eq=False)
class Glyph:
    """One glyph on the page."""

    show: Show = field(repr=False)
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

    shows: list[Show] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    spans: list[str] = field(default_factory=list)
    """Texts that stand for stretches of glyphs (ActualText)."""
    drawn: list[Drawn] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    concealed: set[tuple[tuple[int, ...], int]] = field(default_factory=set)
    """Painting operators in layers that are switched off."""

    @property
    def glyphs(self) -> list[Glyph]:
        """All glyphs in the order in which they are drawn."""
        return [glyph for show in self.shows for glyph in show.glyphs]
