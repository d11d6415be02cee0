"""Is an annotation masked? Token by token, against the union of what the tool marked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from reidrisk.text.corpus import Annotation
from reidrisk.text.words import Places, WordCounter


class Mask:
    """The places that a set of annotations covers, overlaps and order dissolved."""

    __slots__ = ("ends", "starts")

    def __init__(self, annotations: Iterable[Annotation]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        pieces = [piece for mark in annotations for piece in (mark.fragments or ((mark.start, mark.end),))]
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

    def within(self, pieces: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """The masked parts of some pieces of the text."""
        found = []
        for start, end in pieces:
            place = max(bisect_right(self.starts, start) - 1, 0)
            while place < len(self.starts) and self.starts[place] < end:
                if self.ends[place] > start:
                    found.append((max(start, self.starts[place]), min(end, self.ends[place])))
                place += 1
        return tuple(found)


class Masked(NamedTuple):
    """What became of the words of an annotation."""

    words: int
    """Words that must be masked."""
    masked: int
    """Those of them that are completely masked."""
    excused: bool
    """Whether a word that need not be masked stayed visible."""

    @property
    def caught(self) -> bool:
        """Whether every word that counts is masked."""
        return self.masked == self.words


def masked_words(text: str, annotation: Annotation, mask: Mask, counter: WordCounter) -> Masked:
    """Compare the words of an annotation with a mask."""
    words = masked = 0
    excused = False
    for start, end in annotation.fragments or ((annotation.start, annotation.end),):
        counted, every = counter.places(text[start:end])
        words += len(counted)
        if mask.covers(start, end):
            masked += len(counted)
            continue
        here = masked_among(counted, start, end, mask)
        masked += here
        if here == len(counted) < len(every):
            excused = excused or masked_among(every, start, end, mask) < len(every)
    return Masked(words, masked, excused)


def masked_among(words: Places, start: int, end: int, mask: Mask) -> int:
    """How many of the words of the piece start..end are completely masked."""
    if mask.covers(start, end):
        return len(words)
    if not mask.touches(start, end):
        return 0
    return sum(mask.covers(start + first, start + last) for first, last in words)


class MasksByLabel:
    """The mask of each label, made when it is first needed: most annotations agree to the letter."""

    def __init__(self, marks: list[tuple[Annotation, str]]) -> None:
        self._marks = marks
        self._masks: dict[str, Mask] = {}

    def __getitem__(self, label: str) -> Mask:
        if label not in self._masks:
            self._masks[label] = Mask(mark for mark, own in self._marks if own == label)
        return self._masks[label]
