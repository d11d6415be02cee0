"""The values of a secret column in every equivalence class."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class SecretClasses:
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
    ) -> SecretClasses:
        """From rows of class, value and number of records; `overall` if the rows are not the whole table."""
        if not len(group):
            raise NothingToMeasure("There are no records.", hint="Give a table with at least one record.")
        values = int(value.max()) + 1 if overall is None else overall.size
        if int(value.max()) >= values or int(value.min()) < 0 or int(counts.min()) < 1:
            raise InvalidSetting("A value has no share, or a row no records.", hint="Count what is there.")
        key, place = np.unique(group.astype(np.int64) * values + value, return_inverse=True)
        total = np.bincount(place, weights=counts).astype(np.int64)
        if overall is None:
            overall = np.bincount(value, weights=counts, minlength=values) / float(counts.sum())
        _, of = np.unique(key // values, return_inverse=True)
        return cls(of.astype(np.int64), key % values, total, overall)

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

    def joined(self, codes: Ints) -> SecretClasses:
        """The same classes with values joined, such as by a level of a hierarchy: `codes` by value."""
        share: Floats = np.bincount(codes, weights=self.overall).astype(np.float64)
        return SecretClasses.count_up(self.of, codes[self.value], self.count, overall=share)
