"""The best node of one layout under one threshold, with what is lost there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import floor

from reidrisk.core.threshold import Threshold
from reidrisk.stats.arrays import Ints
from reidrisk.stats.lattice.inputs import Criterion
from reidrisk.stats.lattice.outcome import MinimalNodes, Outcome, Proof, Solution
from reidrisk.stats.lattice.search import minimal, solve
from reidrisk.stats.lattice.secret_search import solve_secret
from reidrisk.stats.lattice.secrets import NodeClasses, hidden_keeps
from reidrisk.stats.suppress.result import Unmet
from reidrisk.tables.deidentify.problem import Lost, Problem, below, lost_cells, lost_classes, lost_records
from reidrisk.tables.deidentify.secrets import telling_little

Stop = Callable[[], bool]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is settled and how much there is."""
TRIES = 8
"""Minimal nodes whose cells are suppressed in earnest when those of the best one break a limit."""


@dataclass(frozen=True, slots=True)
class Watch:
    """How a run is followed and ended early."""

    stop: Stop | None = None
    progress: Progress | None = None
    seed: int = 7

    @property
    def stopped(self) -> bool:
        """Whether somebody wants the best so far."""
        return self.stop is not None and self.stop()

    def telling(self, what: str) -> Callable[[int, int], None] | None:
        """Progress of one piece of work."""
        if self.progress is None:
            return None
        tell = self.progress
        return lambda done, total: tell(what, done, total)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A releasable form of the table."""

    problem: Problem
    threshold: Threshold
    outcome: Outcome
    awaited: Future[MinimalNodes] = field(repr=False)
    """All minimal nodes, still being searched while the table is written."""
    solution: Solution
    lost: Lost = field(repr=False)
    stopped: bool = False
    """Whether somebody asked for the best so far."""

    @property
    def method(self) -> str:
        """How it was made."""
        return self.problem.options.method

    def is_exact(self, place: int) -> bool:
        """Whether a column goes out as it is."""
        return self.solution.levels[place] == 0 and not self.lost.by_column[place]

    def levels(self) -> dict[str, str]:
        """The chosen level of each variable."""
        return self.problem.named(self.solution.levels)

    def said(self, place: int) -> str:
        """What was done to a column, in words."""
        names, level = self.problem.levels[place].names, self.solution.levels[place]
        return "values as they are" if level == 0 else f"generalized to {names[level]!r}"

    @property
    def minimal(self) -> MinimalNodes:
        """All minimal nodes."""
        return self.awaited.result()

    @property
    def optimal(self) -> bool:
        """Whether no node within the limits has a smaller loss."""
        return self.outcome.optimal and self.solution == self.outcome.solution and not self.stopped

    @property
    def proof(self) -> str:
        """How that is known, or why it is not."""
        if self.stopped or self.outcome.proof is Proof.INTERRUPTED:
            return str(Proof.INTERRUPTED)
        if self.solution != self.outcome.solution:
            return "the best node tried whose cells keep the limit of every variable"
        if self.lost.proof is not None and self.lost.records:
            cells = "fewest cells" if self.lost.proof.optimal else "few cells, not proved to be the fewest,"
            return f"{self.outcome.proof}, had whole records been suppressed; then {cells} at that node"
        return str(self.outcome.proof)


@dataclass(frozen=True, eq=False)
class Missing:
    """No form within the limits."""

    problem: Problem
    threshold: Threshold
    outcome: Outcome
    cause: str | None = None
    """Why cells cannot be suppressed where nodes exist; None if no node exists."""
    proved: bool = True

    @cached_property
    def at_most(self) -> Ints:
        """The sizes of the classes at the maximum acceptable generalization."""
        return self.problem.at(self.problem.top).counts

    @property
    def needed(self) -> float:
        """The share of the records that would have to lose a value there."""
        return below(self.at_most, self.threshold.cell_size) / self.problem.records


def find(problem: Problem, threshold: Threshold, watch: Watch) -> Found | Missing:
    """Search the lattice, then the cells."""
    criterion = problem.criterion(threshold)
    told = watch.telling(f"search for cell size {threshold.cell_size}")
    question = (problem.searched(), problem.recodings, criterion, problem.options.loss)
    if problem.secrets:
        return _find_secret(problem, threshold, watch)
    kept = _in_background(lambda: minimal(*question, weights=problem.weights, stop=watch.stop))
    outcome = solve(*question, weights=problem.weights, stop=watch.stop, progress=told)
    if outcome.solution is None:
        return Missing(problem, threshold, outcome, proved=outcome.optimal)
    cause = None
    for solution in _in_order(problem, criterion, outcome.solution, kept):
        lost = _lost(problem, threshold, solution, watch)
        if isinstance(lost, Lost):
            return Found(problem, threshold, outcome, kept, solution, lost, stopped=watch.stopped)
        cause = cause or lost.reason
    return Missing(problem, threshold, outcome, cause, proved=False)


def _find_secret(problem: Problem, threshold: Threshold, watch: Watch) -> Found | Missing:
    """The same with limits on secrets; whole records are suppressed."""
    outcome, nodes = solve_secret(
        problem.searched(),
        problem.recodings,
        problem.criterion(threshold),
        problem.options.loss,
        [one.secret for one in problem.secrets],
        weights=problem.weights,
        stop=watch.stop,
        progress=watch.telling(f"search for cell size {threshold.cell_size} and limits on secrets"),
    )
    if outcome.solution is None:
        return Missing(problem, threshold, outcome, _told_at_top(problem, outcome), proved=outcome.optimal)
    met: Future[MinimalNodes] = Future()
    met.set_result(nodes)
    lost = _lost_secret(problem, threshold, outcome.solution)
    if lost.removed == problem.records:
        return Missing(problem, threshold, outcome, "Every record would have to go.", proved=True)
    return Found(problem, threshold, outcome, met, outcome.solution, lost, stopped=watch.stopped)


def _lost_secret(problem: Problem, threshold: Threshold, solution: Solution) -> Lost:
    """Classes that are small or tell too much; together they have to be large enough and tell little too."""
    classes = problem.at(solution.levels)
    kept = telling_little(problem.secrets, classes) & (classes.counts >= solution.smallest)
    found = NodeClasses(classes.of, classes.counts, kept, solution.smallest)
    hides = hidden_keeps([one.secret for one in problem.secrets], found, threshold.cell_size)
    return lost_classes(classes, ~kept, hides=hides)


def _told_at_top(problem: Problem, outcome: Outcome) -> str | None:
    """How many records would have to go for the limits on secrets, where the fewest do for the cell size."""
    if outcome.nearest is None:
        return None
    share = f"{100 * outcome.nearest.suppressed / problem.records:.1f} %"
    names = ", ".join(one.column for one in problem.secrets)
    return f"With the limits on what is told of {names}, {share} of the records would have to go there."


def _in_background(work: Callable[[], MinimalNodes]) -> Future[MinimalNodes]:
    """The kernels of the search do not hold the interpreter: two searches take two processors."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work)
    finally:
        pool.shutdown(wait=False)


