"""The identifiers of the gold standard in the released texts, and whether each is a leaked original."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from reidrisk.text.alignment.tokens import Tokens
from reidrisk.text.corpus import Annotation, Document, Role
from reidrisk.text.matching import Mask, WordCounter, masked_words
from reidrisk.text.roles import TypeMap


@dataclass(frozen=True, slots=True)
class Instance:
    """An identifier of the gold standard, with its position in the released text."""

    document: int
    type: str
    role: Role
    start: int
    end: int
    leaked: bool
    """Whether it is the original; this is what an adversary wants to know."""
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AttackedTexts:
    """Released texts and the identifiers in them."""

    texts: tuple[str, ...] = field(repr=False)
    instances: tuple[Instance, ...] = field(repr=False)
    removed: int = 0
    """Identifiers that left no trace in the released text."""


class InstanceFinder:
    """Finds the identifiers of the gold standard in released texts, one document at a time."""

    def __init__(self, types: TypeMap, words: WordCounter) -> None:
        self._types, self._words = types, words
        self._texts: list[str] = []
        self._found: list[Instance] = []
        self._removed = 0

    def add(self, gold: Document, released: str, marks: Iterable[Annotation]) -> None:
        """Add one document with its masked or replaced spans."""
        original = gold.text or ""
        number, mask = len(self._texts), Mask(marks)
        self._texts.append(released)
        spans = _Places(original, released)
        for mark in gold.annotations:
            role = self._types.role(mark)[0]
            if role is None or role == "ignored":
                continue
            leaked = not masked_words(original, mark, mask, self._words).caught
            start, end = spans.of(mark.start, mark.end)
            if start == end:
                self._removed += 1
                continue
            kind = self._types.counted_as(mark.type)
            self._found.append(Instance(number, kind, role, start, end, leaked, released[start:end]))

    def finish(self) -> AttackedTexts:
        """All texts and identifiers added so far."""
        return AttackedTexts(tuple(self._texts), tuple(self._found), self._removed)


class _Places:
    """Maps spans of the original to the released text by the words that both contain."""

    def __init__(self, original: str, released: str) -> None:
        self._here, self._there = Tokens.of(original), Tokens.of(released)
        self._starts = [start for start, _ in self._here.spans]
        self._pairs = dict(self._matches())

    def _matches(self) -> Iterator[tuple[int, int]]:
        matcher = SequenceMatcher(None, self._here.keys, self._there.keys, autojunk=False)
        for block in matcher.get_matching_blocks():
            for step in range(block.size):
                yield block.a + step, block.b + step

    def of(self, start: int, end: int) -> tuple[int, int]:
        """The released text between the matched words before and after a span."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        before = next((self._pairs[at] for at in range(first - 1, -1, -1) if at in self._pairs), -1)
        after = next(
            (self._pairs[at] for at in range(last, len(self._here)) if at in self._pairs), len(self._there)
        )
        if after - before < 2:
            return 0, 0
        return self._there.spans[before + 1][0], self._there.spans[after - 1][1]
