"""Solutions that recode each distinct tuple separately, and local recoding, which finds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.threshold import Threshold
from reidrisk.engine.plans import REMOVED, TupleRecode
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.grouping import Grouped
from reidrisk.stats.lattice.inputs import Codes
from reidrisk.stats.lattice.search import LatticeResult, OptimalityProof
from reidrisk.stats.local.search import SUPPRESSED_CELL, LocalRecoding, LocalRequest, recode_locally
from reidrisk.stats.local.tables import share_lost
from reidrisk.tables.deidentify.problem import SearchProblem, SuppressionPlan
from reidrisk.tables.deidentify.search import FailedSearch, Watch
from reidrisk.tables.hierarchy.levels import Levels

SEVERAL = "local"
"""Shown instead of a level name if cells of one column have several levels."""


@dataclass(frozen=True, slots=True, eq=False)
class ReleasedColumn:
    """One column as released."""

    labels: NDArray[np.object_] = field(repr=False)
    """The distinct released values, in the order of the original values."""
    codes: Codes = field(repr=False)
    """By tuple, the index of its value in `labels`."""
    loss: Floats = field(repr=False)
    """By tuple, the share of the column's granularity that is lost, 0 to 1; 1 if suppressed."""
    forms: tuple[str, ...]
    """Ways to release a cell: the names of the levels, or other methods."""
    form: Ints = field(repr=False)
    """By tuple, the index into `forms`; meaningless for a suppressed cell."""
    exact: bool
    """Whether every value that is not suppressed is unchanged."""
    within: float | None = None
    """Share of the variance lost by replacing numbers with those of their group."""


@dataclass(frozen=True, slots=True, eq=False)
class TupleForm:
    """All columns as released."""

    columns: tuple[ReleasedColumn, ...]
    masks: Ints = field(repr=False)
    """By tuple: bit i means column i is suppressed; REMOVED is a record that is removed."""

    @property
    def codes(self) -> Codes:
        """Codes by tuple and column."""
        return np.stack([column.codes for column in self.columns], axis=1).astype(np.int32)

    def recode(self) -> TupleRecode:
        """Return the recoding in the form that the engine needs."""
        labels = tuple(None if column.exact else column.labels for column in self.columns)
        return TupleRecode(labels, np.asfortranarray(self.codes), self.masks)


@dataclass(frozen=True, slots=True)
class Effort:
    """How a solution was found."""

    proof: str
    """What is proved and what is not."""
    lattice: int
    """Number of nodes within the allowed levels."""
    evaluated: int
    """Number of nodes whose classes were counted."""


@dataclass(frozen=True, eq=False)
class TupleSolution:
    """A solution that recodes each tuple separately."""

    problem: SearchProblem
    threshold: Threshold
    form: TupleForm = field(repr=False)
    outcome: Effort
    stopped: bool = False
    """Whether the search was stopped early."""

    @cached_property
    def suppressed(self) -> SuppressionPlan:
        """Suppressed cells and removed records."""
        counts = self.problem.tuples.counts
        rows = np.arange(len(counts))
        return SuppressionPlan(Grouped(self.form.codes, counts, rows), rows, self.form.masks, counts)

    @property
    def method(self) -> str:
        """The method of de-identification."""
        return self.problem.options.method

    @property
    def optimal(self) -> bool:
        """Always False: these methods are heuristics."""
        return False

    @property
    def proof(self) -> str:
        """What is known about its quality."""
        return f"interrupted: best so far; {self.outcome.proof}" if self.stopped else self.outcome.proof

    def is_exact(self, place: int) -> bool:
        """Whether a column is released unchanged."""
        return self.form.columns[place].exact and not self.suppressed.by_column[place]

    def shares(self, place: int) -> dict[str, float]:
        """Return the share of records whose cell is released in each way, without suppressed cells."""
        column, kept = self.form.columns[place], self.suppressed.bit(place) == 0
        counts = np.bincount(
            column.form[kept], weights=self.problem.tuples.counts[kept], minlength=len(column.forms)
        )
        found = zip(column.forms, counts / self.problem.records, strict=True)
        return {name: float(share) for name, share in found if share}

    def level(self, place: int) -> str:
        """Return how all cells of a column are released, or 'local' if there are several ways."""
        shares = self.shares(place)
        return next(iter(shares)) if len(shares) == 1 else SEVERAL

    def levels(self) -> dict[str, str]:
        """Return `level` of every column."""
        return {name: self.level(place) for place, name in enumerate(self.problem.layout.quasi)}

    def describe(self, place: int) -> str:
        """Describe what was done to a column."""
        shares = self.shares(place)
        if self.form.columns[place].exact:
            return "values unchanged"
        if len(shares) == 1:
            return f"released as {next(iter(shares))!r}"
        parts = (f"{name!r} in {100 * share:.1f} % of the records" for name, share in shares.items())
        return f"generalized per record as far as its class requires: {', '.join(parts)}"


def distinct_labels(labels: Sequence[Any], means: Floats) -> tuple[NDArray[np.object_], Codes]:
    """Return the distinct labels in the order of the original values, and the index of each given label.

    Labels with the same text are the same, because a file does not distinguish them.
    """
    texts = [None if label is None else str(label) for label in labels]
    first = {text: place for place, text in reversed(list(enumerate(texts)))}
    order = sorted(first, key=lambda text: (float(means[first[text]]), text or ""))
    places = {text: place for place, text in enumerate(order)}
    found = np.empty(len(order), dtype=np.object_)
    found[:] = [labels[first[text]] for text in order]
    return found, np.array([places[text] for text in texts], dtype=np.int32)


