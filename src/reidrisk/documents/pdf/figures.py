"""What a PDF holds besides texts: files that are attached to it, pictures, and pages that only show letters.

It serves to search a file that somebody else has redacted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from reidrisk.documents.proof.ocr import LOWEST, NARROWEST, FoundPicture

_SCALE = 300 / 72
_OUTLINE = 6
"""Corners of a drawn shape: tables are made of shapes with fewer."""
_DRAWING = 30
"""Corners of all such shapes of a page from which they may spell a word."""
_STRIPS = 3
"""Pictures of one width: a scan that was cut into strips."""
_DEPTH = 5
_UNKNOWN_SHARE, _UNKNOWN_LEAST = 0.2, 5
"""Letters without a meaning, from which the text of a page cannot be searched."""


def attachments_of(path: Path) -> Iterator[tuple[str, bytes | None]]:
    """Each attached file with its number, as names may tell values; None if it cannot be unpacked."""
    import pikepdf

    with pikepdf.open(path) as pdf:
        held: dict[tuple[int, int], Any] = {}
        for item in pdf.objects:
            if isinstance(item, pikepdf.Stream) and item.get("/Type") == "/EmbeddedFile":
                held[item.objgen] = item
            elif isinstance(item, pikepdf.Dictionary) and isinstance(item.get("/EF"), pikepdf.Dictionary):
                streams = (one for one in item["/EF"].values() if isinstance(one, pikepdf.Stream))
                held |= {one.objgen: one for one in streams}
        for number, stream in enumerate(held.values(), 1):
            try:
                yield f"attachment {number}", stream.read_bytes()
            except pikepdf.PdfError:
                yield f"attachment {number}", None


def pictures_of(path: Path) -> Iterator[FoundPicture]:
    """Pictures of a file, each once, and pages that only a look can read.

    These have drawings, pictures that are turned or cut into strips, or fonts that do not tell what they say.
    """
    import pikepdf
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        shown: set[int] = set()
        drawn: set[object] = set()
        for number in range(1, len(document) + 1):
            try:
                look = _Look.at(document[number - 1])
            except pypdfium2.PdfiumError:
                look = _Look(is_more=True)
            if look.is_more or look.drawing not in {None, *drawn}:
                drawn.add(look.drawing)
                shown.add(number)
                yield FoundPicture(f"page {number} as it is shown", partial(_rendered, document, number))
        with pikepdf.open(path) as pdf:
            yield from _images(pdf, shown)
    finally:
        document.close()


def _rendered(document: Any, number: int) -> Any:
    return document[number - 1].render(scale=_SCALE, grayscale=True).to_pil()


@dataclass(frozen=True, slots=True)
class _Look:
    """What a page shows besides letters."""

    drawing: object = None
    """What tells one drawing from another; None if there is none."""
    is_more: bool = False
    """Whether pictures or letters of the page cannot be read one by one."""

    @classmethod
    def at(cls, page: Any) -> _Look:
        import pypdfium2.raw as pdfium

        kinds = (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE)
        shapes: list[tuple[int, ...]] = []
        widths: Counter[int] = Counter()
        turned = False
        for item in page.get_objects(filter=kinds, max_depth=_DEPTH):
            if item.type == pdfium.FPDF_PAGEOBJ_PATH:
                corners = pdfium.FPDFPath_CountSegments(item)
                if corners >= _OUTLINE:
                    shapes.append((corners, *(round(edge) for edge in item.get_bounds())))
                continue
            wide, tall = item.get_px_size()
            if wide >= NARROWEST and tall >= 1:
                widths[wide] += 1
            if wide >= NARROWEST and tall >= LOWEST:
                turned |= page.get_rotation() != 0 or _is_turned(item.get_matrix())
        spelled = sum(shape[0] for shape in shapes) >= _DRAWING
        strips = any(count >= _STRIPS for count in widths.values())
        return cls(tuple(sorted(shapes)) if spelled else None, turned or strips or _is_unreadable(page))


def _is_turned(matrix: Any) -> bool:
    a, b, c, d = matrix.get()[:4]
    return bool(a <= 0 or d <= 0 or abs(b) > 0.01 * abs(a) or abs(c) > 0.01 * abs(d))


def _is_unreadable(page: Any) -> bool:
    """Whether fonts of a page do not tell what they say."""
    text = page.get_textpage().get_text_range()
    letters = [letter for letter in text if not letter.isspace()]
    unknown = sum(
        letter in "\ufffd\ufffe" or "\ue000" <= letter <= "\uf8ff" or letter < " " for letter in letters
    )
    return bool(unknown >= _UNKNOWN_LEAST and unknown > _UNKNOWN_SHARE * len(letters))


def _images(pdf: Any, shown: set[int]) -> Iterator[FoundPicture]:
    """The pictures of a file, whether or not a page shows them."""
    import pikepdf

    pages = _pages_of_images(pdf)
    number = 0
    for item in pdf.objects:
        if not isinstance(item, pikepdf.Stream) or item.get("/Subtype") != "/Image":
            continue
        if int(item.get("/Width", 0)) < NARROWEST or int(item.get("/Height", 0)) < LOWEST:
            continue
        number += 1
        page = pages.get(item.objgen)
        where = f"picture {number}, " + ("which no page shows" if page is None else f"page {page}")
        yield FoundPicture(where, partial(_decoded, item), page in shown)


def _decoded(item: Any) -> Any:
    import pikepdf

    return pikepdf.PdfImage(item).as_pil_image()


def _pages_of_images(pdf: Any) -> dict[tuple[int, int], int]:
    """The first page that uses each picture."""
    found: dict[tuple[int, int], int] = {}
    for number, page in enumerate(pdf.pages, 1):
        seen: set[tuple[int, int]] = set()
        _collect(page.obj.get("/Resources"), number, found, seen)
        for note in page.obj.get("/Annots") or []:
            _collect(note.get("/AP"), number, found, seen)
    return found


def _collect(item: Any, page: int, found: dict[tuple[int, int], int], seen: set[tuple[int, int]]) -> None:
    import pikepdf

    if not isinstance(item, pikepdf.Dictionary | pikepdf.Stream | pikepdf.Array):
        return
    if item.is_indirect:
        if item.objgen in seen:
            return
        seen.add(item.objgen)
    if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image":
        found.setdefault(item.objgen, page)
    parts = (
        item
        if isinstance(item, pikepdf.Array)
        else [part for name, part in item.items() if name != "/Parent"]
    )
    for part in parts:
        _collect(part, page, found, seen)
