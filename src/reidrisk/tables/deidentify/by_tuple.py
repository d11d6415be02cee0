"""Solutions that recode each distinct tuple on its own, and local recoding, which makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.threshold import Threshold
from reidrisk.engine.recode import REMOVED
from reidrisk.engine.recode_tuples import TupleRecode
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.grouping import Grouped
from reidrisk.stats.lattice.inputs import Codes
from reidrisk.stats.lattice.outcome import Outcome, Proof
from reidrisk.stats.local.search import STARRED, LocalRecoding, LocalRequest, recode_locally
from reidrisk.stats.local.tables import share_lost
from reidrisk.tables.deidentify.problem import Lost, Problem
from reidrisk.tables.deidentify.search import Missing, Watch
from reidrisk.tables.hierarchy.levels import Levels

SEVERAL = "local"
"""In place of the name of a level, where cells of one column have several."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """One column as it is released."""

    labels: NDArray[np.object_] = field(repr=False)
    """The different values that are released, in the order of those they stand for."""
    codes: Codes = field(repr=False)
    """By tuple: the place of its value among them."""
    lost: Floats = field(repr=False)
    """By tuple: the share of the column's granularity that is lost, 0 to 1; a star is 1."""
    forms: tuple[str, ...]
    """Ways in which a cell may be released: the names of the levels, or what else is done."""
    form: Ints = field(repr=False)
    """By tuple: which of them; what is said of a starred cell is of no meaning."""
    exact: bool
    """Whether every value, starred cells aside, is as it was."""
    within: float | None = None
    """Of numbers that were replaced by those of their group: the share of the variance that is lost."""


@dataclass(frozen=True, slots=True, eq=False)
class TupleForm:
    """All columns as they are released."""

    columns: tuple[Cells, ...]
    masks: Ints = field(repr=False)
    """By tuple: bit i is a star in column i; REMOVED is a record that is left out."""

    @property
    def codes(self) -> Codes:
        """By tuple and column."""
        return np.stack([column.codes for column in self.columns], axis=1).astype(np.int32)

    def recode(self) -> TupleRecode:
        """As the engine takes it."""
        labels = tuple(None if column.exact else column.labels for column in self.columns)
        return TupleRecode(labels, np.asfortranarray(self.codes), self.masks)


@dataclass(frozen=True, slots=True)
class Effort:
    """How a form was found."""

    proof: str
    """In words, with what is not proved."""
    lattice: int
    """Nodes within the levels allowed."""
    evaluated: int
    """Nodes whose classes were counted."""


@dataclass(frozen=True, eq=False)
class FoundByTuple:
    """A releasable form of the table, tuple by tuple."""

    problem: Problem
    threshold: Threshold
    form: TupleForm = field(repr=False)
    outcome: Effort
    stopped: bool = False
    """Whether somebody asked for the best so far."""

    @cached_property
    def lost(self) -> Lost:
        """Stars and records that are left out."""
        counts = self.problem.tuples.counts
        rows = np.arange(len(counts))
        return Lost(Grouped(self.form.codes, counts, rows), rows, self.form.masks, counts)

    @property
    def method(self) -> str:
        """How it was made."""
        return self.problem.options.method

    @property
    def optimal(self) -> bool:
        """Whether it is proved that nothing better exists: never."""
        return False

    @property
    def proof(self) -> str:
        """How good it is known to be."""
        return f"interrupted: best so far; {self.outcome.proof}" if self.stopped else self.outcome.proof

    def is_exact(self, place: int) -> bool:
        """Whether a column goes out as it is."""
        return self.form.columns[place].exact and not self.lost.by_column[place]

    def shares(self, place: int) -> dict[str, float]:
        """The share of the records whose cell is released in each way; starred cells are in none."""
        column, kept = self.form.columns[place], self.lost.bit(place) == 0
        counts = np.bincount(
            column.form[kept], weights=self.problem.tuples.counts[kept], minlength=len(column.forms)
        )
        found = zip(column.forms, counts / self.problem.records, strict=True)
        return {name: float(share) for name, share in found if share}

    def level(self, place: int) -> str:
        """The one way in which all cells of a column are released, or that there are several."""
        shares = self.shares(place)
        return next(iter(shares)) if len(shares) == 1 else SEVERAL

    def levels(self) -> dict[str, str]:
        """The same of every column."""
        return {name: self.level(place) for place, name in enumerate(self.problem.layout.quasi)}

    def said(self, place: int) -> str:
        """What was done to a column, in words."""
        shares = self.shares(place)
        if self.form.columns[place].exact:
            return "values as they are"
        if len(shares) == 1:
            return f"released as {next(iter(shares))!r}"
        parts = (f"{name!r} in {100 * share:.1f} % of the records" for name, share in shares.items())
        return f"each record as far as its class needs: {', '.join(parts)}"


def labelled(labels: Sequence[Any], means: Floats) -> tuple[NDArray[np.object_], Codes]:
    """The different labels in the order of the values that they stand for, and the place of each given one.

    Labels that read the same are the same: in a file nobody tells them apart.
    """
    texts = [None if label is None else str(label) for label in labels]
    first = {text: place for place, text in reversed(list(enumerate(texts)))}
    order = sorted(first, key=lambda text: (float(means[first[text]]), text or ""))
    places = {text: place for place, text in enumerate(order)}
    found = np.empty(len(order), dtype=np.object_)
    found[:] = [labels[first[text]] for text in order]
    return found, np.array([places[text] for text in texts], dtype=np.int32)


