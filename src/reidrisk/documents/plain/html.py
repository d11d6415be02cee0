"""HTML: what a browser shows is read and changed, what it does not show is left out."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from reidrisk.documents.document import Change, Check, DocumentFormat, Look, Written, new_file
from reidrisk.documents.pictures import stripped
from reidrisk.documents.places import Edit, MappedText, apply_changes, spliced
from reidrisk.documents.plain.proof import HTML_CONTENTS, HTML_TEXTS, enclosed_in_html
from reidrisk.documents.plain.text import decoded, load
from reidrisk.documents.words import words
from reidrisk.errors import MissingPackage, UnreadableFile

Element = Any
"""An element of lxml, which has no types."""
_WITHOUT_MARKUP = frozenset(("title", "option", "textarea", "style", "text", "tspan", "desc"))
_UNWRITABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DROPPED = words(
    "script noscript template iframe frame frameset object embed applet meta base link audio video "
    "source track canvas param dialog metadata foreignobject map"
)
FOR_PEOPLE = frozenset(("alt", "title", "aria-label", "placeholder", "value", "label", "summary", "abbr"))
LINKS = frozenset(("href", "src", "cite"))
_KEPT = (
    FOR_PEOPLE
    | LINKS
    | words(
        "class style id for colspan rowspan width height align valign border cellpadding cellspacing type "
        "start scope lang dir bgcolor color size checked selected disabled x y cx cy r d fill stroke "
        "viewbox points transform x1 x2 y1 y2 rx ry stroke-width face"
    )
)
_PICTURE = re.compile(r"data:image/(png|jpeg);base64,(.*)", re.DOTALL)
_TELLING = re.compile(r"/\*.*?\*/|content\s*:[^;}]*|url\([^)]*\)|@import[^;]*;?|@charset[^;]*;?", re.DOTALL)
_AS_IS = frozenset(("pre", "textarea", "style"))
_INLINE = words(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby s samp "
    "small span strike strong sub sup time tspan tt u var wbr img nobr"
)
_CHARSET = re.compile(
    rb"""(?:<meta[^>]*charset|<\?xml[^>]*encoding)\s*=\s*["']?([A-Za-z0-9_\-]{3,20})""", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class HtmlAttributePlace:
    """A text that stands in an attribute."""

    element: Element = field(repr=False)
    name: str

    def edit(self, edits: Sequence[Edit]) -> None:
        """Change it as it stands; a link that lost a part of its address leads nowhere."""
        new = _writable(spliced(self.element.get(self.name), edits))
        self.element.set(self.name, "#" if self.name in ("href", "src") else new)


@dataclass(frozen=True, slots=True)
class HtmlTextPlace:
    """The text at the begin of an element, or the one that follows it."""

    element: Element = field(repr=False)
    where: Literal["text", "tail"]

    def edit(self, edits: Sequence[Edit]) -> None:
        """Change the text; boxes become elements of their own."""
        text = getattr(self.element, self.where)
        holder = self.element if self.where == "text" else self.element.getparent()
        if holder.tag in _WITHOUT_MARKUP or not any(edit.box for edit in edits):
            setattr(self.element, self.where, _writable(spliced(text, edits)))
            return
        place = 0 if self.where == "text" else holder.index(self.element) + 1
        setattr(self.element, self.where, None)
        before, last, boxes = "", 0, []
        for edit in edits:
            before += text[last : edit.start]
            last = edit.end
            if edit.box:
                boxes.append((before, _box(edit)))
                before = ""
            else:
                before += edit.new
        setattr(self.element, self.where, boxes[0][0])
        follows = [*(told for told, _ in boxes[1:]), before + text[last:]]
        for number, ((_, box), follow) in enumerate(zip(boxes, follows, strict=True)):
            box.tail = follow
            holder.insert(place + number, box)


def _box(edit: Edit) -> Element:
    from lxml import etree

    box = etree.Element("span", style=f"background-color:{edit.box};color:{edit.ink}")
    box.text = _writable(edit.new)
    return box


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("", text)


def clean_html(root: Element) -> int:
    """Take out what is not shown, and white space that is not either; gives the number of pictures."""
    for element in list(root.iter()):
        if not isinstance(element.tag, str) or element.tag.lower() in _DROPPED:
            _drop(element)
    names = _names(root)
    pictures = 0
    for element in root.iter():
        if element.tag == "style" and element.text:
            element.text = _TELLING.sub("", element.text)
        for name, value in element.items():
            _attribute(element, name, value, names)
        pictures += element.tag in ("img", "image")
        _spaces(element)
    return pictures


def _drop(element: Element) -> None:
    """Remove an element that is not the root; a text that follows it stays."""
    if element.getparent() is not None:
        element.drop_tree()


def _names(root: Element) -> dict[str, str]:
    """New names for all places to which links can lead."""
    names: dict[str, str] = {}
    for element in root.iter():
        for old in (element.get("id"), element.get("name") if element.tag == "a" else None):
            if old:
                names.setdefault(old, f"place{len(names) + 1}")
    return names


def _attribute(element: Element, name: str, value: str, names: dict[str, str]) -> None:
    if element.tag == "a" and name == "name" and "id" not in element.attrib:
        element.set("id", names[value])
    if name not in _KEPT:
        del element.attrib[name]
    elif name in ("id", "for"):
        _set(element, name, names.get(value))
    elif name == "href" and value.startswith("#"):
        _set(element, name, f"#{names[value[1:]]}" if value[1:] in names else None)
    elif name in LINKS and value.lstrip()[:11].lower().startswith(("data:", "javascript:", "blob:")):
        _set(element, name, _picture(value))
    elif name == "style":
        element.set(name, _TELLING.sub("", value))


def _set(element: Element, name: str, value: str | None) -> None:
    if value is None:
        del element.attrib[name]
    else:
        element.set(name, value)


def _picture(address: str) -> str | None:
    """An embedded picture without what it remembers; None for all other data."""
    found = _PICTURE.fullmatch(address.strip())
    if not found:
        return None
    try:
        data = base64.b64decode(found[2])
    except (binascii.Error, ValueError):
        return None
    return f"data:image/{found[1]};base64,{base64.b64encode(stripped(data)).decode()}"


def _spaces(element: Element) -> None:
    """One space where a browser shows one."""
    inside = any(one.tag in _AS_IS for one in [element, *element.iterancestors()])
    if element.text and not inside:
        element.text = re.sub(r"[ \t\r\n\f]+", " ", element.text)
    if element.tail and not any(one.tag in _AS_IS for one in element.iterancestors()):
        element.tail = re.sub(r"[ \t\r\n\f]+", " ", element.tail)


class OpenHtml:
    """An HTML file that is open: the text that a browser shows, texts in attributes, addresses of links."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._root, self._pictures = _opened(path)
        self._texts = _texts(self._root)
        self.blocks = tuple(mapped.block for mapped in self._texts)

    def write(
        self, out: str | Path, changes: Iterable[Change], *, look: Look | None, check: Check | None
    ) -> Written:
        """Write a copy in UTF-8 with the changes."""
        from lxml import html

        root = self._root
        removed = apply_changes(self._texts, changes, look or Look())
        _forget(root, removed)
        head = root.find("head")
        if head is None:
            head = root.makeelement("head")
            root.insert(0, head)
        head.insert(0, head.makeelement("meta", charset="utf-8"))
        with new_file(self.path, out, check) as part:
            part.write_bytes(html.tostring(root, encoding="utf-8", doctype="<!DOCTYPE html>"))
        kept = self._pictures
        notes = (f"{kept} pictures were kept, which nobody searched for text",) if kept else ()
        return Written(len(self._texts), len(removed), notes)


def _opened(path: Path) -> tuple[Element, int]:
    try:
        from lxml import etree, html
    except ImportError:
        raise MissingPackage.of_extra("lxml", "documents") from None
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
                mapped.add(HtmlAttributePlace(element, name), value)
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
        self._add(HtmlTextPlace(element, "text"), element.text)
        for child in element:
            self.element(child)
            self._add(HtmlTextPlace(child, "tail"), child.tail)
        self._break(sign)

    def _break(self, sign: str) -> None:
        self._due = max(self._due, sign, key=("", "\t", "\n").index)

    def _add(self, place: HtmlTextPlace, text: str | None) -> None:
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


FORMAT = DocumentFormat(
    suffixes=(".html", ".htm"),
    opened=lambda path: nullcontext(OpenHtml(path)),
    texts=HTML_TEXTS,
    contents=HTML_CONTENTS,
    enclosed=enclosed_in_html,
)
read_html, write_html = FORMAT.read, FORMAT.write
