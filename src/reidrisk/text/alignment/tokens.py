"""Split texts into words and signs, compared by what a reader sees, not by how it is stored."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

import numpy as np

from reidrisk.stats.arrays import Ints

_UNSPACED = (
    "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
_TOKEN = re.compile(rf"[{_UNSPACED}]|(?:[^\W_{_UNSPACED}][\u0300-\u036f]*)+|[^\s\ufeff]")
"""A word, or one sign; scripts without spaces between words are split into characters."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words and signs of a text."""

    spans: tuple[tuple[int, int], ...]
    keys: tuple[str, ...] = field(repr=False)
    """Each token in its normalized form: composed, in one case."""

    @classmethod
    def of(cls, text: str) -> Tokens:
        """Split a text; white space is ignored."""
        found = [match.span() for match in _TOKEN.finditer(text)]
        return cls(tuple(found), tuple(same_for_a_reader(text[start:end]) for start, end in found))

    def __len__(self) -> int:
        return len(self.keys)

    def is_word(self, number: int) -> bool:
        """Whether a token is a word or number, not a sign."""
        return self.keys[number][:1].isalnum()


def same_for_a_reader(text: str) -> str:
    """A normalized form, equal for texts that look the same: letters composed, one case.

    >>> same_for_a_reader("ZOE\u0308") == same_for_a_reader("zoë")
    True
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold()


def number_tokens(one: Tokens, other: Tokens) -> tuple[Ints, Ints]:
    """Two texts as numbers; equal tokens have equal numbers."""
    numbers: dict[str, int] = {}
    both = [[numbers.setdefault(key, len(numbers)) for key in tokens.keys] for tokens in (one, other)]
    return np.array(both[0], dtype=np.int64), np.array(both[1], dtype=np.int64)
