"""The answer: which records of each tuple are starred on which columns, and how good that provably is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import grouped
from reidrisk.stats.suppress.patterns import cost_of
from reidrisk.stats.suppress.table import Table


class Stars(NamedTuple):
    """Rows (tuple, starred set, number of records): what a method decided."""

    tuples: Ints
    masks: Ints
    numbers: Ints


@dataclass(frozen=True, slots=True)
class Suppression:
    """Stars that leave every record in a class of at least k, a star being a value of its own."""

    moves: tuple[tuple[int, int, int], ...]
    """(tuple, starred columns as bit mask, number of records), sorted; every record occurs once."""
    cells: int
    weighted: float
    """Cells, each counted with its column's weight: what was minimised."""
    records: int
    """Records with any star."""
    by_column: tuple[int, ...]
    bound: float
    """No answer has a smaller weighted number of cells within the limits: proved."""
    optimal: bool
    """Whether it is proved that no answer is better."""
    method: str

    @property
    def gap(self) -> float:
        """How much of the cost is not explained by the bound, at most."""
        return (self.weighted - self.bound) / self.weighted if self.weighted else 0.0


@dataclass(frozen=True, slots=True)
class Unmet:
    """No suppression within the limits was found."""

    reason: str
    proved: bool
    """Whether none exists; otherwise none was found."""


def tidy(tuples: Ints, masks: Ints, numbers: Ints) -> Stars:
    """Sort, and add up what has the same tuple and set."""
    order = np.lexsort((masks, tuples))
    rows, sets = tuples[order], masks[order]
    new = np.flatnonzero((np.diff(rows, prepend=-1) != 0) | (np.diff(sets, prepend=-1) != 0))
    return Stars(rows[new], sets[new], np.add.reduceat(numbers[order], new) if len(new) else numbers)


def cost(stars: Stars, table: Table) -> float:
    """Weighted number of starred cells, with the entry cost of starred records."""
    each = cost_of(stars.masks, table.weights) + table.entry * (stars.masks != 0)
    return float(each @ stars.numbers)


def by_column(stars: Stars, columns: int) -> Ints:
    """Starred cells of each column."""
    bits = (stars.masks[:, None] >> np.arange(columns, dtype=np.int64)) & 1
    return np.asarray(stars.numbers @ bits, dtype=np.int64)


def smallest_class(stars: Stars, table: Table) -> int:
    """Size of the smallest class once the stars are set."""
    bits = (stars.masks[:, None] >> np.arange(table.codes.shape[1], dtype=np.int64)) & 1
    starred = np.where(bits == 1, -1, table.codes[stars.tuples])
    return int(grouped(starred + 1, stars.numbers).counts.min())


def finish(stars: Stars, table: Table, bound: float, method: str) -> Suppression:
    """Describe an answer; a bound on whole weights is rounded up."""
    value = cost(stars, table)
    if np.all(table.weights == np.rint(table.weights)):
        bound = float(np.ceil(bound - 1e-6))
    per_column = by_column(stars, len(table.weights))
    return Suppression(
        moves=tuple(zip(stars.tuples.tolist(), stars.masks.tolist(), stars.numbers.tolist(), strict=True)),
        cells=int(per_column.sum()),
        weighted=value,
        records=int(stars.numbers[stars.masks != 0].sum()),
        by_column=tuple(per_column.tolist()),
        bound=min(bound, value),
        optimal=bound >= value - 1e-6,
        method=method,
    )
