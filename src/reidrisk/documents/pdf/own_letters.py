"""Letters that pages have in their own fonts: a new value is set in that of its line if it has them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from reidrisk.documents.pdf.fonts import Font
from reidrisk.documents.pdf.glyphs import Glyph

_BLANK = 0.25
"""Width of a space in a font that draws none, by the size of the letters."""


@dataclass(frozen=True, slots=True)
class OwnLetter:
    """A letter as a font on the page writes it."""

    code: bytes = field(repr=False)
    width: float
    """In units of the font size."""


@dataclass(frozen=True, slots=True)
class LineSet:
    """A text in the font that is in use where it stands."""

    width: float
    """In units of the font size."""
    operator: bytes = field(repr=False)
    """Shows it."""


class OwnLetters:
    """The letters that stay on pages, by font: only those are sure to be in the file and to be read."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Font, dict[str, OwnLetter]]] = {}

    def learn(self, glyphs: Iterable[Glyph], removed: Collection[Glyph]) -> None:
        """Take in the letters of one more page."""
        for glyph in glyphs:
            font = glyph.show.font
            _, letters = self._known.setdefault(id(font), (font, {}))
            if glyph.text not in letters and glyph not in removed and _is_plain(glyph):
                code = glyph.number.to_bytes(glyph.end - glyph.start)
                letters[str(glyph.text)] = OwnLetter(code, glyph.advance)

    def line(self, text: str, font: Font) -> LineSet | None:
        """A text set in a font; None if a letter of it is not to be had."""
        _, letters = self._known.get(id(font), (font, {}))
        if any(letter not in letters and letter != " " for letter in text):
            return None
        width, parts = 0.0, []
        for letter in text:
            own = letters.get(letter)
            width += _BLANK if own is None else own.width
            parts.append(b"%d" % round(-1000 * _BLANK) if own is None else b"<%s>" % own.code.hex().encode())
        return LineSet(width, b"[" + b" ".join(parts) + b"] TJ")


def _is_plain(glyph: Glyph) -> bool:
    """Whether a glyph is one letter that its font tells, written from left to right."""
    return (
        glyph.text is not None
        and len(glyph.text) == 1
        and glyph.span < 0
        and not glyph.show.font.vertical
        and glyph.number in glyph.show.font.texts
        and glyph.advance > 0
    )
