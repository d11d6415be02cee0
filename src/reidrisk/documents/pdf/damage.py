"""What a written PDF lost besides what was to go: pages compared as two programs draw and read them."""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from reidrisk.documents.pdf.glyphs import Matrix, at
from reidrisk.documents.pdf.layout import UNREAD
from reidrisk.documents.pdf.note_places import Bounds, bounds_of
from reidrisk.documents.pdf.rendering import PATIENCE, rendering, to_pixels
from reidrisk.errors import FailedPages, UnreadableFile

Gray = NDArray[np.uint8]
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
    before: Path,
    after: Path,
    boxes: Mapping[int, Iterable[Bounds]],
    *,
    besides: Collection[int] = (),
    only: Collection[int] | None = None,
) -> dict[int, float]:
    """Numbers from 1 of the pages that look different outside their boxes, to PDFium or to Poppler.

    With the larger of the two shares of their pixels that do.
    """
    differ: dict[int, float] = {}

    def note(number: int, share: float) -> None:
        if share:
            differ[number] = max(share, differ.get(number, 0.0))

    notes = Notes(before)
    # Poppler draws pages while PDFium draws the same ones.
    with suppress(UnreadableFile), rendering(before) as old, rendering(after) as new, Poppler() as poppler:
        for numbers in _ranges(min(len(old), len(new)), only):
            poppler.start(before, after, numbers)
            frames: dict[int, Frame] = {}
            for number in (number for number in numbers if number not in besides):
                drawn = _both_by_pdfium(old, new, number)
                if drawn is None:
                    continue
                own = [*boxes.get(number, []), *notes.undrawn(number)]
                frames[number] = drawn[0], own
                note(number, _differing(*drawn[1:], drawn[0], own + notes.fields(number)))
            for number, one, other in poppler.drawn(numbers):
                if number in frames:
                    note(number, _differing(one, other, *frames[number]))
    return dict(sorted(differ.items()))


def _ranges(pages: int, only: Collection[int] | None) -> Iterator[range]:
    """Pages that are drawn at a time."""
    if only is not None:
        yield from (range(number, number + 1) for number in sorted(only) if number <= pages)
        return
    for first in range(1, pages + 1, _PAGES_AT_ONCE):
        yield range(first, min(first + _PAGES_AT_ONCE, pages + 1))


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
        """Notes and fields without a drawing, such as a sticky note: readers draw them in their own way."""
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
        if note.get("/Subtype") == "/Widget":
            yield "/AP" in note, bounds
        elif "/AP" not in note and note.get("/Subtype") != "/Link":
            left, bottom, right, top = bounds
            yield False, (left - _SIGN, bottom - _SIGN, right + _SIGN, top + _SIGN)


def _differing(first: Gray, second: Gray, frame: Matrix, boxes: list[Bounds]) -> float:
    """The share of pixels that differ; 0 where they are so few that nobody minds."""
    if first.shape != second.shape:
        return 1.0
    most = max(_PIXELS, _SHARE * first.size)
    far = np.maximum(first, second) - np.minimum(first, second) > _DARKER
    if np.count_nonzero(far) <= most:
        return 0.0
    for left, bottom, right, top in boxes:
        (x, y), (u, v) = at(frame, left, bottom), at(frame, right, top)
        around = max(3, int(_OVERHANG * min(abs(y - v), abs(x - u))))
        rows = slice(max(0, int(min(y, v)) - around), max(0, int(max(y, v)) + around + 1))
        columns = slice(max(0, int(min(x, u)) - around), max(0, int(max(x, u)) + around + 1))
        far[rows, columns] = False
    places = np.nonzero(far)
    if len(places[0]) <= most:
        return 0.0
    unlike = np.count_nonzero(_unlike(first, second, places) | _unlike(second, first, places))
    return float(unlike / first.size) if unlike > most else 0.0


