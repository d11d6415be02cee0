"""The real values of a data set as keyed hashes; no surrogate may be one of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Protocol

from reidrisk.resynthesis.keyed_draw import KeyedDraw

_WORD = re.compile(r"[^\W\d_]{2,}")
_APART = {
    "ł": "l",
    "ø": "o",
    "đ": "d",
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    "ð": "d",
    "ß": "ss",
    "’": "'",
}
_FOLDED = str.maketrans(
    _APART | {old.upper(): new.capitalize() for old, new in _APART.items() if old not in "ßı’"}
)
"""Letters that Unicode does not decompose."""
_HASH_BITS = 63
"""Bits that fit into an integer of the database."""


def plain(value: str) -> str:
    """The form in which spellings of one value are compared: lower case, no accents, single spaces.

    >>> plain("  GARCÍA  Núñez")
    'garcia nunez'
    """
    return " ".join(remove_accents(value).casefold().split())


def remove_accents(value: str) -> str:
    """The same letters without accents.

    >>> remove_accents("Łukasz Nuñez")
    'Lukasz Nunez'
    """
    if value.isascii():
        return value
    letters = unicodedata.normalize("NFKD", value.translate(_FOLDED))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def parts_of(value: str) -> Iterator[str]:
    """The value itself and its words; none of them may be used as a surrogate."""
    whole = plain(value)
    yield whole
    for word in _WORD.findall(whole):
        if word != whole:
            yield word


class RealValues(Protocol):
    """The real values that surrogates must avoid."""

    def holds(self, value: str) -> bool:
        """Whether a plain value, or a word, is one of the real ones."""


class Hashing:
    """Converts values to numbers that reveal nothing without the key."""

    def __init__(self, keyed: KeyedDraw) -> None:
        self._keyed = keyed

    def value(self, value: str) -> int:
        """The hash of a plain value."""
        return self._keyed.number("real value", value) >> (128 - _HASH_BITS)


class RealValuesInMemory:
    """The real values of texts that are in memory."""

    def __init__(self, keyed: KeyedDraw, values: Iterable[str] = ()) -> None:
        self._hashing = Hashing(keyed)
        self._values = {self._hashing.value(part) for value in values for part in parts_of(value)}

    def holds(self, value: str) -> bool:
        """Whether a plain value, or a word, is one of the real ones."""
        return self._hashing.value(value) in self._values