def _in_order(
    problem: Problem, criterion: Criterion, best: Solution, kept: Future[MinimalNodes]
) -> Iterator[Solution]:
    """The optimum, minimal nodes by their loss, then the best of nodes with fewer and fewer small classes.

    The last of them has none at all, so that nothing has to be suppressed.
    """
    yield best
    others = [node for node in kept.result().nodes if node.levels != best.levels]
    yield from others[:TRIES]
    fewer = best.suppressed
    while fewer:
        fewer //= 2
        stricter = replace(criterion, limit=fewer / problem.records)
        outcome = solve(
            problem.searched(), problem.recodings, stricter, problem.options.loss, weights=problem.weights
        )
        if outcome.solution is None:
            return
        yield outcome.solution
        fewer = min(fewer, outcome.solution.suppressed)


def _lost(problem: Problem, threshold: Threshold, solution: Solution, watch: Watch) -> Lost | Unmet:
    classes = problem.at(solution.levels)
    smallest = max(solution.smallest, threshold.cell_size)
    whole = lost_records(classes, smallest, threshold.cell_size)
    if whole.removed == problem.records:
        return Unmet("Every record would have to go.", proved=True)
    if problem.options.suppress == "records":
        return whole
    found = lost_cells(problem, classes, smallest, seed=watch.seed, stop=watch.stop)
    if isinstance(found, Lost) and not _keeps_average(problem, found):
        return whole if _keeps_columns(problem, whole) else Unmet("No cells keep the average.", proved=False)
    return found


def _keeps_columns(problem: Problem, lost: Lost) -> bool:
    share = problem.options.max_cell_suppression
    return share is None or int(lost.by_column.max()) <= floor(share * problem.records + 1e-9)


def _keeps_average(problem: Problem, lost: Lost) -> bool:
    """Cells that are spared keep more classes apart: the average risk may rise above its limit."""
    if problem.options.average is None:
        return True
    counts = lost.after().counts
    return len(counts) / int(counts.sum()) <= problem.options.average * (1 + 1e-12)
