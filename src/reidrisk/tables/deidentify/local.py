"""Local recoding: each record is generalized only as far as its own class needs."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.engine.recode import REMOVED
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.search import Outcome, Proof
from reidrisk.stats.local.search import STARRED, LocalRecoding, LocalRequest, recode_locally
from reidrisk.stats.local.tables import share_lost
from reidrisk.tables.deidentify.by_tuple import Cells, Effort, FoundByTuple, TupleForm, labelled
from reidrisk.tables.deidentify.problem import Problem
from reidrisk.tables.deidentify.search import Missing, Watch
from reidrisk.tables.hierarchy.levels import Levels

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
