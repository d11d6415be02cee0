"""The written forms of dates, and where each form has its day, month and year."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from reidrisk.resynthesis.dates.words import in_case_of, names_of, place_of, write_like
from reidrisk.text.values import DateOrder

_MONTH = "|".join(names_of("month"))
_DAY = r"(?P<{}>0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?P<{}>(?:1[6-9]|20|21)\d\d|'?\d\d)"
_FULL_YEAR = r"(?P<{}>(?:1[6-9]|20|21)\d\d)"
_OF = r"(?:[\s,.\-/]|\bde\b|\bof\b|\bdel\b){1,6}"
_FORMS = (
    (
        "iso",
        r"(?P<iso_y>(?:1[6-9]|20|21)\d\d)(?P<iso_s>[-/.])(?P<iso_m>0?[1-9]|1[0-2])(?P=iso_s)"
        + _DAY.format("iso_d")
        + r"(?!\d)",
    ),
    (
        "number",
        r"(?P<number_a>\d{1,2})\s?(?P<number_s>[-/.])\s?(?P<number_b>\d{1,2})\s?(?P=number_s)\s?"
        + r"(?P<number_y>(?:1[6-9]|20|21)\d\d|'?\d\d)(?!\d)",
    ),
    (
        "day",
        _DAY.format("day_d")
        + rf"(?P<day_t>st|nd|rd|th|\.)?{_OF}(?P<day_n>{_MONTH})\b\.?(?:{_OF}{_YEAR.format('day_y')}(?!\d))?",
    ),
    (
        "named",
        rf"(?P<named_n>{_MONTH})\b\.?{_OF}(?:the )?"
        + _DAY.format("named_d")
        + rf"(?!\d)(?P<named_t>st|nd|rd|th)?(?:{_OF}{_YEAR.format('named_y')}(?!\d))?",
    ),
    (
        "joined",
        r"(?P<joined_y>(?:19|20)\d\d)(?P<joined_m>0[1-9]|1[0-2])(?P<joined_d>0[1-9]|[12]\d|3[01])(?!\d)",
    ),
    ("month", rf"(?P<month_n>{_MONTH})\b\.?{_OF}" + _YEAR.format("month_y") + r"(?!\d)"),
    ("short", r"(?P<short_m>0?[1-9]|1[0-2])[-/.]" + _FULL_YEAR.format("short_y") + r"(?!\d)"),
    ("turned", _FULL_YEAR.format("turned_y") + r"[-/.](?P<turned_m>0[1-9]|1[0-2])(?!\d)"),
    ("partial", r"(?P<partial_a>\d{1,2})[-/.](?P<partial_b>\d{1,2})(?![\d:])"),
    ("year", _FULL_YEAR.format("year_y") + r"(?!\d)"),
    ("alone", rf"(?P<alone_n>{_MONTH})\b"),
)
_DATE = re.compile(
    r"(?<![\d\w])(?:" + "|".join(f"(?P<{name}>{form})" for name, form in _FORMS) + ")", re.IGNORECASE
)
_PARTS = {
    form: tuple(
        (group.removeprefix(f"{form}_"), group) for group in _DATE.groupindex if group.startswith(f"{form}_")
    )
    for form, _ in _FORMS
}
"""The parts of each form, and their groups in the pattern."""
MONTHS = 12
LEAP = 2004
"""The year used for dates without one, so that February 29 exists."""


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date in a text: its numbers, and the position of each."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None
    spans: tuple[tuple[str, int, int], ...]
    """Name and position of each part: y, m, n (month by name), d, t (ordinal ending)."""

    @property
    def when(self) -> date | None:
        """The calendar date; None if a part is missing."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, min(self.day, monthrange(self.year, self.month)[1]))


def find_dates(value: str, order: DateOrder) -> Iterator[WrittenDate]:
    """Every date in a value, in order."""
    for match in _DATE.finditer(value):
        found = _read(match, order)
        if found is not None:
            yield found


