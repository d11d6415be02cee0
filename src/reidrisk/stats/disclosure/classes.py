"""The values of a secret column in every equivalence class."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Floats, Ints

DENSE = 32
"""Up to so many possible keys a row, a table of all of them is faster than sorting."""


@dataclass(frozen=True, eq=False)
class SensitiveClasses:
    """How often each value occurs in each class; values that a class lacks take no room."""

    of: Ints = field(repr=False)
    """By entry: its class, from 0 on, ascending."""
    value: Ints = field(repr=False)
    """By entry: the value, ascending within a class."""
    count: Ints = field(repr=False)
    overall: Floats = field(repr=False)
    """By value: its share in the whole table."""

    @classmethod
    def count_up(
        cls, group: Ints, value: Ints, counts: Ints, *, overall: Floats | None = None
    ) -> SensitiveClasses:
        """From rows of class, value and number of records; `overall` if the rows are not the whole table."""
        if not len(group):
            raise NothingToMeasure("There are no records.", hint="Give a table with at least one record.")
        values = int(value.max()) + 1 if overall is None else overall.size
        if int(value.max()) >= values or int(value.min()) < 0 or int(counts.min()) < 1:
            raise InvalidSetting("A value has no share, or a row no records.", hint="Count what is there.")
        key, total = _added_up(group.astype(np.int64) * values + value, counts)
        if overall is None:
            overall = np.bincount(value, weights=counts, minlength=values) / float(counts.sum())
        of, place = np.divmod(key, values)
        return cls(np.cumsum(np.diff(of, prepend=of[0]) != 0, dtype=np.int64), place, total, overall)

    @cached_property
    def starts(self) -> Ints:
        """By class: its first entry."""
        return np.flatnonzero(np.diff(self.of, prepend=-1))

    @cached_property
    def size(self) -> Ints:
        """By class: its records."""
        return np.add.reduceat(self.count, self.starts)

    @cached_property
    def share(self) -> Floats:
        """By entry: the share of the value in its class."""
        return np.asarray(self.count / self.size[self.of], dtype=np.float64)

    @property
    def records(self) -> int:
        """All records."""
        return int(self.count.sum())

    def added(self, parts: Floats) -> Floats:
        """By class: the sum of something that each entry has."""
        return np.asarray(np.add.reduceat(parts, self.starts), dtype=np.float64)

    def largest(self, parts: Floats) -> Floats:
        """By class: the largest of something that each entry has."""
        return np.asarray(np.maximum.reduceat(parts, self.starts), dtype=np.float64)

    def joined(self, codes: Ints) -> SensitiveClasses:
        """The same classes with values joined, such as by a level of a hierarchy: `codes` by value."""
        share: Floats = np.bincount(codes, weights=self.overall).astype(np.float64)
        return SensitiveClasses.count_up(self.of, codes[self.value], self.count, overall=share)


def _added_up(key: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """The distinct keys in order and the sum of each; without sorting where the keys are dense."""
    top = int(key.max()) + 1
    if top > DENSE * key.size:
        distinct, place = np.unique(key, return_inverse=True)
        return distinct, np.bincount(place, weights=counts).astype(np.int64)
    total = np.bincount(key, weights=counts)
    there = np.flatnonzero(total)
    return there, total[there].astype(np.int64)
