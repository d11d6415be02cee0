"""HTML: what a browser shows is read and changed, what it does not show is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from reidrisk.documents.document import Block, Change, Look
from reidrisk.documents.places import MappedText, apply_changes
from reidrisk.documents.plain.html_clean import FOR_PEOPLE, LINKS, clean_html
from reidrisk.documents.plain.html_places import AttributePlace, TextPlace
from reidrisk.documents.plain.source import decoded, load
from reidrisk.documents.words import words
from reidrisk.documents.written import Check, Written, new_file
from reidrisk.errors import MissingPackage, UnreadableFile

Element = Any
"""An element of lxml, which has no types."""
_INLINE = words(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby s samp "
    "small span strike strong sub sup time tspan tt u var wbr img nobr"
)

_CHARSET = re.compile(
    rb"""(?:<meta[^>]*charset|<\?xml[^>]*encoding)\s*=\s*["']?([A-Za-z0-9_\-]{3,20})""", re.IGNORECASE
)


def read_html(path: str | Path) -> Iterator[Block]:
    """The text that a browser shows, texts in attributes, and addresses of links."""
    root, _ = _opened(path)
    for mapped in _texts(root):
        yield mapped.block


def write_html(
    source: str | Path,
    out: str | Path,
    changes: Iterable[Change],
    *,
    look: Look | None = None,
    check: Check | None = None,
) -> Written:
    """Write a copy in UTF-8 with the changes; `check` sees the file before it gets its name."""
    from lxml import html

    root, pictures = _opened(source)
    texts = _texts(root)
    removed = apply_changes(texts, changes, look or Look())
    _forget(root, removed)
    head = root.find("head")
    if head is None:
        head = root.makeelement("head")
        root.insert(0, head)
    head.insert(0, head.makeelement("meta", charset="utf-8"))
    with new_file(source, out, check) as part:
        part.write_bytes(html.tostring(root, encoding="utf-8", doctype="<!DOCTYPE html>"))
    notes = (f"{pictures} pictures were kept, which nobody searched for text",) if pictures else ()
    return Written(len(texts), len(removed), notes)


def _opened(path: str | Path) -> tuple[Element, int]:
    try:
        from lxml import etree, html
    except ImportError as error:
        raise MissingPackage.of_extra("lxml", "documents") from error
    data = load(path)
    text = decoded(data, path, declared=_charset(data))
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(text.encode(), parser=parser)
    except (etree.ParserError, ValueError):
        raise UnreadableFile(f"{path} holds no HTML.", hint="Check what kind of file it is.") from None
    return root, clean_html(root)


def _charset(data: bytes) -> str | None:
    """The encoding that the document says it has."""
    found = _CHARSET.search(data[:4096])
    return found[1].decode("ascii") if found else None


def _texts(root: Element) -> list[MappedText]:
    shown, told, links = MappedText("text"), MappedText("attributes"), MappedText("links")
    _Shown(shown).element(root)
    for element in root.iter():
        for name, value in element.items():
            mapped = told if name in FOR_PEOPLE else links if name in LINKS else None
            if mapped is not None and not value.startswith(("#", "data:")):
                mapped.add(AttributePlace(element, name), value)
                mapped.gap("\n")
    return [mapped for mapped in (shown, told, links) if mapped.block.text.strip()]


class _Shown:
    """Follows the elements: each that is a block begins a line, cells have tabs between them."""

    def __init__(self, mapped: MappedText) -> None:
        self._mapped = mapped
        self._due = ""
        self._begun = False

    def element(self, element: Element) -> None:
        """The text of an element and of all in it."""
        if element.tag == "style":
            return
        sign = "" if element.tag in _INLINE else "\t" if element.tag in ("td", "th") else "\n"
        self._break(sign)
        self._add(TextPlace(element, "text"), element.text)
        for child in element:
            self.element(child)
            self._add(TextPlace(child, "tail"), child.tail)
        self._break(sign)

    def _break(self, sign: str) -> None:
        self._due = max(self._due, sign, key=("", "\t", "\n").index)

    def _add(self, place: TextPlace, text: str | None) -> None:
        if text and (text.strip() or not self._due):
            self._mapped.gap(self._due if self._begun else "")
            self._due, self._begun = "", True
            self._mapped.add(place, text)


def _forget(root: Element, removed: list[str]) -> None:
    """Classes and styles that name a removed value go; nobody sees them."""
    words = {word.casefold() for value in removed for word in value.split() if len(word) >= 4}
    for element in root.iter():
        for name in ("class", "style"):
            if any(word in element.get(name, "").casefold() for word in words):
                del element.attrib[name]
        if element.tag == "style" and any(word in (element.text or "").casefold() for word in words):
            element.text = ""
