"""Find the best node of one layout under one threshold, and what to suppress there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from math import floor
from typing import Any

from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural
from reidrisk.stats.arrays import Ints
from reidrisk.stats.lattice.inputs import Criterion
from reidrisk.stats.lattice.search import (
    LatticeResult,
    MinimalNodes,
    OptimalityProof,
    Solution,
    minimal,
    solve,
)
from reidrisk.stats.lattice.sensitive import NodeClasses, hidden_keeps
from reidrisk.stats.lattice.sensitive_search import solve_sensitive
from reidrisk.stats.suppress.result import Unmet
from reidrisk.tables.deidentify.problem import (
    SearchProblem,
    SuppressionPlan,
    below,
    suppress_classes,
    suppress_fewest_cells,
    suppress_records,
)
from reidrisk.tables.deidentify.sensitive import classes_within_limits

Stop = Callable[[], bool]
Progress = Callable[[str, int, int], None]
"""Called with the current task, how much of it is done and how much there is."""
TRIES = 8
"""Number of minimal nodes to try if the suppressed cells of the best one exceed a limit."""


@dataclass(frozen=True, slots=True)
class Watch:
    """How to follow a run and stop it early."""

    stop: Stop | None = None
    progress: Progress | None = None
    seed: int = 7

    @property
    def stopped(self) -> bool:
        """Whether to stop with the best solution so far."""
        return self.stop is not None and self.stop()

    def progress_of(self, what: str) -> Callable[[int, int], None] | None:
        """Return a callback for the progress of one task."""
        if self.progress is None:
            return None
        report = self.progress
        return lambda done, total: report(what, done, total)


@dataclass(frozen=True, slots=True)
class SampledSearch:
    """What the search rests on if the tuples did not fit in memory: a sample chose what to count exactly."""

    tuples: int
    """Distinct combinations at the lowest permitted levels."""
    sample_tuples: int
    """Of these, the combinations in the sample; 0 without one."""
    sample_records: int
    one_in: int
    """A cell is in the sample with a chance of one in so many."""
    cells: int
    """Combinations of coarse values, each of which is wholly in the sample or not at all."""
    nodes: int
    nodes_counted: int
    """Nodes counted exactly, on all records."""
    optimum_proved: bool
    candidates_complete: bool
    """Whether all minimal solutions are listed."""
    misled: int
    """Nodes that looked acceptable in the sample and were not."""
    too_large: int
    """Acceptable nodes that were left out because their classes do not fit in memory."""
    whole_records: bool = False
    """Whether whole records are suppressed because choosing single cells would not fit in memory."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return asdict(self)

    def notes(self) -> list[str]:
        """Say what was sampled, what was counted, and what is proved."""
        seen = (
            f"a sample of {self.sample_tuples:,} of them ({self.sample_records:,} records: all records of "
            f"about 1 in {self.one_in:,} of {self.cells:,} coarse cells) suggested what to count"
            if self.sample_tuples
            else "no sample was drawn"
        )
        counted = (
            f"{self.tuples:,} distinct combinations of values did not fit in memory: {seen}; "
            f"{self.nodes_counted:,} of {self.nodes:,} combinations of levels were counted exactly, on all "
            "records. What is released rests on exact counts alone"
        )
        proved = (
            "exact counts, not the sample, prove that no other combination of levels has a smaller loss"
            if self.optimum_proved
            else "a combination of levels with a smaller loss may exist: not all candidates were counted"
        )
        found = [
            counted,
            proved,
            "associations between columns were not measured, and the entropy takes suppressed cells to be "
            "spread like the values: only the classes of the solution are in memory",
        ]
        if self.too_large:
            found.append(
                f"left out: {plural(self.too_large, 'acceptable combination')} of levels with more classes "
                "than fit in memory; allow more memory (--memory) to use them"
            )
        if self.whole_records:
            found.append(
                "whole records of small classes are suppressed, not single cells as requested: choosing "
                "cells would not fit in memory; allow more memory (--memory)"
            )
        if not self.candidates_complete:
            found.append("not all minimal solutions are listed: only those that were counted")
        return found


