"""Pages of a PDF with their text, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reidrisk.documents.pdf.fonts.load import Fonts
from reidrisk.documents.pdf.glyph import Content
from reidrisk.documents.pdf.interpret import Interpreter
from reidrisk.documents.pdf.layers import Layers
from reidrisk.documents.pdf.layout.text import PageText, page_text

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

    @property
    def resources(self) -> Any:
        """The resources of the page, its own or those it inherits."""
        return _resources(self.page)["/Resources"]

    @property
    def name(self) -> str:
        """The name of its block."""
        return f"page {self.number}"


def each_page(pdf: Pdf, fonts: Fonts) -> Iterator[ReadPage]:
    """Read page after page; what is not kept by the caller is forgotten."""
    layers = Layers(pdf.Root)
    for number in range(1, len(pdf.pages) + 1):
        yield read_page(pdf, number, fonts, layers)


def read_page(pdf: Pdf, number: int, fonts: Fonts, layers: Layers | None = None) -> ReadPage:
    """Read one page."""
    page = pdf.pages[number - 1]
    content = Interpreter(fonts, layers or Layers(pdf.Root)).run(page, _resources(page))
    shown = [
        glyph
        for show in content.shows
        if (show.drawn.path, show.index) not in content.concealed
        for glyph in show.glyphs
    ]
    return ReadPage(number, page, content, page_text(shown, content.spans))


def _resources(page: PdfPage) -> dict[str, Any]:
    """The resources of a page, its own or those it inherits."""
    try:
        return {"/Resources": page.resources}
    except (AttributeError, KeyError):
        return {"/Resources": None}
