"""Other units of offsets; a ruler converts each of them to code points."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from reidrisk.text.formats.graphemes import clusters

UTF16 = "offsets were read as UTF-16 units"
UTF8 = "offsets were read as UTF-8 bytes"
GRAPHEMES = "offsets were read as grapheme clusters"
MARK_NOT_COUNTED = "offsets were read as not counting the byte order mark"
MARK_COUNTED = "offsets were read as counting a byte order mark that is not in the text"
_ASTRAL = "[\U00010000-\U0010ffff]"
Odd = tuple[int, int, int]
"""Where two units differ: code point position, length in code points, length in units."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """Converts offsets in some unit to code points.

    Only the positions where unit and code point differ are kept, so that long texts need little memory and
    offsets are found by bisection.
    """

    note: str
    """The note for the user if this ruler fits."""
    starts: tuple[int, ...]
    """Start of each difference, in units."""
    ends: tuple[int, ...]
    """End of each difference, in units."""
    shifts: tuple[int, ...]
    """How far units are ahead of code points, before the first difference and after each."""

    @classmethod
    def of(cls, note: str, odd: Iterable[Odd]) -> Ruler:
        """A ruler from the differences, in order."""
        places = list(odd)
        shifts = tuple(accumulate((units - length for _, length, units in places), initial=0))
        starts = tuple(place[0] + shift for place, shift in zip(places, shifts, strict=False))
        ends = tuple(start + place[2] for start, place in zip(starts, places, strict=True))
        return cls(note, starts, ends, shifts)

    def position(self, offset: int) -> int | None:
        """The code point at an offset; None inside a character."""
        passed = bisect_right(self.ends, offset)
        if passed < len(self.starts) and self.starts[passed] < offset:
            return None
        return offset - self.shifts[passed]


def rulers_for(text: str) -> list[Ruler]:
    """All units that differ from code points in this text."""
    odd_places = {
        UTF16: _matches(text, _ASTRAL, units=2),
        UTF8: _bytes(text),
        MARK_NOT_COUNTED: _matches(text, r"\A\ufeff", units=0),
        "offsets were read as counting a line end as two characters": _matches(text, r"(?<!\r)\n", units=2),
        "offsets were read as counting a line end as one character": _matches(text, r"\r\n", units=1),
        GRAPHEMES: clusters(text),
        MARK_COUNTED: [] if text.startswith("\ufeff") else [(0, 0, 1)],
    }
    return [Ruler.of(note, odd) for note, odd in odd_places.items() if odd]


def utf16_ruler(text: str, *, line_ends: int = 1) -> Ruler:
    """The unit of Java and JavaScript; `line_ends` is the length of a line end without \\r."""
    pattern = _ASTRAL if line_ends == 1 else rf"{_ASTRAL}|(?<!\r)\n"
    return Ruler.of(UTF16, _matches(text, pattern, units=2))


def utf8_ruler(text: str) -> Ruler:
    """The unit of programs that count bytes."""
    return Ruler.of(UTF8, _bytes(text))


def grapheme_ruler(text: str) -> Ruler:
    """The unit of what people see as one character."""
    return Ruler.of(GRAPHEMES, clusters(text))


def _matches(text: str, pattern: str, *, units: int) -> list[Odd]:
    return [(m.start(), m.end() - m.start(), units) for m in re.finditer(pattern, text)]


def _bytes(text: str) -> list[Odd]:
    return [(m.start(), 1, len(m[0].encode("utf-8"))) for m in re.finditer(r"[^\x00-\x7f]", text)]
