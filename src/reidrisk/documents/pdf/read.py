"""Read a PDF as blocks of text, a page each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reidrisk.documents.document import Block
from reidrisk.documents.pdf.concern import Concern
from reidrisk.documents.pdf.opening import opened
from reidrisk.documents.pdf.pages import Pages


@dataclass(frozen=True, slots=True)
class PageBlock(Block):
    """The text of a page, and whether it can be trusted to be all that the page says."""

    concern: Concern = ""


def read_pdf(path: str | Path) -> Iterator[PageBlock]:
    """The pages of a PDF as blocks `page 1`, `page 2` and so on, one at a time."""
    with opened(path) as pdf:
        for page in Pages(pdf, Path(path)):
            yield PageBlock(page.name, page.text.text, page.concern)
