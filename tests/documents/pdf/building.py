"""PDFs made by the tests, and the changes that take values out of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from reidrisk.documents.document import Change
from reidrisk.documents.pdf.reading import read_pdf


def helvetica() -> Any:
    return Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding
    )


def one_page(
    path: Path, content: str | bytes, *, more: Callable[[pikepdf.Pdf, Any], None] | None = None
) -> Path:
    """A page with Helvetica as /F1; `more` adds to it."""
    return pages(path, [content], more=more)


def pages(
    path: Path, contents: list[str | bytes], *, more: Callable[[pikepdf.Pdf, Any], None] | None = None
) -> Path:
    """Pages with Helvetica as /F1; `more` adds to the first."""
    with pikepdf.new() as pdf:
        for content in contents:
            data = content if isinstance(content, bytes) else content.encode("cp1252")
            pdf.pages.append(
                pikepdf.Page(
                    pdf.make_indirect(
                        Dictionary(
                            Type=Name.Page,
                            MediaBox=Array([0, 0, 595, 842]),
                            Resources=Dictionary(Font=Dictionary(F1=helvetica())),
                            Contents=pdf.make_stream(data),
                        )
                    )
                )
            )
        if more is not None:
            more(pdf, pdf.pages[0].obj)
        pdf.save(path)
    return path


def line(text: str, *, x: float = 60, y: float = 700, size: float = 12) -> str:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET\n"


def texts(path: Path) -> list[str]:
    return [block.text for block in read_pdf(path)]


def changes(path: Path, *values: str, new: str | None = None) -> list[Change]:
    """Changes for every place of every value."""
    pattern = re.compile("|".join(re.escape(value) for value in values))
    return [
        Change(block.name, found.start(), found.end(), new)
        for block in read_pdf(path)
        for found in pattern.finditer(block.text)
    ]
