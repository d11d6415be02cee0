"""The ways a known value may be written in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from functools import lru_cache


def _base(code: int) -> str | None:
    decomposed = unicodedata.normalize("NFD", chr(code))
    return decomposed[0].lower() if len(decomposed) > 1 and len(decomposed[0].lower()) == 1 else None


_ACCENTS = {
    code: base
    for low, high in ((0xC0, 0x250), (0x1E00, 0x1F00))
    for code in range(low, high)
    if (base := _base(code)) is not None
}
_MARKS = dict.fromkeys(map(ord, "\n\r\t\v\f\xa0\u2007\u2009\u202f"), " ") | {
    ord("’"): "'",
    ord("‘"): "'",
    ord("´"): "'",
    ord("–"): "-",
    ord("—"): "-",
    ord("‑"): "-",
    ord("‐"): "-",
    ord("ø"): "o",
    ord("Ø"): "o",
    ord("ł"): "l",
    ord("Ł"): "l",
    ord("đ"): "d",
    ord("Đ"): "d",
}
_TABLE = _ACCENTS | _MARKS


def fold_text(text: str) -> str:
    """Convert a text to lower case without accents, keeping its length.

    >>> fold_text("Renée O’Brien–Łukasz")
    "renee o'brien-lukasz"
    """
    plain = text.translate(_TABLE)
    low = plain.lower()
    if len(low) == len(plain):
        return low
    return "".join(character.lower() if len(character.lower()) == 1 else character for character in plain)


_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4}(?!\d)|'\d{2}(?!\d)|(?<=[-/a-z])\d{2}(?!\d))"
NUMERIC = re.compile(r"(?<!\d)(?<!\d[/.-])(\d{1,4})([/.-])(\d{1,2})\2(\d{4}|\d{1,2})(?!\d)")
JOINED = re.compile(r"(?<!\w)((?:19|20)\d{2})(\d{2})(\d{2})(?!\w)")
DAY_FIRST = re.compile(rf"(?<!\w){_DAY}[ \-/.]{{0,2}}(?:of )?{_MONTH}(?:[ \-/.,]{{0,2}}{_YEAR})?(?![a-z])")
MONTH_FIRST = re.compile(rf"(?<!\w){_MONTH}[ \-]{{0,2}}(?:the )?{_DAY}(?!\d)(?:[ \-/.,]{{0,2}}{_YEAR})?")
Meaning = date | tuple[int, int]
"""A date, or only month and day if the year is left out."""


def find_date_mentions(low: str) -> Iterator[tuple[int, int, list[Meaning]]]:
    """Find dates in a folded text, each with all days that it can mean; they may overlap."""
    for match in NUMERIC.finditer(low):
        yield from _place(match, _numeric(match[1], match[3], match[4]))
    for match in JOINED.finditer(low):
        yield from _place(match, _days([match[1]], match[2], match[3]))
    for expression in (DAY_FIRST, MONTH_FIRST):
        for match in expression.finditer(low):
            yield from _place(
                match, _from_words(match["year"], MONTHS[match["month"][:3]], int(match["day"]))
            )


def _place(match: re.Match[str], meanings: list[Meaning]) -> Iterator[tuple[int, int, list[Meaning]]]:
    if meanings:
        yield match.start(), match.end(), meanings


def _numeric(first: str, second: str, third: str) -> list[Meaning]:
    if len(first) == 4:
        return _days([first], second, third)
    if len(first) > 2 or len(third) not in (2, 4):
        return []
    years = _years(third)
    return [*_days(years, first, second), *_days(years, second, first)]


def _from_words(year: str | None, month: int, day: int) -> list[Meaning]:
    if year is None:
        return [(month, day)] if 1 <= day <= 31 else []
    return _days(_years(year.lstrip("'")), str(month), str(day))


def _years(shown: str) -> list[str]:
    return [shown] if len(shown) == 4 else [f"19{shown}", f"20{shown}"]


def _days(years: list[str], month: str, day: str) -> list[Meaning]:
    found: list[Meaning] = []
    for year in years:
        try:
            found.append(date(int(year), int(month), int(day)))
        except ValueError:
            continue
    return found


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
"""A number, or a piece of one, is distinctive if it has at least this many digits."""
SHORTEST = 3


@lru_cache(maxsize=256)
def age_writings(age: int) -> frozenset[str]:
    """An age with the words that mark it as an age; a bare number could be anything."""
    numbers = (str(age), *number_in_words(age))
    after = {f"{number}{old}" for number in numbers for old in _OLD}
    before = {f"{aged}{number}" for number in numbers for aged in _AGED}
    return frozenset(after | before)


def number_in_words(number: int) -> tuple[str, ...]:
    """A number below 200 in words, with and without a hyphen.

    >>> number_in_words(92), number_in_words(7), number_in_words(101)
    (('ninety-two', 'ninety two'), ('seven',), ('one hundred one', 'one hundred and one'))
    """
    if number < 20:
        return (_ONES[number],)
    if number < 100:
        tens, ones = _TENS[number // 10 - 2], number % 10
        return (f"{tens}-{_ONES[ones]}", f"{tens} {_ONES[ones]}") if ones else (tens,)
    if number >= 200:
        return ()
    rest = number_in_words(number - 100) if number > 100 else ()
    return tuple(f"one hundred {part}{word}" for word in rest for part in ("", "and ")) or ("one hundred",)


def id_writings(value: str) -> Iterator[tuple[str, bool]]:
    """Written forms of an id, each with whether it is only a piece of the id.

    The id itself, with other separators, its pieces, and without leading zeros.
    """
    whole = fold_text(value.strip())
    yield whole, False
    parts = [part for part in SEPARATOR.split(whole) if part]
    pieces: set[str] = set()
    if len(parts) > 1:
        yield from ((separator.join(parts), False) for separator in ("", "-", " ", "/", "."))
        pieces = {"-".join(parts[at:]) for at in range(1, len(parts))} | set(parts[1:])
    pieces |= {ZEROS.sub(r"\1", piece) for piece in (*pieces, whole) if "0" in piece}
    yield from ((piece, True) for piece in sorted(pieces) if piece != whole and is_distinctive(piece))


def phone_writings(digits: str) -> Iterator[str]:
    """The ways to group a ten-digit phone number; other numbers stay unchanged."""
    yield digits
    if len(digits) == 11 and digits[0] == "1":
        digits = digits[1:]
    if len(digits) == 10:
        area, exchange, line = digits[:3], digits[3:6], digits[6:]
        yield from (f"{area}{mark}{exchange}{mark}{line}" for mark in ("-", ".", " ", ""))
        yield from (f"({area}) {exchange}-{line}", f"({area}){exchange}-{line}", f"{exchange}-{line}")


def is_distinctive(piece: str) -> bool:
    """Whether a piece of an id is long enough to be distinguished from ordinary numbers and words."""
    digits = sum(map(str.isdigit, piece))
    return digits >= FEWEST_DIGITS or (digits > 0 and len(piece) - digits > 0 and len(piece) >= FEWEST_DIGITS)