@dataclass(frozen=True, slots=True, eq=False)
class LevelSolution:
    """A solution with one level per variable."""

    problem: SearchProblem
    threshold: Threshold
    outcome: LatticeResult
    awaited: Future[MinimalNodes] = field(repr=False)
    """All minimal nodes; the search for them continues while the table is written."""
    solution: Solution
    suppressed: SuppressionPlan = field(repr=False)
    stopped: bool = False
    """Whether the search was stopped early."""
    sampled: SampledSearch | None = None
    """What a sample and what exact counts decided, if the tuples did not fit in memory."""

    @property
    def method(self) -> str:
        """The method of de-identification."""
        return self.problem.options.method

    def is_exact(self, place: int) -> bool:
        """Whether a column is released unchanged."""
        return self.solution.levels[place] == 0 and not self.suppressed.by_column[place]

    def levels(self) -> dict[str, str]:
        """Return the chosen level of each variable."""
        return self.problem.named(self.solution.levels)

    def describe(self, place: int) -> str:
        """Describe what was done to a column."""
        names, level = self.problem.levels[place].names, self.solution.levels[place]
        return "values unchanged" if level == 0 else f"generalized to {names[level]!r}"

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
        """Why the solution is known to be the best, or why it is not."""
        if self.stopped or self.outcome.proof is OptimalityProof.INTERRUPTED:
            return str(OptimalityProof.INTERRUPTED)
        if self.solution != self.outcome.solution:
            return "the best node tried that meets the cell suppression limit of every variable"
        if self.suppressed.proof is not None and self.suppressed.records:
            cells = (
                "the fewest cells"
                if self.suppressed.proof.optimal
                else "few cells, not proved to be the fewest,"
            )
            return f"{self.outcome.proof} for the suppression of whole records; then {cells} at that node"
        return str(self.outcome.proof)


@dataclass(frozen=True, eq=False)
class FailedSearch:
    """A search without a solution within the limits."""

    problem: SearchProblem
    threshold: Threshold
    outcome: LatticeResult
    cause: str | None = None
    """Why cells cannot be suppressed although nodes exist; None if no node exists."""
    proved: bool = True
    sampled: SampledSearch | None = None

    @cached_property
    def at_most(self) -> Ints:
        """The sizes of the classes at the maximum acceptable generalization."""
        return self.problem.at(self.problem.top).counts

    @property
    def needed(self) -> float:
        """The share of records that would have to be suppressed there."""
        return below(self.at_most, self.threshold.cell_size) / self.problem.records


def find(problem: SearchProblem, threshold: Threshold, watch: Watch) -> LevelSolution | FailedSearch:
    """Search the lattice, then the cells to suppress."""
    criterion = problem.criterion(threshold)
    progress = watch.progress_of(f"search for cell size {threshold.cell_size}")
    question = (problem.search_tuples(), problem.recodings, criterion, problem.options.loss)
    if problem.sensitive:
        return _find_with_limits(problem, threshold, watch)
    kept = _in_background(lambda: minimal(*question, weights=problem.weights, stop=watch.stop))
    outcome = solve(*question, weights=problem.weights, stop=watch.stop, progress=progress)
    if outcome.solution is None:
        return FailedSearch(problem, threshold, outcome, proved=outcome.optimal)
    cause = None
    for solution in _in_order(problem, criterion, outcome.solution, kept):
        suppressed = suppress_at(problem, threshold, solution, watch)
        if isinstance(suppressed, SuppressionPlan):
            return LevelSolution(
                problem, threshold, outcome, kept, solution, suppressed, stopped=watch.stopped
            )
        cause = cause or suppressed.reason
    return FailedSearch(problem, threshold, outcome, cause, proved=False)


def _find_with_limits(
    problem: SearchProblem, threshold: Threshold, watch: Watch
) -> LevelSolution | FailedSearch:
    """Search with limits on sensitive columns; whole records are suppressed."""
    outcome, nodes = solve_sensitive(
        problem.search_tuples(),
        problem.recodings,
        problem.criterion(threshold),
        problem.options.loss,
        [one.attribute for one in problem.sensitive],
        weights=problem.weights,
        stop=watch.stop,
        progress=watch.progress_of(
            f"search for cell size {threshold.cell_size} and limits on sensitive columns"
        ),
    )
    if outcome.solution is None:
        return FailedSearch(
            problem, threshold, outcome, _explain_limits(problem, outcome), proved=outcome.optimal
        )
    met: Future[MinimalNodes] = Future()
    met.set_result(nodes)
    suppressed = _suppress_within_limits(problem, threshold, outcome.solution)
    if suppressed.removed == problem.records:
        return FailedSearch(
            problem, threshold, outcome, "Every record would have to be suppressed.", proved=True
        )
    return LevelSolution(
        problem, threshold, outcome, met, outcome.solution, suppressed, stopped=watch.stopped
    )


