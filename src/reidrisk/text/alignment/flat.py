"""A text with every stretch of white space as one blank, and the way back to its own offsets."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field

from reidrisk.text.alignment.outcome import Span

_WHITE = re.compile(r"[\s\ufeff]+")


def flattened(text: str) -> str:
    """White space made equal: line ends, tabs, several blanks and a byte order mark are one blank.

    >>> flattened("a\\r\\n\\tb ")
    'a b '
    """
    return _WHITE.sub(" ", text)


@dataclass(frozen=True, slots=True)
class Flat:
    """A text without white space at its ends, and with single blanks inside."""

    text: str = field(repr=False)
    starts: array[int] = field(repr=False)
    """For each character where it begins in the original."""

    @classmethod
    def of(cls, original: str) -> Flat:
        """Flatten a text, remembering where each character comes from."""
        starts = array("q")
        at = 0
        for white in _WHITE.finditer(original):
            starts.extend(range(at, white.start()))
            if white.start() > 0 and white.end() < len(original):
                starts.append(white.start())
            at = white.end()
        starts.extend(range(at, len(original)))
        return cls(flattened(original).strip(" "), starts)

    def origin(self, span: Span) -> Span:
        """A span, not empty, in the offsets of the original."""
        start, end = span
        return self.starts[start], self.starts[end - 1] + 1
