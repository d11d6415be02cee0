"""Dates that a text mentions, in any writing, as the days they can mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

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
"""A day, or only its month and number where the year is left out."""


def mentioned_dates(low: str) -> Iterator[tuple[int, int, list[Meaning]]]:
    """Places of dates in a folded text, each with all days that it can mean; they may overlap."""
    for match in NUMERIC.finditer(low):
        yield from _place(match, _numeric(match[1], match[3], match[4]))
    for match in JOINED.finditer(low):
        yield from _place(match, _days([match[1]], match[2], match[3]))
    for expression in (DAY_FIRST, MONTH_FIRST):
        for match in expression.finditer(low):
            yield from _place(match, _worded(match["year"], MONTHS[match["month"][:3]], int(match["day"])))


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


def _worded(year: str | None, month: int, day: int) -> list[Meaning]:
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
