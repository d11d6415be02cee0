"""The names that elements, attributes, relationships and parts of Word documents have."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from operator import methodcaller
from typing import Any, Final

Element = Any
"""An element of lxml, which has no types."""

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
V = "{urn:schemas-microsoft-com:vml}"
O = "{urn:schemas-microsoft-com:office:office}"  # noqa: E741 - its usual prefix
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
RELATIONSHIPS = "{http://schemas.openxmlformats.org/package/2006/relationships}"
TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"

STRICT: Final = {
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": W,
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": R,
    b"http://purl.oclc.org/ooxml/officeDocument/math": M,
    b"http://purl.oclc.org/ooxml/drawingml/main": A,
    b"http://purl.oclc.org/ooxml/drawingml/chart": C,
    b"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": WP,
    b"http://purl.oclc.org/ooxml/drawingml/diagram": "{http://schemas.openxmlformats.org/drawingml/2006/diagram}",
    b"http://purl.oclc.org/ooxml/drawingml/picture": "{http://schemas.openxmlformats.org/drawingml/2006/picture}",
    b"http://purl.oclc.org/ooxml/drawingml/chartDrawing": (
        "{http://schemas.openxmlformats.org/drawingml/2006/chartDrawing}"
    ),
}
"""The strict dialect gives other names to the same things."""

LOOKS = frozenset((f"{W}rPr", f"{M}rPr", f"{A}rPr"))
"""What says how a run looks."""
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_MICROSOFT = "http://schemas.microsoft.com/office/"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_DRAWING = "application/vnd.openxmlformats-officedocument.drawingml."
_NEWER = "application/vnd.ms-office."
TYPES_OF_PARTS = {
    "officeDocument": f"{_WORD}document.main+xml",
    "styles": f"{_WORD}styles+xml",
    "numbering": f"{_WORD}numbering+xml",
    "settings": f"{_WORD}settings+xml",
    "fontTable": f"{_WORD}fontTable+xml",
    "header": f"{_WORD}header+xml",
    "footer": f"{_WORD}footer+xml",
    "footnotes": f"{_WORD}footnotes+xml",
    "endnotes": f"{_WORD}endnotes+xml",
    "comments": f"{_WORD}comments+xml",
    "commentsExtended": f"{_WORD}commentsExtended+xml",
    "theme": "application/vnd.openxmlformats-officedocument.theme+xml",
    "themeOverride": "application/vnd.openxmlformats-officedocument.themeOverride+xml",
    "chart": f"{_DRAWING}chart+xml",
    "chartUserShapes": f"{_DRAWING}chartshapes+xml",
    "chartEx": f"{_NEWER}chartex+xml",
    "chartStyle": f"{_NEWER}chartstyle+xml",
    "chartColorStyle": f"{_NEWER}chartcolorstyle+xml",
    "diagramData": f"{_DRAWING}diagramData+xml",
    "diagramLayout": f"{_DRAWING}diagramLayout+xml",
    "diagramQuickStyle": f"{_DRAWING}diagramStyle+xml",
    "diagramColors": f"{_DRAWING}diagramColors+xml",
    "diagramDrawing": f"{_NEWER}drawingml.diagramDrawing+xml",
}
"""The content type of each kind of XML part."""
FOLLOWED = frozenset((*TYPES_OF_PARTS, "image"))
"""The kinds of relationships that are followed. Whatever only another kind leads to is left out."""
_RELATIONS = {
    "commentsExtended": f"{_MICROSOFT}2011/relationships/commentsExtended",
    "chartStyle": f"{_MICROSOFT}2011/relationships/chartStyle",
    "chartColorStyle": f"{_MICROSOFT}2011/relationships/chartColorStyle",
    "chartEx": f"{_MICROSOFT}2014/relationships/chartEx",
    "diagramDrawing": f"{_MICROSOFT}2007/relationships/diagramDrawing",
}


def named(space: str, names: str) -> frozenset[str]:
    """Full names from a namespace and words."""
    return frozenset(f"{space}{name}" for name in names.split())


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def having(root: Element, wanted: Callable[[str], bool]) -> list[Element]:
    """Elements with an attribute of a wanted name; much faster than a path where attributes are many."""
    names = frozenset(chain.from_iterable(map(methodcaller("keys"), root.iter())))
    chosen = frozenset(filter(wanted, names))
    return [one for one in root.iter() if not chosen.isdisjoint(one.keys())] if chosen else []


def take_out(element: Element) -> None:
    """Remove an element; a text that follows it stays."""
    parent = element.getparent()
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def unwrap(element: Element, inner: Element | None = None) -> None:
    """Put the children of an element (or of its part `inner`) where it stands."""
    parent = element.getparent()
    index = parent.index(element)
    for child in list(element if inner is None else inner):
        parent.insert(index, child)
        index += 1
    take_out(element)


def drop_leaf(leaf: Element) -> None:
    """Remove a piece of a run, and the run if nothing else is in it."""
    run = leaf.getparent()
    take_out(leaf)
    if run.getparent() is not None and all(child.tag in LOOKS for child in run):
        take_out(run)


def relation_type(kind: str) -> str:
    """The full name of a kind of relationship."""
    return _RELATIONS.get(kind, f"{OFFICE}{kind}")
