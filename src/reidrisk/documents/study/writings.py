"""How reports write what data hold: dates, whole or partial, and sexes, races, countries, initials."""

from __future__ import annotations

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import cache, lru_cache

from reidrisk.core.countries import countries
from reidrisk.detect.known.writings import fold_text
from reidrisk.resynthesis.dates.forms import WrittenDate, find_dates, rewrite_date
from reidrisk.resynthesis.dates.words import in_case_of, names_of, place_of

_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_COMPACT = re.compile(
    rf"(?<![^\W_])(?:(?P<d>\d{{1,2}})[-\s]?)?(?P<n>{_MONTH})[-\s]?"
    r"(?P<y>(?:19|20)\d\d|\d\d(?!\d|,?\s+(?:19|20)\d\d))(?![^\W_])"
    rf"|(?<![^\W_])(?:UNK?|XX|--)[-\s/]?(?P<un>{_MONTH})[-\s/]?(?P<uy>(?:19|20)\d\d)(?![^\W_])",
    re.IGNORECASE,
)
"""12MAR2019, MAR2019, UN-MAR-2019: forms of listings."""
_ISO = re.compile(
    r"(?<![\w-])(?P<y>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>0[1-9]|[12]\d|3[01]))?(?=T\d\d|(?![\w-]))"
)
_NAMED = re.compile(
    rf"(?<![^\W_])(?P<n>{'|'.join(names_of('month'))})\b\.?\s(?P<d>0?[1-9]|[12]\d|3[01]),\s(?P<y>(?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_ITS_YEAR = re.compile(r",\s(?:19|20)\d\d(?!\d)")
_LONGEST_NAMED = max(map(len, names_of("month"))) + 4
"""Characters of a month and a day with a point and a blank."""
_CELLS = re.compile(r"\t|\n\n+")
MIDDLE_DAY, MIDDLE_OF_YEAR = 15, (6, 30)
SEXES = {
    "f": ("female", "woman", "girl", "lady", "f"),
    "m": ("male", "man", "boy", "gentleman", "m"),
    "female": ("female", "woman", "girl", "lady", "f"),
    "male": ("male", "man", "boy", "gentleman", "m"),
}
PLURAL_SEXES = {
    "f": ("females", "women", "girls", "ladies"),
    "m": ("males", "men", "boys", "gentlemen"),
}
"""By the first letter of the sex; several people together are called so."""
RACES = {
    "white": ("white", "caucasian"),
    "black or african american": (
        "black or african american",
        "african american",
        "african-american",
        "black",
    ),
    "asian": ("asian",),
    "american indian or alaska native": (
        "american indian or alaska native",
        "american indian",
        "native american",
        "alaska native",
    ),
    "native hawaiian or other pacific islander": (
        "native hawaiian or other pacific islander",
        "native hawaiian",
        "pacific islander",
    ),
    "hispanic or latino": ("hispanic or latino", "hispanic", "latino", "latina"),
    "not hispanic or latino": ("not hispanic or latino", "non-hispanic", "not hispanic"),
}
UNTOLD = frozenset(
    ("other", "unknown", "not reported", "multiple", "missing", "u", "n/a", "na", "not collected")
)
"""Values that say nothing of anybody."""


def dates_in(text: str, *, month_first: bool = False) -> Iterator[WrittenDate]:
    """Every date of a text in order, partial ones too; cells and paragraphs end a date."""
    cells = _CELLS.sub(lambda match: "|" * len(match[0]), text)
    found = [*_named(cells), *_compact(cells), *_iso(cells)]
    found += find_dates(cells, "mdy" if month_first else "dmy")
    kept: list[WrittenDate] = []
    for one in sorted(found, key=lambda one: (-_year_digits(one), one.start, -one.end)):
        at = bisect_left(kept, one.start, key=lambda other: other.start)
        before_ends = at == 0 or kept[at - 1].end <= one.start
        if before_ends and (at == len(kept) or one.end <= kept[at].start):
            kept.insert(at, one)
    yield from kept


def _year_digits(one: WrittenDate) -> int:
    return next((end - start for name, start, end in one.spans if name == "y"), 0)


def _named(text: str) -> Iterator[WrittenDate]:
    """March 12, 2019, whatever number stands before it."""
    last = 0
    for year in _ITS_YEAR.finditer(text):
        match = _NAMED.search(text, max(last, year.start() - _LONGEST_NAMED), min(year.end() + 1, len(text)))
        if match is None:
            continue
        last = match.end()
        spans = tuple((name, *match.span(name)) for name in ("y", "n", "d"))
        month = (place_of("month", match["n"]) or 0) + 1
        yield WrittenDate(*match.span(), int(match["y"]), month, int(match["d"]), spans)


def _compact(text: str) -> Iterator[WrittenDate]:
    for match in _COMPACT.finditer(text):
        names = ("y", "n", "d") if match["y"] else ("uy", "un")
        spans = tuple((name[-1], *match.span(name)) for name in names if match[name])
        day = match["d"]
        year = match["y"] or match["uy"]
        month = (place_of("month", match["n"] or match["un"]) or 0) + 1
        if day is None or 1 <= int(day) <= 31:
            yield WrittenDate(*match.span(), _year(year), month, int(day) if day else None, spans)


def _iso(text: str) -> Iterator[WrittenDate]:
    for match in _ISO.finditer(text):
        spans = tuple((name, *match.span(name)) for name in ("y", "m", "d") if match[name])
        day = int(match["d"]) if match["d"] else None
        yield WrittenDate(*match.span(), int(match["y"]), int(match["m"]), day, spans)


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else int(text) + (2000 if int(text) < 50 else 1900)


def shortens(written: WrittenDate, day: date) -> bool:
    """Whether a date as it is written can mean a day: all that it says is true of it."""
    return (
        written.year in (None, day.year)
        and written.month in (None, day.month)
        and written.day in (None, day.day)
        and (written.year, written.month, written.day) != (None, None, None)
    )


def moved(written: WrittenDate, days: int, known: Iterable[date]) -> tuple[int, int, int] | None:
    """The day that stands there afterwards, of which the writing shows as much as before.

    A partial date moves with the day that it shortens, if one is known; otherwise from the middle of its
    month or year.
    """
    meant = next((day for day in known if shortens(written, day)), None)
    if meant is None:
        meant = _middle(written)
    if meant is None:
        return None
    try:
        new = meant + timedelta(days)
    except OverflowError:
        return None
    return new.year, new.month, new.day


def _middle(written: WrittenDate) -> date | None:
    if written.year is None:
        return None
    if written.month is None:
        return date(written.year, *MIDDLE_OF_YEAR)
    last = monthrange(written.year, written.month)[1]
    return date(written.year, written.month, min(written.day or MIDDLE_DAY, last))


def shifted(text: str, days: int, known: Iterable[date]) -> str | None:
    """A text with its dates moved, in the same writing; None if it holds none that can be moved.

    03/04/2019 is read in the order that makes it one of the known days.

    >>> shifted("12MAR2019", -10, ()), shifted("2019-03", 40, [date(2019, 3, 29)])
    ('02MAR2019', '2019-05')
    """
    days_known = list(known)
    found = _in_order(text, days_known)
    if not found:
        return None
    new, at = "", 0
    for one in found:
        to = moved(one, days, days_known)
        if to is None:
            return None
        new += text[at : one.start] + _rewritten(text, one, to)
        at = one.end
    return new + text[at:]


def _rewritten(text: str, one: WrittenDate, to: tuple[int, int, int]) -> str:
    for name, start, end in one.spans:
        if name == "n" and text[start:end].casefold() == "may" and " " not in text[one.start : one.end]:
            # In 12MAY2019 it is short for May, as APR is for April.
            text = text[:start] + in_case_of(text[start:end], "apr") + text[end:]
    return rewrite_date(text, one, to, padded=_two_digits(text, one))


def _two_digits(text: str, one: WrittenDate) -> bool:
    """Whether a form has two digits for every day, as 12MAR2019 and 12/10/2019 have: no word apart."""
    numbers = [end - start for name, start, end in one.spans if name in ("d", "m")]
    return (
        bool(numbers) and min(numbers) == 2 and not any(sign in " ,\n" for sign in text[one.start : one.end])
    )


def _in_order(text: str, known: list[date]) -> list[WrittenDate]:
    day_first = list(dates_in(text))
    if any(shortens(one, day) for one in day_first for day in known):
        return day_first
    month_first = list(dates_in(text, month_first=True))
    if any(shortens(one, day) for one in month_first for day in known):
        return month_first
    return day_first


def known_days(values: Iterable[str]) -> list[date]:
    """The complete dates among values of the data."""
    return [day for value in values for day in _days_of(value)]


@lru_cache(maxsize=2**14)
def _days_of(value: str) -> tuple[date, ...]:
    found = (one.when for one in dates_in(value) if one.day is not None)
    return tuple(day for day in found if day is not None)


@cache
def _countries() -> dict[str, tuple[str, ...]]:
    """Names of countries by their codes of ISO 3166."""
    found: dict[str, tuple[str, ...]] = {}
    for one in countries():
        forms, two, three = tuple(map(fold_text, one.names)), one.two.lower(), one.three.lower()
        found |= {two: (*forms, two), three: (*forms, three)}
        found |= dict.fromkeys(forms, (*forms, three))
    return found


def country_writings(value: str) -> tuple[str, ...]:
    """Names and code of a country.

    >>> country_writings("DEU")
    ('germany', 'deu')
    """
    low = fold_text(value.strip())
    return _countries().get(low, (low,))


def initials_writings(value: str) -> tuple[str, ...]:
    """Initials with points, blanks or hyphens between, or nothing.

    >>> initials_writings("M-Z")
    ('mz', 'm.z.', 'm. z.', 'm z', 'm-z')
    """
    letters = [letter for letter in fold_text(value) if letter.isalpha()]
    if not 2 <= len(letters) <= 4:
        return (fold_text(value),)
    joined = [mark.join(letters) for mark in ("", ".", ". ", " ", "-")]
    return (joined[0], f"{joined[1]}.", f"{joined[2]}.", *joined[3:])


@cache
def country_names() -> frozenset[str]:
    """All names and codes of countries, folded."""
    return frozenset(form for forms in _countries().values() for form in forms if len(form) > 2)
