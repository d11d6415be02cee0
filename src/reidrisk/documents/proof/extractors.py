"""Other programs that read the text of a PDF; none shares code with the removal."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from reidrisk.documents.proof.pdfminer_pages import read_pages
from reidrisk.errors import FailedCheck, MissingPackage


def by_pdfium(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each page, as PDFium (the reader of browsers) finds it."""
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingPackage.of_extra("pypdfium2", "documents") from error
    document = pypdfium2.PdfDocument(path)
    try:
        for number in range(len(document)):
            page = document[number]
            text = page.get_textpage()
            yield f"page {number + 1} (PDFium)", text.get_text_range()
            text.close()
            page.close()
    finally:
        document.close()


def by_pdfminer(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each page, as pdfminer finds it."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    pages = len(document)
    document.close()
    for number, text in read_pages(path, pages):
        yield f"page {number} (pdfminer)", text


def by_poppler(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of each page, as Poppler finds it; nothing where it is not installed."""
    program = shutil.which("pdftotext")
    if program is None:
        return
    done = subprocess.run([program, "-enc", "UTF-8", str(path), "-"], capture_output=True, check=False)  # noqa: S603
    if done.returncode:
        raise FailedCheck("Poppler cannot read the file: nothing is proved.", hint="Is it whole?")
    for number, text in enumerate(done.stdout.decode("utf-8", "replace").split("\f"), 1):
        yield f"page {number} (Poppler)", text
