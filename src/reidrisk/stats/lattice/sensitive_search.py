"""Search of the lattice with limits on sensitive columns: exact for any limits.

The minimal nodes for the cell size show which nodes the cell size alone rules out. All other nodes are
visited in order of a lower bound of their loss, until none is left that could be better than the best. If the
limits are monotone, the middle one of the remaining nodes is visited instead, and all nodes below a node that
breaks the limits are removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import BadData
from reidrisk.stats.arrays import Floats
from reidrisk.stats.lattice.arrange import LatticeQuestion
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import Loss
from reidrisk.stats.lattice.search import (
    LatticeResult,
    MinimalNodes,
    OptimalityProof,
    Progress,
    Solution,
    Stop,
    minimal,
)
from reidrisk.stats.lattice.sensitive import Flags, Nodes, SensitiveAttribute

Places = NDArray[np.intp]
MOST_NODES = 20_000_000
OFTEN = 20
"""Least number of nodes evaluated before the list of remaining nodes is rebuilt."""


def solve_sensitive(  # noqa: PLR0913 - the data, the question, how to watch
    tuples: Tuples,
    recodings: Sequence[Recoding],
    criterion: Criterion,
    loss: Loss,
    sensitive: Sequence[SensitiveAttribute],
    *,
    weights: Sequence[float] | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[LatticeResult, MinimalNodes]:
    """The best node within the limits on sensitive columns, and the lowest acceptable nodes found."""
    question = LatticeQuestion.of(tuples, recodings, criterion, loss, weights)
    if question.lattice > MOST_NODES:
        raise BadData(
            f"The lattice has {question.lattice:,} nodes; with limits on sensitive columns, up to "
            f"{MOST_NODES:,} can be searched.",
            hint="Restrict the levels of some variables, or leave some out.",
        )
    large = minimal(tuples, recodings, replace(criterion, average=None), loss, weights=weights, stop=stop)
    walk = _SensitiveSearch(question, Nodes(question, sensitive), _open(question, large))
    walk.run(stop, progress)
    proof = OptimalityProof.BOUNDS if walk.finished and large.complete else OptimalityProof.INTERRUPTED
    return walk.outcome(proof), walk.lowest(proof)


def _open(question: LatticeQuestion, large: MinimalNodes) -> Flags:
    """By node: whether the cell size allows it, that is, whether it is at or above a minimal node."""
    low = [recoding.lowest for recoding in question.recodings]
    found: Flags = np.zeros([each.top - each.lowest + 1 for each in question.recodings], dtype=np.bool_)
    for node in large.nodes:
        found[tuple(slice(level - least, None) for level, least in zip(node.levels, low, strict=True))] = True
    return found


@dataclass(eq=False)
class _SensitiveSearch:
    """A search and its progress."""

    question: LatticeQuestion
    nodes: Nodes
    left: Flags
    best: Solution | None = None
    finished: bool = False
    evaluated: int = 0
    fine: list[Solution] = field(default_factory=list)

    def run(self, stop: Stop | None, progress: Progress | None) -> None:
        """Search until nothing better can be left or until stopped."""
        bounds = self.nodes.bounds().ravel()
        order = np.argsort(bounds, kind="stable")
        monotone, at_once = self.monotone, max(OFTEN, bounds.size // 50_000)
        while True:
            waiting = self._waiting(order, bounds)
            if not waiting.size:
                self.finished = True
                return
            for place in waiting[[waiting.size // 2]] if monotone else waiting[:at_once]:
                if stop is not None and stop():
                    return
                if bounds[place] < self.limit:
                    self._take(int(place), strike=monotone)
            if progress is not None:
                progress(self.question.lattice - int(waiting.size), self.question.lattice)

    @property
    def limit(self) -> float:
        """The loss of the best node; only nodes with a lower bound below it are useful."""
        return np.inf if self.best is None else self.best.score

    @property
    def monotone(self) -> bool:
        """Whether a node that breaks the limits rules out the nodes below it."""
        suppresses = self.question.limits.suppressed > 0
        average = self.question.criterion.average is not None
        return not average and all(one.is_monotone(suppresses=suppresses) for one in self.nodes.sensitive)

    def _waiting(self, order: Places, bounds: Floats) -> Places:
        """Nodes that may still be better, the lowest bound first."""
        return order[self.left.ravel()[order] & (bounds[order] < self.limit)]

    def _take(self, place: int, *, strike: bool) -> None:
        """Evaluate a node; with `strike`, remove the nodes below it if it suppresses too many records."""
        at = np.unravel_index(place, self.left.shape)
        node = [int(step) + each.lowest for step, each in zip(at, self.question.recodings, strict=True)]
        classes = self.nodes.classes(node)
        self.evaluated += 1
        self.left[at] = False
        if classes.suppressed <= self.question.limits.suppressed:
            if not self.nodes.fits(classes):
                return
            found = self.nodes.figures(node, classes)
            self.fine.append(found)
            if self.best is None or found.score < self.best.score:
                self.best = found
        elif strike:
            self.left[tuple(slice(None, int(step) + 1) for step in at)] = False

    def outcome(self, proof: OptimalityProof) -> LatticeResult:
        """The best node, or the top if none is acceptable."""
        lattice = self.question.lattice
        if self.best is not None or proof is OptimalityProof.INTERRUPTED:
            return LatticeResult(self.best, proof, lattice, self.evaluated)
        top = self.nodes.solution([recoding.top for recoding in self.question.recodings])
        return LatticeResult(None, proof, lattice, self.evaluated, top)

    def lowest(self, proof: OptimalityProof) -> MinimalNodes:
        """Acceptable nodes above no other acceptable one; not all of them, as worse nodes are not visited."""
        known = [one for one in self.fine if not self._open_below(one)]
        kept = [one for one in known if not any(_below(other, one) for other in self.fine)]
        nodes = tuple(sorted(kept, key=lambda node: (node.score, node.levels)))
        return MinimalNodes(nodes, proof, self.question.lattice, self.evaluated)

    def _open_below(self, one: Solution) -> bool:
        """Whether a node below was not evaluated."""
        steps = zip(one.levels, self.question.recodings, strict=True)
        return bool(self.left[tuple(slice(None, level - each.lowest + 1) for level, each in steps)].any())


def _below(other: Solution, one: Solution) -> bool:
    pairs = zip(other.levels, one.levels, strict=True)
    return other.levels != one.levels and all(lower <= higher for lower, higher in pairs)
