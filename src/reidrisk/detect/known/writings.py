"""The writings in which a known value may stand in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from reidrisk.detect.known.folding import folded

ZEROS = re.compile(r"^([^\d]*)0+(?=\d)")
SEPARATOR = re.compile(r"[-_/.\s:|]+")
_ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_OLD = (
    "-year-old",
    " year old",
    " years old",
    "-yr-old",
    " yr old",
    " yo",
    "yo",
    " y/o",
    "y/o",
    " years of age",
    " y.o",
)
_AGED = ("age ", "aged ", "age: ", "age of ", "ages ")
FEWEST_DIGITS = 4
"""A number or a piece of one is told from other numbers from this many digits on."""
SHORTEST = 3


@lru_cache(maxsize=256)
def age_writings(age: int) -> frozenset[str]:
    """An age with the words that make it one; a bare number could be anything."""
    numbers = (str(age), *spelled(age))
    after = {f"{number}{old}" for number in numbers for old in _OLD}
    before = {f"{aged}{number}" for number in numbers for aged in _AGED}
    return frozenset(after | before)


def spelled(number: int) -> tuple[str, ...]:
    """A number below 200 in words, with and without a hyphen.

    >>> spelled(92), spelled(7), spelled(101)
    (('ninety-two', 'ninety two'), ('seven',), ('one hundred one', 'one hundred and one'))
    """
    if number < 20:
        return (_ONES[number],)
    if number < 100:
        tens, ones = _TENS[number // 10 - 2], number % 10
        return (f"{tens}-{_ONES[ones]}", f"{tens} {_ONES[ones]}") if ones else (tens,)
    if number >= 200:
        return ()
    rest = spelled(number - 100) if number > 100 else ()
    return tuple(f"one hundred {part}{word}" for word in rest for part in ("", "and ")) or ("one hundred",)


def id_writings(value: str) -> Iterator[tuple[str, bool]]:
    """An id as it is, without separators, its pieces, without leading zeros; and whether it is a piece."""
    whole = folded(value.strip())
    yield whole, False
    parts = [part for part in SEPARATOR.split(whole) if part]
    pieces: set[str] = set()
    if len(parts) > 1:
        yield from ((separator.join(parts), False) for separator in ("", "-", " ", "/", "."))
        pieces = {"-".join(parts[at:]) for at in range(1, len(parts))} | set(parts[1:])
    pieces |= {ZEROS.sub(r"\1", piece) for piece in (*pieces, whole) if "0" in piece}
    yield from ((piece, True) for piece in sorted(pieces) if piece != whole and telling(piece))


def phone_writings(digits: str) -> Iterator[str]:
    """The ways of grouping a telephone number of ten digits; others stay as they are."""
    yield digits
    if len(digits) == 11 and digits[0] == "1":
        digits = digits[1:]
    if len(digits) == 10:
        area, exchange, line = digits[:3], digits[3:6], digits[6:]
        yield from (f"{area}{mark}{exchange}{mark}{line}" for mark in ("-", ".", " ", ""))
        yield from (f"({area}) {exchange}-{line}", f"({area}){exchange}-{line}", f"{exchange}-{line}")


def telling(piece: str) -> bool:
    """Whether a piece of an id is long enough to be told from any number or word."""
    digits = sum(map(str.isdigit, piece))
    return digits >= FEWEST_DIGITS or (digits > 0 and len(piece) - digits > 0 and len(piece) >= FEWEST_DIGITS)
