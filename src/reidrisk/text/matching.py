"""Is an annotation masked? Token by token, against the union of what the tool marked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from reidrisk.text.corpus import Annotation
from reidrisk.text.words import counted_words


class Mask:
    """The places that a set of annotations covers, overlaps and order dissolved."""

    __slots__ = ("ends", "starts")

    def __init__(self, annotations: Iterable[Annotation]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        pieces = [
            piece
            for mark in annotations
            for piece in (mark.fragments or ((mark.start, mark.end),))
        ]  # fmt: skip
        pieces.sort()
        for start, end in pieces:
            if self.ends and start <= self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], end)
            else:
                self.starts.append(start)
                self.ends.append(end)

    def covers(self, start: int, end: int) -> bool:
        """Whether all of start..end is masked."""
        place = bisect_right(self.starts, start) - 1
        return place >= 0 and end <= self.ends[place]

    def touches(self, start: int, end: int) -> bool:
        """Whether any of start..end is masked."""
        place = bisect_right(self.starts, end - 1) - 1
        return place >= 0 and self.ends[place] > start


def masked_words(text: str, annotation: Annotation, mask: Mask, ignored: frozenset[str]) -> tuple[int, int]:
    """How many words of an annotation count, and how many of them are completely masked.

    The annotation is caught when the two are equal.
    """
    words = masked = 0
    for start, end in annotation.fragments or ((annotation.start, annotation.end),):
        counted = counted_words(text[start:end], ignored)
        words += len(counted)
        masked += masked_among(counted, start, end, mask)
    return words, masked


def masked_among(words: tuple[tuple[int, int], ...], start: int, end: int, mask: Mask) -> int:
    """How many of the words of the piece start..end are completely masked."""
    if mask.covers(start, end):
        return len(words)
    if not mask.touches(start, end):
        return 0
    return sum(mask.covers(start + first, start + last) for first, last in words)
