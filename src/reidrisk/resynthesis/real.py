"""The real values of a data set, kept as keyed hashes: a surrogate must be none of them."""

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
"""Letters that Unicode does not take apart."""
_HASH_BITS = 63
"""As many as fit into a whole number of a database."""


def plain(value: str) -> str:
    """The form under which writings of one value meet: one case, no accents, one space.

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
    """The value itself and its words: neither may come back as a surrogate."""
    whole = plain(value)
    yield whole
    for word in _WORD.findall(whole):
        if word != whole:
            yield word


class RealValues(Protocol):
    """What is known of the real values."""

    def holds(self, value: str) -> bool:
        """Whether a plain value, or a word, is one of the real ones."""

    def days_of(self, person: str) -> frozenset[int]:
        """The person's dates as days from an unknown day on: only differences have a meaning."""


class Hashing:
    """Turns values into numbers that tell nothing without the key."""

    def __init__(self, keyed: KeyedDraw) -> None:
        self._keyed = keyed

    def value(self, value: str) -> int:
        """The hash of a plain value."""
        return self._keyed.number("real value", value) >> (128 - _HASH_BITS)

    def person(self, person: str) -> int:
        """The hash of a person's name or number."""
        return self._keyed.number("person", person) >> (128 - _HASH_BITS)

    def day(self, person: str, day: int) -> int:
        """A day moved by a keyed number of days: differences stay."""
        return day + self._keyed.below(2**40, "day", person)


class RealValuesInMemory:
    """For texts that are at hand as a whole."""

    def __init__(self, keyed: KeyedDraw, values: Iterable[str] = ()) -> None:
        self._hashing = Hashing(keyed)
        self._values = {self._hashing.value(part) for value in values for part in parts_of(value)}
        self._days: dict[str, set[int]] = {}

    def add_day(self, person: str, day: int) -> None:
        """Remember one of the person's dates."""
        self._days.setdefault(person, set()).add(self._hashing.day(person, day))

    def holds(self, value: str) -> bool:
        """Whether a plain value, or a word, is one of the real ones."""
        return self._hashing.value(value) in self._values

    def days_of(self, person: str) -> frozenset[int]:
        """The person's dates as days from an unknown day on."""
        return frozenset(self._days.get(person, ()))
