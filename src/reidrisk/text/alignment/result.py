"""The result of an alignment: spans that are masked for certain, and spans in doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Span = tuple[int, int]
MOST_WAYS = 1000
"""Ways to place a mark are counted up to this number."""
NO_LABEL = "REDACTED"
"""The label of a mark that names no known type."""


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """A place that is masked whichever way the texts are laid beside each other."""

    start: int
    end: int
    label: str = NO_LABEL


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place of the original where the released text fits in more than one way."""

    start: int
    end: int
    ways: int
    """At least so many; counting ends at `MOST_WAYS`."""


@dataclass(frozen=True, slots=True)
class DocumentAlignment:
    """One document, its original beside what was released."""

    masked: tuple[MaskedSpan, ...]
    doubts: tuple[Doubt, ...] = ()
    loose: bool = False
    """Whether the texts agree only when line ends and other white space are made equal."""


def without(span: Span, holes: Iterable[Span]) -> list[Span]:
    """What is left of a span when the holes, in order of their starts, are taken out.

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
