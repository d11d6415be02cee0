"""Words and chunks of the texts at hand, each looked at once."""

from __future__ import annotations

from array import array

import numpy as np

from reidrisk.detect.model.surface import normal, outline
from reidrisk.detect.model.tokens import pieces
from reidrisk.stats.arrays import Ints

MOST_CHARACTERS = 4_000_000
"""When so much was remembered, all is forgotten: memory does not grow with the corpus."""
SIGN, STOP, COLON, NUMBER, SMALL, CAPITAL = range(6)
"""Kinds of words, as far as the layout of a text needs them."""


class Lexicon:
    """Remembers the words and chunks that occurred, as numbers."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.chunks: dict[str, int] = {}
        self.outlines: list[str] = []
        self.surfaces: list[str] = []
        self._words: dict[str, int] = {}
        self._normal: dict[str, int] = {}
        self._word_columns = (array("q"), array("q"), array("q"))
        self._first = array("q", [0])
        self._tokens = (array("q"), array("q"), array("q"))
        self._characters = 0

    @property
    def full(self) -> bool:
        """Whether it is time to forget."""
        return self._characters > MOST_CHARACTERS

    def add(self, chunk: str) -> int:
        """The number of a chunk that is met for the first time."""
        number = self.chunks[chunk] = len(self.outlines)
        self.outlines.append(outline(chunk))
        self._characters += len(chunk)
        for start, end in pieces(chunk):
            word = self._word_number(chunk[start:end])
            for column, value in zip(self._tokens, (word, start, end), strict=True):
                column.append(value)
        self._first.append(len(self._tokens[0]))
        return number

    def tokens_of(self, chunks: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Of the tokens of some chunks in order: place of the chunk, word, start and end within the chunk."""
        first = np.frombuffer(self._first, dtype=np.int64)
        counts = first[chunks + 1] - first[chunks]
        place = np.repeat(np.arange(chunks.size), counts)
        before = np.cumsum(counts) - counts
        token = np.arange(place.size) - before[place] + first[chunks][place]
        word, start, end = (np.frombuffer(column, dtype=np.int64)[token] for column in self._tokens)
        return place, word, start, end

    def about(self, words: Ints) -> tuple[Ints, Ints, Ints]:
        """Of some words: the number of the normal form, the kind, the length."""
        normal, kind, length = (np.frombuffer(column, dtype=np.int64)[words] for column in self._word_columns)
        return normal, kind, length

    def _word_number(self, word: str) -> int:
        number = self._words.get(word)
        if number is None:
            number = self._words[word] = len(self.surfaces)
            self.surfaces.append(word)
            same = self._normal.setdefault(normal(word), len(self._normal))
            for column, value in zip(self._word_columns, (same, _kind(word), len(word)), strict=True):
                column.append(value)
        return number


def _kind(word: str) -> int:
    if word[0].isdecimal():
        return NUMBER
    if word[0].isalpha():
        return SMALL if word == word.casefold() else CAPITAL
    return STOP if word in (".", "?", "!") else COLON if word in (":", "：") else SIGN
