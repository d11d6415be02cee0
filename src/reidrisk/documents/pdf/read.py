"""Read a PDF as blocks of text, a page each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reidrisk.documents.document import Block
from reidrisk.documents.pdf.besides import BESIDES, besides, told_by
from reidrisk.documents.pdf.concern import Concern
from reidrisk.documents.pdf.opening import opened
from reidrisk.documents.pdf.pages import Pages


@dataclass(frozen=True, slots=True)
class PageBlock(Block):
    """The text of a page, and whether it can be trusted to be all that the page says."""

    concern: Concern = ""


def read_pdf(path: str | Path) -> Iterator[PageBlock]:
    """The pages of a PDF as blocks `page 1`, `page 2` and so on, one at a time.

    A last block `besides the pages` holds bookmarks and alternate texts, if there are any that say something
    else than the pages; a change in it takes the value out wherever it is besides the pages.
    """
    with opened(path) as pdf:
        told: list[str] = []
        for page in Pages(pdf, Path(path)):
            yield PageBlock(page.name, page.text.text, page.concern)
            told += told_by(page.content)
        if text := besides(pdf, told):
            yield PageBlock(BESIDES, text)
