"""Read a Word document as blocks of text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reidrisk.documents.document import Block
from reidrisk.documents.docx.clean.document import clean
from reidrisk.documents.docx.package import opened_package
from reidrisk.documents.docx.reading import texts_of


def read_docx(path: str | Path) -> Iterator[Block]:
    """Every text that the written document will have: body, headers, notes, comments, links and so on.

    Tracked changes are read as accepted. What writing leaves out in any case (properties, custom XML, deleted
    text) is not read.
    """
    with opened_package(path) as package:
        clean(package)
        for mapped in texts_of(package):
            yield mapped.block
