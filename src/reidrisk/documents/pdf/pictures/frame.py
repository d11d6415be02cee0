"""Pages rendered as pictures, and where points of a page lie on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reidrisk.documents.pdf.affine import Matrix
from reidrisk.errors import MissingPackage, UnreadableFile


@contextmanager
def rendering(path: str | Path) -> Iterator[Any]:
    """The document in the program that renders it."""
    try:
        import pypdfium2
    except ImportError as error:
        raise MissingPackage.of_extra("pypdfium2", "documents") from error
    try:
        document = pypdfium2.PdfDocument(path)
        try:
            yield document
        finally:
            document.close()
    except pypdfium2.PdfiumError as error:
        raise UnreadableFile(
            f"{path} is damaged: its pages cannot be shown.", hint="Repair it with qpdf, or export it again."
        ) from error


def to_pixels(page: Any, scale: float) -> Matrix:
    """From the space of a page to the pixels of its picture, the first row on top."""
    left, bottom, right, top = page.get_bbox()
    s = scale
    matrices: dict[int, Matrix] = {
        0: (s, 0.0, 0.0, -s, -left * s, top * s),
        90: (0.0, s, s, 0.0, -bottom * s, -left * s),
        180: (-s, 0.0, 0.0, s, right * s, -bottom * s),
        270: (0.0, -s, -s, 0.0, top * s, right * s),
    }
    return matrices[page.get_rotation() % 360]
