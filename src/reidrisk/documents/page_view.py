"""A document as people look at it: pages with pictures and boxes, or blocks of text.

A PDF is opened once. Pages are read when somebody asks for them, and only the last few are kept, so that a
report of 500 pages needs little memory. Lengths are points of the page as it is shown, from its upper left
corner: a page that is turned is turned here, too.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple, Protocol

from reidrisk.documents.document import UNPROVED, Change, sha256_of
from reidrisk.documents.formats import read_document
from reidrisk.documents.pdf.besides_pages import besides_apart
from reidrisk.documents.pdf.format import FORMAT as PDF
from reidrisk.documents.pdf.glyphs import Matrix, at
from reidrisk.documents.pdf.page_places import places_of
from reidrisk.documents.pdf.pages import Pages, ReadPage
from reidrisk.documents.pdf.reading import BESIDES, open_unguarded, stumbling, text_of_page, told_by
from reidrisk.documents.pdf.rendering import PDFIUM, opened_by_pdfium, to_pixels
from reidrisk.errors import InvalidSetting

MOST_PAGES = 12
"""Pages whose glyphs are kept, some 2 MB each."""
MOST_LETTERS = 4000
"""Of a text that is shown as one."""
MOST_PIXELS = 30_000_000
SMALLEST, LARGEST = 0.1, 6.0
"""Pixels per point of a picture."""
_PAGE = re.compile(r"page ([1-9]\d{0,6})")
_EDGES = " \t\n\r.,;:!?()[]{}<>\"'\u2018\u2019\u201c\u201d\u00ab\u00bb"


class PageBox(NamedTuple):
    """A part of a page, in points from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A page, or a block of text that has no pages."""

    name: str
    width: float | None = None
    height: float | None = None
    """In points, as the page is shown; None for a block of text."""
    start: int = 0
    end: int | None = None
    """The stretch of a long text that is shown as one; None: to its end."""

    @property
    def is_page(self) -> bool:
        """Whether there is a picture of it."""
        return self.width is not None


class DocumentView(Protocol):
    """What can be shown of a document. All of it can be called from several threads."""

    path: Path
    sha256: str

    @property
    def blocks(self) -> Sequence[ShownBlock]:
        """Its pages in order; for documents without pages the blocks of text."""

    def text(self, block: str) -> str:
        """The text of a block, whose offsets are those of findings."""

    def picture(self, block: str, *, scale: float) -> bytes:
        """A page as PNG with so many pixels per point."""

    def boxes(self, block: str, spans: Sequence[tuple[int, int]]) -> list[tuple[PageBox, ...]]:
        """Where stretches of text are drawn, one box per line; none for text that no glyph draws."""

    def spans_in(self, block: str, box: PageBox) -> list[tuple[int, int]]:
        """The words whose letters are in a box, as offsets of the block's text."""


@contextmanager
def open_view(path: str | Path) -> Iterator[DocumentView]:
    """Open a document to look at it."""
    document = Path(path)
    if Path(document.name.removesuffix(UNPROVED)).suffix.lower() not in PDF.suffixes:
        yield TextView(document)
        return
    view = PdfView(document)
    try:
        yield view
    finally:
        view.close()


def _no_block(path: Path, block: str) -> InvalidSetting:
    return InvalidSetting(
        f"{path.name} has no block {block[:40]!r}.",
        hint="Blocks are named as in the findings, such as page 3.",
    )


class TextView:
    """A document without pages, such as DOCX or plain text."""

    def __init__(self, path: Path) -> None:
        self.path, self.sha256 = path, sha256_of(path)
        self._texts = {block.name: block.text for block in read_document(path)}

    @property
    def blocks(self) -> tuple[ShownBlock, ...]:
        """The blocks of text, long ones in pieces that end with a line."""
        return tuple(
            ShownBlock(name, start=start, end=end)
            for name, text in self._texts.items()
            for start, end in pieces(text)
        )

    def text(self, block: str) -> str:
        """The text of a block."""
        if block not in self._texts:
            raise _no_block(self.path, block)
        return self._texts[block]

    def picture(self, block: str, *, scale: float) -> bytes:  # noqa: ARG002 - as for a PDF
        """There is none."""
        raise InvalidSetting(
            f"{self.path.name} has no pages, so there are no pictures.", hint="Show its text instead."
        )

    def boxes(self, block: str, spans: Sequence[tuple[int, int]]) -> list[tuple[PageBox, ...]]:
        """There are none."""
        self.text(block)
        return [() for _ in spans]

    def spans_in(self, block: str, box: PageBox) -> list[tuple[int, int]]:  # noqa: ARG002 - as for a PDF
        """There are none."""
        self.text(block)
        return []


def pieces(text: str, most: int = MOST_LETTERS) -> Iterator[tuple[int, int]]:
    """Stretches of a text that end with a line, if a line is not longer than `most`.

    >>> list(pieces("ab\\ncd\\nef", most=5)), list(pieces(""))
    ([(0, 3), (3, 8)], [(0, 0)])
    """
    start = 0
    while len(text) - start > most:
        end = text.rfind("\n", start, start + most) + 1 or start + most
        yield start, end
        start = end
    yield start, len(text)