PROOF = "a heuristic: classes from a walk over {nodes}, improved by moving records; no bound is proved"


def find_local(problem: Problem, threshold: Threshold, watch: Watch) -> FoundByTuple | Missing:
    """The classes of one layout under one threshold, larger ones if the average risk needs them."""
    found = _at(problem, threshold, threshold.cell_size, watch)
    average = problem.options.average
    if average is None or isinstance(found, Missing) or mean_risk(found) <= average * (1 + 1e-12):
        return found
    low, high = threshold.cell_size, ceil(1 / average - 1e-9)
    best: FoundByTuple | Missing = _at(problem, threshold, high, watch)
    while high - low > 1 and isinstance(best, FoundByTuple):
        middle = (low + high) // 2
        tried = _at(problem, threshold, middle, watch)
        if isinstance(tried, FoundByTuple) and mean_risk(tried) <= average * (1 + 1e-12):
            best, high = tried, middle
        else:
            low = middle
    return best


def mean_risk(found: FoundByTuple) -> float:
    """The mean of 1 / class size over the records that go out."""
    counts = found.lost.after().counts
    return len(counts) / max(1, int(counts.sum()))


def _at(problem: Problem, threshold: Threshold, cell_size: int, watch: Watch) -> FoundByTuple | Missing:
    """Moved records may spare cells and yet put stars into more records: then the walk alone may do."""
    request = LocalRequest(cell_size, problem.weights, stars=problem.options.suppress == "cells")
    found = _recoded(problem, threshold, request, watch)
    if isinstance(found, FoundByTuple) or not request.stars:
        return found
    return _recoded(problem, threshold, replace(request, looks=0), watch)


def _recoded(
    problem: Problem, threshold: Threshold, request: LocalRequest, watch: Watch
) -> FoundByTuple | Missing:
    done = recode_locally(
        problem.searched(),
        problem.recodings,
        request,
        rng=np.random.default_rng(watch.seed),
        stop=watch.stop,
    )
    form = TupleForm(
        tuple(cells_at(problem, place, done.levels[:, place]) for place in range(len(problem.levels))),
        _masks(problem, done, request.cell_size),
    )
    nodes = "all nodes" if done.complete else f"{done.walked:,} of {done.lattice:,} nodes, taken by chance"
    effort = Effort(PROOF.format(nodes=nodes), done.lattice, min(done.walked, done.lattice))
    return within_limits(FoundByTuple(problem, threshold, form, effort, done.stopped))


def _masks(problem: Problem, done: LocalRecoding, cell_size: int) -> Ints:
    """Stars; records of no class lose all, and go if they are too few to hide among each other."""
    bits = 1 << np.arange(done.levels.shape[1], dtype=np.int64)
    masks = (done.levels == STARRED) @ bits
    outside = done.group < 0
    together = int(problem.tuples.counts[outside].sum())
    if problem.options.suppress == "cells" or together < cell_size:
        masks[outside] = REMOVED
    return np.asarray(masks, dtype=np.int64)


def cells_at(problem: Problem, place: int, level_of: Ints) -> Cells:
    """A column whose tuples have levels of their own; a starred one reads as at its lowest."""
    levels, values = problem.levels[place], problem.tuples.codes[:, place].astype(np.int64)
    starred = level_of == STARRED
    level = np.where(starred, levels.recoding.lowest, level_of)
    width = len(levels.recoding.levels[0])
    pairs, of = np.unique(level * width + values, return_inverse=True)
    general = [levels.labels[pair // width][pair % width] for pair in pairs.tolist()]
    labels, codes = labelled(general, _places(levels, pairs, width))
    shares = np.stack([share_lost(levels.recoding, number) for number in range(len(levels.names))])
    return Cells(
        labels=labels,
        codes=codes[of],
        lost=np.where(starred, 1.0, shares[level, values]),
        forms=levels.names,
        form=level,
        exact=bool((level == 0).all()),
    )


def _places(levels: Levels, pairs: Ints, width: int) -> Floats:
    """For each pair of level and value the mean place of the values that share its generalized value."""
    found = np.zeros(len(pairs))
    for level in np.unique(pairs // width):
        codes = levels.recoding.levels[level]
        mean = np.bincount(codes, weights=np.arange(codes.size)) / np.maximum(1, np.bincount(codes))
        here = pairs // width == level
        found[here] = mean[codes[pairs[here] % width]]
    return found


def within_limits(found: FoundByTuple) -> FoundByTuple | Missing:
    """The form, unless more is suppressed than may be."""
    problem, lost = found.problem, found.lost
    cause = None
    if lost.removed == problem.records:
        cause = "Every record would have to go."
    elif lost.records > problem.allowed:
        cause = f"{100 * lost.records / problem.records:.1f} % of the records would have suppressed cells."
    elif _over_column(found):
        cause = "The suppressed cells of a variable would be more than its limit."
    if cause is None:
        return found
    nothing = Outcome(None, Proof.INTERRUPTED, found.outcome.lattice, found.outcome.evaluated)
    return Missing(problem, found.threshold, nothing, cause, proved=False)


def _over_column(found: FoundByTuple) -> bool:
    share = found.problem.options.max_cell_suppression
    return share is not None and int(found.lost.by_column.max()) > floor(share * found.problem.records + 1e-9)
