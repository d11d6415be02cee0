"""The values that a column has in the original, the identified table and the control, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.coded import Kind as Stored
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.tables.hierarchy.chain import Objects

Kind = Literal["number", "date", "category"]
LENGTH = len("2007-03-14")


class Column(Protocol):
    """Distinct values in order, by row or with counts."""

    @property
    def kind(self) -> Stored:
        """What they are compared as."""
        ...

    @property
    def values(self) -> NDArray[Any]:
        """Without the empty cell."""
        ...

    @property
    def missing(self) -> int:
        """Rows without a value."""
        ...

    @property
    def rows(self) -> int:
        """All of them."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """Distinct values in order; an empty cell, where there is one, is the last."""

    kind: Kind
    numbers: Floats = field(repr=False)
    """Of numbers and dates, without the empty cell."""
    texts: tuple[str, ...] = field(repr=False)
    """Of categories, without the empty cell."""
    has_missing: bool

    def __len__(self) -> int:
        return self.present + self.has_missing

    @property
    def present(self) -> int:
        """How many values there are beside the empty cell."""
        return len(self.texts) if self.kind == "category" else self.numbers.size

    def objects(self) -> Objects:
        """The values as a hierarchy takes them; None is the empty cell."""
        found = np.empty(len(self), dtype=np.object_)
        found[: self.present] = self.texts or [
            as_object(number, self.kind) for number in self.numbers.tolist()
        ]
        return found


def domain_of(tables: Sequence[Column]) -> tuple[Domain, list[Ints]]:
    """One domain for a column of several tables, and what each table's codes become in it."""
    kinds = {_kind(one) for one in tables if one.values.size}
    kind: Kind = kinds.pop() if len(kinds) == 1 else "category"
    has_missing = any(one.missing for one in tables)
    if kind == "category":
        every = [[spelled(value, one.kind) for value in one.values.tolist()] for one in tables]
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


def as_numbers(column: Column) -> Floats:
    """Numbers and days as they are, texts that are days as such."""
    if column.kind != "text":
        return np.asarray(column.values, dtype=np.float64)
    return np.array(
        [date.fromisoformat(text).toordinal() for text in column.values.tolist()], dtype=np.float64
    )


def spelled(value: Any, kind: str) -> str:
    """A value as a file would write it.

    >>> spelled(5.0, "number"), spelled(0.5, "number"), spelled(737061.0, "date"), spelled("M54", "text")
    ('5', '0.5', '2019-01-02', 'M54')
    """
    return str(value if kind == "text" else as_object(value, kind))


def as_object(number: float, kind: str) -> Any:
    """A number that is whole as such, and a day with its time, if there is one."""
    if kind != "date":
        return int(number) if number.is_integer() else number
    day = date.fromordinal(int(number))
    if number.is_integer():
        return day
    return datetime(day.year, day.month, day.day) + timedelta(days=number % 1)  # noqa: DTZ001 - as in the table


def _kind(column: Column) -> Kind:
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
