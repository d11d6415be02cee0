"""What the model sees of a word: never a long number, and of a rare word its form only."""

from __future__ import annotations

import re

FIELDS = ("word", "shape", "prefix2", "prefix3", "prefix4", "suffix2", "suffix3", "suffix4", "length")
"""The properties of a word by itself, in the order of `properties`."""
_RUNS = re.compile(r"\d+|[^\W\d_]+|[^\w]|_")
LONGEST_NUMBER = 2
"""Numbers of more digits are known by their length only."""


def normal(word: str) -> str:
    """The word in lower case; the digits of numbers of more than two are hidden.

    >>> normal("Ruiz"), normal("12"), normal("1946")
    ('ruiz', '12', '0000')
    """
    if word.isdecimal() and len(word) > LONGEST_NUMBER:
        return "0" * min(len(word), 12)
    return word.casefold()


def shape(word: str) -> str:
    """The form of a word: capitals, small letters, digits with their number.

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
    """The values of `FIELDS`; an affix that is the whole word says nothing new and is empty."""
    low = normal(word)
    size = len(low)
    if not low[0].isalpha():
        start = word[:2] if word.isdecimal() and size > LONGEST_NUMBER else ""
        return (low, shape(word), start, "", "", "", "", "", str(min(size, 12)))
    starts = tuple(low[:n] if size > n else "" for n in (2, 3, 4))
    ends = tuple(low[-n:] if size > n else "" for n in (2, 3, 4))
    return (low, shape(word), *starts, *ends, str(min(size, 12)))


def outline(chunk: str) -> str:
    """The form of all that stands between two spaces, such as `99/99/9999`, `x@x.x` or `(Xx`.

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
