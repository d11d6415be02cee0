"""The known values of a column, and the interval that a written value means."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.results import ComparedAs as Stored
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.tables.hierarchy.levels import Objects

Kind = Literal["number", "date", "category"]
LENGTH = len("2007-03-14")


class DistinctColumn(Protocol):
    """A column with its distinct values in order, by row or with counts."""

    @property
    def kind(self) -> Stored:
        """The type of the values."""
        ...

    @property
    def values(self) -> NDArray[Any]:
        """The distinct values, without the empty cell."""
        ...

    @property
    def missing(self) -> int:
        """Number of rows without a value."""
        ...

    @property
    def rows(self) -> int:
        """Number of all rows."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """Distinct values in order; the empty cell, if there is one, comes last."""

    kind: Kind
    numbers: Floats = field(repr=False)
    """The values of numbers and dates, without the empty cell."""
    texts: tuple[str, ...] = field(repr=False)
    """The values of categories, without the empty cell."""
    has_missing: bool

    def __len__(self) -> int:
        return self.present + self.has_missing

    @property
    def present(self) -> int:
        """Number of values, without the empty cell."""
        return len(self.texts) if self.kind == "category" else self.numbers.size

    def objects(self) -> Objects:
        """Return the values as objects for a hierarchy; None is the empty cell."""
        found = np.empty(len(self), dtype=np.object_)
        found[: self.present] = self.texts or [
            as_object(number, self.kind) for number in self.numbers.tolist()
        ]
        return found


def domain_of(tables: Sequence[DistinctColumn]) -> tuple[Domain, list[Ints]]:
    """Build one domain for a column of several tables, and the index in it of each table's codes."""
    kinds = {_kind(one) for one in tables if one.values.size}
    kind: Kind = kinds.pop() if len(kinds) == 1 else "category"
    has_missing = any(one.missing for one in tables)
    if kind == "category":
        every = [[spell(value, one.kind) for value in one.values.tolist()] for one in tables]
        texts = sorted({text for own in every for text in own})
        place = {text: at for at, text in enumerate(texts)}
        maps = [np.array([place[text] for text in own], dtype=np.int64) for own in every]
        domain = Domain(kind, np.empty(0), tuple(texts), has_missing)
    else:
        numbers = [as_numbers(one) for one in tables]
        whole = np.unique(np.concatenate(numbers))
        maps = [np.searchsorted(whole, own).astype(np.int64) for own in numbers]
        domain = Domain(kind, whole, (), has_missing)
    return domain, [np.append(places, domain.present) for places in maps]


def as_numbers(column: DistinctColumn) -> Floats:
    """Return numbers and days unchanged, and texts of days as days."""
    if column.kind != "text":
        return np.asarray(column.values, dtype=np.float64)
    return np.array(
        [date.fromisoformat(text).toordinal() for text in column.values.tolist()], dtype=np.float64
    )


def spell(value: Any, kind: str) -> str:
    """Write a value as in a file.

    >>> spell(5.0, "number"), spell(0.5, "number"), spell(737061.0, "date"), spell("M54", "text")
    ('5', '0.5', '2019-01-02', 'M54')
    """
    return str(value if kind == "text" else as_object(value, kind))


def as_object(number: float, kind: str) -> Any:
    """Return a whole number as int, and a day with its time if it has one."""
    if kind != "date":
        return int(number) if number.is_integer() else number
    day = date.fromordinal(int(number))
    if number.is_integer():
        return day
    return datetime(day.year, day.month, day.day) + timedelta(days=number % 1)  # noqa: DTZ001 - as in the table


def _kind(column: DistinctColumn) -> Kind:
    if column.kind != "text":
        return column.kind
    return "date" if all(_is_day(text) for text in column.values.tolist()) else "category"


def _is_day(text: str) -> bool:
    if len(text) != LENGTH:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", "≤": "<=", "≥": ">="})
_NUMBER = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_DAY = r"\d{4}-\d\d-\d\d"
_PERIODS = (
    (re.compile(r"(\d{4})-(0[1-9]|1[0-2])"), 1),
    (re.compile(r"(\d{4})-?Q([1-4])"), 3),
    (re.compile(r"(\d{4})-?H([12])"), 6),
)
_YEARS = re.compile(r"(\d{4})(?:\s*-\s*(\d{4})|(s))?")
_WEEK = re.compile(r"(\d{4})-?W(\d\d)")
_MASK = re.compile(r"(\d+)(\*+)")


