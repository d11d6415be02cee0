"""Find rows with equal values in several columns, by counting instead of sorting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Ints

DENSE = 2**25
"""Below this many possible numbers, a table of all of them is faster than sorting."""


@dataclass(frozen=True, slots=True, eq=False)
class KeyGroups:
    """The group of each row, and how to find the group of other rows."""

    of: Ints = field(repr=False)
    """The group of each row."""
    number: int
    steps: tuple[tuple[Ints, Ints], ...] = field(repr=False)
    """For each column: the values that occur, and the pairs of group so far and value that occur."""

    def find(self, columns: Sequence[NDArray[Any]]) -> Ints:
        """The groups of other rows with the same columns; -1 where there is none."""
        found: Ints = np.zeros(len(columns[0]) if columns else 1, dtype=np.int64)
        for column, (values, pairs) in zip(columns, self.steps, strict=True):
            code = _place(values, column.astype(np.int64))
            pair = _place(pairs, found * len(values) + code)
            found = np.where((found < 0) | (code < 0), -1, pair)
        return found


def groups(columns: Sequence[NDArray[Any]], rows: int) -> KeyGroups:
    """Number the combinations of values that occur; values are whole numbers of 0 or more.

    >>> groups([np.array([7, 7, 0]), np.array([1, 1, 1])], 3).of.tolist()
    [1, 1, 0]
    """
    of: Ints = np.zeros(rows, dtype=np.int64)
    number, steps = min(rows, 1), []
    for column in columns:
        values, code = rank_keys(column.astype(np.int64, copy=False))
        pairs, of = rank_keys(of * len(values) + code)
        number = len(pairs)
        steps.append((values, pairs))
    return KeyGroups(of, number, tuple(steps))


def distinct(keys: Ints) -> Ints:
    """The distinct numbers in order, by sorting: numpy hashes them, which is slower if most are different.

    >>> distinct(np.array([5, 2, 5])).tolist()
    [2, 5]
    """
    ordered = np.sort(keys)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered if is_first.all() else ordered[is_first]


def rank_keys(keys: Ints) -> tuple[Ints, Ints]:
    """The distinct numbers in order, and the position of each number among them."""
    top = int(keys.max(initial=-1)) + 1
    if top > DENSE:
        values, places = np.unique(keys, return_inverse=True)
        return values, places.astype(np.int64)
    present = np.zeros(top, dtype=np.bool_)
    present[keys] = True
    values = np.flatnonzero(present)
    place = np.zeros(top, dtype=np.int32)
    place[values] = np.arange(len(values), dtype=np.int32)
    return values, place[keys].astype(np.int64)


def _place(sorted_values: Ints, wanted: Ints) -> Ints:
    if not len(sorted_values):
        return np.full(len(wanted), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(sorted_values, wanted), len(sorted_values) - 1)
    return np.where(sorted_values[place] == wanted, place, -1)
