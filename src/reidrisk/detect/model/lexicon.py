"""The tokens of a text, what each looks like, and an index that numbers them."""

from __future__ import annotations

import re
from array import array

import numpy as np

from reidrisk.detect.dictionaries.lexicon import english
from reidrisk.stats.arrays import Ints

CHUNK = re.compile(r"\S{1,256}")
"""Text between white space; very long chunks are split, so that no token is very long."""
_UNSPACED = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u200c\u200d"
)
TOKEN = re.compile(
    rf"[{_UNSPACED}]"  # scripts without spaces between words: one character per token
    r"|\d+"
    rf"|[^\W\d_{_UNSPACED}][{_MARKS}]*(?:[^\W\d_{_UNSPACED}][{_MARKS}]*)*"
    r"|(?P<sign>[^\w\s]|_)(?:(?P=sign){2,})?"
    r"|\S",
)


def pieces(chunk: str) -> list[tuple[int, int]]:
    """Start and end of the tokens of a chunk: words, numbers, symbols, runs of three or more equal symbols.

    >>> pieces("Dr.Ruiz-12/03")
    [(0, 2), (2, 3), (3, 7), (7, 8), (8, 10), (10, 11), (11, 13)]
    """
    return [match.span() for match in TOKEN.finditer(chunk)]


FIELDS = (
    *("word", "shape", "prefix2", "prefix3", "prefix4", "suffix2", "suffix3", "suffix4"),
    *("length", "listed"),
)
"""The properties of a word on its own, in the order of `properties`."""
_RUNS = re.compile(r"\d+|[^\W\d_]+|[^\w]|_")
LONGEST_NUMBER = 2
"""Longer numbers are known only by their length."""


def normal(word: str) -> str:
    """The word in lower case; numbers of more than two digits become zeros.

    >>> normal("Ruiz"), normal("12"), normal("1946")
    ('ruiz', '12', '0000')
    """
    if word.isdecimal() and len(word) > LONGEST_NUMBER:
        return "0" * min(len(word), 12)
    return word.casefold()


def shape(word: str) -> str:
    """The shape of a word: capitals, lower-case letters, and digits with their count.

    >>> [shape(word) for word in ("Ruiz", "RUIZ", "R", "McKay", "ruiz", "1946", ".", "Ñ")]
    ['Xx', 'XX', 'X', 'XxXx', 'x', '9999', '.', 'X']
    """
    if word.isdecimal():
        return "9" * min(len(word), 12)
    if not word[0].isalpha():
        return word[:1]
    if word.isupper():
        return "X" if len(word) == 1 else "XX"
    if word.istitle() or word.islower():
        return "Xx" if word.istitle() else "x"
    if word == word.casefold():
        return "c"  # a script without capitals
    return "XxXx" if word[0].isupper() else "xX"


def properties(word: str) -> tuple[str, ...]:
    """The values of `FIELDS`; an affix that is the whole word is left empty."""
    low = normal(word)
    size = len(low)
    if not low[0].isalpha():
        start = word[:2] if word.isdecimal() and size > LONGEST_NUMBER else ""
        return (low, shape(word), start, "", "", "", "", "", str(min(size, 12)), "")
    starts = tuple(low[:n] if size > n else "" for n in (2, 3, 4))
    ends = tuple(low[-n:] if size > n else "" for n in (2, 3, 4))
    return (low, shape(word), *starts, *ends, str(min(size, 12)), english().lists(word))


def outline(chunk: str) -> str:
    """The shape of a whole chunk between two spaces, such as `99/99/9999`, `x@x.x` or `(Xx`.

    >>> outline("12/03/1946"), outline("a.ruiz@hospital.es"), outline("ruiz")
    ('99/99/9999', 'x.x@x.x', 'x')
    """
    parts = []
    for run in _RUNS.findall(chunk[:40]):
        if run.isdecimal():
            parts.append("9" * min(len(run), 9))
        else:
            parts.append(shape(run) if run[0].isalpha() else run)
    return "".join(parts).rstrip(".,;:")


MOST_CHARACTERS = 4_000_000
"""The index is cleared after this many characters, so that memory does not grow with the corpus."""
SIGN, STOP, COLON, NUMBER, SMALL, CAPITAL = range(6)
"""Kinds of tokens that the layout of a text needs."""


class TokenIndex:
    """Numbers the words and chunks that have occurred."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove all entries."""
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
        """Whether the index should be cleared."""
        return self._characters > MOST_CHARACTERS

    def add(self, chunk: str) -> int:
        """Add a new chunk and return its number."""
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
        """For the tokens of several chunks: position of the chunk, word, start and end in the chunk."""
        first = np.frombuffer(self._first, dtype=np.int64)
        counts = first[chunks + 1] - first[chunks]
        place = np.repeat(np.arange(chunks.size), counts)
        before = np.cumsum(counts) - counts
        token = np.arange(place.size) - before[place] + first[chunks][place]
        word, start, end = (np.frombuffer(column, dtype=np.int64)[token] for column in self._tokens)
        return place, word, start, end

    def about(self, words: Ints) -> tuple[Ints, Ints, Ints]:
        """For several words: the number of the normal form, the kind, the length."""
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
