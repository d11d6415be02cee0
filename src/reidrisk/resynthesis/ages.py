"""Surrogates for ages: all ages of a person shift by the same number of years."""

from __future__ import annotations

import re

from reidrisk.resynthesis.dates.words import in_case_of
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.resynthesis.vocabulary import word_list

_UNITS = word_list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
_SPELLED = {word: number for number, word in enumerate(_UNITS)} | {
    f"{ten}{join}{unit}" if unit else ten: 20 + 10 * at + number
    for at, ten in enumerate(_TENS)
    for number, unit in enumerate(["", *_UNITS[1:10]])
    for join in ("-", " ")
}
_AGE = re.compile(
    r"(?<!\d)\d{1,3}(?!\d)|\b(?:" + "|".join(sorted(_SPELLED, key=len, reverse=True)) + r")\b", re.IGNORECASE
)
_ADULT = 18


def years_of(person: str, keyed: KeyedDraw, settings: ResynthesisSettings) -> int:
    """The number of years by which the person's ages shift; never 0."""
    drawn = keyed.below(2 * settings.age_years, "age", person) - settings.age_years
    return drawn if drawn < 0 else drawn + 1


def move_age(value: str, years: int, settings: ResynthesisSettings) -> str | None:
    """The value with its ages shifted; None if it contains no age.

    Children stay children and adults stay adults; nobody becomes older than the top age.

    >>> move_age("seventy-two", 2, ResynthesisSettings()), move_age("94-year-old", 2, ResynthesisSettings())
    ('seventy-four', '87-year-old')
    """
    text, count = _AGE.subn(lambda match: _shift(match[0], years, settings), value)
    return text if count else None


def _shift(text: str, years: int, settings: ResynthesisSettings) -> str:
    age = int(text) if text.isdigit() else _SPELLED[text.casefold()]
    new = _new_age(age, years, settings)
    if text.isdigit():
        return f"{new:0{len(text) if text.startswith('0') else 1}d}"
    words = _in_words(new)
    return in_case_of(text, words if "-" in text or " " not in text else words.replace("-", " "))


def _new_age(age: int, years: int, settings: ResynthesisSettings) -> int:
    if age > settings.age_top:
        return settings.age_top - abs(years)
    for new in (age + years, age - years):
        same_stage = (new < _ADULT) == (age < _ADULT)
        if 0 < new <= settings.age_top and same_stage:
            return new
    return age + 1 if age + 1 <= settings.age_top else age - 1


def _in_words(number: int) -> str:
    if number < len(_UNITS):
        return _UNITS[number]
    ten, unit = divmod(number, 10)
    if ten - 2 >= len(_TENS):
        return str(number)
    return f"{_TENS[ten - 2]}-{_UNITS[unit]}" if unit else _TENS[ten - 2]
