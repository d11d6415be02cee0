"""Words of a PDF that lie under something drawn over them: a box hides them, and removes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from reidrisk.documents.document import CoveredPage
from reidrisk.errors import FailedCheck, MissingPackage
from reidrisk.stats.arrays import Floats

Box = tuple[float, float, float, float]
_HIDING = ("/Redact", "/Square", "/Polygon", "/Stamp", "/FreeText")
"""Notes that lie over a page as boxes."""
_LEAST = 3.0
"""Points; lower boxes are lines."""
_WORD = re.compile(r"\w+")


def covered_words(path: str | Path) -> tuple[CoveredPage, ...]:
    """Pages of a PDF on which boxes were drawn over words that are still there."""
    found = []
    notes = _notes(Path(path))
    for number, page in enumerate(_pages(Path(path)), 1):
        words = _under_boxes(page, notes.get(number, []))
        if words:
            found.append(CoveredPage(number, words))
    return tuple(found)


def _pages(path: Path) -> Iterator[Any]:
    """What each page draws, in the order of drawing."""
    try:
        from pdfminer.converter import PDFPageAggregator
        from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
        from pdfminer.pdfpage import PDFPage
    except ImportError:
        raise MissingPackage.of_extra("pdfminer.six", "documents") from None
    resources = PDFResourceManager()
    device = PDFPageAggregator(resources, laparams=None)
    interpreter = PDFPageInterpreter(resources, device)
    try:
        with path.open("rb") as file:
            for page in PDFPage.get_pages(file):
                interpreter.process_page(page)
                yield device.get_result()
    except Exception:  # noqa: BLE001 - other people's programs raise what they like
        raise FailedCheck(
            f"pdfminer cannot read {path.name}: nothing is proved.", hint="Is it whole?"
        ) from None


def _under_boxes(page: Any, notes: list[Box]) -> int:
    """Words whose letters lie under a box that was drawn after them, in the order of drawing."""
    letters: list[tuple[Box, str]] = []
    boxes: list[tuple[float, ...]] = []
    for item in _items(page):
        text = getattr(item, "get_text", None)
        if text is not None:
            letters.append((item.bbox, text()))
        elif _hides(item):
            boxes.append((*item.bbox, len(letters)))
    boxes += [(*note, len(letters)) for note in notes]
    if not boxes or not letters:
        return 0
    over = np.array(boxes)
    text = "".join(said if _is_under(box, at, over) else " " for at, (box, said) in enumerate(letters))
    return len(_WORD.findall(text))


def _is_under(letter: Box, at: int, boxes: Floats) -> bool:
    """Whether the middle of a letter lies within a box that was drawn later."""
    across, upward = (letter[0] + letter[2]) / 2, (letter[1] + letter[3]) / 2
    left, bottom, right, top, after = boxes.T
    within = (left <= across) & (across <= right) & (bottom <= upward) & (upward <= top)
    return bool(np.any(within & (after > at)))


def _items(layout: Any) -> Iterator[Any]:
    for item in layout:
        if hasattr(item, "__iter__"):
            yield from _items(item)
        else:
            yield item


def _hides(item: Any) -> bool:
    """Whether something is a filled box as high as letters are, and no whole page."""
    if not getattr(item, "fill", False) or not hasattr(item, "bbox"):
        return False
    left, bottom, right, top = item.bbox
    return bool(right - left > _LEAST and top - bottom > _LEAST)


def _notes(path: Path) -> dict[int, list[Box]]:
    """Boxes of notes, by the number of the page."""
    import pikepdf

    found: dict[int, list[Box]] = {}
    try:
        with pikepdf.open(path) as pdf:
            for number, page in enumerate(pdf.pages, 1):
                for note in page.obj.get("/Annots", []):
                    if str(note.get("/Subtype", "")) in _HIDING and len(note.get("/Rect", [])) == 4:
                        a, b, c, d = (float(part) for part in note["/Rect"])
                        found.setdefault(number, []).append((min(a, c), min(b, d), max(a, c), max(b, d)))
    except (pikepdf.PdfError, TypeError, ValueError, AttributeError, RuntimeError):
        raise FailedCheck(
            f"{path.name} cannot be opened: nothing is proved.", hint="Is it whole, and without a password?"
        ) from None
    return found
