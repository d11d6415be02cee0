"""Limits on secret columns as criteria of a node, and the loss of a node with any classes suppressed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.disclosure.classes import SensitiveClasses
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.stats.lattice.arrange import Ordered, Question, level_loss
from reidrisk.stats.lattice.search import Solution

Flags = NDArray[np.bool_]
MOST_KEYS = 64
"""Possible combinations a tuple, up to which a table of all of them is faster than sorting."""


@dataclass(frozen=True, slots=True, eq=False)
class SensitiveAttribute:
    """A secret column of the records of distinct tuples, and what may be told of it."""

    owner: Ints = field(repr=False)
    """By row: the tuple, by its place."""
    value: Ints = field(repr=False)
    counts: Ints = field(repr=False)
    limits: SensitiveLimits
    overall: Floats = field(repr=False)
    """By value: its share in the whole table."""
    levels: tuple[Ints, ...] = field(default=(), repr=False)
    """For a hierarchical distance: the code of every value by level."""

    def __post_init__(self) -> None:
        if not self.owner.shape == self.value.shape == self.counts.shape or not self.owner.size:
            raise InvalidSetting("A secret column has no rows, or not one of each.", hint="Give one a row.")

    def classes(self, of: Ints) -> SensitiveClasses:
        """Its values in the classes that the tuples are put in."""
        return SensitiveClasses.count_up(of[self.owner], self.value, self.counts, overall=self.overall)

    def kept(self, of: Ints) -> Flags:
        """By class: whether it tells no more than is allowed."""
        return self.limits.kept(self.classes(of), self.levels)

    def keeps_within(self, rows: Flags, of: Ints) -> bool:
        """Whether these rows alone, as the whole table, tell no more than is allowed in any class."""
        return bool(self.only(rows).kept(of).all())

    def only(self, rows: Flags) -> SensitiveAttribute:
        """Some of the rows as a table of its own: shares are theirs, and values that are gone are no more."""
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
        """The same for tuples that were joined: `of` gives the new place of each."""
        return replace(self, owner=of[self.owner])

    def is_monotone(self, *, suppresses: bool) -> bool:
        """Whether a node that breaks the limits tells that all nodes below it do.

        Joined classes have no fewer values than each had, so that distinct l is monotone with suppression
        too. Entropy, recursive l, t and beta are so only if no class may be suppressed, delta never: it
        does not count values that a class lacks.
        """
        limits = self.limits
        if limits.delta is not None or (limits.likeness == "enhanced" and limits.beta is not None):
            return False
        distinct = limits.t is None and limits.beta is None and limits.diversity == "distinct"
        return distinct or not suppresses


@dataclass(frozen=True, slots=True, eq=False)
class NodeClasses:
    """The classes at a node, and which of them stay."""

    of: Ints = field(repr=False)
    """By tuple: its class."""
    counts: Ints = field(repr=False)
    kept: Flags = field(repr=False)
    smallest: int

    @property
    def suppressed(self) -> int:
        """Records of the classes that do not stay."""
        return int(self.counts[~self.kept].sum())


def hidden_keeps(secrets: Sequence[SensitiveAttribute], found: NodeClasses, cell_size: int) -> bool:
    """Whether suppressed records are enough to be a class of their own, and tell little as one."""
    if found.suppressed < cell_size:
        return False
    together = np.where(found.kept[found.of], 1, 0)
    return all(bool(one.kept(together)[0]) for one in secrets)


def releasable(secrets: Sequence[SensitiveAttribute], found: NodeClasses, cell_size: int) -> bool:
    """Whether suppressed records can be released or left out without telling too much.

    Without their quasi-identifiers they are one class, which has to keep all that is asked of a class.
    Otherwise they are left out, and the shares that the limits are held against are those of the rest.
    """
    if found.kept.all() or hidden_keeps(secrets, found, cell_size):
        return True
    if not found.kept.any():
        return False
    stays = found.kept[found.of]
    return all(one.keeps_within(stays[one.owner], found.of) for one in secrets)


class Nodes:
    """Judges nodes one by one: a cell size, an average and limits on secrets together."""

    def __init__(self, question: Question, secrets: Sequence[SensitiveAttribute]) -> None:
        tuples = question.tuples
        self.question, self.secrets = question, tuple(secrets)
        self.attributes = [
            Ordered.of(recoding, tuples.codes[:, a], tuples.counts)
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
        """Which classes stay: large enough, telling little enough, and together of a small average risk."""
        of = self._joined(node)
        counts = np.bincount(of, weights=self.question.tuples.counts).astype(np.int64)
        size = self.question.criterion.smallest
        kept: Flags = counts >= size
        for secret in self.secrets:
            if kept.any():
                kept &= secret.kept(of)
        average = self.question.criterion.average
        while average is not None and kept.any():
            if int(kept.sum()) <= average * int(counts[kept].sum()) * (1 + 1e-12):
                break
            size = int(counts[kept].min()) + 1
            kept &= counts >= size
        return NodeClasses(of, counts, kept, size)

    def fits(self, found: NodeClasses) -> bool:
        """Whether suppressed records can be released or left out without telling too much."""
        return releasable(self.secrets, found, self.question.criterion.cell_size)

    def _joined(self, node: Sequence[int]) -> Ints:
        """By tuple: its class at a node; classes are numbered as they are ordered."""
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
        """The same for classes that are known."""
        return Solution(
            tuple(int(level) for level in node),
            self.loss(node, found),
            found.suppressed,
            int(found.kept.sum()),
            found.smallest,
        )

    def loss(self, node: Sequence[int], found: NodeClasses) -> float:
        """What is lost at a node with the classes that do not stay."""
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
        """As the kernels of the search round: down to ten digits."""
        if self.question.loss not in ("loss_gm", "loss_am", "entropy"):
            return loss
        return float(np.floor(max(loss, 0.0) * 1e10)) / 1e10

    def bounds(self) -> Floats:
        """By node, as an array with an axis for each attribute: a loss that it is never below."""
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
        """The losses of all attributes as one."""
        geometric = self.question.loss == "loss_gm"
        total: Floats = np.zeros(())
        for weight, loss in zip(self.weights, losses, strict=True):
            total = total + weight * (np.log1p(loss) if geometric else loss)
        return np.expm1(total) if geometric else total
