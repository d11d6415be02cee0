"""Last traces of values that were removed: in descriptions, addresses, attributes and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote

from reidrisk.documents.docx.clean.media import blank, letters_of
from reidrisk.documents.docx.names import Element, W, take_out
from reidrisk.documents.docx.package import Package, Part
from reidrisk.documents.docx.reading import DESCRIBING

_SHORTEST = 4
"""Shorter values are parts of too many texts to be looked for by themselves."""
_LONG = 6
"""Values of this length are looked for in every attribute and drawing."""
_RARE = 8
"""Values of this many bytes are not found in a packed picture by chance."""
_FORMAL = re.compile(r"[a-z][A-Za-z0-9]*|[-\d.]+|[0-9A-F]{6,8}|rId\d+")
"""How words and measures of the format look."""


def remove_values(package: Package, values: Iterable[str]) -> int:
    """Empty descriptions, links and pictures that hold a removed value; gives how many pictures.

    Plain words such as `female` are left alone: whoever reads the descriptions decides about them.
    """
    told = {value for value in values if _is_telling(value.strip())}
    words = {_plain(value) for value in told}
    if not words:
        return 0
    short, long = _Values(words), _Values({word for word in words if len(word) >= _LONG})
    for part in package.parts.values():
        for relation in part.relations.values():
            if relation.external and short.stand_in(unquote(relation.target)):
                relation.target = "about:blank"
        if part.tree is not None:
            _descriptions(part.tree, short, long)
    pictures = [part for part in package.of_kind("image") if _tells(package, part, words, long)]
    for part in pictures:
        blank(part)
    return len(pictures)


class _Values:
    """Values that are searched together, each as words of their own."""

    def __init__(self, words: set[str]) -> None:
        either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])") if words else None
        self.stand_in = lru_cache(maxsize=4096)(self._stand_in)

    def _stand_in(self, text: str) -> bool:
        return self._pattern is not None and self._pattern.search(_plain(text)) is not None


def _is_telling(value: str) -> bool:
    """Whether a value is a name or a number, not a word of any text."""
    return len(value) >= _SHORTEST and (value != value.lower() or any(sign.isdigit() for sign in value))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def _descriptions(root: Element, short: _Values, long: _Values) -> None:
    for element in list(root.iter()):
        for name, value in element.items():
            named = name in DESCRIBING or (name == f"{W}val" and element.tag in (f"{W}name", f"{W}lvlText"))
            if named and short.stand_in(value):
                element.set(name, "")
            elif len(value) >= _LONG and not _FORMAL.fullmatch(value) and long.stand_in(value):
                del element.attrib[name]
    for code in list(root.iter(f"{W}instrText")):
        if short.stand_in(code.text or ""):
            take_out(code)


def _tells(package: Package, part: Part, words: set[str], long: _Values) -> bool:
    """Whether letters in a picture spell a value."""
    if any(long.stand_in(letters) for letters in letters_of(package, part)):
        return True
    spelled = {word.encode(code, "ignore") for word in words for code in ("utf-8", "utf-16-le", "latin-1")}
    data = (part.data or package.content(part)).lower()
    return any(word in data for word in spelled if len(word) >= _RARE)
