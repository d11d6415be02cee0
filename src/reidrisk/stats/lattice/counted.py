"""Search the lattice by counting one node at a time, where the tuples of a table do not fit in memory.

A sample of the tuples says which nodes are worth counting; it never decides. The search ends when every node
was counted on all records, or lies below a counted node that loses too many records, or has a lower bound of
its loss that is no better than the best node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil, prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Ints
from reidrisk.stats.lattice.bounds import (
    ClassCounts,
    CountedQuestion,
    KnownNodes,
    Node,
    NodeLosses,
    below,
    smallest_kept,
)
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.search import (
    LatticeResult,
    MinimalNodes,
    OptimalityProof,
    Progress,
    Solution,
    Stop,
    minimal,
    solve,
)

MOST_NODES = 2_000_000
"""Nodes of which a bound is kept; of a larger lattice, only those around the best node of the sample."""
MOST_COUNTS = 300
"""Nodes to count for the proof."""
MORE_COUNTS = 100
"""Nodes to count for the list of minimal nodes, after that."""
MORE_ENTRIES = 50_000_000
"""Tuples to read for that list: of a very large table, only the nodes counted for the proof are listed."""
MARGINS = (1.0, 1.25, 1.6, 2.0, 3.0, 5.0)
"""The sample must keep to a cell size that is larger, and a limit that is smaller, by these factors in turn:
small classes that the sample lacks would otherwise mislead."""


class NodeCounter(Protocol):
    """Counts the classes of a node on all records. Levels are those of the hierarchies."""

    def sizes(self, node: Node) -> ClassCounts:
        """The sizes of the classes."""

    def lost(self, node: Node, smallest: int) -> Sequence[Ints]:
        """Records in smaller classes: for each column, by the code of its level."""


@dataclass(frozen=True, slots=True)
class CountedSearch:
    """What was found, and what it rests on."""

    outcome: LatticeResult
    minimal: MinimalNodes
    misled: int
    """Nodes that the sample expected to be acceptable and that are not."""
    too_large: int
    """Nodes that were left out because their classes do not fit in memory."""


@dataclass(eq=False)
class ExpectedNodes:
    """What the sample expects: minimal acceptable nodes, and the highest nodes that are not acceptable."""

    minimal: list[Node] = field(default_factory=list)
    border: list[Node] = field(default_factory=list)

    @classmethod
    def of(cls, nodes: Sequence[Node], box: KnownNodes) -> ExpectedNodes:
        """Find the border below these minimal nodes."""
        fine = np.zeros_like(box.seen)
        for node in nodes:
            fine[box.above(node)] = True
        border = ~fine
        for axis in range(fine.ndim):
            upper = np.ones_like(fine)
            inner = [slice(None)] * fine.ndim
            inner[axis] = slice(0, -1)
            upper[tuple(inner)] = np.delete(fine, 0, axis=axis)
            border &= upper
        return cls(list(nodes), [box.node(place) for place in np.argwhere(border).tolist()])


@dataclass(eq=False)
class CountingRun:
    """A search that counts nodes until nothing is open."""

    question: CountedQuestion
    counter: NodeCounter
    sample: Tuples | None
    stop: Stop | None = None
    progress: Progress | None = None
    misled: int = 0
    too_large: int = 0

    def run(self) -> CountedSearch:
        """Count the highest node and those that limit single columns, then what the sample suggests."""
        question = self.question
        self.losses = NodeLosses(question)
        self.box = KnownNodes(question, self.losses, question.low, question.low)
        self.log: list[tuple[Node, ClassCounts, Solution | None]] = []
        self.least = self._least_levels()
        if self._count(question.high) is None and self._is_hopeless(question.high):
            return self._finished(whole=True, nearest=self._nearest())
        first = self._from_sample()
        whole = self._widen(first)
        self._prove(MOST_COUNTS)
        proved = not self.box.open(self._score).any() and not self._stopped
        if proved and whole:
            self._find_minimal(min(MORE_COUNTS, MORE_ENTRIES // question.tuples))
        return self._finished(whole=proved and whole)

    @property
    def _stopped(self) -> bool:
        return self.stop is not None and self.stop()

    @property
    def _score(self) -> float:
        return np.inf if self._best is None else self._best.score

    def _is_hopeless(self, node: Node) -> bool:
        sizes = next(sizes for one, sizes, _ in self.log if one == node)
        return below(sizes, self.question.criterion.smallest) > self.question.allowed

    def _count(self, node: Node) -> Solution | None:
        """Count a node on all records, once."""
        for one, _, solution in self.log:
            if one == node:
                return solution
        sizes = self.counter.sizes(node)
        solution = self._judged(node, sizes)
        self.log.append((node, sizes, solution))
        self.box.note(node, sizes, solution)
        if self.progress is not None:
            self.progress(min(len(self.log), self.question.lattice), self.question.lattice)
        return solution

    def _judged(self, node: Node, sizes: ClassCounts) -> Solution | None:
        criterion, question = self.question.criterion, self.question
        if below(sizes, criterion.smallest) > question.allowed:
            return None
        smallest = smallest_kept(sizes, criterion)
        lost = below(sizes, smallest)
        if lost > question.allowed:
            return None
        if sum(number for _, number in sizes) > question.most_classes:
            self.too_large += 1
            return None
        kept = [(size, number) for size, number in sizes if size >= smallest]
        if self.losses.is_discernibility:
            squares = sum(float(size) * size * number for size, number in kept)
            score = squares + float(question.records) * lost
        else:
            nothing = [np.zeros(1, dtype=np.int64)] * len(node)
            score = self.losses.of(node, self.counter.lost(node, smallest) if lost else nothing)
        return Solution(node, score, lost, sum(number for _, number in kept), smallest)

    @property
    def _best(self) -> Solution | None:
        fine = [solution for _, _, solution in self.log if solution is not None]
        return min(fine, key=lambda one: (one.score, self._rank(one.levels)), default=None)

    def _rank(self, node: Node) -> tuple[bool, Node]:
        """Of equal losses the search over tuples finds the upper half first, then by its order of columns."""
        pairs = zip(self.least, self.question.high, node, strict=True)
        upper = all(level >= low + (top - low) // 2 for low, top, level in pairs)
        return not upper, tuple(node[column] for column in self.losses.order)

    def _least_levels(self) -> Node:
        """For each column the first level at which the others, at their highest, are enough."""
        found: list[int] = list(self.question.low)
        high, most = self.question.high, sum(number for _, number in self.counter.sizes(self.question.high))
        for column, attribute in enumerate(self.losses.given):
            for level in range(attribute.low, attribute.high):
                if most * (int(attribute.codes[level][-1]) + 1) > 64 * self.question.tuples:
                    found[column] = attribute.low
                    break
                node = (*high[:column], level, *high[column + 1 :])
                self._count(node)
                found[column] = level
                if not self._is_hopeless(node):
                    break
                found[column] = level + 1
        return tuple(found)

    def _from_sample(self) -> Node:
        """The best node of the sample that is acceptable, with the margin that this needs."""
        node = self.question.high
        if self.sample is None:
            return node
        for factor in MARGINS:
            found = solve(
                self.sample,
                self._raised(),
                self._stricter(factor),
                self.question.loss,
                weights=self.question.weights,
                stop=self.stop,
            )
            if found.solution is None:
                break
            node = found.solution.levels
            if self._count(node) is not None:
                break
            self.misled += 1
        return node

    def _raised(self) -> list[Recoding]:
        pairs = zip(self.question.recodings, self.least, strict=True)
        return [replace(recoding, lowest=level) for recoding, level in pairs]

    def _stricter(self, factor: float) -> Criterion:
        criterion = self.question.criterion
        return replace(
            criterion, cell_size=ceil(criterion.cell_size * factor), limit=criterion.limit / factor
        )

    def _widen(self, around: Node) -> bool:
        """Look at the whole lattice, or at what lies around a node; returns whether it is the whole."""
        low, high = self.least, self.question.high
        steps = max(top - bottom for bottom, top in zip(low, high, strict=True))
        nodes = prod(top - bottom + 1 for bottom, top in zip(low, high, strict=True))
        while nodes > MOST_NODES and steps > 1:
            steps -= 1
            low = tuple(max(bottom, at - steps) for bottom, at in zip(self.least, around, strict=True))
            high = tuple(min(top, at + steps) for top, at in zip(self.question.high, around, strict=True))
            nodes = prod(top - bottom + 1 for bottom, top in zip(low, high, strict=True))
        self.box = KnownNodes(self.question, self.losses, low, high)
        for entry in self.log:
            self.box.note(*entry)
        return (low, high) == (self.least, self.question.high)

    def _expected(self, factor: float) -> ExpectedNodes:
        if self.sample is None:
            return ExpectedNodes()
        found = minimal(
            self.sample,
            self._raised(),
            self._stricter(factor),
            self.question.loss,
            weights=self.question.weights,
            stop=self.stop,
        )
        inside = [node.levels for node in found.nodes if self.box.place(node.levels) is not None]
        return ExpectedNodes.of(inside, self.box)

    def _prove(self, most: int) -> None:
        """Count nodes until none is open: the expected border, then the highest open nodes."""
        self.expected = self._expected(1.0)
        border, start = list(self.expected.border), len(self.log)
        while len(self.log) - start < most and not self._stopped:
            is_open = self.box.open(self._score)
            if not is_open.any():
                return
            covers = [int(is_open[self.box.below(node)].sum()) for node in border]
            if any(covers):
                self._count(border.pop(int(np.argmax(covers))))
                continue
            self._count(self._telling(is_open))

    def _telling(self, is_open: NDArray[np.bool_]) -> Node:
        """The open node that tells most about others: about those below it, or above it."""
        volume = -self.box.volume if self.losses.is_discernibility else self.box.volume
        places = np.argwhere(is_open)
        return self.box.node(places[int(np.argmax(volume[is_open]))].tolist())

    def _find_minimal(self, most: int) -> None:
        """Count nodes until it is known of every node whether it is acceptable."""
        if self.question.criterion.average is not None:
            return
        start, waiting = len(self.log), [*self.expected.minimal, *self.expected.border]
        while len(self.log) - start < most and not self._stopped:
            unknown = self.box.unknown()
            if not unknown.any():
                return
            useful = [node for node in waiting if unknown[self.box.place(node)]]
            self._count(useful[0] if useful else self._middle(unknown))
            waiting = useful[1:]

    def _middle(self, unknown: NDArray[np.bool_]) -> Node:
        """The unknown node with as many above as below, about."""
        places = np.argwhere(unknown)
        order = np.argsort(self.box.volume[unknown], kind="stable")
        return self.box.node(places[order[len(order) // 2]].tolist())

    def _nearest(self) -> Solution:
        """The highest node, although it is not acceptable."""
        sizes = next(sizes for node, sizes, _ in self.log if node == self.question.high)
        smallest = smallest_kept(sizes, self.question.criterion)
        kept = sum(number for size, number in sizes if size >= smallest)
        lost = self.counter.lost(self.question.high, smallest)
        score = np.inf if self.losses.is_discernibility else self.losses.of(self.question.high, lost)
        return Solution(self.question.high, float(score), below(sizes, smallest), kept, smallest)

    def _finished(self, *, whole: bool, nearest: Solution | None = None) -> CountedSearch:
        question, evaluated = self.question, len(self.log)
        proof = OptimalityProof.BOUNDS if question.allowed else OptimalityProof.MONOTONE
        if not whole or self.too_large:
            proof = OptimalityProof.INTERRUPTED if self._stopped else OptimalityProof.COUNTED
        outcome = LatticeResult(self._best, proof, question.lattice, evaluated, nearest)
        listed = whole and question.criterion.average is None and not self.box.unknown().any()
        complete = (listed or nearest is not None) and not self.too_large
        nodes = self._minimal_nodes()
        seen = MinimalNodes(
            nodes,
            OptimalityProof.MONOTONE if complete else OptimalityProof.COUNTED,
            question.lattice,
            evaluated,
        )
        return CountedSearch(outcome, seen, self.misled, self.too_large)

    def _minimal_nodes(self) -> tuple[Solution, ...]:
        """Counted acceptable nodes without a counted acceptable node below."""
        fine = [solution for _, _, solution in self.log if solution is not None]
        lowest = [
            one
            for one in fine
            if not any(other is not one and _is_below(other.levels, one.levels) for other in fine)
        ]
        return tuple(sorted(lowest, key=lambda node: (node.score, node.levels)))


def _is_below(lower: Node, upper: Node) -> bool:
    return all(low <= high for low, high in zip(lower, upper, strict=True))


def search_counted(
    question: CountedQuestion,
    counter: NodeCounter,
    sample: Tuples | None,
    *,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> CountedSearch:
    """The acceptable node with the least loss, every candidate counted on all records."""
    return CountingRun(question, counter, sample, stop, progress).run()
