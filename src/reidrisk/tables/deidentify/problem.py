"""One search problem, and the cells or records that a solution suppresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.threshold import Threshold
from reidrisk.engine.recode import REMOVED, Blanks
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped, grouped
from reidrisk.stats.lattice.inputs import Codes, Criterion, Recoding, Tuples
from reidrisk.stats.suppress.result import Suppression, Unmet
from reidrisk.stats.suppress.solve import suppress_cells
from reidrisk.stats.suppress.table import Budget, Request
from reidrisk.stats.suppress.wildcard import suppress_wildcard
from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import Levels

if TYPE_CHECKING:
    from reidrisk.tables.deidentify.secrets import NamedSecret


Node = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """The variables of one layout, and how much of them may be lost."""

    layout: Layout
    tuples: DistinctTuples = field(repr=False)
    levels: tuple[Levels, ...] = field(repr=False)
    options: DeidentifyOptions
    limit: float
    """The share of records that may lose anything."""
    secrets: tuple[NamedSecret, ...] = field(default=(), repr=False)
    """Sensitive columns on which there are limits."""

    @property
    def records(self) -> int:
        """How many records there are."""
        return self.tuples.records

    @property
    def allowed(self) -> int:
        """How many of them may lose anything."""
        return floor(self.limit * self.records + 1e-9)

    @property
    def recodings(self) -> list[Recoding]:
        """The hierarchies as codes."""
        return [level.recoding for level in self.levels]

    @property
    def weights(self) -> tuple[float, ...]:
        """What each variable counts."""
        return tuple(float(self.options.weights.get(name, 1.0)) for name in self.layout.quasi)

    @property
    def bottom(self) -> Node:
        """As exact as allowed."""
        return tuple(recoding.lowest for recoding in self.recodings)

    @property
    def top(self) -> Node:
        """As general as acceptable."""
        return tuple(recoding.top for recoding in self.recodings)

    def searched(self) -> Tuples:
        """The distinct tuples as the search takes them."""
        return Tuples(self.tuples.codes, self.tuples.counts)

    def criterion(self, threshold: Threshold) -> Criterion:
        """When a node is acceptable."""
        return Criterion(threshold.cell_size, average=self.options.average, limit=self.limit)

    def at(self, node: Sequence[int]) -> Grouped:
        """The equivalence classes at a node."""
        return classes_at(self.tuples.codes, self.tuples.counts, self.levels, node)

    def named(self, node: Sequence[int]) -> dict[str, str]:
        """A node by the names of its levels."""
        return {one.column: one.names[level] for one, level in zip(self.levels, node, strict=True)}


def classes_at(codes: Codes, counts: Ints, levels: Sequence[Levels], node: Sequence[int]) -> Grouped:
    """Generalize every tuple and join those that become equal."""
    general = np.empty(codes.shape, dtype=np.int32, order="F")
    for place, (column, level) in enumerate(zip(levels, node, strict=True)):
        general[:, place] = column.recoding.levels[level][codes[:, place]]
    return grouped(general, counts)


def below(counts: Ints, cell_size: int) -> int:
    """Records in classes smaller than the cell size."""
    return int(counts[counts < cell_size].sum())


def only(tuples: DistinctTuples, columns: Sequence[str]) -> DistinctTuples:
    """The distinct tuples of some of the columns."""
    if tuple(columns) == tuples.columns:
        return tuples
    places = [tuples.columns.index(name) for name in columns]
    joined = grouped(tuples.codes[:, places], tuples.counts)
    return DistinctTuples(
        columns=tuple(columns),
        values=tuple(tuples.values[place] for place in places),
        codes=joined.codes,
        counts=joined.counts,
        numbered=tuple(tuples.numbered[place] for place in places),
    )


def built_levels(
    tuples: DistinctTuples, hierarchies: Mapping[str, Hierarchy], max_level: Mapping[str, str | int]
) -> dict[str, Levels]:
    """Every hierarchy on the values of its column; a column without one is released as it is."""
    for name in max_level:
        if name not in tuples.columns:
            raise InvalidSetting.among(
                "A maximum level is for a quasi-identifier, which", name, tuples.columns
            )
    found = {}
    for place, name in enumerate(tuples.columns):
        values = tuples.values[place]
        counts = np.bincount(tuples.codes[:, place], weights=tuples.counts, minlength=len(values))
        hierarchy = hierarchies.get(name) or Hierarchy.exact(name)
        if name in max_level:
            hierarchy = _stricter(hierarchy, max_level[name])
        found[name] = hierarchy.on(values, counts.astype(np.int64))
    return found


def _stricter(hierarchy: Hierarchy, level: str | int) -> Hierarchy:
    reason = hierarchy.reason if hierarchy.max_level is not None else "set for this run"
    return replace(hierarchy, max_level=level, reason=reason)


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
