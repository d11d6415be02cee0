"""Clean an HTML document of everything that is not shown."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from reidrisk.documents.pictures import stripped
from reidrisk.documents.words import words

Element = Any
"""An element of lxml, which has no types."""
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