PROOF = "a heuristic: classes from a search of {nodes}, improved by moving records; no bound is proved"


def find_local(problem: SearchProblem, threshold: Threshold, watch: Watch) -> TupleSolution | FailedSearch:
    """Find a local recoding of one layout, with larger classes if the average risk needs them."""
    found = _at(problem, threshold, threshold.cell_size, watch)
    average = problem.options.average
    if average is None or isinstance(found, FailedSearch) or mean_risk(found) <= average * (1 + 1e-12):
        return found
    low, high = threshold.cell_size, ceil(1 / average - 1e-9)
    best: TupleSolution | FailedSearch = _at(problem, threshold, high, watch)
    while high - low > 1 and isinstance(best, TupleSolution):
        middle = (low + high) // 2
        tried = _at(problem, threshold, middle, watch)
        if isinstance(tried, TupleSolution) and mean_risk(tried) <= average * (1 + 1e-12):
            best, high = tried, middle
        else:
            low = middle
    return best


def mean_risk(found: TupleSolution) -> float:
    """Return the mean of 1 / class size over the released records."""
    counts = found.suppressed.after().counts
    return len(counts) / max(1, int(counts.sum()))


def _at(
    problem: SearchProblem, threshold: Threshold, cell_size: int, watch: Watch
) -> TupleSolution | FailedSearch:
    """Recode; if moving records leaves too many records with suppressed cells, try without moving."""
    request = LocalRequest(cell_size, problem.weights, stars=problem.options.suppress == "cells")
    found = _recode(problem, threshold, request, watch)
    if isinstance(found, TupleSolution) or not request.stars:
        return found
    return _recode(problem, threshold, replace(request, looks=0), watch)


def _recode(
    problem: SearchProblem, threshold: Threshold, request: LocalRequest, watch: Watch
) -> TupleSolution | FailedSearch:
    done = recode_locally(
        problem.search_tuples(),
        problem.recodings,
        request,
        rng=np.random.default_rng(watch.seed),
        stop=watch.stop,
    )
    form = TupleForm(
        tuple(cells_at(problem, place, done.levels[:, place]) for place in range(len(problem.levels))),
        _masks(problem, done, request.cell_size),
    )
    nodes = "all nodes" if done.complete else f"{done.walked:,} of {done.lattice:,} nodes, chosen at random"
    effort = Effort(PROOF.format(nodes=nodes), done.lattice, min(done.walked, done.lattice))
    return within_limits(TupleSolution(problem, threshold, form, effort, done.stopped))


def _masks(problem: SearchProblem, done: LocalRecoding, cell_size: int) -> Ints:
    """Return the suppressed cells; records without a class are suppressed, or removed if they are too few."""
    bits = 1 << np.arange(done.levels.shape[1], dtype=np.int64)
    masks = (done.levels == SUPPRESSED_CELL) @ bits
    outside = done.group < 0
    together = int(problem.tuples.counts[outside].sum())
    removes = problem.options.suppress == "cells" or problem.options.removes_records
    if removes or together < cell_size:
        masks[outside] = REMOVED
    return np.asarray(masks, dtype=np.int64)


def cells_at(problem: SearchProblem, place: int, level_of: Ints) -> ReleasedColumn:
    """Build a column whose tuples have separate levels; a suppressed one is given the lowest."""
    levels, values = problem.levels[place], problem.tuples.codes[:, place].astype(np.int64)
    is_suppressed = level_of == SUPPRESSED_CELL
    level = np.where(is_suppressed, levels.recoding.lowest, level_of)
    width = len(levels.recoding.levels[0])
    pairs, of = np.unique(level * width + values, return_inverse=True)
    general = [levels.labels[pair // width][pair % width] for pair in pairs.tolist()]
    labels, codes = distinct_labels(general, _places(levels, pairs, width))
    shares = np.stack([share_lost(levels.recoding, number) for number in range(len(levels.names))])
    return ReleasedColumn(
        labels=labels,
        codes=codes[of],
        loss=np.where(is_suppressed, 1.0, shares[level, values]),
        forms=levels.names,
        form=level,
        exact=bool((level == 0).all()),
    )


def _places(levels: Levels, pairs: Ints, width: int) -> Floats:
    """Return, for each pair of level and value, the mean index of values with the same generalized value."""
    found = np.zeros(len(pairs))
    for level in np.unique(pairs // width):
        codes = levels.recoding.levels[level]
        mean = np.bincount(codes, weights=np.arange(codes.size)) / np.maximum(1, np.bincount(codes))
        here = pairs // width == level
        found[here] = mean[codes[pairs[here] % width]]
    return found


def within_limits(found: TupleSolution) -> TupleSolution | FailedSearch:
    """Return the solution, or a failed search if it suppresses more than the limits allow."""
    problem, suppressed = found.problem, found.suppressed
    cause = None
    if suppressed.removed == problem.records:
        cause = "Every record would have to be suppressed."
    elif suppressed.records > problem.allowed:
        cause = (
            f"{100 * suppressed.records / problem.records:.1f} % of the records would have suppressed cells."
        )
    elif _over_column(found):
        cause = "The suppressed cells of one variable would exceed its limit."
    if cause is None:
        return found
    nothing = LatticeResult(None, OptimalityProof.INTERRUPTED, found.outcome.lattice, found.outcome.evaluated)
    return FailedSearch(problem, found.threshold, nothing, cause, proved=False)


def _over_column(found: TupleSolution) -> bool:
    share = found.problem.options.max_cell_suppression
    return share is not None and int(found.suppressed.by_column.max()) > floor(
        share * found.problem.records + 1e-9
    )
