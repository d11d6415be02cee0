"""Open a PDF, or say why that cannot be done, and read its pages as blocks of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.input_limits import OBJECTS, PAGES
from reidrisk.documents.document import Block
from reidrisk.documents.pdf.fields import draw_fields
from reidrisk.documents.pdf.glyphs import Content
from reidrisk.documents.pdf.layout import UNREAD
from reidrisk.documents.pdf.notes import draw_notes
from reidrisk.documents.pdf.pages import Concern, Pages, ReadPage
from reidrisk.documents.pdf.rendering import drawn_by_poppler, saved_by_pdfium
from reidrisk.documents.pdf.structure import bookmarks, elements
from reidrisk.errors import MissingPackage, ReidRiskError, UnreadableFile

if TYPE_CHECKING:
    from pikepdf import Pdf

_HEAD = 1024
_SIGNS = (b"%PDF-", b" obj", b"startxref", b"%%EOF")
"""A file whose first and last bytes hold none of them is no document, however long a repair would look."""
_STUMBLES = (TypeError, AttributeError, ValueError, LookupError, ArithmeticError, RecursionError)
_ANOTHER = {
    b"PK\x03\x04": "a zip file, as DOCX is",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"{\\rtf": "RTF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}
BESIDES = "besides the pages"
"""The name of the block with bookmarks and texts that stand for pictures."""
_TEXTS = ("/ActualText", "/Alt", "/E")
_HALVES = re.compile("[\ud800-\udfff]")
"""Halves of characters, which no text may hold."""


@contextmanager
def opened(path: str | Path) -> Iterator[Pdf]:
    """The document, with form fields and drawn notes laid into the pages as they are seen."""
    with open_unguarded(path) as pdf, stumbling(path):
        yield pdf


def open_unguarded(path: str | Path, *, is_known: bool = False) -> Pdf:
    """The same for those who close it, and say themselves where they may stumble over it.

    Objects of a document that `is_known`, because it was read before, are not counted, which takes long.
    """
    try:
        import pikepdf
    except ImportError:
        raise MissingPackage.of_extra("pikepdf", "documents") from None
    _check(Path(path))
    try:
        pdf = _with_pages(path)
    except pikepdf.PasswordError:
        raise UnreadableFile(
            f"{path} is encrypted and needs a password.",
            hint="Save a copy without a password, for instance with qpdf --decrypt, and give that.",
        ) from None
    except (pikepdf.PdfError, RuntimeError, OSError):
        pdf = _repaired(Path(path))
    PAGES.check(len(pdf.pages), str(path))
    if not is_known:
        OBJECTS.check(len(pdf.objects), str(path))
    with stumbling(path):
        _flatten(pdf)
    return pdf


def _with_pages(source: Any) -> Pdf:
    """Open a document and look whether there is a page in it."""
    import pikepdf

    pdf = pikepdf.open(source)
    if not len(pdf.pages):
        pdf.close()
        raise pikepdf.PdfError("no pages")
    return pdf


def _repaired(path: Path) -> Pdf:
    """A damaged document as PDFium understands it, and else as Poppler draws it."""
    import pikepdf

    for again in (saved_by_pdfium, drawn_by_poppler):
        data = again(path)
        if data is None:
            continue
        try:
            return _with_pages(BytesIO(data))
        except (pikepdf.PdfError, RuntimeError):
            continue
    raise _unknown(path) from None


@contextmanager
def stumbling(path: str | Path) -> Iterator[None]:
    """A file may hold anything anywhere: what stumbles over it says that the file is damaged."""
    import pikepdf

    try:
        yield
    except ReidRiskError:
        raise
    except _STUMBLES:
        raise _damaged(path) from None
    except pikepdf.PdfError:
        raise _damaged(path) from None


def _check(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            file.seek(max(0, file.seek(0, SEEK_END) - _HEAD))
            ends = head, file.read(_HEAD)
    except OSError as error:
        reason = error.strerror or "the operating system refused"
        raise UnreadableFile(f"{path} cannot be read: {reason}.", hint="Check the path.") from None
    if not head:
        raise UnreadableFile(f"{path} is empty: 0 bytes.", hint="Export or copy the document again.")
    kind = next((name for start, name in _ANOTHER.items() if head.startswith(start)), None)
    if kind is not None:
        raise _another(path, kind)
    if not any(sign in end for sign in _SIGNS for end in ends):
        raise _another(path, "something else")


def _another(path: Path, kind: str) -> UnreadableFile:
    return UnreadableFile(
        f"{path} is not a PDF file but {kind}.",
        hint="Rename it with the right extension, or export it as PDF.",
    )


def _unknown(path: Path) -> UnreadableFile:
    """What to say of a file in which nobody finds a page."""
    with path.open("rb") as file:
        return _damaged(path) if b"%PDF-" in file.read(_HEAD) else _another(path, "something else")


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
        draw_fields(pdf)
        pdf.generate_appearance_streams()
    draw_notes(pdf)
    pdf.flatten_annotations("all")


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
        if mark.properties is None or mark.properties.keys().isdisjoint(_TEXTS):
            continue
        texts = [str(mark.properties.get(name, "")) for name in _TEXTS]
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
        yield from blocks_of(pdf, Pages(pdf, Path(path)))


def text_of_page(page: ReadPage) -> str:
    """The text of a page as its block has it."""
    return _HALVES.sub(UNREAD, page.text.text)


def blocks_of(pdf: Pdf, pages: Iterable[ReadPage]) -> Iterator[PageBlock]:
    """The same of a document that is open."""
    told: list[str] = []
    for page in pages:
        yield PageBlock(page.name, text_of_page(page), page.concern)
        told += told_by(page.content)
    if text := besides(pdf, told):
        yield PageBlock(BESIDES, _HALVES.sub(UNREAD, text))
