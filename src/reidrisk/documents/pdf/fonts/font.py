"""A font of a PDF: splits a string into codes, and knows of each what it says and how far it moves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from reidrisk.documents.pdf.fonts.cmap import CMap

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SAYS_NOTHING = re.compile("[\x00-\x08\x0e-\x1f\ufffd\ufffe\uffff\ue000-\uf8ff]")


_MOST_WORDS = 20_000
"""Strings come again and again; so many are remembered."""

Code = tuple[int, int, int, str | None, float]
"""First byte, end, number, what it says (None: the font does not tell), how far it moves in font sizes."""


@dataclass(slots=True, eq=False)
class Font:
    """What drawing text with a font needs to know."""

    cmap: CMap | None
    """How codes are split; None: every byte is a code."""
    texts: dict[int, str]
    widths: dict[int, float]
    default_width: float
    vertical: bool = False
    ascent: float = 0.78
    descent: float = -0.22
    _known: dict[int, tuple[str | None, float]] = field(default_factory=dict)
    _words: dict[bytes, list[Code]] = field(default_factory=dict)

    def codes(self, data: bytes) -> list[Code]:
        """The codes of a string, in order."""
        if data in self._words:
            return self._words[data]
        found = []
        for start, end in self._places(data):
            number = int.from_bytes(data[start:end])
            found.append((start, end, number, *(self._known.get(number) or self._look_up(number))))
        if len(self._words) < _MOST_WORDS:
            self._words[data] = found
        return found

    def _places(self, data: bytes) -> list[tuple[int, int]]:
        if self.cmap is None:
            return [(at, at + 1) for at in range(len(data))]
        sizes = {size for size, _, _ in self.cmap.sizes}
        if len(sizes) == 1:
            size = sizes.pop()
            return [(at, min(at + size, len(data))) for at in range(0, len(data), size)]
        places, at = [], 0
        while at < len(data):
            end = min(at + self.cmap.length(data, at), len(data))
            places.append((at, end))
            at = end
        return places

    def _look_up(self, number: int) -> tuple[str | None, float]:
        cid = number if self.cmap is None else self.cmap.cids.get(number, 0 if self.cmap.cids else number)
        known = (_readable(self.texts.get(number)), self.widths.get(cid, self.default_width))
        self._known[number] = known
        return known


def _readable(text: str | None) -> str | None:
    """Text with ligatures spelled out; None for what only stands for a missing letter."""
    if not text or _SAYS_NOTHING.search(text):
        return None
    return "".join(_LIGATURES.get(letter, letter) for letter in text)


def number(value: Any, default: float = 0.0) -> float:
    """A number of a PDF, or the default where something else stands."""
    try:
        return float(value)
    except (TypeError, ValueError, ArithmeticError):
        return default
