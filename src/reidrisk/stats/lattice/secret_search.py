"""The search of the lattice with limits on secret columns: exact, whatever the limits are.

What the cell size alone refuses is known from its minimal nodes. All other nodes are taken by a lower bound
of their loss, the least first, until none is left that could be better than the best. Where the limits are
monotone the middle of what is left is taken instead, and everything below a node that breaks them is struck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import BadData
from reidrisk.stats.arrays import Floats
from reidrisk.stats.lattice.arrange import Question
from reidrisk.stats.lattice.inputs import Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import Loss
from reidrisk.stats.lattice.search import MinimalNodes, Outcome, Progress, Proof, Solution, Stop, minimal
from reidrisk.stats.lattice.secrets import Flags, Nodes, SensitiveAttribute

Places = NDArray[np.intp]
MOST_NODES = 20_000_000
OFTEN = 20
"""Nodes that are judged, at least, before the list of those left is made anew."""


def solve_secret(  # noqa: PLR0913 - the data, the question, how to watch
    tuples: Tuples,
    recodings: Sequence[Recoding],
    criterion: Criterion,
    loss: Loss,
    secrets: Sequence[SensitiveAttribute],
    *,
    weights: Sequence[float] | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[Outcome, MinimalNodes]:
    """The best node that also keeps the limits on secrets, and the lowest acceptable nodes that were met."""
    question = Question.of(tuples, recodings, criterion, loss, weights)
    if question.lattice > MOST_NODES:
        raise BadData(
            f"The lattice has {question.lattice:,} nodes; with limits on secrets up to {MOST_NODES:,} can "
            "be searched.",
            hint="Restrict the levels of some variables, or leave some out.",
        )
    large = minimal(tuples, recodings, replace(criterion, average=None), loss, weights=weights, stop=stop)
    walk = _Walk(question, Nodes(question, secrets), _open(question, large))
    walk.run(stop, progress)
    proof = Proof.BOUNDS if walk.finished and large.complete else Proof.INTERRUPTED
    return walk.outcome(proof), walk.lowest(proof)


def _open(question: Question, large: MinimalNodes) -> Flags:
    """By node: whether the cell size leaves it open, which it does above its minimal nodes."""
    low = [recoding.lowest for recoding in question.recodings]
    found: Flags = np.zeros([each.top - each.lowest + 1 for each in question.recodings], dtype=np.bool_)
    for node in large.nodes:
        found[tuple(slice(level - least, None) for level, least in zip(node.levels, low, strict=True))] = True
    return found


@dataclass(eq=False)
class _Walk:
    """A search and how far it is."""

    question: Question
    nodes: Nodes
    left: Flags
    best: Solution | None = None
    finished: bool = False
    evaluated: int = 0
    fine: list[Solution] = field(default_factory=list)

    def run(self, stop: Stop | None, progress: Progress | None) -> None:
        """Until nothing better can be left, or until told to stop."""
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
        """What a node has to be below to be of any use."""
        return np.inf if self.best is None else self.best.score

    @property
    def monotone(self) -> bool:
        """Whether breaking the limits tells something of the nodes below."""
        suppresses = self.question.limits.suppressed > 0
        average = self.question.criterion.average is not None
        return not average and all(one.is_monotone(suppresses=suppresses) for one in self.nodes.secrets)

    def _waiting(self, order: Places, bounds: Floats) -> Places:
        """Nodes that may still be better, the least bound first."""
        return order[self.left.ravel()[order] & (bounds[order] < self.limit)]

    def _take(self, place: int, *, strike: bool) -> None:
        """Judge a node; what is below one that loses too much is struck, if that is known."""
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

    def outcome(self, proof: Proof) -> Outcome:
        """The best node, or the top if none is acceptable."""
        lattice = self.question.lattice
        if self.best is not None or proof is Proof.INTERRUPTED:
            return Outcome(self.best, proof, lattice, self.evaluated)
        top = self.nodes.solution([recoding.top for recoding in self.question.recodings])
        return Outcome(None, proof, lattice, self.evaluated, top)

    def lowest(self, proof: Proof) -> MinimalNodes:
        """Acceptable nodes above no other acceptable one; not all, as worse ones are not looked at."""
        known = [one for one in self.fine if not self._open_below(one)]
        kept = [one for one in known if not any(_below(other, one) for other in self.fine)]
        nodes = tuple(sorted(kept, key=lambda node: (node.score, node.levels)))
        return MinimalNodes(nodes, proof, self.question.lattice, self.evaluated)

    def _open_below(self, one: Solution) -> bool:
        """Whether a node below was left without a judgement."""
        steps = zip(one.levels, self.question.recodings, strict=True)
        return bool(self.left[tuple(slice(None, level - each.lowest + 1) for level, each in steps)].any())


def _below(other: Solution, one: Solution) -> bool:
    pairs = zip(other.levels, one.levels, strict=True)
    return other.levels != one.levels and all(lower <= higher for lower, higher in pairs)
