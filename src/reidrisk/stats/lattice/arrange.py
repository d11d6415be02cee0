"""From tuples and hierarchies to the tables of a search: order of attributes, ranks, first table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.inputs import Codes, Criterion, Loss, Recoding, Tuples
from reidrisk.stats.lattice.measures import measure_of
from reidrisk.stats.lattice.ordered import Ordered
from reidrisk.stats.lattice.tables import Limits, Problem, State, new_state


def compiled_kernels() -> ModuleType:
    """The compiled part; loaded when a search runs, since loading takes a moment."""
    from reidrisk.stats.lattice import kernels

    return kernels


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """All that is asked of a search."""

    tuples: Tuples
    recodings: tuple[Recoding, ...]
    criterion: Criterion
    loss: Loss
    weights: Floats

    @classmethod
    def of(
        cls,
        tuples: Tuples,
        recodings: Sequence[Recoding],
        criterion: Criterion,
        loss: Loss,
        weights: Sequence[float] | None,
    ) -> Question:
        """Refuse what does not go together."""
        attributes = tuples.codes.shape[1]
        values = np.asarray([1.0] * attributes if weights is None else weights, dtype=np.float64)
        if not len(recodings) == values.size == attributes:
            raise InvalidSetting(
                f"{attributes} quasi-identifiers, {len(recodings)} hierarchies, {values.size} weights.",
                hint="Give one hierarchy and one weight for each quasi-identifier.",
            )
        if not np.isfinite(values).all() or values.min() < 0 or values.sum() <= 0:
            raise InvalidSetting("A weight is negative, or none is greater than 0.", hint="Use 1 for all.")
        return cls(tuples, tuple(recodings), criterion, loss, values)

    @property
    def lattice(self) -> int:
        """The number of nodes within the levels allowed."""
        nodes = 1
        for recoding in self.recodings:
            nodes *= recoding.top - recoding.lowest + 1
        return nodes

    @property
    def limits(self) -> Limits:
        """The criterion in records."""
        records, average = self.tuples.records, self.criterion.average
        return Limits(
            records,
            self.criterion.smallest,
            self.criterion.may_suppress(records),
            1.0 if average is None else average,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Arranged:
    """A search ready to start."""

    problem: Problem
    state: State
    order: tuple[int, ...]
    """Attributes as given, in the order of the search."""

    def from_levels(self, start: Ints) -> Arranged:
        """The same search, from these levels upward only."""
        return replace(self, problem=self.problem._replace(start=start))


def arrange(question: Question, *, minimal: bool = False) -> Arranged:
    """Attributes with the most values first: what is left below them is then small."""
    tuples = question.tuples
    given = [
        Ordered.of(recoding, tuples.codes[:, a], tuples.counts)
        for a, recoding in enumerate(question.recodings)
    ]
    order = sorted(range(len(given)), key=lambda a: -np.count_nonzero(given[a].counts[given[a].low]))
    attributes = [given[a] for a in order]
    offset, step = _steps(attributes)
    place = np.cumsum([0, *(each.codes[0].size for each in attributes[:-1])])
    state = new_state(tuples.counts.size, len(order), int(place[-1]) + attributes[-1].codes[0].size)
    tops = _joined_tops(attributes, state)
    attributes = [replace(each, low=_least_level(each, tops, question)) for each in attributes]
    parent, code, ranks = _suffixes(attributes, state)
    measure = measure_of(question.loss, attributes, question.weights[order], offset)
    low = np.array([each.low for each in attributes], dtype=np.int64)
    high = np.array([each.high for each in attributes], dtype=np.int64)
    problem = Problem(low, high, low, offset, place, step, parent, code, question.limits, measure, minimal)
    _first_table(problem, state, tops, ranks, tuples.counts)
    return Arranged(problem, state, tuple(order))


def _steps(attributes: Sequence[Ordered]) -> tuple[Ints, Codes]:
    """Where each attribute and level begins, and the code one level up for every code."""
    most = max(each.height for each in attributes) + 1
    offset = np.zeros((len(attributes), most + 1), dtype=np.int64)
    steps: list[Codes] = []
    position = 0
    for a, attribute in enumerate(attributes):
        for level in range(most + 1):
            offset[a, level] = position
            if level <= attribute.height:
                steps.append(attribute.step(level))
                position += steps[-1].size
    return offset, np.concatenate(steps)


def _joined_tops(attributes: Sequence[Ordered], room: State) -> Codes:
    """By tuple: number of its class when every attribute is at its highest level."""
    tops = np.zeros(room.identity.size, dtype=np.int32)
    for attribute in attributes:
        codes = attribute.at(attribute.high)
        if codes.min() != codes.max():
            tops, _ = compiled_kernels().rank_pairs(tops, codes, room)
    return tops


def _least_level(attribute: Ordered, tops: Codes, question: Question) -> int:
    """The first level at which the others, at their highest, do not already lose too many records."""
    limits = question.limits
    for level in range(attribute.low, attribute.high):
        pairs = tops.astype(np.int64) * (int(attribute.codes[level][-1]) + 1) + attribute.at(level)
        if pairs.max() >= 64 * pairs.size:
            return attribute.low
        sizes = np.bincount(pairs, weights=question.tuples.counts)
        if sizes[sizes < limits.smallest].sum() <= limits.suppressed:
            return level
    return attribute.high


def _suffixes(attributes: Sequence[Ordered], room: State) -> tuple[Codes, Codes, Codes]:
    """Ranks of the tuples of the last attributes, each by the rank without its first one and that one's code.

    Ranks take the place of packed keys: they fit 31 bits however many attributes there are.
    """
    parent = np.empty((len(attributes), room.identity.size), dtype=np.int32)
    code = np.empty_like(parent)
    ranks = np.zeros(room.identity.size, dtype=np.int32)
    for a in range(len(attributes) - 1, -1, -1):
        codes = attributes[a].at(attributes[a].low)
        longer, _ = compiled_kernels().rank_pairs(ranks, codes, room)
        parent[a, longer] = ranks
        code[a, longer] = codes
        ranks = longer
    return parent, code, ranks


def _first_table(problem: Problem, state: State, tops: Codes, ranks: Codes, counts: Ints) -> None:
    """All distinct tuples at the lowest levels, sorted by class at the top, then by rank."""
    entries, size = compiled_kernels().rank_pairs(tops, ranks, state)
    state.size[0], state.groups[0] = size, int(tops.max()) + 1
    state.group[0, entries] = tops
    state.rest[0, entries] = problem.parent[0, ranks]
    state.value[0, entries] = problem.code[0, ranks]
    state.counts[0, :size] = 0
    np.add.at(state.counts[0], entries, counts)
    state.weight[0, : state.groups[0]] = 0
    np.add.at(state.weight[0], tops, counts)
    lost = state.weight[0, : state.groups[0]]
    state.mark[0] = 0 if lost[lost < problem.limits.smallest].sum() <= problem.limits.suppressed else -1
    state.bound[0] = problem.measure.base[np.arange(problem.low.size), problem.low]
