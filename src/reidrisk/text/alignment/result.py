"""The result of an alignment: spans that are masked for certain, and spans in doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Span = tuple[int, int]
MOST_WAYS = 1000
"""The ways to align are counted up to this number."""
NO_LABEL = "REDACTED"
"""The label of a mark that names no known type."""


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """A span that is masked in every possible alignment."""

    start: int
    end: int
    label: str = NO_LABEL


@dataclass(frozen=True, slots=True)
class Doubt:
    """A span of the original where the released text fits in more than one way."""

    start: int
    end: int
    ways: int
    """At least this many; counting ends at `MOST_WAYS`."""


@dataclass(frozen=True, slots=True)
class DocumentAlignment:
    """The alignment of one document with its released text."""

    masked: tuple[MaskedSpan, ...]
    doubts: tuple[Doubt, ...] = ()
    loose: bool = False
    """Whether the texts match only if differences in white space are ignored."""


def without(span: Span, holes: Iterable[Span]) -> list[Span]:
    """The parts of a span outside the holes, which are sorted by their starts.

    >>> without((2, 12), [(0, 3), (5, 7), (6, 8)])
    [(3, 5), (8, 12)]
    """
    left = []
    at, end = span
    for start, stop in holes:
        if start > at:
            left.append((at, min(start, end)))
        at = max(at, stop)
        if at >= end:
            break
    if at < end:
        left.append((at, end))
    return left
