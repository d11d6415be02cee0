"""Decide whether an annotation is masked: word by word, against everything that the tool marked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from reidrisk.errors import UnreadableFile
from reidrisk.text.corpus import Annotation

WORD = re.compile(r"\w+")
VISIBLE = re.compile(r"\S+")
LOWER = "lower:"
_WORD_HINT = "Give `none`, `default`, or a text file with one word per line."
Places = tuple[tuple[int, int], ...]
"""Start and end of each word within a piece of text."""


@dataclass(frozen=True, slots=True)
class IgnoredWords:
    """Words that need no masking, such as titles and function words. The choice can change the verdict."""

    name: str
    """The choice as the result records it: none, default, or the file name."""
    any_case: frozenset[str] = frozenset()
    lower_case: frozenset[str] = frozenset()
    """Words that are ignored only if written in lower case."""

    @classmethod
    def none(cls) -> IgnoredWords:
        """Every word counts."""
        return cls("none")

    @classmethod
    def default(cls) -> IgnoredWords:
        """Titles and function words of the common languages."""
        text = files("reidrisk.text").joinpath("data/ignored_words.txt").read_text(encoding="utf-8")
        return cls.listed("default", text)

    @classmethod
    def choose(cls, choice: str) -> IgnoredWords:
        """From `none`, `default`, or a file of words; words after `lower:` are ignored only in lower case."""
        if choice == "none":
            return cls.none()
        if choice == "default":
            return cls.default()
        try:
            return cls.listed(Path(choice).name, Path(choice).read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            raise UnreadableFile.missing(choice, hint=_WORD_HINT) from None
        except (OSError, ValueError):
            raise UnreadableFile(
                f"The list of ignored words {choice!r} cannot be read as UTF-8 text.", hint=_WORD_HINT
            ) from None

    @classmethod
    def listed(cls, name: str, text: str) -> IgnoredWords:
        """From the lines of a list; # starts a comment."""
        any_case: set[str] = set()
        lower_case: set[str] = set()
        for line in text.splitlines():
            words = line.partition("#")[0].strip().casefold()
            only_lower = words.startswith(LOWER)
            (lower_case if only_lower else any_case).update(words.removeprefix(LOWER).split())
        return cls(name, frozenset(any_case), frozenset(lower_case))

    def holds(self, word: str) -> bool:
        """Whether a word, as written, needs no masking."""
        return word in self.lower_case or word.casefold() in self.any_case


class WordCounter:
    """Finds the words that count in a piece of text; short pieces are cached, because values recur."""

    LONGEST, MOST = 80, 2**16

    def __init__(self, ignored: IgnoredWords) -> None:
        self._ignored = ignored
        self._known: dict[str, tuple[Places, Places]] = {}

    def places(self, surface: str) -> tuple[Places, Places]:
        """Positions of the words that must be masked, and of all words.

        Punctuation never counts. If a piece consists only of ignored words, all of them count. If it has no
        letter or digit, its visible characters count. No piece counts as caught just because it is unusual.
        """
        known = self._known.get(surface)
        if known is None:
            known = self._find(surface)
            if len(surface) <= self.LONGEST:
                if len(self._known) >= self.MOST:
                    self._known.clear()
                self._known[surface] = known
        return known

    def _find(self, surface: str) -> tuple[Places, Places]:
        words = tuple(match.span() for match in WORD.finditer(surface))
        if not words:
            words = tuple(match.span() for match in VISIBLE.finditer(surface))
            return words, words
        counted = tuple(span for span in words if not self._ignored.holds(surface[span[0] : span[1]]))
        return counted or words, words


class Mask:
    """The spans that a set of annotations covers, sorted and merged."""

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


class MaskedWords(NamedTuple):
    """How many words of an annotation are masked."""

    words: int
    """Words that must be masked."""
    masked: int
    """How many of them are completely masked."""
    excused: bool
    """Whether an ignored word stayed visible."""

    @property
    def caught(self) -> bool:
        """Whether every word that counts is masked."""
        return self.masked == self.words


def masked_words(text: str, annotation: Annotation, mask: Mask, counter: WordCounter) -> MaskedWords:
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
    return MaskedWords(words, masked, excused)


def masked_among(words: Places, start: int, end: int, mask: Mask) -> int:
    """How many of the words of the piece start..end are completely masked."""
    if mask.covers(start, end):
        return len(words)
    if not mask.touches(start, end):
        return 0
    return sum(mask.covers(start + first, start + last) for first, last in words)


class MasksByLabel:
    """The mask of each label, built when first needed: most annotations are identical and need none."""

    def __init__(self, marks: list[tuple[Annotation, str]]) -> None:
        self._marks = marks
        self._masks: dict[str, Mask] = {}

    def __getitem__(self, label: str) -> Mask:
        if label not in self._masks:
            self._masks[label] = Mask(mark for mark, own in self._marks if own == label)
        return self._masks[label]