class PdfView:
    """A PDF that is open in the two programs that read and draw it."""

    def __init__(self, path: Path) -> None:
        self.path, self.sha256 = path, sha256_of(path)
        self._stack = ExitStack()
        self._reading = RLock()
        self._pages: Pages | None = None
        self._kept: OrderedDict[int, ReadPage] = OrderedDict()
        self._texts: dict[str, str] = {}
        self._told: dict[int, list[str]] = {}
        with PDFIUM:
            self._drawn: Any = self._stack.enter_context(opened_by_pdfium(path))
            self._sizes = [self._drawn.get_page_size(index) for index in range(len(self._drawn))]

    def close(self) -> None:
        """Let go of the file."""
        with self._reading, PDFIUM:
            for page in self._kept.values():
                page.forget()
            self._kept.clear()
            self._stack.close()

    @property
    def blocks(self) -> tuple[ShownBlock, ...]:
        """The pages."""
        return tuple(
            ShownBlock(f"page {number}", round(width, 2), round(height, 2))
            for number, (width, height) in enumerate(self._sizes, 1)
        )

    def _number(self, block: str) -> int:
        said = _PAGE.fullmatch(block)
        if said is None or int(said[1]) > len(self._sizes):
            raise _no_block(self.path, block)
        return int(said[1])

    def _read(self, number: int) -> ReadPage:
        """A page with its glyphs; the pages that were asked for last are kept."""
        if self._pages is None:
            pdf = self._stack.enter_context(open_unguarded(self.path, is_known=True))
            self._pages = Pages(pdf, self.path)
        page = self._kept.get(number)
        if page is None:
            with stumbling(self.path):
                page = self._pages.read(number)
                self._texts[page.name] = text_of_page(page)
                self._told[number] = told_by(page.content)
            self._kept[number] = page
        self._kept.move_to_end(number)
        while len(self._kept) > MOST_PAGES:
            self._kept.popitem(last=False)[1].forget()
        return page

    def text(self, block: str) -> str:
        """The text of a page, or what is besides the pages, such as bookmarks."""
        if block in self._texts:
            return self._texts[block]
        with self._reading:
            if block == BESIDES:
                return self._besides()
            self._read(self._number(block))
            return self._texts[block]

    def _besides(self) -> str:
        for number in range(1, len(self._sizes) + 1):
            if number not in self._told:
                self._read(number)
        told = [text for number in sorted(self._told) for text in self._told[number]]
        found = besides_apart(self.path, told)
        if not found:
            raise _no_block(self.path, BESIDES)
        self._texts[BESIDES] = found
        return self._texts[BESIDES]

    def picture(self, block: str, *, scale: float) -> bytes:
        """A page as PNG; a picture with too many pixels is made smaller."""
        index = self._number(block) - 1
        width, height = self._sizes[index]
        most = (MOST_PIXELS / max(width * height, 1.0)) ** 0.5
        with PDFIUM:
            drawn = self._drawn[index]
            try:
                picture = drawn.render(scale=min(max(scale, SMALLEST), LARGEST, most)).to_pil()
                picture.load()
            finally:
                drawn.close()
        data = BytesIO()
        picture.save(data, "PNG", compress_level=1)
        return data.getvalue()

    def boxes(self, block: str, spans: Sequence[tuple[int, int]]) -> list[tuple[PageBox, ...]]:
        """Where stretches of text are drawn, one box per line."""
        if block == BESIDES:
            return [() for _ in spans]
        number = self._number(block)
        frame = self._frame(number)
        with self._reading:
            page = self._read(number)
            return [_boxes(page, span, frame) for span in spans]

    def _frame(self, number: int) -> Matrix:
        """From the space of a page to the points in which it is shown."""
        with PDFIUM:
            drawn = self._drawn[number - 1]
            try:
                return to_pixels(drawn, 1.0)
            finally:
                drawn.close()

    def spans_in(self, block: str, box: PageBox) -> list[tuple[int, int]]:
        """The words whose letters are in a box; parts of words become whole words."""
        number = self._number(block)
        frame = self._frame(number)
        with self._reading:
            page = self._read(number)
            inside = [
                bool(glyphs) and _is_in(at(frame, *at(glyphs[0].matrix, glyphs[0].advance / 2, 0.25)), box)
                for glyphs in page.text.glyphs
            ]
            return stretches(self._texts[block], inside)


def _boxes(page: ReadPage, span: tuple[int, int], frame: Matrix) -> tuple[PageBox, ...]:
    start, end = span
    glyphs = [glyph for of_letter in page.text.glyphs[start:end] for glyph in of_letter]
    places = places_of(Change(page.name, start, end), list(dict.fromkeys(glyphs)))
    return tuple(_around([at(frame, *corner) for corner in place.padded()]) for place in places)


def _around(points: Sequence[tuple[float, float]]) -> PageBox:
    across, down = zip(*points, strict=True)
    left, top = min(across), min(down)
    return PageBox(round(left, 2), round(top, 2), round(max(across) - left, 2), round(max(down) - top, 2))


def _is_in(point: tuple[float, float], box: PageBox) -> bool:
    x, y = point[0] - box.left, point[1] - box.top
    return 0 <= x <= box.width and 0 <= y <= box.height


def stretches(text: str, inside: Sequence[bool]) -> list[tuple[int, int]]:
    """Stretches of letters that are marked, as whole words without the punctuation around them.

    >>> text = "Subject 0202, aged 51."
    >>> [text[start:end] for start, end in stretches(text, [at in (9, 10, 20) for at in range(len(text))])]
    ['0202', '51']
    """
    found: list[tuple[int, int]] = []
    for first, last in _runs(text, inside):
        start, end = first, last
        while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
            end += 1
        while start < end and text[start] in _EDGES:
            start += 1
        while start < end and text[end - 1] in _EDGES:
            end -= 1
        if start < end and (not found or start >= found[-1][1]):
            found.append((start, end))
    return found


def _runs(text: str, inside: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Marked letters side by side; white space between two of them joins them."""
    start = last = -1
    for place, marked in enumerate(inside):
        if not marked:
            continue
        if start >= 0 and text[last + 1 : place].strip():
            yield start, last + 1
            start = place
        elif start < 0:
            start = place
        last = place
    if start >= 0:
        yield start, last + 1
