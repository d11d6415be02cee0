"""Pages of a PDF with their text, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reidrisk.documents.pdf.fonts import Fonts, number
from reidrisk.documents.pdf.glyphs import Content, at
from reidrisk.documents.pdf.interpret import Interpreter, Layers
from reidrisk.documents.pdf.layout import PageText, page_text
from reidrisk.documents.pdf.rendering import beside, recognised

if TYPE_CHECKING:
    from pikepdf import Page as PdfPage
    from pikepdf import Pdf

Concern = Literal["", "scanned", "recognised", "unreadable"]
"""A scan without text; a scan whose text was recognised; glyphs of which nobody knows what they say."""
_INVISIBLE = 3
_FEW = 50
"""A scan may carry a stamp: so many visible letters do not make it a page of text."""
_COVERED = 0.6
_ROW = 3
"""So many unreadable glyphs side by side could be a value."""


def concern_of(page: Any, content: Content) -> Concern:
    """What is wrong with the text of a page, if anything."""
    readable = [glyph for glyph in content.glyphs if glyph.text is not None and glyph.text.strip()]
    visible = sum(glyph.show.mode % 4 != _INVISIBLE for glyph in readable)
    covered = _covered(page, content)
    if visible < _FEW and (covered > _COVERED or (not visible and covered > _COVERED / 2)):
        return "recognised" if len(readable) > visible else "scanned"
    return "unreadable" if _unreadable(content) else ""


def _unreadable(content: Content) -> bool:
    row = 0
    for glyph in content.glyphs:
        told = glyph.text is not None or (glyph.span >= 0 and content.spans[glyph.span])
        row = 0 if told else row + 1
        if row >= _ROW:
            return True
    return False


def _covered(page: Any, content: Content) -> float:
    """The share of the page that its largest image covers."""
    left, bottom, right, top = (number(part) for part in page.cropbox)
    whole = abs((right - left) * (top - bottom)) or 1.0
    shares = [0.0]
    for picture in content.pictures:
        corners = [at(picture.matrix, x, y) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]
        across, upward = [x for x, _ in corners], [y for _, y in corners]
        wide = min(max(across), max(left, right)) - max(min(across), min(left, right))
        tall = min(max(upward), max(bottom, top)) - max(min(upward), min(bottom, top))
        shares.append(max(0.0, wide) * max(0.0, tall) / whole)
    return max(shares)


@dataclass(slots=True)
class ReadPage:
    """A page, what it draws, and its text."""

    number: int
    """From 1."""
    page: PdfPage
    content: Content
    text: PageText
    concern: Concern = ""

    def forget(self) -> None:
        """Let go of the glyphs, which hold each other."""
        for show in self.content.shows:
            show.glyphs.clear()
        self.content.shows.clear()

    @property
    def resources(self) -> Any:
        """The resources of the page, its own or those it inherits."""
        return _resources(self.page)

    @property
    def name(self) -> str:
        """The name of its block."""
        return f"page {self.number}"


@dataclass(slots=True)
class Pages:
    """The pages of an open document."""

    pdf: Pdf
    path: Path
    """The file, for pages that must be looked at."""
    fonts: Fonts = field(default_factory=Fonts)

    def __iter__(self) -> Iterator[ReadPage]:
        """Page after page; what is not kept by the caller is forgotten."""
        layers = Layers(self.pdf.Root)
        for place in range(1, len(self.pdf.pages) + 1):
            page = self.read(place, layers)
            yield page
            page.forget()

    def read(self, number: int, layers: Layers | None = None) -> ReadPage:
        """Read one page."""
        page = self.pdf.pages[number - 1]
        content = Interpreter(self.fonts, layers or Layers(self.pdf.Root)).run(page, _resources(page))
        concern = concern_of(page, content)
        if concern == "scanned" and (words := recognised(self.path, number)):
            content.shows += beside(words, content.glyphs)
            concern = "recognised"
        shown = [
            glyph
            for show in content.shows
            if (show.drawn.path, show.index) not in content.concealed
            for glyph in show.glyphs
        ]
        return ReadPage(number, page, content, page_text(shown, content.spans), concern)


def _resources(page: PdfPage) -> Any:
    """The resources of a page, its own or those it inherits."""
    try:
        return page.resources
    except (AttributeError, KeyError):
        return None
