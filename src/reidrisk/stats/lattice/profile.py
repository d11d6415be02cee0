"""What every node of a lattice would suppress and lose, for all cell sizes at once.

A search answers one question: the best node for one cell size and one suppression limit. A profile keeps the
counts from which all such questions are answered: by node and cell size the records in smaller classes, the
number of these classes, and the loss. `AcceptableNodes` then finds what a search would find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.arrange import LatticeQuestion, arrange
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import Loss
from reidrisk.stats.lattice.search import ENTRIES, Progress, Solution, Stop

MOST_SIZE = 50
"""The largest cell size of a profile."""
Flags = NDArray[np.bool_]
Nodes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class LatticeCounts:
    """The counts of the nodes of a lattice. Column s of the arrays is for cell size s + 1."""

    levels: Nodes = field(repr=False)
    """By node: the level of each attribute, in the order given."""
    below: Ints = field(repr=False)
    """By node and cell size: records in smaller classes."""
    classes: Ints = field(repr=False)
    """By node and cell size: number of smaller classes."""
    loss: Floats = field(repr=False)
    """By node and cell size: the loss if smaller classes are suppressed."""
    total: Ints = field(repr=False)
    """By node: number of all classes."""
    lowest: tuple[int, ...]
    highest: tuple[int, ...]
    """The levels of the lattice."""
    order: tuple[int, ...]
    """The attributes in the order of the search, which decides between nodes of equal loss."""
    records: int

    def __post_init__(self) -> None:
        nodes, width = self.levels.shape[0], len(self.lowest)
        shapes = {self.below.shape, self.classes.shape, self.loss.shape}
        fits = self.levels.shape == (nodes, width) and self.total.shape == (nodes,)
        if not fits or shapes != {(nodes, MOST_SIZE)} or sorted(self.order) != list(range(width)):
            raise InvalidSetting(
                "The counts of a lattice do not fit together.", hint="Make the profile of the lattice again."
            )

    @property
    def lattice(self) -> int:
        """Number of nodes of the lattice, counted or not."""
        return prod(high - low + 1 for low, high in zip(self.lowest, self.highest, strict=True))

    @property
    def complete(self) -> bool:
        """Whether every node was counted."""
        return len(self.levels) == self.lattice


def profile_lattice(
    tuples: Tuples,
    recodings: Sequence[Recoding],
    loss: Loss,
    *,
    weights: Sequence[float] | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> LatticeCounts | None:
    """Count every node; None if stopped. Takes the memory of one search."""
    from reidrisk.stats.lattice.profile_kernels import new_counts, profile_nodes

    question = LatticeQuestion.of(tuples, recodings, Criterion(1, limit=1.0), loss, weights)
    ready = arrange(question)
    problem, state = ready.problem, ready.state
    counted = new_counts(question.lattice, MOST_SIZE)
    state.mark[0], state.level[:] = 0, problem.low
    while state.mark[0] >= 0:
        if stop is not None and stop():
            return None
        profile_nodes(problem, state, counted, ENTRIES)
        if progress is not None:
            progress(int(state.mark[1]), question.lattice)
    lowest = tuple(recoding.lowest for recoding in recodings)
    highest = tuple(recoding.top for recoding in recodings)
    levels = _levels(ready.order, lowest, highest)
    return LatticeCounts(
        levels,
        counted.below,
        counted.classes,
        counted.loss,
        counted.total,
        lowest,
        highest,
        ready.order,
        tuples.records,
    )


def profile_levels(  # noqa: PLR0913 - as `profile_lattice`
    tuples: Tuples,
    recodings: Sequence[Recoding],
    loss: Loss,
    chosen: Sequence[Sequence[int]],
    *,
    weights: Sequence[float] | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> LatticeCounts | None:
    """Count some nodes of a lattice that is too large to count all of it; None if stopped."""
    question = LatticeQuestion.of(tuples, recodings, Criterion(1, limit=1.0), loss, weights)
    found: list[LatticeCounts] = []
    for node in chosen:
        only = [replace(one, lowest=at, highest=at) for one, at in zip(recodings, node, strict=True)]
        counts = profile_lattice(tuples, only, loss, weights=weights, stop=stop)
        if counts is None:
            return None
        found.append(counts)
        if progress is not None:
            progress(len(found), len(chosen))

    def joined(name: str, kind: type) -> NDArray[Any]:
        none: NDArray[Any] = np.zeros((0, MOST_SIZE), dtype=kind)
        return np.concatenate([none, *(getattr(one, name) for one in found)])

    return LatticeCounts(
        levels=np.array(chosen, dtype=np.int64).reshape(-1, len(recodings)),
        below=joined("below", np.int64),
        classes=joined("classes", np.int64),
        loss=joined("loss", np.float64),
        total=np.array([int(one.total[0]) for one in found], dtype=np.int64),
        lowest=tuple(recoding.lowest for recoding in recodings),
        highest=tuple(recoding.top for recoding in recodings),
        order=arrange_order(question),
        records=tuples.records,
    )


def arrange_order(question: LatticeQuestion) -> tuple[int, ...]:
    """The order in which a search takes the attributes: those with the most values first."""
    values = [
        np.unique(recoding.levels[recoding.lowest][question.tuples.codes[:, place]]).size
        for place, recoding in enumerate(question.recodings)
    ]
    return tuple(sorted(range(len(values)), key=lambda place: -values[place]))


def _levels(order: Sequence[int], lowest: Sequence[int], highest: Sequence[int]) -> Nodes:
    """The levels of all nodes: numbered in the order of the search, given in the order of the caller."""
    axes = [np.arange(lowest[a], highest[a] + 1) for a in order]
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)
    return np.ascontiguousarray(grid[:, np.argsort(order)], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class AcceptableNodes:
    """The nodes of a profile within the limits: what `minimal` and `solve` find, without counting again."""

    counts: LatticeCounts
    cell_size: int
    limit: float
    """The share of records that may be suppressed."""
    average: float | None = None
    """The largest mean of 1 / class size over the kept records."""

    def __post_init__(self) -> None:
        if not 1 <= self.cell_size <= MOST_SIZE:
            raise InvalidSetting(
                f"A profile has cell sizes from 1 to {MOST_SIZE}, not {self.cell_size}.",
                hint="Choose one of these, or search again with another cell size.",
            )
        if self.average is not None and self.average < 1 / MOST_SIZE:
            raise InvalidSetting(
                f"A profile does not tell which nodes have an average risk below 1/{MOST_SIZE}.",
                hint="Search with this limit instead.",
            )
        Criterion(self.cell_size, average=self.average, limit=self.limit)

    @property
    def allowed(self) -> int:
        """Number of records that may be suppressed."""
        return Criterion(self.cell_size, limit=self.limit).may_suppress(self.counts.records)

    @cached_property
    def column(self) -> Nodes:
        """By node: the smallest class that is kept, less 1; above the cell size only for an average."""
        start = np.full(len(self.counts.levels), self.cell_size - 1, dtype=np.int64)
        if self.average is None or self.average >= 1:
            return start
        kept = self.counts.total[:, None] - self.counts.classes
        records = self.counts.records - self.counts.below
        fine = kept <= self.average * records * (1.0 + 1e-12)
        fine[:, : self.cell_size - 1] = False
        fine[:, -1] = True  # classes of this size or more keep every average that is allowed here
        return np.asarray(np.argmax(fine, axis=1), dtype=np.int64)

    @cached_property
    def suppressed(self) -> Ints:
        """By node: records in suppressed classes."""
        return np.take_along_axis(self.counts.below, self.column[:, None], axis=1)[:, 0]

    @cached_property
    def loss(self) -> Floats:
        """By node: the loss."""
        return np.take_along_axis(self.counts.loss, self.column[:, None], axis=1)[:, 0]

    @cached_property
    def kept_classes(self) -> Ints:
        """By node: number of classes that are kept."""
        gone = np.take_along_axis(self.counts.classes, self.column[:, None], axis=1)[:, 0]
        return self.counts.total - gone

    @cached_property
    def acceptable(self) -> Flags:
        """By node: whether it is within the limits."""
        return np.asarray(self.suppressed <= self.allowed)

    @cached_property
    def minimal(self) -> Flags:
        """By node: whether it is acceptable and no counted node below it is."""
        if self.counts.complete:
            return self._minimal_in_grid()
        found, places = self.acceptable.copy(), np.flatnonzero(self.acceptable)
        levels = self.counts.levels[places]
        for at in places:
            lower = (levels <= self.counts.levels[at]).all(axis=1)
            found[at] = int(lower.sum()) == 1
        return found

    def _minimal_in_grid(self) -> Flags:
        """Acceptable with no acceptable node below: a running "or" along every axis of the lattice."""
        lowest, highest, order = self.counts.lowest, self.counts.highest, self.counts.order
        grid = self.acceptable.reshape([highest[a] - lowest[a] + 1 for a in order])
        reached = grid
        for axis in range(grid.ndim):
            reached = np.logical_or.accumulate(reached, axis=axis)
        below = np.zeros_like(grid)
        for axis in range(grid.ndim):
            upper = [slice(None)] * grid.ndim
            lower = [slice(None)] * grid.ndim
            upper[axis], lower[axis] = slice(1, None), slice(None, -1)
            below[tuple(upper)] |= reached[tuple(lower)]
        return (grid & ~below).ravel()

    @cached_property
    def best(self) -> int | None:
        """The place of the acceptable node with the least loss; between equals, the one a search takes."""
        places = np.flatnonzero(self.acceptable)
        if not places.size:
            return None
        equal = places[self.loss[places] == self.loss[places].min()]
        if equal.size > 1 and self.counts.complete:
            upper = equal[(self.counts.levels[equal] >= self._middle()).all(axis=1)]
            equal = upper if upper.size else equal
        return int(equal[0])

    def _middle(self) -> Nodes:
        """Where a search begins, to get a good bound early: halfway up from the lowest useful levels."""
        lowest, highest = np.array(self.counts.lowest), np.array(self.counts.highest)
        least = lowest.copy()
        for place in range(lowest.size):
            others = (np.delete(self.counts.levels, place, axis=1) == np.delete(highest, place)).all(axis=1)
            at_top = self.counts.below[others, self.cell_size - 1]
            levels = self.counts.levels[others, place]
            fine = levels[at_top <= self.allowed]
            least[place] = fine.min() if fine.size else highest[place]
        return np.asarray(least + (highest - least) // 2, dtype=np.int64)

    def solution(self, place: int) -> Solution:
        """The figures of a node."""
        return Solution(
            tuple(int(level) for level in self.counts.levels[place]),
            float(self.loss[place]),
            int(self.suppressed[place]),
            int(self.kept_classes[place]),
            int(self.column[place]) + 1,
        )

    @property
    def fewest(self) -> int:
        """The fewest records that any counted node suppresses."""
        return int(self.suppressed.min(initial=self.counts.records))

    @property
    def nearest(self) -> int | None:
        """The place of the node that suppresses the fewest records; the one of least loss among equals."""
        if not len(self.counts.levels):
            return None
        fewest = np.flatnonzero(self.suppressed == self.fewest)
        return int(fewest[np.argmin(self.loss[fewest])])
