"""Prepare the tuples of a table for the search of the lattice.

Losses of ARX 3.9.2: `loss_gm` and `loss_am` weight a record by its share of the hierarchy's rows, 1 if
suppressed; `prec` by level / height; `entropy` is the non-uniform entropy plus the entropy of the suppressed
values; `dm` is discernibility. Smaller is better. With weights, means become weighted means and sums weighted
sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.inputs import Codes, Criterion, Recoding, Tuples
from reidrisk.stats.lattice.losses import LOSSES, Loss
from reidrisk.stats.lattice.tables import (
    DISCERNIBILITY,
    ENTROPY,
    LINEAR,
    LatticeProblem,
    LatticeState,
    LossMeasure,
    SearchLimits,
    new_state,
)


@dataclass(frozen=True, slots=True, eq=False)
class AttributeLevels:
    """One quasi-identifier of a table; the codes of every level are dense and keep the order of the tree."""

    given: Codes
    """Value codes of the tuples, unchanged."""
    place: Codes
    """By original value code: its position in the tree."""
    codes: tuple[Codes, ...]
    """By level and position: the code."""
    counts: tuple[Ints, ...]
    """By level and code: number of records."""
    shares: tuple[Floats, ...]
    """By level and code: share of the hierarchy's rows."""
    domain: int
    height: int
    low: int
    high: int

    @classmethod
    def of(cls, recoding: Recoding, given: Codes, counts: Ints) -> AttributeLevels:
        """Renumber a hierarchy and count the records under each of its codes."""
        values = recoding.levels[0].size
        if given.max() >= values:
            raise InvalidSetting(
                "The data have codes that are not in the hierarchy.",
                hint="Every value needs a row in its hierarchy.",
            )
        order = np.lexsort(recoding.levels)
        place = np.empty(values, dtype=np.int32)
        place[order] = np.arange(values, dtype=np.int32)
        records = np.zeros(values, dtype=np.int64)
        np.add.at(records, place[given], counts)
        old = [level[order] for level in recoding.levels]
        codes = tuple(_runs(level) for level in old)
        firsts = [np.flatnonzero(np.diff(level, prepend=-1)) for level in codes]
        leaves = zip(recoding.leaves, old, firsts, strict=True)
        return cls(
            given,
            place,
            codes,
            tuple(np.add.reduceat(records, first) for first in firsts),
            tuple(rows[level[first]] / recoding.domain for rows, level, first in leaves),
            recoding.domain,
            recoding.height,
            recoding.lowest,
            recoding.top,
        )

    def at(self, level: int) -> Codes:
        """Codes of the tuples at a level."""
        return self.codes[level][self.place[self.given]]

    def step(self, level: int) -> Codes:
        """By code of a level: its code one level up; the same code at the top."""
        below, above = self.codes[level], self.codes[min(level + 1, self.height)]
        return above[np.flatnonzero(np.diff(below, prepend=-1))]


def _runs(codes: Codes) -> Codes:
    """Number the runs of equal codes 0, 1, ..."""
    return np.cumsum(np.diff(codes, prepend=codes[:1]) != 0, dtype=np.int32)


def measure_of(
    loss: Loss, attributes: Sequence[AttributeLevels], weights: Floats, offset: Ints
) -> LossMeasure:
    """The arrays of one loss; `weights` by attribute."""
    if loss not in LOSSES:
        raise InvalidSetting.among("A loss", loss, LOSSES)
    base = np.zeros((len(attributes), offset.shape[1] - 1))
    least, gain = np.zeros_like(base), np.zeros(int(offset.max()))
    for a, attribute in enumerate(attributes):
        for level in range(len(attribute.codes)):
            base[a, level], extra = level_loss(loss, attribute, level)
            gain[offset[a, level] : offset[a, level + 1]] = extra
            least[a, level] = np.min(extra)
    kind = {"entropy": ENTROPY, "dm": DISCERNIBILITY}.get(loss, LINEAR)
    shares = weights if loss == "entropy" else weights / weights.sum()
    floored = loss in ("loss_gm", "loss_am", "entropy")
    return LossMeasure(kind, loss == "loss_gm", floored, shares, base, gain, least)


def level_loss(loss: Loss, attribute: AttributeLevels, level: int) -> tuple[float, float | Floats]:
    """Loss of an attribute at a level without suppression, and what a suppressed record adds, by code."""
    if loss == "dm":
        return 0.0, 0.0
    if loss == "entropy":
        return _entropy(attribute.counts[0], attribute.counts[level][attribute.codes[level]]), 0.0
    records = float(attribute.counts[0].sum())
    if loss == "prec":
        share = level / attribute.height if attribute.height else 0.0
        return share, (1.0 - share) / records
    most = records - records / attribute.domain
    if most <= 0:
        return 0.0, 0.0
    least = records / attribute.domain
    return (float(attribute.counts[level] @ attribute.shares[level]) - least) / most, (
        1.0 - attribute.shares[level]
    ) / most


def _entropy(values: Ints, generalized: Ints) -> float:
    """Bits lost when each value is replaced by its generalized value."""
    present = values > 0
    bits = values[present] * np.log2(values[present] / generalized[present])
    return -math.fsum(bits)


