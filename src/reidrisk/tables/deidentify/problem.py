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
from reidrisk.engine.plans import REMOVED, Blanks, DistinctTuples
from reidrisk.engine.protocol import LeveledTuples
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped, grouped
from reidrisk.stats.lattice.inputs import Codes, Criterion, Recoding, Tuples
from reidrisk.stats.suppress.result import Suppression, Unmet
from reidrisk.stats.suppress.solve import suppress_cells
from reidrisk.stats.suppress.table import Budget, Request
from reidrisk.stats.suppress.wildcard import suppress_wildcard
from reidrisk.stats.utility import discernibility_of
from reidrisk.tables.deidentify.options import DeidentifyOptions, Layout
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import Levels

if TYPE_CHECKING:
    from reidrisk.tables.deidentify.sensitive import SensitiveColumn


Node = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SearchProblem:
    """The variables of one layout, their levels, and the limits on suppression."""

    layout: Layout
    tuples: DistinctTuples = field(repr=False)
    levels: tuple[Levels, ...] = field(repr=False)
    options: DeidentifyOptions
    limit: float
    """The share of records that may have suppressed values."""
    sensitive: tuple[SensitiveColumn, ...] = field(default=(), repr=False)
    """Sensitive columns with limits."""
    stored: LeveledTuples | None = field(default=None, repr=False)
    """Tuples that do not fit in memory; `tuples` are then the classes of the highest node."""

    @property
    def records(self) -> int:
        """Number of records."""
        return self.tuples.records

    @property
    def allowed(self) -> int:
        """Number of records that may have suppressed values."""
        return floor(self.limit * self.records + 1e-9)

    @property
    def recodings(self) -> list[Recoding]:
        """The hierarchies as codes."""
        return [level.recoding for level in self.levels]

    @property
    def weights(self) -> tuple[float, ...]:
        """The weight of each variable."""
        return tuple(float(self.options.weights.get(name, 1.0)) for name in self.layout.quasi)

    @property
    def bottom(self) -> Node:
        """The most exact node allowed."""
        return tuple(recoding.lowest for recoding in self.recodings)

    @property
    def top(self) -> Node:
        """The most general node that is acceptable."""
        return tuple(recoding.top for recoding in self.recodings)

    def search_tuples(self) -> Tuples:
        """Return the distinct tuples in the form that the search needs."""
        return Tuples(self.tuples.codes, self.tuples.counts)

    def criterion(self, threshold: Threshold) -> Criterion:
        """Return the criterion for an acceptable node."""
        return Criterion(threshold.cell_size, average=self.options.average, limit=self.limit)

    def at(self, node: Sequence[int]) -> Grouped:
        """Return the equivalence classes at a node."""
        return classes_at(self.tuples.codes, self.tuples.counts, self.levels, node)

    def named(self, node: Sequence[int]) -> dict[str, str]:
        """Return the level names of a node, by column."""
        return {one.column: one.names[level] for one, level in zip(self.levels, node, strict=True)}


def classes_at(codes: Codes, counts: Ints, levels: Sequence[Levels], node: Sequence[int]) -> Grouped:
    """Generalize every tuple and merge those that become equal."""
    general = np.empty(codes.shape, dtype=np.int32, order="F")
    for place, (column, level) in enumerate(zip(levels, node, strict=True)):
        general[:, place] = column.recoding.levels[level][codes[:, place]]
    return grouped(general, counts)


def below(counts: Ints, cell_size: int) -> int:
    """Count records in classes smaller than the cell size."""
    return int(counts[counts < cell_size].sum())


def tuples_of(tuples: DistinctTuples, columns: Sequence[str]) -> DistinctTuples:
    """Return the distinct tuples of some of the columns."""
    if tuple(columns) == tuples.columns:
        return tuples
    places = [tuples.columns.index(name) for name in columns]
    joined = grouped(tuples.codes[:, places], tuples.counts)
    return DistinctTuples(
        columns=tuple(columns),
        values=tuple(tuples.values[place] for place in places),
        codes=joined.codes,
        counts=joined.counts,
        kept=tuple(tuples.kept[place] for place in places) if tuples.kept else (),
        value_counts=tuple(tuples.value_counts[place] for place in places) if tuples.value_counts else (),
    )


def build_levels(
    tuples: DistinctTuples, hierarchies: Mapping[str, Hierarchy], max_level: Mapping[str, str | int]
) -> dict[str, Levels]:
    """Build every hierarchy for the values of its column; a column without one stays unchanged."""
    for name in max_level:
        if name not in tuples.columns:
            raise InvalidSetting.among(
                "A maximum level is for a quasi-identifier, which", name, tuples.columns
            )
    found = {}
    for place, name in enumerate(tuples.columns):
        values = tuples.values[place]
        if tuples.value_counts:
            counts = tuples.value_counts[place]
        else:
            counts = np.bincount(tuples.codes[:, place], weights=tuples.counts, minlength=len(values))
        hierarchy = limited_hierarchy(name, hierarchies, max_level)
        found[name] = hierarchy.on(values, counts.astype(np.int64))
    return found


