"""Open a PDF, or say why that cannot be done, and read its pages as blocks of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reidrisk.documents.document import Block
from reidrisk.documents.pdf.fonts import Fonts, number
from reidrisk.documents.pdf.glyphs import Content, at
from reidrisk.documents.pdf.interpret import Interpreter, Layers
from reidrisk.documents.pdf.layout import PageText, page_text
from reidrisk.documents.pdf.rendering import beside, recognised
from reidrisk.documents.pdf.structure import bookmarks, elements
from reidrisk.errors import MissingPackage, ReidRiskError, UnreadableFile

if TYPE_CHECKING:
    from pikepdf import Page as PdfPage
    from pikepdf import Pdf

_HEAD = 1024
_STUMBLES = (TypeError, AttributeError, ValueError, LookupError, ArithmeticError, RecursionError)
_ANOTHER = {
    b"PK\x03\x04": "a zip file, as DOCX is",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"{\\rtf": "RTF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}


@contextmanager
def opened(path: str | Path) -> Iterator[Pdf]:
    """The document, with form fields and drawn notes laid into the pages as they are seen."""
    try:
        import pikepdf
    except ImportError as error:
        raise MissingPackage.of_extra("pikepdf", "documents") from error
    _check(Path(path))
    try:
        pdf = pikepdf.open(path)
    except pikepdf.PasswordError as error:
        raise UnreadableFile(
            f"{path} is encrypted and needs a password.",
            hint="Save a copy without a password, for instance with qpdf --decrypt, and give that.",
        ) from error
    except (pikepdf.PdfError, RuntimeError, OSError) as error:
        raise _damaged(path) from error
    with pdf, _said(path):
        if not len(pdf.pages):
            raise _damaged(path)
        _flatten(pdf)
        yield pdf


@contextmanager
def _said(path: str | Path) -> Iterator[None]:
    """A file may hold anything anywhere: what stumbles over it says that the file is damaged."""
    import pikepdf

    try:
        yield
    except ReidRiskError:
        raise
    except _STUMBLES as error:
        raise _damaged(path) from error
    except pikepdf.PdfError as error:
        raise _damaged(path) from error


def _check(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{path} cannot be read: {reason}.", hint="Check the path.") from error
    if not head:
        raise UnreadableFile(f"{path} is empty: 0 bytes.", hint="Export or copy the document again.")
    if b"%PDF-" not in head:
        kind = next((name for start, name in _ANOTHER.items() if head.startswith(start)), "something else")
        raise UnreadableFile(
            f"{path} is no PDF but {kind}.", hint="Give it the extension of what it is, or export it as PDF."
        )


def _damaged(path: str | Path) -> UnreadableFile:
    return UnreadableFile(
        f"{path} is damaged: its pages cannot be found.",
        hint="Export the document again, or repair it with qpdf.",
    )


def _flatten(pdf: Pdf) -> None:
    """Filled fields and drawn notes are seen on the page: they become text of the page."""
    if not any("/Annots" in page for page in pdf.pages):
        return
    if "/AcroForm" in pdf.Root:
        pdf.generate_appearance_streams()
    pdf.flatten_annotations("all")


Concern = Literal["", "scanned", "recognised", "unreadable"]
"""A scan without text; a scan whose text was recognised; glyphs of which nobody knows what they say."""
_INVISIBLE = 3
_FEW = 50
"""A scan may carry a stamp: so many visible letters do not make it a page of text."""
_COVERED = 0.6
_ROW = 3
"""So many unreadable glyphs side by side could be a value."""


def concern_of(page: Any, content: Content) -> Concern:
    """What is wrong with the text of a page, if anything."""
    readable = [glyph for glyph in content.glyphs if glyph.text is not None and glyph.text.strip()]
    visible = sum(glyph.show.mode % 4 != _INVISIBLE for glyph in readable)
    covered = _covered(page, content)
    if visible < _FEW and (covered > _COVERED or (not visible and covered > _COVERED / 2)):
        return "recognised" if len(readable) > visible else "scanned"
    return "unreadable" if _unreadable(content) else ""


def _unreadable(content: Content) -> bool:
    row = 0
    for glyph in content.glyphs:
        told = glyph.text is not None or (glyph.span >= 0 and content.spans[glyph.span])
        row = 0 if told else row + 1
        if row >= _ROW:
            return True
    return False


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


@dataclass(slots=True)
class Pages:
    """The pages of an open document."""

    pdf: Pdf
    path: Path
    """The file, for pages that must be looked at."""
    fonts: Fonts = field(default_factory=Fonts)

    def __iter__(self) -> Iterator[ReadPage]:
        """Page after page; what is not kept by the caller is forgotten."""
        layers = Layers(self.pdf.Root)
        for place in range(1, len(self.pdf.pages) + 1):
            page = self.read(place, layers)
            yield page
            page.forget()

    def read(self, number: int, layers: Layers | None = None) -> ReadPage:
        """Read one page."""
        page = self.pdf.pages[number - 1]
        content = Interpreter(self.fonts, layers or Layers(self.pdf.Root)).run(page, _resources(page))
        concern = concern_of(page, content)
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


def _resources(page: PdfPage) -> Any:
    """The resources of a page, its own or those it inherits."""
    try:
        return page.resources
    except (AttributeError, KeyError):
        return None


BESIDES = "besides the pages"
"""The name of the block that holds them."""
_TEXTS = ("/ActualText", "/Alt", "/E")


def besides(pdf: Pdf, told: Iterable[str]) -> str:
    """All of them, each once and on a line of its own; `told` are those that the pages hold themselves."""
    titles = [str(item.get("/Title", "")) for item in bookmarks(pdf)]
    standing = [str(element[name]) for element in elements(pdf) for name in _TEXTS if name in element]
    lines = (" ".join(text.split()) for text in (*titles, *standing, *told))
    return "\n".join(dict.fromkeys(line for line in lines if len(line) > 1))


def told_by(content: Content) -> list[str]:
    """Texts of a page that stand for stretches of it and say something else than their glyphs."""
    found = []
    for mark in content.marks:
        texts = [] if mark.properties is None else [str(mark.properties.get(name, "")) for name in _TEXTS]
        if not any(texts):
            continue
        shows = content.shows[mark.first : mark.last]
        drawn = [glyph.text for show in shows for glyph in show.glyphs]
        if None in drawn:
            continue  # then the page is read by this text
        said = _letters("".join(text for text in drawn if text))
        found += [text for text in texts if _letters(text) and _letters(text) != said]
    return found


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


@dataclass(frozen=True, slots=True)
class PageBlock(Block):
    """The text of a page, and whether it can be trusted to be all that the page says."""

    concern: Concern = ""


def read_pdf(path: str | Path) -> Iterator[PageBlock]:
    """The pages of a PDF as blocks `page 1`, `page 2` and so on, one at a time.

    A last block `besides the pages` holds bookmarks and alternate texts, if there are any that say something
    else than the pages; a change in it takes the value out wherever it is besides the pages.
    """
    with opened(path) as pdf:
        told: list[str] = []
        for page in Pages(pdf, Path(path)):
            yield PageBlock(page.name, page.text.text, page.concern)
            told += told_by(page.content)
        if text := besides(pdf, told):
            yield PageBlock(BESIDES, text)
