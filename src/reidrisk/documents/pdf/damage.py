"""What a written PDF lost besides what was to go: pages compared as two programs draw and read them."""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.documents.pdf.glyphs import Matrix, at
from reidrisk.documents.pdf.layout import UNREAD
from reidrisk.documents.pdf.notes import bounds_of
from reidrisk.documents.pdf.rendering import PATIENCE, rendering, to_pixels
from reidrisk.errors import FailedPages, UnreadableFile

Bounds = tuple[float, float, float, float]
Gray = NDArray[np.int16]
Frame = tuple[Matrix, list[Bounds]]
"""From a page to its pixels, and what may look different on it."""
_COMPARED_SCALE = 1.0
_DARKER = 80
"""Edges of letters may differ by so many of 255 shades."""
_PIXELS, _SHARE = 6, 0.00006
"""So many pixels, or this share of them, may differ more: rounding of lines, and edges of letters."""
_OVERHANG = 0.35
"""How far letters may reach beyond their box, by its height."""
_SIGN = 20
"""Points that the sign for a note may reach beyond its place."""
_LOST, _FEW = 0.005, 8
"""A share of the letters of a page, and a number of them, that readers may lose by chance."""
_PICTURE = re.compile(rb"P5\s+(\d+)\s+(\d+)\s+255\s")
_PAGES_AT_ONCE = 40


def pages_that_differ(
    before: Path, after: Path, boxes: Mapping[int, Iterable[Bounds]], *, besides: Collection[int] = ()
) -> list[int]:
    """Numbers from 1 of the pages that look different outside their boxes, to PDFium or to Poppler."""
    frames: dict[int, Frame] = {}
    differ: set[int] = set()
    notes = Notes(before)
    for number, frame, old, new in _both_by_pdfium(before, after):
        if number not in besides:
            own = [*boxes.get(number, []), *notes.undrawn(number)]
            frames[number] = frame, own
            if _differs(old, new, frame, own + notes.fields(number)):
                differ.add(number)
    for number, old, new in _both_by_poppler(before, after, max(frames, default=0)):
        if number in frames and _differs(old, new, *frames[number]):
            differ.add(number)
    return sorted(differ)


class Notes:
    """Where notes and form fields are on the pages of a file."""

    def __init__(self, path: Path) -> None:
        import pikepdf

        self._found: dict[int, list[tuple[bool, Bounds]]] = {}
        try:
            with pikepdf.open(path) as pdf:
                for number, page in enumerate(pdf.pages, 1):
                    self._found[number] = list(_notes(page.obj))
        except (pikepdf.PdfError, RuntimeError, OSError):
            return  # a damaged file tells of none

    def undrawn(self, number: int) -> list[Bounds]:
        """Notes without a drawing, such as a sticky note: only readers show a sign for them."""
        return [bounds for is_field, bounds in self._found.get(number, []) if not is_field]

    def fields(self, number: int) -> list[Bounds]:
        """Form fields, which PDFium draws in its own way; Poppler is asked about them."""
        fields = [bounds for is_field, bounds in self._found.get(number, []) if is_field]
        return fields if shutil.which("pdftoppm") else []


def _notes(page: Any) -> Iterator[tuple[bool, Bounds]]:
    import pikepdf

    listed = page.get("/Annots")
    for note in listed if isinstance(listed, pikepdf.Array) else []:
        bounds = bounds_of(note) if isinstance(note, pikepdf.Dictionary) else None
        if bounds is None:
            continue
        is_field = note.get("/Subtype") == "/Widget"
        if is_field:
            yield True, bounds
        elif "/AP" not in note and note.get("/Subtype") != "/Link":
            left, bottom, right, top = bounds
            yield False, (left - _SIGN, bottom - _SIGN, right + _SIGN, top + _SIGN)


def _differs(first: Gray, second: Gray, frame: Matrix, boxes: list[Bounds]) -> bool:
    if first.shape != second.shape:
        return True
    most = max(_PIXELS, _SHARE * first.size)
    if int((np.abs(first - second) > _DARKER).sum()) <= most:
        return False
    far = _unlike(first, second) | _unlike(second, first)
    for left, bottom, right, top in boxes:
        (x, y), (u, v) = at(frame, left, bottom), at(frame, right, top)
        around = max(3, int(_OVERHANG * min(abs(y - v), abs(x - u))))
        rows = slice(max(0, int(min(y, v)) - around), max(0, int(max(y, v)) + around + 1))
        columns = slice(max(0, int(min(x, u)) - around), max(0, int(max(x, u)) + around + 1))
        far[rows, columns] = False
    return int(far.sum()) > most


