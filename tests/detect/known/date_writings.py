"""A date in all usual writings, to be found again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

MONTHS = [date(2000, number, 1).strftime("%B") for number in range(1, 13)]


def date_writings(day: date) -> frozenset[str]:
    """Numbers in both orders, and words, with and without the year."""
    return frozenset((*_numbers(day), *_words(day)))


def _numbers(day: date) -> Iterator[str]:
    year, short = f"{day.year:04d}", f"{day.year % 100:02d}"
    yield f"{year}{day.month:02d}{day.day:02d}"
    for separator in "-/.":
        for month, number in ((f"{day.month:02d}", f"{day.day:02d}"), (str(day.month), str(day.day))):
            yield separator.join((year, month, number))
            for shown in (year, short):
                yield separator.join((month, number, shown))
                yield separator.join((number, month, shown))


def _words(day: date) -> Iterator[str]:
    name = MONTHS[day.month - 1].title()
    year = f"{day.year:04d}"
    for month in (name, name[:3], name.upper()):
        for number in (str(day.day), f"{day.day:02d}", ordinal(day.day)):
            yield from (
                f"{month} {number}",
                f"{number} {month}",
                f"{month} {number}, {year}",
                f"{month} {number} {year}",
            )
            yield from (f"{number} {month} {year}", f"{number} of {month} {year}", f"{number}-{month}-{year}")
            yield f"{month} {number}, '{year[2:]}"
        yield f"{day.day:02d}{month}{year}"


def ordinal(number: int) -> str:
    """3 as 3rd."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
