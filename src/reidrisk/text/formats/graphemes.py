"""Extended grapheme clusters: what a reader sees as one character.

The rules are those of Unicode Standard Annex 29, with classes derived from the categories that Python
knows. The conjuncts of Indic scripts that version 15.1 added are not joined.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import product

_RANGES: tuple[tuple[str, int, int], ...] = (
    ("extend", 0x200C, 0x200C),
    ("zwj", 0x200D, 0x200D),
    ("extend", 0x1F3FB, 0x1F3FF),
    ("extend", 0xE0020, 0xE007F),
    ("extend", 0xFF9E, 0xFF9F),
    ("spacing", 0x0E33, 0x0E33),
    ("spacing", 0x0EB3, 0x0EB3),
    ("prepend", 0x0600, 0x0605),
    ("prepend", 0x06DD, 0x06DD),
    ("prepend", 0x070F, 0x070F),
    ("prepend", 0x08E2, 0x08E2),
    ("prepend", 0x0D4E, 0x0D4E),
    ("prepend", 0x110BD, 0x110BD),
    ("region", 0x1F1E6, 0x1F1FF),
    ("l", 0x1100, 0x115F),
    ("l", 0xA960, 0xA97C),
    ("v", 0x1160, 0x11A7),
    ("v", 0xD7B0, 0xD7C6),
    ("t", 0x11A8, 0x11FF),
    ("t", 0xD7CB, 0xD7FB),
    ("picture", 0x203C, 0x203C),
    ("picture", 0x2049, 0x2049),
    ("picture", 0x2122, 0x2122),
    ("picture", 0x2139, 0x2139),
    ("picture", 0x2190, 0x21AA),
    ("picture", 0x2300, 0x23FF),
    ("picture", 0x25A0, 0x27BF),
    ("picture", 0x2934, 0x2935),
    ("picture", 0x2B05, 0x2B55),
    ("picture", 0x1F000, 0x1FAFF),
)
_CATEGORIES = {
    "Mn": "extend",
    "Me": "extend",
    "Mc": "spacing",
    "Cc": "control",
    "Cf": "control",
    "Zl": "control",
    "Zp": "control",
}
_JOINED = {
    ("cr", "lf"),
    *product(("l",), ("l", "v", "lv", "lvt")),
    *product(("lv", "v"), ("v", "t")),
    *product(("lvt", "t"), ("t",)),
}
_JOINING = frozenset(["extend", "zwj", "spacing", "prepend", "region", "l", "v", "t", "lv", "lvt"])
"""Classes of characters that may join others; a text without them has no clusters except \\r\\n."""
_ALONE = ("control", "cr", "lf")


def clusters(text: str) -> list[tuple[int, int, int]]:
    """The clusters of more than one code point: position, length, and 1 (the length in clusters)."""
    if not any(_class(char) in _JOINING for char in set(text)):
        return [(match.start(), 2, 1) for match in re.finditer("\r\n", text)]
    found = []
    start = 0
    for position in range(1, len(text) + 1):
        if position == len(text) or not _joins(text, start, position):
            if position - start > 1:
                found.append((start, position - start, 1))
            start = position
    return found


def _joins(text: str, start: int, position: int) -> bool:
    """Whether `position` continues the cluster that starts at `start`."""
    before, after = _class(text[position - 1]), _class(text[position])
    if (before, after) in _JOINED:
        return True
    if before in _ALONE or after in _ALONE:
        return False
    if after in ("extend", "zwj", "spacing") or before == "prepend":
        return True
    if before == after == "region":
        return (position - start) % 2 == 1
    return before == "zwj" and after == "picture" and _is_picture(text, start, position - 2)


def _is_picture(text: str, start: int, last: int) -> bool:
    """Whether a pictograph, ignoring its modifiers, ends at `last`, before the joiner."""
    while last > start and _class(text[last]) == "extend":
        last -= 1
    return last >= start and _class(text[last]) == "picture"


@lru_cache(maxsize=4096)
def _class(char: str) -> str:
    if char in "\r\n":
        return "cr" if char == "\r" else "lf"
    code = ord(char)
    for name, first, last in _RANGES:
        if first <= code <= last:
            return name
    if 0xAC00 <= code <= 0xD7A3:
        return "lv" if (code - 0xAC00) % 28 == 0 else "lvt"
    if code in (0xA9, 0xAE):
        return "picture"
    return _CATEGORIES.get(unicodedata.category(char), "")