def compiled_kernels() -> ModuleType:
    """The compiled module; loaded when a search runs, because loading takes a moment."""
    from reidrisk.stats.lattice import kernels

    return kernels


@dataclass(frozen=True, slots=True, eq=False)
class LatticeQuestion:
    """The data, the criterion and the loss of a search."""

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
    ) -> LatticeQuestion:
        """Check that the parts fit together."""
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
        """The number of nodes within the allowed levels."""
        nodes = 1
        for recoding in self.recodings:
            nodes *= recoding.top - recoding.lowest + 1
        return nodes

    @property
    def limits(self) -> SearchLimits:
        """The criterion as numbers of records."""
        records, average = self.tuples.records, self.criterion.average
        return SearchLimits(
            records,
            self.criterion.smallest,
            self.criterion.may_suppress(records),
            1.0 if average is None else average,
        )


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSearch:
    """A search that is ready to start."""

    problem: LatticeProblem
    state: LatticeState
    order: tuple[int, ...]
    """The given attributes, in the order of the search."""

    def from_levels(self, start: Ints) -> PreparedSearch:
        """The same search, from these levels upward only."""
        return replace(self, problem=self.problem._replace(start=start))


def arrange(question: LatticeQuestion, *, minimal: bool = False) -> PreparedSearch:
    """Put the attributes with the most values first, so that little is left below them."""
    tuples = question.tuples
    given = [
        AttributeLevels.of(recoding, tuples.codes[:, a], tuples.counts)
        for a, recoding in enumerate(question.recodings)
    ]
    order = sorted(range(len(given)), key=lambda a: -np.count_nonzero(given[a].counts[given[a].low]))
    attributes = [given[a] for a in order]
    offset, step = lattice_steps(attributes)
    place = np.cumsum([0, *(each.codes[0].size for each in attributes[:-1])])
    state = new_state(tuples.counts.size, len(order), int(place[-1]) + attributes[-1].codes[0].size)
    tops = _joined_tops(attributes, state)
    attributes = [replace(each, low=_least_level(each, tops, question)) for each in attributes]
    parent, code, ranks = _suffixes(attributes, state)
    measure = measure_of(question.loss, attributes, question.weights[order], offset)
    low = np.array([each.low for each in attributes], dtype=np.int64)
    high = np.array([each.high for each in attributes], dtype=np.int64)
    problem = LatticeProblem(
        low, high, low, offset, place, step, parent, code, question.limits, measure, minimal
    )
    _first_table(problem, state, tops, ranks, tuples.counts)
    return PreparedSearch(problem, state, tuple(order))


def lattice_steps(attributes: Sequence[AttributeLevels]) -> tuple[Ints, Codes]:
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


def _joined_tops(attributes: Sequence[AttributeLevels], room: LatticeState) -> Codes:
    """By tuple: number of its class when every attribute is at its highest level."""
    tops = np.zeros(room.identity.size, dtype=np.int32)
    for attribute in attributes:
        codes = attribute.at(attribute.high)
        if codes.min() != codes.max():
            tops, _ = _ranked(tops, codes, room)
    return tops


def _least_level(attribute: AttributeLevels, tops: Codes, question: LatticeQuestion) -> int:
    """The first level at which the others, at their highest, do not already suppress too many records."""
    limits = question.limits
    for level in range(attribute.low, attribute.high):
        pairs = tops.astype(np.int64) * (int(attribute.codes[level][-1]) + 1) + attribute.at(level)
        if pairs.max() >= 64 * pairs.size:
            return attribute.low
        sizes = np.bincount(pairs, weights=question.tuples.counts)
        if sizes[sizes < limits.smallest].sum() <= limits.suppressed:
            return level
    return attribute.high


def _ranked(high: Codes, low: Codes, room: LatticeState) -> tuple[Codes, int]:
    """Dense ranks of pairs, `high` first; and the number of ranks."""
    ranks = np.empty(high.size, dtype=np.int32)
    return ranks, compiled_kernels().rank_pairs(high, low, room, ranks)


def _suffixes(attributes: Sequence[AttributeLevels], room: LatticeState) -> tuple[Codes, Codes, Codes]:
    """Ranks of the tuples of the last attributes, by the rank without the first one and that one's code.

    Ranks replace packed keys: they fit into 31 bits however many attributes there are.
    """
    parent = np.empty((len(attributes), room.identity.size), dtype=np.int32)
    code = np.empty_like(parent)
    ranks = np.zeros(room.identity.size, dtype=np.int32)
    for a in range(len(attributes) - 1, -1, -1):
        codes = attributes[a].at(attributes[a].low)
        longer, _ = _ranked(ranks, codes, room)
        parent[a, longer] = ranks
        code[a, longer] = codes
        ranks = longer
    return parent, code, ranks


def _first_table(
    problem: LatticeProblem, state: LatticeState, tops: Codes, ranks: Codes, counts: Ints
) -> None:
    """All distinct tuples at the lowest levels, sorted by class at the top, then by rank."""
    entries, size = _ranked(tops, ranks, state)
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
