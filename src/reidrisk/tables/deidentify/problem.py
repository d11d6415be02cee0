"""One layout of a table as the search sees it: distinct tuples, hierarchies, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped, grouped
from reidrisk.stats.lattice.inputs import Codes, Criterion, Recoding, Tuples
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
