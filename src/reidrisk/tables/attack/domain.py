"""The values that a column has in the original, the identified table and the control, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Literal

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.tables.attack.intervals import moment
from reidrisk.tables.hierarchy.chain import Objects

Kind = Literal["number", "date", "category"]


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """Distinct values in order; an empty cell, where there is one, is the last."""

    kind: Kind
    values: Objects = field(repr=False)
    numbers: Floats = field(repr=False)
    """Of numbers and dates, without the empty cell."""
    texts: tuple[str, ...] = field(repr=False)
    """Of categories, without the empty cell."""
    has_missing: bool

    @property
    def present(self) -> int:
        """How many values there are beside the empty cell."""
        return len(self.values) - self.has_missing


def domain_of(tables: Sequence[Objects]) -> tuple[Domain, list[Ints]]:
    """One domain for the distinct values of several tables, and what each table's codes become in it."""
    kind = kind_of([value for values in tables for value in values.tolist() if value is not None])
    has_missing = any(values.size and values[-1] is None for values in tables)
    if kind == "category":
        return _texts(tables, has_missing=has_missing)
    numbers = [np.array([as_number(value) for value in _present(values)]) for values in tables]
    whole, first = np.unique(np.concatenate(numbers), return_index=True)
    every = [value for values in tables for value in _present(values)]
    kept = _objects([every[at] for at in first.tolist()], has_missing=has_missing)
    maps = [np.searchsorted(whole, own).astype(np.int64) for own in numbers]
    domain = Domain(kind, kept, whole, (), has_missing)
    return domain, [_with_missing(one, values, whole.size) for one, values in zip(maps, tables, strict=True)]


def kind_of(values: Sequence[Any]) -> Kind:
    """What all values are."""
    if values and all(isinstance(value, date) for value in values):
        return "date"
    if values and all(is_number(value) for value in values):
        return "number"
    if values and all(isinstance(value, str) and _is_day(value) for value in values):
        return "date"
    return "category"


def as_number(value: Any) -> float:
    """A number, or a day as one."""
    if isinstance(value, str):
        value = date.fromisoformat(value)
    return moment(value) if isinstance(value, date) else float(value)


def spelled(value: Any) -> str:
    """A value as a file would write it; 5.0 is 5.

    >>> spelled(5.0), spelled(True), spelled("M54")
    ('5', 'true', 'M54')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float | Decimal) and is_number(value) and value == int(value):
        return str(int(value))
    return str(value).strip()


def is_number(value: Any) -> bool:
    """Whether a value is a number and not written as a text."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return False
    return bool(np.isfinite(float(value)))


def _is_day(text: str) -> bool:
    if len(text) != len("2007-03-14"):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _present(values: Objects) -> list[Any]:
    return [value for value in values.tolist() if value is not None]


def _texts(tables: Sequence[Objects], *, has_missing: bool) -> tuple[Domain, list[Ints]]:
    spellings = [[spelled(value) for value in _present(values)] for values in tables]
    whole = sorted({text for texts in spellings for text in texts})
    place = {text: at for at, text in enumerate(whole)}
    first = {
        text: value for values in reversed(tables) for value in _present(values) for text in [spelled(value)]
    }
    kept = _objects([first[text] for text in whole], has_missing=has_missing)
    domain = Domain("category", kept, np.empty(0), tuple(whole), has_missing)
    maps = [np.array([place[text] for text in texts], dtype=np.int64) for texts in spellings]
    return domain, [_with_missing(one, values, len(whole)) for one, values in zip(maps, tables, strict=True)]


def _objects(values: Sequence[Any], *, has_missing: bool) -> Objects:
    found = np.empty(len(values) + has_missing, dtype=np.object_)
    found[: len(values)] = values
    return found


def _with_missing(codes: Ints, values: Objects, missing: int) -> Ints:
    return np.append(codes, missing) if codes.size < values.size else codes
