"""Last traces of values that were removed: in names, addresses and the bytes of pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from reidrisk.documents.docx.clean.media import blank
from reidrisk.documents.docx.names import Element, W, take_out
from reidrisk.documents.docx.package import Package
from reidrisk.documents.docx.reading import DESCRIBING

_SHORTEST = 4
"""Shorter values are parts of too many words to be looked for by themselves."""

_LONG = 6
"""Values of this length are looked for in every attribute."""
_FORMAL = re.compile(r"[a-z][A-Za-z0-9]*|[-\d.]+|[0-9A-F]{6,8}|rId\d+")
"""How words and measures of the format look."""


def remove_values(package: Package, values: Iterable[str]) -> int:
    """Empty descriptions, links and pictures that hold a removed value; gives how many pictures."""
    words = {_plain(value) for value in values}
    words = {word for word in words if len(word) >= _SHORTEST}
    if not words:
        return 0
    longer = {word for word in words if len(word) >= _LONG}
    pattern, long = _any_of(words), _any_of(longer) if longer else None
    for part in package.parts.values():
        for relation in part.relations.values():
            if relation.external and pattern.search(_plain(unquote(relation.target))):
                relation.target = "about:blank"
        if part.tree is not None:
            _descriptions(part.tree, pattern, long)
    return _pictures(package, words)


def _any_of(words: set[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def _holds(pattern: re.Pattern[str] | None, value: str) -> bool:
    return pattern is not None and pattern.search(_plain(value)) is not None


def _descriptions(root: Element, pattern: re.Pattern[str], long: re.Pattern[str] | None) -> None:
    for element in list(root.iter()):
        for name, value in element.items():
            named = name in DESCRIBING or (name == f"{W}val" and element.tag in (f"{W}name", f"{W}lvlText"))
            if named and pattern.search(_plain(value)):
                element.set(name, "")
            elif len(value) >= _LONG and not _FORMAL.fullmatch(value) and _holds(long, value):
                del element.attrib[name]
    for code in list(root.iter(f"{W}instrText")):
        if pattern.search(_plain(code.text or "")):
            take_out(code)


def _pictures(package: Package, words: set[str]) -> int:
    """A drawing can hold letters as such; then it is not kept."""
    blanked = 0
    spelled = [word.encode(code, "ignore") for word in words for code in ("utf-8", "utf-16-le", "latin-1")]
    for part in package.of_kind("image"):
        data = (part.data or package.content(part)).lower()
        if any(word in data for word in spelled if len(word) >= _SHORTEST):
            blank(part)
            blanked += 1
    return blanked
