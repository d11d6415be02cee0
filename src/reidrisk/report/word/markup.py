"""Words of WordprocessingML: elements, paragraphs, fields, bookmarks and links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

NAMESPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "cp": "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
for _prefix, _address in NAMESPACES.items():
    ET.register_namespace(_prefix, _address)

SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_KEPT = "\n\u00a0"
_LINE = re.compile(r"(\n)")


def full_name(name: str) -> str:
    """The name of an element or attribute with its namespace, such as `w:p`; others stay as they are.

    >>> full_name("dc:title"), full_name("id")
    ('{http://purl.org/dc/elements/1.1/}title', 'id')
    """
    prefix, colon, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}" if colon else name


def element(
    name: str, /, *inside: ET.Element | None, text: str | None = None, **attributes: object
) -> ET.Element:
    """An element; an underscore in the name of an attribute stands for the colon after its prefix."""
    made = ET.Element(
        full_name(name),
        {full_name(key.replace("_", ":", 1)): str(value) for key, value in attributes.items()},
    )
    made.extend(one for one in inside if one is not None)
    made.text = text
    return made


def w(name: str, /, *inside: ET.Element | None, **attributes: object) -> ET.Element:
    """An element of the main namespace, whose attributes are in it too."""
    made = ET.Element(
        full_name(f"w:{name}"), {full_name(f"w:{key}"): str(value) for key, value in attributes.items()}
    )
    made.extend(one for one in inside if one is not None)
    return made


def xml_bytes(root: ET.Element) -> bytes:
    """The content of a part of the package."""
    body: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=False)
    return b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + body


def clean(text: str) -> str:
    """Replace characters that are not printed; XML forbids some of them.

    >>> clean("a\\x07b\\u200bc")
    'a?b?c'
    """
    return "".join(letter if letter.isprintable() or letter in _KEPT else "?" for letter in text)


def run(text: str, *looks: ET.Element, style: str = "") -> ET.Element:
    """Text in one look; line ends become breaks."""
    named = w("rStyle", val=style) if style else None
    made = w("r", w("rPr", named, *looks) if style or looks else None)
    for piece in _LINE.split(clean(text)):
        if piece == "\n":
            made.append(w("br"))
        elif piece:
            made.append(_text(piece))
    return made


def _text(piece: str) -> ET.Element:
    made = w("t")
    made.text = piece
    if piece != piece.strip():
        made.set(SPACE, "preserve")
    return made


def tab() -> ET.Element:
    """Go to the next tab stop."""
    return w("r", w("tab"))


def paragraph(
    inside: str | Iterable[ET.Element], *, style: str = "", looks: Iterable[ET.Element] = ()
) -> ET.Element:
    """A paragraph in a style; `looks` are its own properties beyond the style, in the order of the schema."""
    named = w("pStyle", val=style) if style else None
    more = tuple(looks)
    body = [run(inside)] if isinstance(inside, str) else list(inside)
    return w("p", w("pPr", named, *more) if style or more else None, *body)


def keep_with_next(made: ET.Element) -> None:
    """Let a paragraph stay on the page of the next one."""
    properties = made.find(full_name("w:pPr"))
    if properties is None:
        properties = w("pPr")
        made.insert(0, properties)
    if properties.find(full_name("w:keepNext")) is None:
        styles = properties.findall(full_name("w:pStyle"))
        properties.insert(len(styles), w("keepNext"))


def numbered(list_id: int) -> ET.Element:
    """The property of a paragraph that belongs to a list."""
    return w("numPr", w("ilvl", val=0), w("numId", val=list_id))


def field(instruction: str, shown: str, *, style: str = "") -> list[ET.Element]:
    """A field that a word processor can update, with what it shows until then."""
    code = w("instrText")
    code.text, code.attrib[SPACE] = f" {instruction} ", "preserve"
    return [
        w("r", w("fldChar", fldCharType="begin")),
        w("r", code),
        w("r", w("fldChar", fldCharType="separate")),
        run(shown, style=style),
        w("r", w("fldChar", fldCharType="end")),
    ]


def bookmarked(inside: Iterable[ET.Element], name: str, number: int) -> list[ET.Element]:
    """A place that cross-references and links name."""
    return [w("bookmarkStart", id=number, name=name), *inside, w("bookmarkEnd", id=number)]


def link_within(inside: Iterable[ET.Element], bookmark: str) -> ET.Element:
    """A link to a place in the document."""
    return w("hyperlink", *inside, anchor=bookmark, history=1)


def link_outside(inside: Iterable[ET.Element], relation: str) -> ET.Element:
    """A link to an address that the package lists."""
    made = w("hyperlink", *inside, history=1)
    made.set(full_name("r:id"), relation)
    return made
