"""Texts that a document keeps besides its pages: bookmarks, and texts that stand for pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from reidrisk.documents.pdf.clean.outlines import bookmarks
from reidrisk.documents.pdf.clean.structure import elements
from reidrisk.documents.pdf.glyph import Content

if TYPE_CHECKING:
    from pikepdf import Pdf

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
