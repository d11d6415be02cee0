"""What a reader counts in the document as it was, where it counts more in the new one than was to be kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reidrisk.documents.proof.needles import Needles, folded

_WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared."""
    return _WORD.findall(folded(text))


@dataclass(frozen=True, slots=True)
class Before:
    """The document as it was. Readers put words in other orders: what one of them makes up was so before."""

    path: Path
    gone: Mapping[str, int] = field(repr=False)
    """How many places of a value went, less those that came with new values."""
    loose: frozenset[str] = field(default=frozenset(), repr=False)
    """Values that words which stay make up where a reader puts them side by side."""
    words_gone: Mapping[str, int] = field(default_factory=dict, repr=False)
    """How many places of each word of such values went."""

    def words(self) -> frozenset[str]:
        """The words of loose values."""
        return frozenset(word for value in self.loose for word in words_of(value))

    def unexplained(self, values: Mapping[int, str], left: Left, texts: Iterable[str]) -> dict[int, str]:
        """The values of which more is left than a reader found in the texts before, less what went."""
        loose = {number: value for number, value in values.items() if value in self.loose}
        whole = {number: value for number, value in values.items() if number not in loose}
        words = {word for value in loose.values() for word in words_of(value)}
        old = Left(Needles(whole), words)
        for text in texts:
            old.add(text)
        found = {n: value for n, value in whole.items() if left.values[n] > old.values[n] - self.gone[value]}
        still = {word for word in words if left.words[word] > old.words[word] - self.words_gone.get(word, 0)}
        return found | {n: value for n, value in loose.items() if still.issuperset(words_of(value))}


class Left:
    """How often values and words stand in texts."""

    def __init__(self, needles: Needles, words: Collection[str]) -> None:
        self._needles, self._wanted = needles, words
        self.values: Counter[int] = Counter()
        self.words: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """One text."""
        self.values.update(self._needles.counts(text))
        if self._wanted:
            self.words.update(word for word in words_of(text) if word in self._wanted)