@dataclass(frozen=True, slots=True)
class ValueInterval:
    """An interval of numbers; each end belongs to it unless it is open."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    @property
    def middle(self) -> float | None:
        """The midpoint, or the only finite end; None if there is none or the ends are reversed.

        >>> ValueInterval(20, 29).middle, ValueInterval(90, math.inf).middle, ValueInterval(9, 1).middle
        (24.5, 90, None)
        """
        if self.low > self.high:
            return None
        ends = [end for end in (self.low, self.high) if math.isfinite(end)]
        return sum(ends) / len(ends) if len(ends) == 2 else next(iter(ends), None)

    def places(self, values: Floats) -> range:
        """Return the indexes of the sorted values inside the interval."""
        first = values.searchsorted(self.low, "right" if self.low_open else "left")
        last = values.searchsorted(self.high, "left" if self.high_open else "right")
        return range(int(first), max(int(first), int(last)))


def number_interval(text: str) -> ValueInterval | None:
    """Return the interval that a text of numbers means, or None.

    >>> number_interval("20-29")
    ValueInterval(low=20.0, high=29.0, low_open=False, high_open=False)
    >>> number_interval("[2.5, 5)").high_open, number_interval("531**").high, number_interval("Ohio")
    (True, 53199.0, None)
    """
    plain = text.translate(DASHES).strip()
    mask = _MASK.fullmatch(plain)
    if mask:
        unit = 10 ** len(mask[2])
        return ValueInterval(float(int(mask[1]) * unit), float(int(mask[1]) * unit + unit - 1))
    return _written(plain, _NUMBER, float)


def date_interval(text: str) -> ValueInterval | None:
    """Return the days that a text means: a day, week, month, quarter, half year, year, decade, or range.

    >>> found = date_interval("2019-Q1")
    >>> date.fromordinal(int(found.low)), date.fromordinal(int(found.high))
    (datetime.date(2019, 1, 1), datetime.date(2019, 4, 1))
    """
    plain = text.translate(DASHES).strip()
    for pattern, months in _PERIODS:
        match = pattern.fullmatch(plain)
        if match:
            return _months(int(match[1]), (int(match[2]) - 1) * months, months)
    match = _YEARS.fullmatch(plain)
    if match:
        last = int(match[2]) if match[2] else int(match[1]) + (9 if match[3] else 0)
        return _months(int(match[1]), 0, 12 * (last - int(match[1]) + 1))
    match = _WEEK.fullmatch(plain)
    if match:
        return _week(int(match[1]), int(match[2]))
    return _written(plain, _DAY, _ordinal, whole_days=True)


def _ordinal(text: str) -> float:
    return float(date.fromisoformat(text).toordinal())


def _written(
    text: str, of: str, number: Callable[[str], float], *, whole_days: bool = False
) -> ValueInterval | None:
    try:
        return _brackets(text, of, number) or _plain(text, of, number, whole_days=whole_days)
    except ValueError:
        return None


def _brackets(text: str, of: str, number: Callable[[str], float]) -> ValueInterval | None:
    match = re.fullmatch(rf"([\[\](])\s*({of})\s*(?:,|;|\.\.|-|\bto\b)\s*({of})\s*([\[\])])", text)
    if not match:
        return None
    return ValueInterval(number(match[2]), number(match[3]), match[1] in "](", match[4] in "[)")


def _plain(text: str, of: str, number: Callable[[str], float], *, whole_days: bool) -> ValueInterval | None:
    match = re.fullmatch(rf"({of})\s*(?:-|\.\.|to|/)\s*({of})", text)
    if match:
        end = number(match[2])
        return ValueInterval(number(match[1]), end + 1 if whole_days else end, high_open=whole_days)
    match = re.fullmatch(rf"(<=?|>=?)\s*({of})", text)
    if match:
        limit = number(match[2])
        if match[1][0] == "<":
            return ValueInterval(-math.inf, limit, high_open=match[1] == "<")
        return ValueInterval(limit, math.inf, low_open=match[1] == ">")
    match = re.fullmatch(rf"({of})\s*\+", text)
    if match:
        return ValueInterval(number(match[1]), math.inf)
    match = re.fullmatch(of, text)
    if match:
        return ValueInterval(number(text), number(text) + whole_days, high_open=whole_days)
    return None


def _months(year: int, before: int, many: int) -> ValueInterval | None:
    try:
        first = date(year + before // 12, before % 12 + 1, 1)
        after = before + many
        last = date(year + after // 12, after % 12 + 1, 1)
    except ValueError:
        return None
    return ValueInterval(float(first.toordinal()), float(last.toordinal()), high_open=True)


def _week(year: int, week: int) -> ValueInterval | None:
    try:
        monday = date.fromisocalendar(year, week, 1).toordinal()
    except ValueError:
        return None
    return ValueInterval(float(monday), float(monday + 7), high_open=True)
