"""Read a PDF as blocks of text, a page each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reidrisk.documents.document import Block
from reidrisk.documents.pdf.fonts.load import Fonts
from reidrisk.documents.pdf.opening import opened
from reidrisk.documents.pdf.pages import each_page


def read_pdf(path: str | Path) -> Iterator[Block]:
    """The pages of a PDF as blocks `page 1`, `page 2` and so on, one at a time."""
    with opened(path) as pdf:
        for page in each_page(pdf, Fonts()):
            yield Block(page.name, page.text.text)
