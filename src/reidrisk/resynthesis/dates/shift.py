"""Surrogates for dates: all dates of a person shift by the same number of days."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

import numpy as np

from reidrisk.resynthesis.dates.forms import LEAP, WrittenDate, find_dates, rewrite_date
from reidrisk.resynthesis.dates.words import HOLIDAYS, in_case_of, names_of, place_of, write_like
from reidrisk.resynthesis.keyed_draw import KeyedDraw
from reidrisk.resynthesis.settings import ResynthesisSettings
from reidrisk.stats.arrays import Ints

LEAST_DAYS = 7
TRIES = 400
_YEAR, _MONTH = 365.25, 30.44
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(names_of('weekday'))})\b", re.IGNORECASE)
_SEASON = re.compile(rf"\b(?:{'|'.join(names_of('season'))})\b", re.IGNORECASE)
_HOLIDAY = re.compile("|".join(HOLIDAYS), re.IGNORECASE)


def days_in(value: str, settings: ResynthesisSettings) -> list[int]:
    """The complete dates in a value, as ordinal days."""
    found = (one.when for one in find_dates(value, settings.date_order))
    return [when.toordinal() for when in found if when is not None]


def scope_of(person: str) -> str:
    """The name under which everything is drawn that all parts about a person share."""
    return f"person {person}"


def possible_offsets(settings: ResynthesisSettings) -> list[int]:
    """Every number of days that a key may give; whoever knows the rule knows them."""
    step = 7 if settings.keep_weekday else 1
    most = settings.date_days // step
    every = (step * number for number in range(-most, most + 1))
    return [offset for offset in every if _is_visible(offset, keep_weekday=settings.keep_weekday)]


def date_offset(scope: str, keyed: KeyedDraw, days: int, *, keep_weekday: bool = False) -> int:
    """The number of days, at most `days`, by which the dates of a person move; never 0.

    It follows from key and person alone, whatever dates there are: tables, texts and documents agree on it
    without knowing each other. A text of nobody is a scope of its own.
    """
    step = 7 if keep_weekday else 1
    most = days // step
    for names in keyed.tries(TRIES, "date offset", scope):
        offset = step * (keyed.below(2 * most + 1, *names) - most)
        if _is_visible(offset, keep_weekday=keep_weekday):
            return offset
    return LEAST_DAYS + (0 if keep_weekday else 1)


def person_offsets(people: Sequence[str], key: bytes, days: int) -> Ints:
    """The number of days of each person by the key."""
    keyed = KeyedDraw(key)
    found = (date_offset(scope_of(one), keyed, days) for one in people)
    return np.fromiter(found, dtype=np.int64, count=len(people))


def _is_visible(offset: int, *, keep_weekday: bool) -> bool:
    """Whether the shift changes all written forms: weekdays, and days and months without a year."""
    from_year = abs(offset) % _YEAR
    near = abs(offset) > 300 and min(from_year, _YEAR - from_year) < 4
    return abs(offset) >= LEAST_DAYS and not near and (keep_weekday or offset % 7 != 0)


class DateShift:
    """Shifts the dates of one document by its person's number of days."""

    def __init__(self, offset: int, values: Iterable[str], settings: ResynthesisSettings) -> None:
        self._offset = offset
        self._settings = settings
        days = [day for value in values for day in days_in(value, settings)]
        years = Counter(date.fromordinal(day).year for day in days)
        self._year = max(years, key=lambda year: (years[year], year)) if years else LEAP

    def move(self, value: str) -> str | None:
        """The value with all its dates shifted; None if it contains no recognized date."""
        text, at, seen = "", 0, False
        for found in find_dates(value, self._settings.date_order):
            text += self._words(value[at : found.start]) + rewrite_date(value, found, self._shift(found))
            at, seen = found.end, True
        text += self._words(value[at:])
        return text if seen or text != value else None

    def _shift(self, found: WrittenDate) -> tuple[int | None, int | None, int | None]:
        when = found.when
        if when is not None:
            moved = _plus(when, self._offset)
            return moved.year, moved.month, moved.day
        if found.month is not None and found.day is not None:
            year = self._year if (found.month, found.day) != (2, 29) else LEAP
            moved = _plus(date(year, found.month, min(found.day, _last(year, found.month))), self._offset)
            return None, moved.month, moved.day
        if found.month is not None:
            months = 12 * (found.year or LEAP) + found.month - 1 + _steps(self._offset, _MONTH, cycle=12)
            return months // 12, months % 12 + 1, None
        return (found.year or LEAP) + _steps(self._offset, _YEAR), None, None

    def _words(self, text: str) -> str:
        """Shift weekdays, seasons and holidays, next to a date or alone."""
        if not text.strip():
            return text
        text = _WEEKDAY.sub(lambda match: self._turn("weekday", match[0], self._offset), text)
        seasons = _steps(self._offset, 3 * _MONTH, cycle=4)
        text = _SEASON.sub(lambda match: self._turn("season", match[0], seasons), text)
        return _HOLIDAY.sub(lambda match: self._holiday(match[0]), text)

    def _turn(self, cycle: str, word: str, by: int) -> str:
        return write_like(cycle, word, (place_of(cycle, word) or 0) + by)

    def _holiday(self, name: str) -> str:
        steps = _steps(self._offset, _MONTH, cycle=len(HOLIDAYS))
        return in_case_of(name, HOLIDAYS[(HOLIDAYS.index(name.casefold()) + steps) % len(HOLIDAYS)])


def _plus(when: date, days: int) -> date:
    try:
        return when + timedelta(days)
    except OverflowError:  # the calendar ends
        return when - timedelta(days)


def _last(year: int, month: int) -> int:
    return (date(year + month // 12, month % 12 + 1, 1) - timedelta(1)).day


def _steps(offset: int, length: float, *, cycle: int = 0) -> int:
    """The offset in whole steps of a length: at least one, and never a multiple of the cycle."""
    steps = round(offset / length) or (1 if offset > 0 else -1)
    return steps if not cycle or steps % cycle else steps + (1 if offset > 0 else -1)
