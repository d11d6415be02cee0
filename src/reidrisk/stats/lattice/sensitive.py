"""Limits on sensitive columns as criteria of a node, and the loss of a node with suppressed classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.disclosure.classes import SensitiveClasses
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.stats.lattice.arrange import AttributeLevels, LatticeQuestion, level_loss
from reidrisk.stats.lattice.search import Solution

Flags = NDArray[np.bool_]
MOST_KEYS = 64
"""Up to this many possible keys per tuple, a table of all of them is faster than sorting."""


@dataclass(frozen=True, slots=True, eq=False)
class SensitiveAttribute:
    """A sensitive column of the records of distinct tuples, and the limits on what classes may reveal."""

    owner: Ints = field(repr=False)
    """By row: the position of its tuple."""
    value: Ints = field(repr=False)
    counts: Ints = field(repr=False)
    limits: SensitiveLimits
    overall: Floats = field(repr=False)
    """By value: its share in the whole table."""
    levels: tuple[Ints, ...] = field(default=(), repr=False)
    """For a hierarchical distance: the code of every value by level."""

    def __post_init__(self) -> None:
        if not self.owner.shape == self.value.shape == self.counts.shape or not self.owner.size:
            raise InvalidSetting(
                "A sensitive column has no rows, or arrays of different lengths.",
                hint="Give one of each per row.",
            )

    def classes(self, of: Ints) -> SensitiveClasses:
        """Its values in the classes `of` the tuples."""
        return SensitiveClasses.count_up(of[self.owner], self.value, self.counts, overall=self.overall)

    def kept(self, of: Ints) -> Flags:
        """By class: whether it is within the limits."""
        return self.limits.kept(self.classes(of), self.levels)

    def keeps_within(self, rows: Flags, of: Ints) -> bool:
        """Whether all classes are within the limits if these rows are the whole table."""
        return bool(self.only(rows).kept(of).all())

    def only(self, rows: Flags) -> SensitiveAttribute:
        """Some of the rows as a table of their own, with their own values and shares."""
        left, value = np.unique(self.value[rows], return_inverse=True)
        counts = self.counts[rows]
        overall = np.bincount(value, weights=counts) / float(counts.sum())
        levels = tuple(level[left] for level in self.levels)
        return replace(
            self,
            owner=self.owner[rows],
            value=value.astype(np.int64),
            counts=counts,
            overall=overall,
            levels=levels,
        )

    def of_tuples(self, of: Ints) -> SensitiveAttribute:
        """The same for merged tuples: `of` is the new position of each."""
        return replace(self, owner=of[self.owner])

    def is_monotone(self, *, suppresses: bool) -> bool:
        """Whether all nodes below a node that breaks the limits break them too.

        A merged class has at least as many values as each of its parts, so distinct l is monotone even with
        suppression. Entropy l, recursive l, t and beta are monotone only if no class may be suppressed.
        Delta never is: it does not count values that a class does not have.
        """
        limits = self.limits
        if limits.delta is not None or (limits.likeness == "enhanced" and limits.beta is not None):
            return False
        distinct = limits.t is None and limits.beta is None and limits.diversity == "distinct"
        return distinct or not suppresses


@dataclass(frozen=True, slots=True, eq=False)
class NodeClasses:
    """The classes at a node, and which of them are kept."""

    of: Ints = field(repr=False)
    """By tuple: its class."""
    counts: Ints = field(repr=False)
    kept: Flags = field(repr=False)
    smallest: int

    @property
    def suppressed(self) -> int:
        """Number of suppressed records."""
        return int(self.counts[~self.kept].sum())


def hidden_keeps(sensitive: Sequence[SensitiveAttribute], found: NodeClasses, cell_size: int) -> bool:
    """Whether the suppressed records, as one class, reach the cell size and are within the limits."""
    if found.suppressed < cell_size:
        return False
    together = np.where(found.kept[found.of], 1, 0)
    return all(bool(one.kept(together)[0]) for one in sensitive)


def releasable(sensitive: Sequence[SensitiveAttribute], found: NodeClasses, cell_size: int) -> bool:
    """Whether suppressed records can be released or left out within the limits.

    Without their quasi-identifiers they form one class, which must meet the same limits as any class.
    Otherwise they are left out, and the limits are checked against the shares of the remaining records.
    """
    if found.kept.all() or hidden_keeps(sensitive, found, cell_size):
        return True
    if not found.kept.any():
        return False
    stays = found.kept[found.of]
    return all(one.keeps_within(stays[one.owner], found.of) for one in sensitive)


class Nodes:
    """Evaluates single nodes by cell size, average risk and limits on sensitive columns together."""

    def __init__(self, question: LatticeQuestion, sensitive: Sequence[SensitiveAttribute]) -> None:
        tuples = question.tuples
        self.question, self.sensitive = question, tuple(sensitive)
        self.attributes = [
            AttributeLevels.of(recoding, tuples.codes[:, a], tuples.counts)
            for a, recoding in enumerate(question.recodings)
        ]
        self.parts = [
            [level_loss(question.loss, one, level) for level in range(one.height + 1)]
            for one in self.attributes
        ]
        whole = question.weights.sum()
        self.weights = question.weights if question.loss == "entropy" else question.weights / whole
        self.codes = [
            [one.at(level).astype(np.int64) for level in range(one.height + 1)] for one in self.attributes
        ]

    def classes(self, node: Sequence[int]) -> NodeClasses:
        """The classes, and which are kept: large enough, within the limits, and with a low average risk."""
        of = self._joined(node)
        counts = np.bincount(of, weights=self.question.tuples.counts).astype(np.int64)
        size = self.question.criterion.smallest
        kept: Flags = counts >= size
        for one in self.sensitive:
            if kept.any():
                kept &= one.kept(of)
        average = self.question.criterion.average
        while average is not None and kept.any():
            if int(kept.sum()) <= average * int(counts[kept].sum()) * (1 + 1e-12):
                break
            size = int(counts[kept].min()) + 1
            kept &= counts >= size
        return NodeClasses(of, counts, kept, size)

    def fits(self, found: NodeClasses) -> bool:
        """Whether suppressed records can be released or left out within the limits."""
        return releasable(self.sensitive, found, self.question.criterion.cell_size)

    def _joined(self, node: Sequence[int]) -> Ints:
        """By tuple: its class at a node; classes are numbered in the order of their codes."""
        key, span = self.codes[0][node[0]], self.attributes[0].counts[node[0]].size
        for a in range(1, len(node)):
            codes, width = self.codes[a][node[a]], self.attributes[a].counts[node[a]].size
            if span * width > MOST_KEYS * key.size:
                _, key = np.unique(key, return_inverse=True)
                span = int(key.max()) + 1
            key, span = key * width + codes, span * width
        if span > MOST_KEYS * key.size:
            return np.asarray(np.unique(key, return_inverse=True)[1], dtype=np.int64)
        present = np.zeros(span, dtype=np.bool_)
        present[key] = True
        return np.asarray((np.cumsum(present) - 1)[key], dtype=np.int64)

    def solution(self, node: Sequence[int]) -> Solution:
        """The figures of a node."""
        return self.figures(node, self.classes(node))

    def figures(self, node: Sequence[int], found: NodeClasses) -> Solution:
        """The figures of a node whose classes are known."""
        return Solution(
            tuple(int(level) for level in node),
            self.loss(node, found),
            found.suppressed,
            int(found.kept.sum()),
            found.smallest,
        )

    def loss(self, node: Sequence[int], found: NodeClasses) -> float:
        """The loss of a node with its suppressed classes."""
        if self.question.loss == "dm":
            records, kept = self.question.tuples.records, found.counts[found.kept]
            return float(kept @ kept) + float(records) * found.suppressed
        gone = np.where(found.kept[found.of], 0, self.question.tuples.counts)
        losses = [self._attribute(a, level, gone) for a, level in enumerate(node)]
        return float(self.combined([np.array(loss) for loss in losses]))

    def _attribute(self, a: int, level: int, gone: Ints) -> float:
        base, gain = self.parts[a][level]
        if not gone.any():
            return self._rounded(base)
        every = self.attributes[a].counts[level].size
        lost = np.bincount(self.codes[a][level], weights=gone, minlength=every)
        if self.question.loss == "entropy":
            lost = lost[lost > 0]
            return self._rounded(base - float((lost * np.log2(lost / lost.sum())).sum()))
        return self._rounded(base + float((lost * gain).sum()))

    def _rounded(self, loss: float) -> float:
        """Round as the kernels of the search do: down to ten digits."""
        if self.question.loss not in ("loss_gm", "loss_am", "entropy"):
            return loss
        return float(np.floor(max(loss, 0.0) * 1e10)) / 1e10

    def bounds(self) -> Floats:
        """A lower bound of the loss by node, as an array with one axis per attribute."""
        shape = tuple(recoding.top - recoding.lowest + 1 for recoding in self.question.recodings)
        if self.question.loss == "dm":
            records = self.question.tuples.records
            return np.full(shape, float(records * min(self.question.criterion.smallest, records)))
        parts = []
        for a, recoding in enumerate(self.question.recodings):
            base = [self._rounded(self.parts[a][at][0]) for at in range(recoding.lowest, recoding.top + 1)]
            parts.append(np.array(base).reshape([-1 if each == a else 1 for each in range(len(shape))]))
        return np.broadcast_to(self.combined(parts), shape)

    def combined(self, losses: Sequence[Floats]) -> Floats:
        """Combine the losses of all attributes."""
        geometric = self.question.loss == "loss_gm"
        total: Floats = np.zeros(())
        for weight, loss in zip(self.weights, losses, strict=True):
            total = total + weight * (np.log1p(loss) if geometric else loss)
        return np.expm1(total) if geometric else total