def _suppress_within_limits(
    problem: SearchProblem, threshold: Threshold, solution: Solution
) -> SuppressionPlan:
    """Suppress small and disclosing classes; together these must be large enough and within the limits."""
    classes = problem.at(solution.levels)
    kept = classes_within_limits(problem.sensitive, classes) & (classes.counts >= solution.smallest)
    found = NodeClasses(classes.of, classes.counts, kept, solution.smallest)
    hides = hidden_keeps([one.attribute for one in problem.sensitive], found, threshold.cell_size)
    return suppress_classes(classes, ~kept, hides=hides and not problem.options.removes_records)


def _explain_limits(problem: SearchProblem, outcome: LatticeResult) -> str | None:
    """Explain how many records the limits on sensitive columns would suppress at the nearest node."""
    if outcome.nearest is None:
        return None
    share = f"{100 * outcome.nearest.suppressed / problem.records:.1f} %"
    names = ", ".join(one.column for one in problem.sensitive)
    return (
        f"With the limits on attribute disclosure of {names}, {share} of the records would have to be "
        "suppressed there."
    )


def _in_background(work: Callable[[], MinimalNodes]) -> Future[MinimalNodes]:
    """Run in a thread: the compiled search releases the interpreter lock, so two searches use two cores."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work)
    finally:
        pool.shutdown(wait=False)


def _in_order(
    problem: SearchProblem, criterion: Criterion, best: Solution, kept: Future[MinimalNodes]
) -> Iterator[Solution]:
    """Yield the optimum, minimal nodes by loss, then the best nodes with fewer and fewer small classes.

    The last one has no small classes, so that nothing has to be suppressed.
    """
    yield best
    others = [node for node in kept.result().nodes if node.levels != best.levels]
    yield from others[:TRIES]
    fewer = best.suppressed
    while fewer:
        fewer //= 2
        stricter = replace(criterion, limit=fewer / problem.records)
        outcome = solve(
            problem.search_tuples(),
            problem.recodings,
            stricter,
            problem.options.loss,
            weights=problem.weights,
        )
        if outcome.solution is None:
            return
        yield outcome.solution
        fewer = min(fewer, outcome.solution.suppressed)


def suppress_at(
    problem: SearchProblem, threshold: Threshold, solution: Solution, watch: Watch
) -> SuppressionPlan | Unmet:
    """Return what to suppress at a node: cells, or whole records."""
    classes = problem.at(solution.levels)
    smallest = max(solution.smallest, threshold.cell_size)
    removes = problem.options.removes_records
    whole = suppress_records(classes, smallest, threshold.cell_size, removes=removes)
    if whole.removed == problem.records:
        return Unmet("Every record would have to be suppressed.", proved=True)
    if problem.options.suppress == "records":
        return whole
    found = suppress_fewest_cells(problem, classes, smallest, seed=watch.seed, stop=watch.stop)
    if isinstance(found, SuppressionPlan) and not _keeps_average(problem, found):
        return (
            whole
            if _keeps_columns(problem, whole)
            else Unmet("No suppressed cells meet the limit on the average risk.", proved=False)
        )
    return found


def _keeps_columns(problem: SearchProblem, suppressed: SuppressionPlan) -> bool:
    share = problem.options.max_cell_suppression
    return share is None or int(suppressed.by_column.max()) <= floor(share * problem.records + 1e-9)


def _keeps_average(problem: SearchProblem, suppressed: SuppressionPlan) -> bool:
    """Whether the average risk is within its limit: suppressing fewer cells leaves more, smaller classes."""
    if problem.options.average is None:
        return True
    counts = suppressed.after().counts
    return len(counts) / int(counts.sum()) <= problem.options.average * (1 + 1e-12)
