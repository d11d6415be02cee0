"""Search the lattice of generalizations for the optimum, with a proof of optimality."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import InvalidSetting
from reidrisk.stats.lattice.arrange import LatticeQuestion, PreparedSearch, arrange, compiled_kernels
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import Loss
from reidrisk.stats.lattice.tables import LatticeState


class OptimalityProof(StrEnum):
    """How the result was proved."""

    MONOTONE = "monotone tagging"
    """Nothing may be suppressed: every loss grows upward, so the best node is a minimal one."""
    BOUNDS = "branch and bound exhausted"
    """Every other node was evaluated, or has a lower bound that is no better."""
    INTERRUPTED = "interrupted: best so far"
    """The search was stopped; a better node may exist."""
    COUNTED = "counted exactly, but a better node may exist"
    """Some nodes whose loss may be less were not counted."""

    @property
    def complete(self) -> bool:
        """Whether it proves anything about the nodes that were not found."""
        return self not in (OptimalityProof.INTERRUPTED, OptimalityProof.COUNTED)


@dataclass(frozen=True, slots=True)
class Solution:
    """One node of the lattice and its loss."""

    levels: tuple[int, ...]
    """The level of each quasi-identifier, in the order given."""
    score: float
    """The loss; smaller is better."""
    suppressed: int
    """Records in suppressed classes."""
    classes: int
    """Number of kept classes."""
    smallest: int
    """Classes with fewer records are suppressed; above the cell size only for a strict average risk."""


@dataclass(frozen=True, slots=True)
class LatticeResult:
    """The best node, or the nearest one if no node is acceptable."""

    solution: Solution | None
    proof: OptimalityProof
    lattice: int
    """Number of nodes within the allowed levels."""
    evaluated: int
    """Number of nodes whose classes were counted."""
    nearest: Solution | None = None
    """Without a solution: the top of the lattice, where the fewest records must be suppressed."""

    @property
    def optimal(self) -> bool:
        """Whether no node is better; without a solution, whether it is proved that none exists."""
        return self.proof.complete


@dataclass(frozen=True, slots=True)
class MinimalNodes:
    """The acceptable nodes below which no node is acceptable."""

    nodes: tuple[Solution, ...]
    """Least loss first."""
    proof: OptimalityProof
    lattice: int
    evaluated: int

    @property
    def complete(self) -> bool:
        """Whether these are all of them."""
        return self.proof.complete


Stop = Callable[[], bool]
Progress = Callable[[int, int], None]
"""Called with the number of nodes done and the number of nodes in the lattice."""
ENTRIES = 1_000_000
"""Table entries read between two calls of `stop`: a few hundredths of a second."""


def solve(  # noqa: PLR0913 - the data, the question, how to watch
    tuples: Tuples,
    recodings: Sequence[Recoding],
    criterion: Criterion,
    loss: Loss,
    *,
    weights: Sequence[float] | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> LatticeResult:
    """The acceptable node with the least loss, by depth-first branch and bound.

    Record suppression makes every loss non-monotone, so minimal nodes are not enough. The bounds of `kernels`
    are monotone, and the search ends only when nothing better can be left.
    """
    question = LatticeQuestion.of(tuples, recodings, criterion, loss, weights)
    run = _run(question, arrange(question), _Watch(stop, progress))
    found = run.solutions()
    if not found and run.finished:
        return LatticeResult(None, run.proof, question.lattice, run.evaluated, _top(question))
    return LatticeResult(found[0] if found else None, run.proof, question.lattice, run.evaluated)


def minimal(  # noqa: PLR0913 - as `solve`
    tuples: Tuples,
    recodings: Sequence[Recoding],
    criterion: Criterion,
    loss: Loss,
    *,
    weights: Sequence[float] | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> MinimalNodes:
    """All minimal acceptable nodes with their losses, by predictive tagging.

    Every node is visited after those below it. A node above one that was already found is skipped with all
    nodes above it, and so are nodes that cannot meet the criterion.
    """
    question = LatticeQuestion.of(tuples, recodings, criterion, loss, weights)
    run = _run(question, arrange(question, minimal=True), _Watch(stop, progress))
    nodes = tuple(sorted(run.solutions(), key=lambda node: (node.score, node.levels)))
    tagged = run.finished and criterion.average is None
    return MinimalNodes(
        nodes, OptimalityProof.MONOTONE if tagged else run.proof, question.lattice, run.evaluated
    )


def evaluate(
    tuples: Tuples, recodings: Sequence[Recoding], criterion: Criterion, loss: Loss, levels: Sequence[int]
) -> Solution:
    """The figures of one node, whether or not it is within the suppression limit."""
    if len(levels) != len(recodings):
        raise InvalidSetting(
            f"There are {len(levels)} levels for {len(recodings)} hierarchies.", hint="Give one each."
        )
    return _at(LatticeQuestion.of(tuples, recodings, criterion, loss, None), levels)


@dataclass(frozen=True, slots=True)
class _Watch:
    """How a caller follows and ends a search."""

    stop: Stop | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _LatticeRun:
    """A finished search."""

    arranged: PreparedSearch
    suppresses: bool

    @property
    def finished(self) -> bool:
        return bool(self.arranged.state.mark[0] < 0)

    @property
    def evaluated(self) -> int:
        return int(self.arranged.state.mark[1])

    @property
    def proof(self) -> OptimalityProof:
        if not self.finished:
            return OptimalityProof.INTERRUPTED
        return OptimalityProof.BOUNDS if self.suppresses else OptimalityProof.MONOTONE

    def solutions(self) -> list[Solution]:
        """The nodes found, with attributes in the caller's order."""
        state, place = self.arranged.state, np.argsort(self.arranged.order)
        return [
            Solution(
                tuple(int(level) for level in state.found_levels[node, place]),
                float(state.found_score[node]),
                *(int(figure) for figure in state.found_figures[node]),
            )
            for node in range(int(state.mark[2]))
        ]


