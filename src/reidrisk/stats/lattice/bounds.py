"""What is known about every node of a lattice from those that were counted.

Two facts give bounds for nodes that were not: a node never has fewer records in small classes than a node
above it, and its loss without suppression follows from the values of each column. For the discernibility, no
node costs less than the classes of a node below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.arrange import AttributeLevels, compiled_kernels, lattice_steps, measure_of
from reidrisk.stats.lattice.inputs import Criterion, Recoding
from reidrisk.stats.lattice.losses import Loss
from reidrisk.stats.lattice.search import Solution
from reidrisk.stats.lattice.tables import DISCERNIBILITY, LatticeProblem, SearchLimits

Node = tuple[int, ...]
ClassCounts = Sequence[tuple[int, int]]
"""Pairs (size of class, number of such classes)."""
ULPS = 1e-12
"""Lower bounds are computed in another order than losses; so much they may be off."""


@dataclass(frozen=True, slots=True, eq=False)
class CountedQuestion:
    """What is known before anything is counted, and what is wanted."""

    recodings: tuple[Recoding, ...]
    value_counts: tuple[Ints, ...] = field(repr=False)
    """By column: how many records have each value."""
    criterion: Criterion
    loss: Loss
    weights: tuple[float, ...]
    tuples: int
    """Distinct ones, at the lowest levels."""
    most_classes: int
    """A node with more classes cannot be released."""

    @property
    def records(self) -> int:
        """All of them."""
        return int(self.value_counts[0].sum())

    @property
    def allowed(self) -> int:
        """Number of records that may be suppressed."""
        return self.criterion.may_suppress(self.records)

    @property
    def low(self) -> Node:
        """The lowest level of each column."""
        return tuple(recoding.lowest for recoding in self.recodings)

    @property
    def high(self) -> Node:
        """The highest level of each column."""
        return tuple(recoding.top for recoding in self.recodings)

    @property
    def lattice(self) -> int:
        """Number of nodes."""
        return prod(top - low + 1 for low, top in zip(self.low, self.high, strict=True))


@dataclass(frozen=True, eq=False)
class NodeLosses:
    """The loss of any node from counts alone, to the last digit as the search over tuples computes it."""

    question: CountedQuestion

    @cached_property
    def given(self) -> list[AttributeLevels]:
        """The columns as given."""
        pairs = zip(self.question.recodings, self.question.value_counts, strict=True)
        return [
            AttributeLevels.of(recoding, np.flatnonzero(counts).astype(np.int32), counts[counts > 0])
            for recoding, counts in pairs
        ]

    @cached_property
    def order(self) -> list[int]:
        """The columns in the order of the search over tuples, which decides between equal losses."""
        given = self.given
        return sorted(range(len(given)), key=lambda a: -np.count_nonzero(given[a].counts[given[a].low]))

    @cached_property
    def problem(self) -> LatticeProblem:
        """What the compiled losses need; there are no tuples."""
        attributes = [self.given[a] for a in self.order]
        offset, step = lattice_steps(attributes)
        place = np.cumsum([0, *(each.codes[0].size for each in attributes[:-1])])
        weights = np.asarray(self.question.weights, dtype=np.float64)[self.order]
        levels = [
            np.array(ends, dtype=np.int64)[self.order] for ends in (self.question.low, self.question.high)
        ]
        none = np.zeros((len(attributes), 1), dtype=np.int32)
        limits = SearchLimits(
            self.question.records, self.question.criterion.smallest, self.question.allowed, 1.0
        )
        measure = measure_of(self.question.loss, attributes, weights, offset)
        return LatticeProblem(
            levels[0], levels[1], levels[0], offset, place, step, none, none, limits, measure, minimal=False
        )

    @property
    def is_discernibility(self) -> bool:
        """Whether the loss grows with the classes and not with the levels."""
        return self.problem.measure.kind == DISCERNIBILITY

    def of(self, node: Node, lost: Sequence[Ints]) -> float:
        """The loss of a node with these suppressed records."""
        problem, kernels = self.problem, compiled_kernels()
        gone = np.zeros(int(problem.place[-1]) + self.given[self.order[-1]].codes[0].size, dtype=np.int64)
        for a, column in enumerate(self.order):
            attribute, level = self.given[column], node[column]
            codes = self.question.recodings[column].levels[level]
            dense = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int64)
            dense[codes] = attribute.codes[level][attribute.place]
            known = lost[column]
            np.add.at(gone, problem.place[a] + dense[: known.size], known)
        losses = np.array(
            [kernels.attribute_loss(problem, a, node[column], gone) for a, column in enumerate(self.order)]
        )
        return float(kernels.combined(problem.measure, losses))

    def least(self, low: Node, high: Node, suppressed: int) -> Floats:
        """Lower bounds of all nodes of a box in which at least so many records are suppressed."""
        measure, total = self.problem.measure, np.zeros([1] * len(low))
        if self.is_discernibility:
            worst = float(self.question.records) * suppressed
            return np.full([top - bottom + 1 for bottom, top in zip(low, high, strict=True)], worst)
        for a, column in enumerate(self.order):
            levels = slice(low[column], high[column] + 1)
            losses = measure.base[a, levels] + suppressed * measure.least_gain[a, levels]
            if measure.floored:
                losses = np.floor(np.maximum(losses, 0.0) * 1e10) / 1e10
            shape = [1] * len(low)
            shape[column] = -1
            part = measure.weights[a] * (np.log1p(losses) if measure.geometric else losses)
            total = total + part.reshape(shape)
        return np.expm1(total) if measure.geometric else total


def least_discernibility(sizes: ClassCounts, smallest: int, records: int) -> float:
    """Lower bound of the discernibility of every node above one with these classes."""
    return float(sum(number * size * min(max(smallest, size), records) for size, number in sizes))


def smallest_kept(sizes: ClassCounts, criterion: Criterion) -> int:
    """Least size of a kept class: raised until the average risk is low enough."""
    size = criterion.smallest
    while criterion.average is not None:
        kept = [(one, number) for one, number in sizes if one >= size]
        classes, records = sum(number for _, number in kept), sum(one * number for one, number in kept)
        if classes <= criterion.average * records * (1.0 + 1e-12):
            break
        size = min(one for one, _ in kept) + 1
    return size


def below(sizes: ClassCounts, smallest: int) -> int:
    """Records in classes that are smaller."""
    return sum(size * number for size, number in sizes if size < smallest)


@dataclass(eq=False)
class KnownNodes:
    """What is known about all nodes between two, as arrays with one axis a column."""

    question: CountedQuestion
    losses: NodeLosses
    low: Node
    high: Node
    counted: dict[Node, Solution | None] = field(default_factory=dict)
    """The nodes that were counted; None if they are not acceptable."""

    def __post_init__(self) -> None:
        shape = [top - low + 1 for low, top in zip(self.low, self.high, strict=True)]
        self.bound: Floats = self.losses.least(self.low, self.high, 0)
        self.impossible: NDArray[np.bool_] = np.zeros(shape, dtype=np.bool_)
        self.possible = np.zeros_like(self.impossible)
        """Nodes above a counted one that is acceptable, where that is enough."""
        self.seen = np.zeros_like(self.impossible)
        self.volume: Floats = np.zeros([1] * len(shape))
        for axis, length in enumerate(shape):
            nodes = np.log(np.arange(1, length + 1)).reshape(
                [-1 if at == axis else 1 for at in range(len(shape))]
            )
            self.volume = self.volume + nodes

    def place(self, node: Node) -> tuple[int, ...] | None:
        """Where a node is in the arrays; None if it is outside."""
        inside = all(low <= level <= top for low, level, top in zip(self.low, node, self.high, strict=True))
        return tuple(np.subtract(node, self.low).tolist()) if inside else None

    def node(self, place: Sequence[int]) -> Node:
        """The node at a place of the arrays."""
        return tuple(int(at) + low for at, low in zip(place, self.low, strict=True))

    def below(self, node: Node) -> tuple[slice, ...]:
        """The part of the arrays with the node and all below it."""
        ends = [min(level, top) - low + 1 for level, low, top in zip(node, self.low, self.high, strict=True)]
        return tuple(slice(0, max(0, end)) for end in ends)

    def above(self, node: Node) -> tuple[slice, ...]:
        """The part with the node and all above it."""
        return tuple(slice(max(0, level - low), None) for level, low in zip(node, self.low, strict=True))

    def note(self, node: Node, sizes: ClassCounts, solution: Solution | None) -> None:
        """Draw the conclusions from a node that was counted."""
        question, criterion = self.question, self.question.criterion
        self.counted[node] = solution
        if (place := self.place(node)) is not None:
            self.seen[place] = True
        lost, under = below(sizes, criterion.smallest), self.below(node)
        if all(part.stop > 0 for part in under):
            top = tuple(min(level, top) for level, top in zip(node, self.high, strict=True))
            self.bound[under] = np.maximum(self.bound[under], self.losses.least(self.low, top, lost))
            self.impossible[under] |= lost > question.allowed
        over = self.above(node)
        if self.losses.is_discernibility:
            least = least_discernibility(sizes, criterion.smallest, question.records)
            self.bound[over] = np.maximum(self.bound[over], least)
        if solution is not None and criterion.average is None:
            self.possible[over] = True

    def open(self, best: float) -> NDArray[np.bool_]:
        """Nodes of which nobody knows yet that they are no better."""
        return np.asarray(~self.seen & ~self.impossible & (self.bound <= best * (1 + ULPS)))

    def unknown(self) -> NDArray[np.bool_]:
        """Nodes of which nobody knows yet whether they are acceptable."""
        return np.asarray(~self.possible & ~self.impossible & ~self.seen)