def limited_hierarchy(
    name: str, hierarchies: Mapping[str, Hierarchy], max_level: Mapping[str, str | int]
) -> Hierarchy:
    """Return the hierarchy of a column with the maximum level of this run; exact values without one."""
    hierarchy = hierarchies.get(name) or Hierarchy.exact(name)
    if name not in max_level:
        return hierarchy
    level = max_level[name]
    reason = hierarchy.reason if hierarchy.max_level is not None else "set for this run"
    return replace(hierarchy, max_level=level, reason=reason)


Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class CellProof:
    """What is proved about the number of suppressed cells."""

    method: str
    bound: float
    optimal: bool
    gap: float


@dataclass(frozen=True, eq=False)
class SuppressionPlan:
    """For every class at a node, how many of its records have which variables suppressed."""

    classes: Grouped = field(repr=False)
    tuples: Ints = field(repr=False)
    """The class, by position."""
    masks: Ints = field(repr=False)
    """Bit i is the i-th variable; REMOVED is a record that is removed."""
    numbers: Ints = field(repr=False)
    proof: CellProof | None = None

    @property
    def width(self) -> int:
        """Number of variables."""
        return int(self.classes.codes.shape[1])

    def bit(self, place: int) -> Ints:
        """Return, for each mask, whether a variable is suppressed; all are in a removed record (-1)."""
        return (self.masks >> place) & 1

    @property
    def bits(self) -> Ints:
        """The same for all variables."""
        return np.stack([self.bit(place) for place in range(self.width)], axis=1)

    @cached_property
    def by_column(self) -> Ints:
        """Number of suppressed cells of each variable."""
        return np.array([self.numbers @ self.bit(place) for place in range(self.width)], dtype=np.int64)

    @property
    def records(self) -> int:
        """Number of records with suppressed values."""
        return int(self.numbers[self.masks != 0].sum())

    @property
    def removed(self) -> int:
        """Number of records that are removed."""
        return int(self.numbers[self.masks == REMOVED].sum())

    @property
    def whole(self) -> NDArray[np.bool_]:
        """For each mask, whether all variables are suppressed or the record is removed."""
        return np.asarray((self.masks == REMOVED) | (self.masks == (1 << self.width) - 1))

    @property
    def blank(self) -> int:
        """Number of records whose rows stay with all variables suppressed."""
        return int(self.numbers[self.whole].sum()) - self.removed

    @property
    def discernibility(self) -> int:
        """Sum of squared class sizes; a fully suppressed record counts as much as all records."""
        codes = np.where(self.bits == 1, 0, self.classes.codes[self.tuples] + 1)
        return discernibility_of(codes.astype(np.int32), self.numbers, self.whole)

    def cells_per_record(self) -> list[tuple[int, int]]:
        """Count the records with one suppressed cell, two, …"""
        cells = self.bits.sum(axis=1)
        return [(int(n), int(self.numbers[cells == n].sum())) for n in np.unique(cells[cells > 0])]

    def after(self) -> Grouped:
        """Return the classes of the released records; a suppressed cell counts as a separate value."""
        out = self.masks != REMOVED
        codes = np.where(self.bits[out] == 1, 0, self.classes.codes[self.tuples[out]] + 1)
        return grouped(codes.astype(np.int32), self.numbers[out])

    def blanks(self) -> Blanks:
        """Return the suppressions for the database, which needs only classes with suppressed values."""
        losing = np.zeros(len(self.classes.counts), dtype=bool)
        losing[self.tuples[self.masks != 0]] = True
        some = losing[self.tuples]
        return Blanks(self.classes.codes[self.tuples[some]], self.masks[some], self.numbers[some])


def suppress_records(
    classes: Grouped, smallest: int, cell_size: int, *, removes: bool = False
) -> SuppressionPlan:
    """Suppress every record of a small class; remove them on request, or if they are too few to hide."""
    small = classes.counts < smallest
    hides = int(classes.counts[small].sum()) >= cell_size and not removes
    return suppress_classes(classes, small, hides=hides)


def suppress_classes(classes: Grouped, losing: NDArray[np.bool_], *, hides: bool) -> SuppressionPlan:
    """Suppress every record of these classes; remove the records if suppression does not hide them."""
    rows = np.arange(len(classes.counts))
    mask = (1 << classes.codes.shape[1]) - 1 if hides else REMOVED
    return SuppressionPlan(classes, rows, np.where(losing, mask, 0).astype(np.int64), classes.counts)


def suppress_fewest_cells(
    problem: SearchProblem, classes: Grouped, cell_size: int, *, seed: int, stop: Stop | None
) -> SuppressionPlan | Unmet:
    """Suppress the fewest cells within the limits."""
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
    return _cell_plan(classes, found)


def _cell_plan(classes: Grouped, found: Suppression) -> SuppressionPlan:
    tuples, masks, numbers = np.array(found.moves, dtype=np.int64).reshape(-1, 3).T
    return SuppressionPlan(
        classes,
        tuples,
        masks,
        numbers,
        CellProof(found.method, max(0.0, found.bound), found.optimal, found.gap),
    )
