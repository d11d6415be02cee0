"""Pages of a PDF with their text, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.concern import Concern, concern_of
from reidrisk.documents.pdf.fonts.load import Fonts
from reidrisk.documents.pdf.glyph import Content
from reidrisk.documents.pdf.interpret import Interpreter
from reidrisk.documents.pdf.layers import Layers
from reidrisk.documents.pdf.layout.text import PageText, page_text
from reidrisk.documents.pdf.pictures.recognise import beside, recognised

if TYPE_CHECKING:
    from pikepdf import Page as PdfPage
    from pikepdf import Pdf


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
        for number in range(1, len(self.pdf.pages) + 1):
            page = self.read(number, layers)
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