def turned(found: WrittenDate) -> WrittenDate | None:
    """A date that was read day first, read month first: 03/04/2019 has both ways; None if it has only one.

    >>> [(one.month, one.day) for one in map(turned, find_dates("03/04/2019", "dmy")) if one]
    [(3, 4)]
    """
    at = {name: (start, end) for name, start, end in found.spans}
    if "m" not in at or "d" not in at or at["m"] < at["d"] or (found.day or 0) > MONTHS:
        return None
    swapped = {"m": at["d"], "d": at["m"]}
    spans = tuple((name, *swapped.get(name, (start, end))) for name, start, end in found.spans)
    return WrittenDate(found.start, found.end, found.year, found.day, found.month, spans)


def _read(match: re.Match[str], order: DateOrder) -> WrittenDate | None:
    form = str(match.lastgroup)  # the group that closes last is the form itself
    parts = {part: match.span(group) for part, group in _PARTS[form] if match[group] is not None}
    text = match.string
    if "a" in parts:
        first, second = ("m", "d") if _month_first(text, parts, order) else ("d", "m")
        parts = {**parts, first: parts["a"], second: parts["b"]}
    spans = tuple((name, *parts[name]) for name in ("y", "m", "n", "d", "t") if name in parts)
    texts = {name: text[start:end] for name, start, end in spans}
    month = int(texts["m"]) if "m" in texts else None
    if "n" in texts:
        month = (place_of("month", texts["n"]) or 0) + 1
    day = int(texts["d"]) if "d" in texts else None
    if month not in (None, *range(1, 13)) or day not in (None, *range(1, 32)):
        return None
    return WrittenDate(*match.span(), _year(texts.get("y")), month, day, spans)


def _month_first(text: str, parts: dict[str, tuple[int, int]], order: DateOrder) -> bool:
    """Whether the first of two numbers is the month: by the date order, unless that is impossible."""
    one, two = (int(text[slice(*parts[name])]) for name in ("a", "b"))
    if one > 12 or two > 12:
        return one <= 12
    return order == "mdy"


def _year(text: str | None) -> int | None:
    if text is None:
        return None
    digits = text.lstrip("'")
    if len(digits) == 4:
        return int(digits)
    return int(digits) + (2000 if int(digits) < 50 else 1900)


def rewrite_date(
    value: str, found: WrittenDate, moved: tuple[int | None, int | None, int | None], *, padded: bool = False
) -> str:
    """Write another date in the form of the found one; if `padded`, one digit is written as two."""
    width = 2 if padded or _has_padding(value, found) else 1
    text, at = "", found.start
    for name, start, end in sorted(found.spans, key=lambda span: span[1]):
        text += value[at:start] + _piece(name, value[start:end], moved, width=width)
        at = end
    return text + value[at : found.end]


def _has_padding(value: str, found: WrittenDate) -> bool:
    """Whether one digit is written as two: if there is a leading zero, or two digits follow a year."""
    numbers = [value[start:end] for name, start, end in found.spans if name in ("m", "d")]
    year_first = found.spans[0][0] == "y" and found.spans[0][1] == min(span[1] for span in found.spans)
    return any(text.startswith("0") for text in numbers) or (
        year_first and all(len(text) == 2 for text in numbers)
    )


def _piece(name: str, old: str, moved: tuple[int | None, int | None, int | None], *, width: int) -> str:
    year, month, day = (number or 1 for number in moved)
    if name == "y":
        return f"{year:04d}" if len(old) == 4 else f"{old[:-2]}{year % 100:02d}"
    if name == "n":
        return write_like("month", old, month - 1)
    if name == "t":
        return old if old == "." else in_case_of(old, _ending(day))
    return f"{month if name == 'm' else day:0{width}d}"


def _ending(day: int) -> str:
    if 11 <= day <= 13:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
