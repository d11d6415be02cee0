"""The text of a page, and for each of its characters the glyphs that draw it."""

from __future__ import annotations

from dataclasses import dataclass, field

from reidrisk.documents.pdf.glyph import Glyph
from reidrisk.documents.pdf.layout.order import in_reading_order
from reidrisk.documents.pdf.layout.pieces import Piece, pieces_of
from reidrisk.documents.pdf.layout.spaces import spaces_in

UNREAD = "\ufffd"
"""Stands for a glyph of which the font does not tell what it says."""
_HYPHENS = "-\u2010\u00ad"


@dataclass(slots=True)
class PageText:
    """Text with the glyphs of each character."""

    letters: list[str] = field(default_factory=list, repr=False)
    glyphs: list[tuple[Glyph, ...]] = field(default_factory=list, repr=False)

    @property
    def text(self) -> str:
        """The text as it is read."""
        return "".join(self.letters)

    def add(self, text: str, glyphs: tuple[Glyph, ...] = ()) -> None:
        """Append characters that the same glyphs draw."""
        self.letters += text
        self.glyphs += [glyphs] * len(text)

    def space(self, glyphs: tuple[Glyph, ...] = (), mark: str = " ") -> None:
        """Append white space, but never two kinds of it side by side."""
        if not self.letters:
            return
        if self.letters[-1] in " \t":
            self.glyphs[-1] += glyphs
            if mark != " ":
                self.letters[-1] = mark
        elif self.letters[-1] != "\n" or mark == "\n":
            self.add(mark, glyphs)


def page_text(glyphs: list[Glyph], spans: list[str]) -> PageText:
    """Read the glyphs of a page; `spans` are texts that stand for stretches of them."""
    page, before = PageText(), None
    for piece in in_reading_order(pieces_of(glyphs)):
        if before is not None:
            _between(page, before, piece)
        _read(page, piece, spans)
        before = piece
    _end_line(page)
    return page


def _between(page: PageText, before: Piece, after: Piece) -> None:
    if after.follows(before) and after.start >= before.end - 0.5 * before.height:
        wide = after.start - before.end > 2.0 * before.height
        page.space(mark="\t" if wide else " ")
        return
    _end_line(page)
    drop = before.base - after.base
    if before.angle != after.angle or not _hyphenated(page, after, drop):
        page.space(mark="\n")
        if before.angle != after.angle or not 0 < drop < 2.2 * max(before.height, after.height):
            page.space(mark="\n")


def _end_line(page: PageText) -> None:
    """White space at the end of a line is none."""
    while page.letters and page.letters[-1] in " \t":
        glyphs = page.glyphs.pop()
        page.letters.pop()
        if page.glyphs:
            page.glyphs[-1] += glyphs


def _hyphenated(page: PageText, after: Piece, drop: float) -> bool:
    """Whether a word goes on in the next line; then its hyphen belongs to the letter before it."""
    if len(page.letters) < 2 or page.letters[-1] not in _HYPHENS or not 0 < drop < 2.2 * after.height:
        return False
    first = after.letters[0].glyph.text or ""
    soft = page.letters[-1] == "\u00ad"
    if not page.letters[-2].isalpha() or not (soft or (first[:1].islower() and page.letters[-2].islower())):
        return False
    page.letters.pop()
    page.glyphs[-2] += page.glyphs.pop()
    return True


def _read(page: PageText, piece: Piece, spans: list[str]) -> None:
    spaces = spaces_in(piece)
    told: set[int] = set()
    for at, letter in enumerate(piece.letters):
        if at in spaces:
            page.space()
        glyph = letter.glyph
        if glyph.text is None and glyph.span >= 0 and spans[glyph.span]:
            _read_span(page, glyph, spans[glyph.span], told)
        elif glyph.text is not None and glyph.text.isspace():
            page.space((glyph,))
        else:
            page.add(glyph.text or UNREAD, (glyph,))


def _read_span(page: PageText, glyph: Glyph, text: str, told: set[int]) -> None:
    """A stretch with a text of its own is told once; all its glyphs belong to all of it."""
    if glyph.span not in told:
        told.add(glyph.span)
        page.add(text, (glyph,))
        return
    for at in range(len(page.letters) - len(text), len(page.letters)):
        if at >= 0:
            page.glyphs[at] += (glyph,)
