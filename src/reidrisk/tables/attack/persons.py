"""Which rows of a table are one person."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Persons:
    """The person of every row, by number."""

    of: Ints = field(repr=False)
    number: int
    """How many there are."""
    is_rows: bool = False
    """Whether every row is a person of its own."""

    @classmethod
    def rows(cls, number: int) -> Persons:
        """One row a person."""
        return cls(np.arange(number, dtype=np.int64), number, is_rows=True)

    @classmethod
    def marked(cls, marks: NDArray[np.uint64]) -> Persons:
        """Rows with the same mark are one person."""
        values, of = np.unique(marks, return_inverse=True)
        return cls(of.astype(np.int64), values.size)

    def one_each(self, rows: Ints, rng: np.random.Generator) -> Ints:
        """Of every person among these rows one row, drawn at random."""
        if self.is_rows:
            return rows
        drawn = rng.permutation(rows)
        _, first = np.unique(self.of[drawn], return_index=True)
        return np.sort(drawn[first])

    def all_rows(self, persons: Ints) -> tuple[Ints, Ints]:
        """All rows of each of these persons: the place of the person among them, and the row."""
        if self.is_rows:
            return np.arange(persons.size, dtype=np.int64), persons
        order = np.argsort(self.of, kind="stable")
        first, last = (np.searchsorted(self.of[order], persons, side) for side in ("left", "right"))
        many = last - first
        place = np.repeat(np.arange(persons.size, dtype=np.int64), many)
        within = np.arange(place.size) - np.repeat(np.cumsum(many) - many, many)
        return place, order[np.repeat(first, many) + within]
