"""How the events that an adversary knows are spread over several tables.

A composition says how many known events come from each table. It is written as the sorted list of the tables:
(0, 0, 2) is two events of the first table and one of the third. Limits per table leave some of them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints

Composition = tuple[int, ...]


class Steps(NamedTuple):
    """Compositions in the form that the compiled loops use."""

    next: Ints
    """By composition and table: the composition with one more event of the table; -1 if it is not allowed."""
    columns: Ints
    """By composition: where its result goes; -1 if it is not counted now."""
    rows: Ints
    """Every list of tables, allowed or not, by size; unused places are -1."""
    edges: Ints
    """By size: where the lists of this size begin in `rows`."""


@dataclass(frozen=True, slots=True, eq=False)
class Compositions:
    """All compositions of up to `known` events from tables with limits."""

    known: int
    caps: tuple[int, ...]
    """By table: the most events that are known from it."""
    rows: tuple[Composition, ...] = field(repr=False)
    """The smallest first."""
    edges: tuple[int, ...] = field(repr=False)
    """By size, plus an end marker: where its compositions begin."""

    @classmethod
    def of(cls, known: int, caps: Sequence[int]) -> Compositions:
        """Return the compositions of 0 to `known` events.

        >>> Compositions.of(2, (2, 1)).rows
        ((), (0,), (1,), (0, 0), (0, 1))
        """
        if known < 0 or any(cap < 0 for cap in caps) or not len(caps):
            raise InvalidSetting(
                "The number of known events cannot be negative, and events need a table.",
                hint="Give 0 or more known events, for one table or more.",
            )
        rows: list[Composition] = []
        edges = [0]
        for size in range(known + 1):
            lists = combinations_with_replacement(range(len(caps)), size)
            rows += [row for row in lists if all(row.count(table) <= caps[table] for table in set(row))]
            edges.append(len(rows))
        return cls(known, tuple(caps), tuple(rows), tuple(edges))

    @property
    def tables(self) -> int:
        """Number of tables."""
        return len(self.caps)

    @property
    def largest(self) -> int:
        """The most events that can be known within the limits."""
        return min(self.known, sum(self.caps))

    def of_size(self, size: int) -> tuple[Composition, ...]:
        """Return the compositions of one size."""
        return self.rows[self.edges[size] : self.edges[size + 1]]

    def steps(self, size: int, first: int, last: int) -> Steps:
        """Return how to build the compositions of one size; of these, count only those from first to last."""
        place = {row: at for at, row in enumerate(self.rows)}
        following = np.full((len(self.rows), self.tables), -1, dtype=np.int64)
        for row, at in place.items():
            for table in range(self.tables):
                following[at, table] = place.get(tuple(sorted((*row, table))), -1)
        columns = np.full(len(self.rows), -1, dtype=np.int64)
        columns[self.edges[size] + first : self.edges[size] + last] = np.arange(last - first)
        every = [
            row for left in range(size) for row in combinations_with_replacement(range(self.tables), left)
        ]
        rows = np.full((len(every), max(size, 1)), -1, dtype=np.int64)
        for at, row in enumerate(every):
            rows[at, : len(row)] = row
        edges = np.searchsorted([len(row) for row in every], np.arange(size + 1))
        return Steps(following, columns, rows, edges.astype(np.int64))


def counts_of(row: Composition, tables: int) -> Ints:
    """Return the number of events by table.

    >>> counts_of((0, 0, 2), 3).tolist()
    [2, 0, 1]
    """
    return np.bincount(np.array(row, dtype=np.int64), minlength=tables)