def _run(question: LatticeQuestion, arranged: PreparedSearch, watch: _Watch) -> _LatticeRun:
    """Search until the end or until stopped; the upper half first, to get a good bound early."""
    problem, state = arranged.problem, arranged.state
    if state.mark[0] < 0:
        return _LatticeRun(arranged, problem.limits.suppressed > 0)
    if problem.minimal:
        arranged = _sweep(arranged, watch, question.lattice)
    else:
        first = _FirstTable.of(state)
        middle = problem.low + (problem.high - problem.low) // 2
        _sweep(arranged.from_levels(middle), _Watch(watch.stop), question.lattice)
        first.restore(state)
        _sweep(arranged, watch, question.lattice)
    return _LatticeRun(arranged, problem.limits.suppressed > 0)


def _sweep(arranged: PreparedSearch, watch: _Watch, total: int) -> PreparedSearch:
    """Search the levels of the problem until none is left or until stopped."""
    problem, state = arranged.problem, arranged.state
    state.mark[0], state.level[:] = 0, problem.low
    while state.mark[0] >= 0 and not (watch.stop is not None and watch.stop()):
        compiled_kernels().advance(problem, state, ENTRIES)
        if state.mark[2] == state.found_score.size:
            state = _with_more_room(state)
            arranged = replace(arranged, state=state)
        if watch.progress is not None:
            watch.progress(_nodes_done(arranged, total), total)
    return arranged


@dataclass(frozen=True, slots=True, eq=False)
class _FirstTable:
    """A copy of the first table, which every sweep rolls up in place."""

    rows: tuple[NDArray[Any], ...]

    @classmethod
    def of(cls, state: LatticeState) -> _FirstTable:
        size = state.size[0]
        return cls(tuple(row[0, :size].copy() for row in cls._tables(state)))

    def restore(self, state: LatticeState) -> None:
        state.size[0] = self.rows[0].size
        for row, copy in zip(self._tables(state), self.rows, strict=True):
            row[0, : copy.size] = copy

    @staticmethod
    def _tables(state: LatticeState) -> tuple[NDArray[Any], ...]:
        return state.group, state.rest, state.value, state.counts


def _with_more_room(state: LatticeState) -> LatticeState:
    """The same state with twice the space for minimal nodes."""
    return state._replace(
        found_levels=np.concatenate([state.found_levels, np.zeros_like(state.found_levels)]),
        found_figures=np.concatenate([state.found_figures, np.zeros_like(state.found_figures)]),
        found_score=np.concatenate([state.found_score, np.zeros_like(state.found_score)]),
    )


def _nodes_done(arranged: PreparedSearch, total: int) -> int:
    """Number of nodes before the present one in search order, scaled to the whole lattice."""
    problem, state = arranged.problem, arranged.state
    depth = int(state.mark[0])
    if depth < 0:
        return total
    position, nodes = 0, 1
    for a in range(problem.low.size):
        levels = int(problem.high[a] - problem.low[a]) + 1
        position = position * levels + (int(state.level[a] - problem.low[a]) if a <= depth else 0)
        nodes *= levels
    return position * total // nodes


def _top(question: LatticeQuestion) -> Solution:
    """The node at the top, where the fewest records are suppressed."""
    return _at(question, [recoding.top for recoding in question.recodings])


def _at(question: LatticeQuestion, levels: Sequence[int]) -> Solution:
    """One node, evaluated by a search that has no other."""
    only = tuple(
        replace(recoding, lowest=level, highest=level)
        for recoding, level in zip(question.recodings, levels, strict=True)
    )
    free = replace(question, recodings=only, criterion=replace(question.criterion, limit=1.0))
    return _run(free, arrange(free), _Watch()).solutions()[0]
