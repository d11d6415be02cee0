"""Normalize quasi-identifier values, so that equal values match: ISO dates, one case, no titles."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

DateOrder = Literal["mdy", "dmy"]
"""How a numeric date such as 03/04/2019 is read: March 4 or April 3."""

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january janv janvier januar enero ene",
            "feb february févr février fevrier februar febrero",
            "mar march mars märz maerz marzo",
            "apr april avr avril abril abr",
            "may mai mayo",
            "jun june juin juni junio",
            "jul july juil juillet juli julio",
            "aug august août aout agosto ago",
            "sep sept september septembre septiembre",
            "oct october octobre oktober okt octubre",
            "nov november novembre noviembre",
            "dec december déc décembre decembre dezember dez diciembre dic",
        ),
        start=1,
    )
    for name in names.split()
}
TITLES = re.compile(
    r"^(?:(?:mr|mrs|ms|mx|miss|dr|drs|prof|herr|frau|señor|señora|sr|sra|don|doña|dña|mme|monsieur|madame)\.?\s+)+"
)
DAY, WORD, YEAR = r"(\d{1,2})(?:st|nd|rd|th)?\.?", r"([^\W\d_]+)\.?", r"(\d{4}|'?\d{2})"
SEPARATOR = r"\s*(?:,|\bde\b|\bof\b|\bdel\b)?\s*"
ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
NUMERIC = re.compile(rf"(\d{{1,2}})\s?[-/.]\s?(\d{{1,2}})\s?[-/.]\s?{YEAR}")
DAY_FIRST = re.compile(rf"{DAY}{SEPARATOR}{WORD}(?:{SEPARATOR}{YEAR})?")
MONTH_FIRST = re.compile(rf"{WORD}\s*{DAY}(?:{SEPARATOR}{YEAR})?")
MONTH_YEAR = re.compile(rf"{WORD}{SEPARATOR}(\d{{4}})")


@lru_cache(maxsize=2**16)
def normalize(value: str, *, date_order: DateOrder = "mdy") -> str:
    """The normalized form of a value.

    >>> normalize("March 14th, 2019"), normalize("3/14/2019"), normalize("14 Mar 2019")
    ('2019-03-14', '2019-03-14', '2019-03-14')
    >>> normalize("Dr.  Jane DOE")
    'jane doe'
    """
    plain = " ".join(value.split()).casefold().strip(" .,;:")
    return as_date(plain, date_order) or TITLES.sub("", plain) or plain


def as_date(text: str, date_order: DateOrder) -> str | None:  # noqa: PLR0911 - one per notation
    """ISO form of a full date, of a month and year, or of a day and month; None if it is not a date."""
    if not any(character.isdigit() for character in text):
        return None
    if match := ISO.fullmatch(text):
        return _iso(match[1], match[2], match[3])
    if match := NUMERIC.fullmatch(text):
        month, day = (match[1], match[2]) if date_order == "mdy" else (match[2], match[1])
        return _iso(match[3], month, day) or _iso(match[3], day, month)
    if (match := DAY_FIRST.fullmatch(text)) and match[2] in MONTHS:
        return _iso(match[3], str(MONTHS[match[2]]), match[1])
    if (match := MONTH_YEAR.fullmatch(text)) and match[1] in MONTHS:
        return f"{match[2]}-{MONTHS[match[1]]:02}"
    if (match := MONTH_FIRST.fullmatch(text)) and match[1] in MONTHS:
        return _iso(match[3], str(MONTHS[match[1]]), match[2])
    return None


def _iso(year: str | None, month: str, day: str) -> str | None:
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    if year is None:
        return f"--{int(month):02}-{int(day):02}"
    digits = year.lstrip("'")
    century = "" if len(digits) == 4 else ("20" if int(digits) < 50 else "19")
    return f"{century}{digits}-{int(month):02}-{int(day):02}"
