"""Pages of a PDF with their text: interpreted once, and kept until they are written."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import hypot
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from reidrisk.core.collector import pause_collector
from reidrisk.documents.page_progress import page_done
from reidrisk.documents.pdf.contents import instructions
from reidrisk.documents.pdf.fonts import Fonts, number, readable
from reidrisk.documents.pdf.glyphs import IDENTITY, Content, Glyph, Mark, Matrix, TextShow, at
from reidrisk.documents.pdf.interpret import Interpreter, Layers
from reidrisk.documents.pdf.layout import PageText, page_text
from reidrisk.documents.pdf.rendering import beside, covers, letters_by_pdfium, recognised

if TYPE_CHECKING:
    from pikepdf import Page as PdfPage
    from pikepdf import Pdf

Concern = Literal["", "scanned", "recognised", "unreadable"]
"""A scan without text; a scan whose text was recognised; glyphs of which nobody knows what they say."""
_INVISIBLE = 3
_FEW = 50
"""A scan may carry a stamp: so many visible letters do not make it a page of text."""
_COVERED = 0.6
_ROW = 3
"""So many unreadable glyphs side by side could be a value."""
_SEEN = 0.8
"""Share of the unreadable glyphs that must be recognised on the picture of a page."""
_NEAR = 0.75
"""Points between the origins of a glyph in two readers."""


def concern_of(page: Any, content: Content) -> Concern:
    """What is wrong with the text of a page, if anything."""
    readable = [glyph for glyph in content.glyphs if glyph.text is not None and glyph.text.strip()]
    visible = sum(glyph.show.mode % 4 != _INVISIBLE for glyph in readable)
    if content.is_broken:
        return "unreadable"
    covered = _covered(page, content)
    if visible < _FEW and (covered > _COVERED or (not visible and covered > _COVERED / 2)):
        return "recognised" if len(readable) > visible else "scanned"
    return "unreadable" if _unreadable(content) else ""


def _unreadable(content: Content) -> bool:
    """Whether so many glyphs side by side say nothing that they could be a value."""
    row: list[Glyph] = []
    for glyph in content.glyphs:
        if glyph.text is not None or (glyph.span >= 0 and content.spans[glyph.span]):
            row = []
            continue
        row = [*row, glyph] if row and _is_beside(row[-1], glyph) else [glyph]
        if len(row) >= _ROW:
            return True
    return False


def _is_beside(before: Glyph, after: Glyph) -> bool:
    x, y = at(before.matrix, before.advance, 0.0)
    height = max(hypot(*before.matrix[2:4]), hypot(*after.matrix[2:4]))
    return hypot(after.matrix[4] - x, after.matrix[5] - y) < height


def _covered(page: Any, content: Content) -> float:
    """The share of the page that its largest image covers."""
    left, bottom, right, top = (number(part) for part in page.cropbox)
    whole = abs((right - left) * (top - bottom)) or 1.0
    shares = [0.0]
    for picture in content.pictures:
        corners = [at(picture.matrix, x, y) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]
        across, upward = [x for x, _ in corners], [y for _, y in corners]
        wide = min(max(across), max(left, right)) - max(min(across), min(left, right))
        tall = min(max(upward), max(bottom, top)) - max(min(upward), min(bottom, top))
        shares.append(max(0.0, wide) * max(0.0, tall) / whole)
    return max(shares)


@dataclass(slots=True)
class ReadPage:
    """A page, what it draws, and its text."""

    number: int
    """From 1."""
    page: PdfPage
    content: Content
    text: PageText
    concern: Concern = ""

    @property
    def size(self) -> int:
        """How many glyphs it has."""
        return sum(len(show.glyphs) for show in self.content.shows)

    def forget(self) -> None:
        """Let go of the glyphs, which hold each other."""
        for show in self.content.shows:
            show.glyphs.clear()
        self.content.shows.clear()

    @property
    def resources(self) -> Any:
        """The resources of the page, its own or those it inherits."""
        return _resources(self.page)

    @property
    def name(self) -> str:
        """The name of its block."""
        return f"page {self.number}"


MOST_KEPT = 1_500_000
"""Glyphs of kept pages, some 250 MB. Pages beyond that are interpreted again to be written."""


class PackedPage:
    """A page that waits until it is written: its glyphs as bare numbers, which need a third of the room.

    Its instructions, which need most of it, are parsed again when their turn comes.
    """

    def __init__(self, page: ReadPage) -> None:
        self._content, self._page = page.content, page.page
        self._concern, self._number = page.concern, page.number
        shows, glyphs = page.content.shows, page.content.glyphs
        self._named = [
            [getattr(show, name) for show in shows] for name in ("drawn", "font", "mode", "inside", "setting")
        ]
        self._indices = array("q", (show.index for show in shows))
        self._counts = array("q", (len(show.glyphs) for show in shows))
        self._measured = array("d", (value for show in shows for value in _measures(show)))
        self._texts = [glyph.text for glyph in glyphs]
        self._codes = [
            array(kind, map(attrgetter(name), glyphs))
            for kind, name in (("i", "item"), ("i", "start"), ("i", "end"), ("q", "number"), ("i", "span"))
        ]
        self._steps = [array("d", map(attrgetter(name), glyphs)) for name in ("advance", "step")]
        self._places = [array("d", [glyph.matrix[axis] for glyph in glyphs]) for axis in (4, 5)]
        numbers = {glyph: place for place, glyph in enumerate(glyphs)}
        self._letters = page.text.text
        self._drawn_by = array("q", (numbers[own[0]] if own else -1 for own in page.text.glyphs))
        """The first glyph of each letter; -1: none draws it."""
        self._others = {
            place: tuple(numbers[glyph] for glyph in own)
            for place, own in enumerate(page.text.glyphs)
            if len(own) > 1
        }
        """All glyphs of those letters that several draw."""
        self._inline = [mark for mark in page.content.marks if _is_inline(mark)]
        """Marks whose properties are found again among the instructions."""
        for mark in self._inline:
            mark.properties = None
        for drawn in page.content.drawn:
            drawn.instructions.clear()

    def unpacked(self) -> ReadPage:
        """The page as it was read."""
        glyphs = self._glyphs()
        drawn_by: list[tuple[Glyph, ...]] = [
            () if first < 0 else (glyphs[first],) for first in self._drawn_by
        ]
        for place, own in self._others.items():
            drawn_by[place] = tuple(glyphs[one] for one in own)
        for drawn in self._content.drawn:
            drawn.instructions.extend(instructions(drawn.source) or [])
        for mark in self._inline:
            mark.properties = mark.drawn.instructions[mark.index].operands[1]
        return ReadPage(
            self._number, self._page, self._content, PageText(list(self._letters), drawn_by), self._concern
        )

    def _glyphs(self) -> list[Glyph]:
        """All glyphs, with the operators that show them."""
        found: list[Glyph] = []
        rows = zip(*self._codes, self._texts, *self._places, *self._steps, strict=True)
        for show, (a, b, c, d), count in self._shows():
            show.glyphs += [
                Glyph(show, item, start, end, number, text, (a, b, c, d, x, y), advance, step, span)
                for item, start, end, number, span, text, x, y, advance, step in islice(rows, count)
            ]
            self._content.shows.append(show)
            found += show.glyphs
        return found

    def _shows(self) -> Iterator[tuple[TextShow, Sequence[float], int]]:
        """Operators that show text, how their glyphs are turned, and how many they are."""
        shows = zip(self._indices, self._counts, *self._named, strict=True)
        for place, (index, count, drawn, font, mode, inside, setting) in enumerate(shows):
            own = self._measured[place * _MEASURES : (place + 1) * _MEASURES].tolist()
            ctm, line = cast(Matrix, tuple(own[:6])), cast(Matrix, tuple(own[6:12]))
            size, spacing, word_spacing, stretch, rise, start = own[16:]
            show = TextShow(
                drawn, index, ctm, line, font, size, spacing, word_spacing, stretch, rise, mode, inside,
                setting, start,
            )  # fmt: skip
            yield show, own[12:16], count


def _is_inline(mark: Mark) -> bool:
    """Whether the properties of a mark stand in its instruction, not among the resources of the page."""
    import pikepdf

    if mark.properties is None:
        return False
    return isinstance(mark.drawn.instructions[mark.index].operands[1], pikepdf.Dictionary)


_MEASURES = 22


def _measures(show: TextShow) -> tuple[float, ...]:
    """All lengths of an operator that shows text, and how its glyphs are turned, which is alike for all."""
    turn = (show.glyphs[0].matrix if show.glyphs else IDENTITY)[:4]
    state = (show.size, show.spacing, show.word_spacing, show.stretch, show.rise, show.start)
    return (*show.ctm, *show.line, *turn, *state)


@dataclass(slots=True)
class Pages:
    """The pages of an open document."""

    pdf: Pdf
    path: Path
    """The file, for pages that must be looked at."""
    fonts: Fonts = field(default_factory=Fonts)
    room: int = MOST_KEPT
    """How many more glyphs of pages may be kept."""
    _kept: dict[int, PackedPage] = field(default_factory=dict)

    def __iter__(self) -> Iterator[ReadPage]:
        """Page after page; those that were kept are handed on, and each is forgotten after its turn."""
        layers = Layers(self.pdf.Root)
        for place in range(1, len(self.pdf.pages) + 1):
            kept = self._kept.pop(place, None)
            page = self.read(place, layers) if kept is None else kept.unpacked()
            page_done(place)
            yield page
            page.forget()

    def kept(self) -> Iterator[ReadPage]:
        """Page after page; they are kept for the next time, as long as there is room for them."""
        for page in self:
            yield page
            self.room -= page.size
            if self.room > 0:
                self._kept[page.number] = PackedPage(page)

    def _read_otherwise(self, number: int, page: PdfPage, content: Content) -> Concern:
        """What glyphs say of which the fonts tell nothing: PDFium may know, or Tesseract sees it."""
        unread = [glyph for glyph in content.glyphs if glyph.text is None]
        _fill_in(unread, letters_by_pdfium(self.path, number))
        if not _unreadable(content):
            return concern_of(page, content)
        unread = [glyph for glyph in unread if glyph.text is None]
        words = _over(recognised(self.path, number), unread)
        seen = {glyph for glyph in unread if any(covers(show.glyphs[0], glyph) for show in words)}
        if len(seen) < _SEEN * len(unread):
            return "unreadable"
        content.shows += words
        for glyph in unread:
            glyph.text = ""
        return "recognised"

    def read(self, number: int, layers: Layers | None = None) -> ReadPage:
        """Read one page."""
        with pause_collector():
            return self._read(number, layers)

    def _read(self, number: int, layers: Layers | None) -> ReadPage:
        page = self.pdf.pages[number - 1]
        content = Interpreter(self.fonts, layers or Layers(self.pdf.Root)).run(page, _resources(page))
        concern = concern_of(page, content)
        if concern == "unreadable":
            concern = self._read_otherwise(number, page, content)
        if concern == "scanned" and (words := recognised(self.path, number)):
            content.shows += beside(words, content.glyphs)
            concern = "recognised"
        shown = [
            glyph
            for show in content.shows
            if (show.drawn.path, show.index) not in content.concealed
            for glyph in show.glyphs
        ]
        return ReadPage(number, page, content, page_text(shown, content.spans), concern)


def _fill_in(glyphs: list[Glyph], letters: list[tuple[float, float, str]]) -> None:
    """Let glyphs say what another reader finds at their origins."""
    places: dict[tuple[int, int], list[tuple[float, float, str]]] = defaultdict(list)
    for letter in letters:
        places[(round(letter[0]), round(letter[1]))].append(letter)
    for glyph in glyphs:
        x, y = glyph.matrix[4:]
        near = [
            (hypot(one[0] - x, one[1] - y), one[2])
            for across in (-1, 0, 1)
            for upward in (-1, 0, 1)
            for one in places.get((round(x) + across, round(y) + upward), ())
        ]
        distance, text = min(near, default=(_NEAR, ""))
        if distance < _NEAR:
            glyph.text = readable(text)


def _over(words: list[TextShow], glyphs: list[Glyph]) -> list[TextShow]:
    """Words that were recognised where glyphs stand."""
    return [show for show in words if any(covers(show.glyphs[0], glyph) for glyph in glyphs)]


def _resources(page: PdfPage) -> Any:
    """The resources of a page, its own or those it inherits."""
    try:
        return page.resources
    except (AttributeError, KeyError):
        return None
