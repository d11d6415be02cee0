"""Find the best node if the distinct tuples do not fit in memory.

The tuples stay inside the engine. A sample of whole coarse cells, which fits, is searched as usual and says
which nodes are worth counting; these are counted exactly, on all records. A class of a node that is finer
than the cells is wholly in the sample or not at all, so that small classes of the sample are small in the
table, too. Nothing that the sample says is released or reported without an exact count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from math import ceil, prod

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import LeveledTuples
from reidrisk.stats.arrays import Ints
from reidrisk.stats.lattice.bounds import ClassCounts, CountedQuestion, Node
from reidrisk.stats.lattice.counted import CountedSearch, search_counted
from reidrisk.stats.lattice.inputs import Codes, Tuples
from reidrisk.stats.lattice.search import MinimalNodes, Solution
from reidrisk.tables.deidentify.problem import SearchProblem, SuppressionPlan
from reidrisk.tables.deidentify.search import (
    TRIES,
    FailedSearch,
    LevelSolution,
    SampledSearch,
    Watch,
    find,
    suppress_at,
)

SAMPLE = 300_000
"""Tuples to draw, at most: more would take longer to search than the nodes take to count."""
ROOM_FOR_CELLS = 2
"""Choosing the cells to suppress takes so many times the memory of the classes."""
CELLS = 100
"""Coarse cells to draw, at least."""


def find_levels(problem: SearchProblem, threshold: Threshold, watch: Watch) -> LevelSolution | FailedSearch:
    """Search the lattice, on the tuples at hand or on those inside the engine."""
    if problem.stored is None:
        return find(problem, threshold, watch)
    return _find_stored(problem, problem.stored, threshold, watch)


@dataclass(frozen=True, slots=True, eq=False)
class StoredNodes:
    """Counts nodes inside the engine, whose levels begin with the lowest that is permitted."""

    stored: LeveledTuples
    lowest: Node

    def place(self, node: Sequence[int]) -> Node:
        """Return the node as the engine numbers it."""
        return tuple(level - low for level, low in zip(node, self.lowest, strict=True))

    def sizes(self, node: Node) -> ClassCounts:
        """The sizes of the classes of a node."""
        return self.stored.sizes(self.place(node))

    def lost(self, node: Node, smallest: int) -> Sequence[Ints]:
        """Records in smaller classes: for each column, by the code of its level."""
        return self.stored.lost(self.place(node), smallest)


@dataclass(frozen=True, slots=True, eq=False)
class CellSample:
    """The tuples of some coarse cells."""

    found: DistinctTuples
    one_in: int
    cells: int
    """Of the whole table."""

    @property
    def tuples(self) -> Tuples | None:
        """The form that a search needs; None if no cell was drawn."""
        return Tuples(self.found.codes, self.found.counts) if len(self.found) else None


def _find_stored(
    problem: SearchProblem, stored: LeveledTuples, threshold: Threshold, watch: Watch
) -> LevelSolution | FailedSearch:
    """Search, then take only the classes of the solution into memory, to suppress and to describe."""
    nodes = StoredNodes(stored, problem.bottom)
    question = CountedQuestion(
        tuple(problem.recodings),
        stored.value_counts,
        problem.criterion(threshold),
        problem.options.loss,
        problem.weights,
        stored.tuples,
        stored.room,
    )
    found, sampled = _searched(question, nodes, threshold, watch)
    outcome = found.outcome
    if outcome.solution is None:
        return FailedSearch(problem, threshold, outcome, proved=outcome.optimal, sampled=sampled)
    met: Future[MinimalNodes] = Future()
    met.set_result(found.minimal)
    cause = None
    for solution in _in_order(question, nodes, found, watch):
        narrow = _narrowed(problem, stored.at(nodes.place(solution.levels)), question.most_classes)
        suppressed = suppress_at(narrow, threshold, solution, watch)
        if isinstance(suppressed, SuppressionPlan):
            whole = narrow.options.suppress != problem.options.suppress
            return LevelSolution(
                narrow,
                threshold,
                outcome,
                met,
                solution,
                suppressed,
                stopped=watch.stopped,
                sampled=replace(sampled, whole_records=whole),
            )
        cause = cause or suppressed.reason
    return FailedSearch(problem, threshold, outcome, cause, proved=False, sampled=sampled)


def _narrowed(problem: SearchProblem, tuples: DistinctTuples, room: int) -> SearchProblem:
    """Return the problem of one node; whole records are suppressed if choosing cells would not fit."""
    options = problem.options
    if ROOM_FOR_CELLS * len(tuples) > room and options.max_cell_suppression is None:
        options = replace(options, suppress="records")
    return replace(problem, tuples=tuples, options=options, stored=None)


def _searched(
    question: CountedQuestion, nodes: StoredNodes, threshold: Threshold, watch: Watch
) -> tuple[CountedSearch, SampledSearch]:
    """Draw a sample, search with it, and say what the result rests on."""
    stored = nodes.stored
    sample = draw_cells(
        stored, [recoding.levels[recoding.lowest :] for recoding in question.recodings], seed=watch.seed
    )
    found = search_counted(
        question,
        nodes,
        sample.tuples,
        stop=watch.stop,
        progress=watch.progress_of(f"search for cell size {threshold.cell_size}, counting nodes one by one"),
    )
    return found, SampledSearch(
        tuples=stored.tuples,
        sample_tuples=len(sample.found),
        sample_records=sample.found.records,
        one_in=sample.one_in,
        cells=sample.cells,
        nodes=found.outcome.lattice,
        nodes_counted=found.outcome.evaluated,
        optimum_proved=found.outcome.optimal,
        candidates_complete=found.minimal.complete,
        misled=found.misled,
        too_large=found.too_large,
    )


def draw_cells(stored: LeveledTuples, levels: Sequence[Sequence[Codes]], *, seed: int) -> CellSample:
    """Draw whole cells, as coarse as they can be if at least a hundred are to be drawn."""
    codes = [[len(np.unique(level)) for level in column] for column in levels]
    one_in = max(1, ceil(stored.tuples / max(1, min(SAMPLE, stored.room // 4))))
    node, cells = list(stored.top), 0
    while True:
        if prod(column[level] for column, level in zip(codes, node, strict=True)) >= CELLS * one_in:
            cells = sum(number for _, number in stored.sizes(node))
        column = _next_finer(codes, node)
        if cells >= CELLS * one_in or column is None:
            break
        node[column] -= 1
    cells = cells or sum(number for _, number in stored.sizes(node))
    return CellSample(stored.cells(node, one_in, seed=seed), one_in, cells)


def _next_finer(codes: Sequence[Sequence[int]], node: Sequence[int]) -> int | None:
    """The column whose next level divides the cells least; None if all are at their lowest."""
    steps = {
        column: codes[column][level - 1] / codes[column][level] for column, level in enumerate(node) if level
    }
    return min(steps, key=lambda column: (steps[column], column)) if steps else None


def _in_order(
    question: CountedQuestion, nodes: StoredNodes, found: CountedSearch, watch: Watch
) -> Iterator[Solution]:
    """Yield the optimum, minimal nodes by loss, then the best nodes with fewer and fewer small classes."""
    best = found.outcome.solution
    if best is None:
        return
    yield best
    yield from [node for node in found.minimal.nodes if node.levels != best.levels][:TRIES]
    fewer = best.suppressed
    while fewer:
        fewer //= 2
        stricter = replace(question, criterion=replace(question.criterion, limit=fewer / question.records))
        again = search_counted(stricter, nodes, None, stop=watch.stop).outcome.solution
        if again is None:
            return
        yield again
        fewer = min(fewer, again.suppressed)
