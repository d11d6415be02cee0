"""What is lost at a node beside the precision: single cells, or whole records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.recode import REMOVED, Blanks
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped, grouped
from reidrisk.stats.suppress.result import Suppression, Unmet
from reidrisk.stats.suppress.solve import suppress_cells
from reidrisk.stats.suppress.table import Budget, Request
from reidrisk.stats.suppress.wildcard import suppress_wildcard
from reidrisk.tables.deidentify.problem import Problem

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class CellProof:
    """How few cells the suppression is known to need."""

    method: str
    bound: float
    optimal: bool
    gap: float


@dataclass(frozen=True, eq=False)
class Lost:
    """For every class at a node: how many of its records lose which variables."""

    classes: Grouped = field(repr=False)
    tuples: Ints = field(repr=False)
    """The class, by position."""
    masks: Ints = field(repr=False)
    """Bit i is the i-th variable; REMOVED is a record that is left out."""
    numbers: Ints = field(repr=False)
    proof: CellProof | None = None

    @property
    def width(self) -> int:
        """How many variables there are."""
        return int(self.classes.codes.shape[1])

    def bit(self, place: int) -> Ints:
        """For each row of masks whether a variable is lost; a removed record, whose mask is -1, loses all."""
        return (self.masks >> place) & 1

    @property
    def bits(self) -> Ints:
        """The same for all variables."""
        return np.stack([self.bit(place) for place in range(self.width)], axis=1)

    @cached_property
    def by_column(self) -> Ints:
        """Lost cells of each variable."""
        return np.array([self.numbers @ self.bit(place) for place in range(self.width)], dtype=np.int64)

    @property
    def records(self) -> int:
        """Records that lose anything."""
        return int(self.numbers[self.masks != 0].sum())

    @property
    def removed(self) -> int:
        """Records that are left out as a whole."""
        return int(self.numbers[self.masks == REMOVED].sum())

    def cells_per_record(self) -> list[tuple[int, int]]:
        """How many records lose one cell, two, …"""
        cells = self.bits.sum(axis=1)
        return [(int(n), int(self.numbers[cells == n].sum())) for n in np.unique(cells[cells > 0])]

    def after(self) -> Grouped:
        """The classes of the released records, a lost cell being a value of its own."""
        out = self.masks != REMOVED
        codes = np.where(self.bits[out] == 1, 0, self.classes.codes[self.tuples[out]] + 1)
        return grouped(codes.astype(np.int32), self.numbers[out])

    def blanks(self) -> Blanks:
        """For the database, which needs to hear only of classes that lose something."""
        losing = np.zeros(len(self.classes.counts), dtype=bool)
        losing[self.tuples[self.masks != 0]] = True
        some = losing[self.tuples]
        return Blanks(self.classes.codes[self.tuples[some]], self.masks[some], self.numbers[some])


def lost_records(classes: Grouped, smallest: int, cell_size: int) -> Lost:
    """Every record of a small class loses all; were those too few to hide among each other, they go."""
    small = classes.counts < smallest
    return lost_classes(classes, small, hides=int(classes.counts[small].sum()) >= cell_size)


def lost_classes(classes: Grouped, losing: NDArray[np.bool_], *, hides: bool) -> Lost:
    """Every record of these classes loses all; where that does not hide it, it goes."""
    rows = np.arange(len(classes.counts))
    mask = (1 << classes.codes.shape[1]) - 1 if hides else REMOVED
    return Lost(classes, rows, np.where(losing, mask, 0).astype(np.int64), classes.counts)


def lost_cells(
    problem: Problem, classes: Grouped, cell_size: int, *, seed: int, stop: Stop | None
) -> Lost | Unmet:
    """The fewest cells within the limits."""
    request = Request(
        cell_size,
        weights=problem.weights,
        max_records=problem.limit,
        max_column=problem.options.max_cell_suppression,
    )
    budget = Budget() if stop is None else Budget(stop=stop)
    rng = np.random.default_rng(seed)
    method = suppress_cells if problem.options.reading == "value" else suppress_wildcard
    found = method(classes.codes, classes.counts, request=request, budget=budget, rng=rng)
    if isinstance(found, Unmet):
        return found
    return _lost(classes, found)


def _lost(classes: Grouped, found: Suppression) -> Lost:
    tuples, masks, numbers = np.array(found.moves, dtype=np.int64).reshape(-1, 3).T
    return Lost(
        classes,
        tuples,
        masks,
        numbers,
        CellProof(found.method, max(0.0, found.bound), found.optimal, found.gap),
    )