def _unlike(first: Gray, second: Gray, places: tuple[NDArray[np.intp], ...]) -> NDArray[np.bool_]:
    """Pixels that are like none around the same place: letters may move by a fraction of a pixel."""
    (rows, columns), (down, across) = places, second.shape
    around = [
        second[np.clip(rows + y, 0, down - 1), np.clip(columns + x, 0, across - 1)].astype(np.int16)
        for y in (-1, 0, 1)
        for x in (-1, 0, 1)
    ]
    own = first[places].astype(np.int16)
    darkest, lightest = np.minimum.reduce(around), np.maximum.reduce(around)
    unlike: NDArray[np.bool_] = (own < darkest - _DARKER) | (own > lightest + _DARKER)
    return unlike


def _both_by_pdfium(old: Any, new: Any, number: int) -> tuple[Matrix, Gray, Gray] | None:
    """From a page to its pixels, and how PDFium draws it before and after; None where it is damaged."""
    import pypdfium2

    try:
        before, after = old[number - 1], new[number - 1]
    except pypdfium2.PdfiumError:
        return None
    first, second = _gray(before), _gray(after)
    if first is None or second is None:
        return None
    frame = to_pixels(before, _COMPARED_SCALE)
    before.close()
    after.close()
    return frame, first, second


def _gray(page: Any) -> Gray | None:
    """A page in shades of gray; None where it has no extent."""
    try:
        picture = page.render(scale=_COMPARED_SCALE, grayscale=True).to_numpy()
    except ValueError:
        return None
    return np.array(picture, dtype=np.uint8).reshape(picture.shape[0], -1)


class Poppler:
    """Draws pages of two files, both at a time; none where it is not installed or fails."""

    def __init__(self) -> None:
        self._program = shutil.which("pdftoppm")
        self._listeners = ThreadPoolExecutor(2)
        self._running: list[Future[list[Gray]]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listeners.shutdown()

    def start(self, before: Path, after: Path, numbers: range) -> None:
        """Begin with pages."""
        if self._program is None:
            return
        command = [self._program, "-r", "72", "-gray", "-cropbox"]
        command += ["-f", str(numbers[0]), "-l", str(numbers[-1])]
        self._running = [self._listeners.submit(_drawn, [*command, str(path)]) for path in (before, after)]

    def drawn(self, numbers: range) -> Iterator[tuple[int, Gray, Gray]]:
        """The pages that were begun with, before and after."""
        if self._program is None:
            return
        old, new = (one.result() for one in self._running)
        if len(old) == len(new) == len(numbers):
            yield from zip(numbers, old, new, strict=True)


def _drawn(command: list[str]) -> list[Gray]:
    """The pictures that a program writes one after the other."""
    try:
        data = subprocess.run(  # noqa: S603
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, timeout=PATIENCE
        ).stdout
    except subprocess.TimeoutExpired:
        return []
    found: list[Gray] = []
    start = 0
    while (head := _PICTURE.match(data, start)) is not None:
        wide, tall = int(head[1]), int(head[2])
        pixels = np.frombuffer(data, np.uint8, wide * tall, head.end())
        found.append(pixels.reshape(tall, wide))
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
        found.update(plain.casefold())
    return Counter({letter: n for letter, n in found.items() if letter.isalnum() or letter == UNREAD})


@dataclass(frozen=True, slots=True)
class PageLetters:
    """Letters of a page as we read it."""

    all: Counter[str]
    taken: Counter[str]
    """Those that were taken out."""


def require_letters(before: Path, after: Path, own: Mapping[int, PageLetters]) -> None:
    """Refuse a file whose pages lost more letters than were taken."""
    for number, lost, total in lost_letters(before, after, own):
        raise FailedPages(
            f"Page {number} would lose {lost:,} of {total:,} letters besides what is removed.",
            hint="Nothing was released. Use --per-page to leave such pages out, with an explanation.",
            pages=[number],
            why="Other text on it would have been lost.",
        )


def lost_letters(before: Path, after: Path, own: Mapping[int, PageLetters]) -> Iterator[tuple[int, int, int]]:
    """Pages that lost more letters than were taken, to PDFium or to Poppler: how many, and of how many.

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
                yield number, lost, old.total()


def _read_by_pdfium(path: Path) -> Iterator[Counter[str]]:
    try:
        with rendering(path) as document:
            for number in range(len(document)):
                page = document[number]
                text = page.get_textpage()
                yield letters_of([text.get_text_range()])
                text.close()
                page.close()
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