def _unlike(first: Gray, second: Gray) -> NDArray[np.bool_]:
    """Pixels that are like none around the same place: letters may move by a fraction of a pixel."""
    wide = np.pad(second, 1, mode="edge")
    rows, columns = second.shape
    around = [wide[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]
    darkest, lightest = np.minimum.reduce(around), np.maximum.reduce(around)
    unlike: NDArray[np.bool_] = (first < darkest - _DARKER) | (first > lightest + _DARKER)
    return unlike


def _both_by_pdfium(before: Path, after: Path) -> Iterator[tuple[int, Matrix, Gray, Gray]]:
    """Pages as PDFium draws them, before and after, and from each to its pixels; without damaged ones."""
    try:
        with rendering(before) as old, rendering(after) as new:
            for number in range(min(len(old), len(new))):
                pages = _loaded(old, number), _loaded(new, number)
                if None in pages:
                    continue
                first, second = _gray(pages[0]), _gray(pages[1])
                if first is not None and second is not None:
                    yield number + 1, to_pixels(pages[0], _COMPARED_SCALE), first, second
    except UnreadableFile:
        return


def _loaded(document: Any, number: int) -> Any:
    import pypdfium2

    try:
        return document[number]
    except pypdfium2.PdfiumError:
        return None


def _gray(page: Any) -> Gray | None:
    """A page in shades of gray; None where it has no extent."""
    try:
        picture = page.render(scale=_COMPARED_SCALE, grayscale=True).to_numpy()
    except ValueError:
        return None
    return np.asarray(picture, dtype=np.int16).reshape(picture.shape[0], -1)


def _both_by_poppler(before: Path, after: Path, pages: int) -> Iterator[tuple[int, Gray, Gray]]:
    """Pages as Poppler draws them, before and after; none where it is not installed or fails."""
    program = shutil.which("pdftoppm")
    if program is None:
        return
    for first in range(1, pages + 1, _PAGES_AT_ONCE):
        last = min(first + _PAGES_AT_ONCE - 1, pages)
        command = [program, "-r", "72", "-gray", "-cropbox", "-f", str(first), "-l", str(last)]
        running = [
            subprocess.Popen([*command, str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603
            for path in (before, after)
        ]
        old, new = (_drawn(child) for child in running)
        if len(old) == len(new) == last - first + 1:
            yield from zip(range(first, last + 1), old, new, strict=True)


def _drawn(child: subprocess.Popen[bytes]) -> list[Gray]:
    """The pictures that a program writes one after the other."""
    try:
        data, _ = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return []
    found: list[Gray] = []
    start = 0
    while (head := _PICTURE.match(data, start)) is not None:
        wide, tall = int(head[1]), int(head[2])
        pixels = np.frombuffer(data, np.uint8, wide * tall, head.end())
        found.append(pixels.reshape(tall, wide).astype(np.int16))
        start = head.end() + wide * tall
    return found


def letters_of(texts: Iterable[str]) -> Counter[str]:
    """The letters and digits of texts, whatever their case and form.

    >>> letters_of(["A-a1", "ﬁ"])
    Counter({'a': 2, '1': 1, 'f': 1, 'i': 1})
    """
    found: Counter[str] = Counter()
    for text in texts:
        plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
        found.update(letter for letter in plain.casefold() if letter.isalnum() or letter == UNREAD)
    return found


@dataclass(frozen=True, slots=True)
class PageLetters:
    """Letters of a page as we read it."""

    all: Counter[str]
    taken: Counter[str]
    """Those that were taken out."""


def require_letters(before: Path, after: Path, own: Mapping[int, PageLetters]) -> None:
    """Refuse a file whose pages lost more letters than were taken, to PDFium or to Poppler.

    What only one reader sees in a damaged file, and we do not, does not count.
    """
    for read in (_read_by_pdfium, _read_by_poppler):
        pages = zip(read(before), read(after), strict=False)
        for number, (old, new) in enumerate(pages, 1):
            if number not in own:
                continue
            gone = own[number].taken
            lost = ((old & own[number].all) - new - gone).total() - gone[UNREAD]
            if lost > _FEW + _LOST * old.total():
                raise FailedPages(
                    f"Page {number} would lose {lost:,} of {old.total():,} letters besides what is removed.",
                    hint="Nothing was released. Use --per-page to leave such pages out, with an explanation.",
                    pages=[number],
                    why="Other text on it would have been lost.",
                )


def _read_by_pdfium(path: Path) -> Iterator[Counter[str]]:
    try:
        with rendering(path) as document:
            for number in range(len(document)):
                text = document[number].get_textpage()
                yield letters_of([text.get_text_range()])
                text.close()
    except UnreadableFile:
        return


def _read_by_poppler(path: Path) -> Iterator[Counter[str]]:
    program = shutil.which("pdftotext")
    if program is None:
        return
    try:
        done = subprocess.run(  # noqa: S603
            [program, "-enc", "UTF-8", str(path), "-"], capture_output=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return
    for text in done.stdout.decode("utf-8", "replace").split("\f"):
        yield letters_of([text])
