"""The observed risk of each document, and the limits of its mean: they hold without a model of leaks.

The risk of a document is what its own leaks tell: 0 if nothing leaked. The mean over documents estimates the
risk, and `mean_limit` gives its limits. Documents may come in clusters (one author, one template), and strata
may have other shares in the release than in the sample.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy.special import betainc

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.mean_limit import (
    MOST_DISTINCT,
    beta_chance,
    chance_not_positive,
    clopper_pearson,
    merge_units,
    quantile_of,
    split_on_grid,
)
from reidrisk.stats.nodes import SIDE_NODES, density_nodes
from reidrisk.stats.uncertain import Triangular

CERTAIN = Triangular.constant(1.0)
EQUAL = 1e-12
"""Sums and sizes that differ by less than this count as equal."""
MOST_KEPT = 4096
_KEPT: dict[tuple[bytes, float, bool], float] = {}
"""Limits found before: who judges a release and looks for remedies asks for the same ones many times."""
PERMUTATIONS = 1999
SIGNIFICANT = 0.01
"""Random permutations, and the p-value up to which documents of a group are taken to leak alike."""


def direct_risks(leaks: Bools, exposure: Floats) -> Floats:
    """Observed risk from direct identifiers: 1 - prod(1 - g) over the types that leak in a document.

    `leaks` has one row per document and one column per type; `exposure` one row per value of the recognition
    and one column per type. Recognition counts once per type, however many instances leaked.

    >>> direct_risks(np.array([[True, True], [True, False], [False, False]]), np.array([[0.5, 0.2]])).tolist()
    [[0.6, 0.5, 0.0]]
    """
    kept = np.ones((len(exposure), len(leaks)))
    for place in range(leaks.shape[1]):
        kept *= np.where(leaks[:, place], 1 - exposure[:, place, None], 1.0)
    return np.asarray(1 - kept, dtype=float)


def quasi_risks(leaked: Ints, exposure: Floats, *, needed: int = 2) -> Floats:
    """Observed risk from quasi-identifiers: Pr(Bin(K, g) >= needed) with K distinct leaked values.

    >>> quasi_risks(np.array([0, 1, 2, 3]), np.array([0.5, 1.0])).round(3).tolist()
    [[0.0, 0.0, 0.25, 0.5], [0.0, 0.0, 1.0, 1.0]]
    """
    enough = leaked >= needed
    found = np.zeros((exposure.size, leaked.size))
    found[:, enough] = betainc(needed, leaked[enough] - needed + 1, exposure[:, None])
    return found


@dataclass(frozen=True, eq=False)
class SampleDesign:
    """How documents were sampled: singly or in clusters, and what each stands for in the release."""

    cluster: Ints | None = None
    """The cluster of each document."""
    weight: Floats | None = None
    """How much each document counts, if strata have other shares in the release; the mean is 1."""
    equal: bool = False
    """Whether every cluster counts the same, whatever its size."""
    cluster_max: int = 0
    """Documents in the largest cluster that is known to exist, if it was not sampled."""

    def units(self, pattern: Ints, sizes: Floats, sums: Floats) -> tuple[Floats, Floats, Floats, float]:
        """Sizes, sums and numbers of the units, and the size of the imagined one.

        Each document has a pattern; `sizes` gives the size of a document with each pattern, `sums` the
        quantity summed over it, with one row per value of whatever it depends on.
        """
        if self.cluster is None:
            found = self._single(pattern, sizes, sums)
            factor = 1.0
        else:
            found = self._clustered(self.cluster, pattern, sizes, sums)
            factor = max(1.0, self.cluster_max / float(np.bincount(self.cluster).max()))
        held = found[0] > 0
        size, total, count = found[0][held], found[1][:, held], found[2][held]
        if self.equal and self.cluster is not None:
            total, size, factor = total / size, np.ones_like(size), 1.0
        if size.size == 0:
            return size, total, count, 0.0
        return *merge_units(size, total, count), float(size.max()) * factor

    def _single(self, pattern: Ints, sizes: Floats, sums: Floats) -> tuple[Floats, Floats, Floats]:
        if self.weight is None:
            return sizes, sums, np.bincount(pattern, minlength=sizes.size).astype(float)
        weights, place = np.unique(self.weight, return_inverse=True)
        number = np.bincount(place * sizes.size + pattern, minlength=weights.size * sizes.size)
        size = np.outer(weights, sizes).ravel()
        total = (weights[None, :, None] * sums[:, None, :]).reshape(len(sums), -1)
        kept = number > 0
        return size[kept], total[:, kept], number[kept].astype(float)

    def _clustered(
        self, cluster: Ints, pattern: Ints, sizes: Floats, sums: Floats
    ) -> tuple[Floats, Floats, Floats]:
        weight = np.ones(pattern.size) if self.weight is None else self.weight
        rows = [np.bincount(cluster, weights=weight * row[pattern]) for row in (sizes, *sums)]
        size, *rest = (np.asarray(row, dtype=float) for row in rows)
        total = np.stack(rest)
        return size, total, np.ones(size.size)


@dataclass(frozen=True, eq=False)
class ObservedRisk:
    """The distribution behind the limits of an observed risk: C_e(x), averaged over what is uncertain.

    Rows of `sums`, `tops` and `weights` belong to the values of an uncertain recognition.
    """

    sizes: Floats
    sums: Floats
    counts: Floats
    largest: float
    """Size of the imagined unit."""
    tops: Floats = field(default_factory=lambda: np.ones(1))
    """The largest possible value for one document, b."""
    weights: Floats = field(default_factory=lambda: np.ones(1))
    attempt: Triangular = CERTAIN
    given_catch: float = 0.0
    """Risk of re-identification through caught values: x becomes c + (1 - c) x."""
    side_nodes: int = SIDE_NODES

    def __post_init__(self) -> None:
        if self.sizes.size == 0:
            raise InvalidSetting("No unit was observed.", hint="Give at least one document.")

    @classmethod
    def of_share(cls, leaking: float, documents: float, *, attempt: Triangular = CERTAIN) -> ObservedRisk:
        """The share of leaking documents; real numbers are allowed."""
        counts = np.array([leaking, documents - leaking])
        return cls(np.ones(2), np.array([[1.0, 0.0]]), counts, 1.0, attempt=attempt)

    @classmethod
    def of_values(cls, values: Floats, counts: Floats, *, top: float = 1.0) -> ObservedRisk:
        """Observed risks of single documents and how often each occurs."""
        if np.unique(values).size > MOST_DISTINCT:
            values, counts = split_on_grid(values, counts, top=top)
        sizes, sums, number = merge_units(np.ones(values.size), values[None, :], counts)
        return cls(sizes, sums, number, 1.0, tops=np.array([top]))

    @property
    def units(self) -> float:
        """Number of documents or clusters."""
        return float(self.counts.sum())

    @property
    def share(self) -> float:
        """The mean observed risk, before catch and attempt."""
        return float(self.weights @ (self.sums @ self.counts)) / float(self.sizes @ self.counts)

    @property
    def estimate(self) -> float:
        """The mean observed risk."""
        return self.attempt.mean * (self.given_catch + (1 - self.given_catch) * self.share)

    @property
    def top(self) -> float:
        """The largest possible risk."""
        return self.attempt.high * (self.given_catch + (1 - self.given_catch) * float(self.tops.max()))

    @cached_property
    def leaking(self) -> Floats | None:
        """How many units leak everything, if all others leak nothing and all have the same size.

        One number per value of the recognition; None if units leak in part or differ in size.
        """
        if np.ptp(self.sizes) > EQUAL or abs(self.largest - self.sizes[0]) > EQUAL:
            return None
        everything = self.sizes[0] * self.tops[:, None]
        full, none = np.abs(self.sums - everything) <= EQUAL, self.sums <= EQUAL
        if not np.all((full | none) | (self.counts == 0)):
            return None
        return np.asarray(np.where(full & ~none, self.counts, 0.0).sum(axis=1), dtype=float)

    def limits(self, level: float) -> tuple[float, float]:
        """The lower limit at 1 - `level` and the upper limit at `level`."""
        return self.lower(level), self.upper(level)

    def upper(self, level: float) -> float:
        """The upper limit: C(U) = level with an imagined unit that leaks everything."""
        if self.top <= 0:
            return 0.0
        known = self._closed_form(level)
        return known[1] if known else self._quantile(level, upper=True)

    def lower(self, level: float) -> float:
        """The lower limit: C(L) = 1 - level with an imagined unit that leaks nothing."""
        if self.top <= 0:
            return 0.0
        known = self._closed_form(level)
        return known[0] if known else self._quantile(level, upper=False)

    @cached_property
    def _content(self) -> bytes:
        """A hash of everything that the limits depend on."""
        found = hashlib.sha256(
            repr((self.sums.shape, self.largest, self.attempt, self.given_catch, self.side_nodes)).encode()
        )
        for array in (self.sizes, self.sums, self.counts, self.tops, self.weights):
            found.update(np.ascontiguousarray(array, dtype=float).data)
        return found.digest()

    def _quantile(self, level: float, *, upper: bool) -> float:
        key = (self._content, level, upper)
        known = _KEPT.get(key)
        if known is None:
            if len(_KEPT) >= MOST_KEPT:
                _KEPT.clear()
            known = _KEPT[key] = self._search(level, upper=upper)
        return known

    def _search(self, level: float, *, upper: bool) -> float:
        """Search first within a few standard errors, where the quantile almost always is."""
        whole = float(self.sizes @ self.counts)
        off = self.weights @ self.sums - self.share * self.sizes
        step = self.attempt.high * (6 * float(off**2 @ self.counts) ** 0.5 + 6 * self.largest) / whole
        near = (self.estimate, self.estimate + step) if upper else (self.estimate - step, self.estimate)
        return quantile_of(
            lambda x: self.chance(x, upper=upper), level if upper else 1 - level, top=self.top, near=near
        )

    def chance(self, x: float, *, upper: bool) -> float:
        """C_e(x): the weight of risks up to x."""
        attempts, masses = density_nodes(self.attempt, side=self.side_nodes)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = x / attempts
            mean = (inside - self.given_catch) / (1 - self.given_catch)
        if self.given_catch == 1:
            mean = np.where(inside >= 1, np.inf, -1.0)
        points = np.tile(mean, len(self.tops))
        rows = np.repeat(np.arange(len(self.tops)), len(attempts))
        return float(np.outer(self.weights, masses).ravel() @ self._chances(points, rows, upper=upper))

    def _chances(self, points: Floats, rows: Ints, *, upper: bool) -> Floats:
        tops = self.tops[rows]
        found = np.where(points < 0, 0.0, 1.0)
        inside = (points >= 0) & (points < tops)
        if not inside.any():
            return found
        points, rows, tops = points[inside], rows[inside], tops[inside]
        if self.leaking is not None:
            found[inside] = beta_chance(points / tops, self.leaking[rows], self.units, upper=upper)
            return found
        values = self.sums[rows] - points[:, None] * self.sizes
        imagined = (np.where(upper, tops, 0.0) - points) * self.largest
        shapes = np.append(self.counts, 1.0)
        found[inside] = chance_not_positive(np.column_stack([values, imagined]), shapes)
        return found

    def _closed_form(self, level: float) -> tuple[float, float] | None:
        """The limits of Clopper and Pearson, where nothing else is uncertain."""
        if self.leaking is None or len(self.tops) > 1 or not self.attempt.is_constant:
            return None
        low, high = clopper_pearson(float(self.leaking[0]), self.units, level)
        top, catch = float(self.tops[0]), self.given_catch
        ends = [self.attempt.low * (catch + (1 - catch) * top * end) for end in (low, high)]
        return ends[0], ends[1]

    def with_more(self, units: float) -> ObservedRisk:
        """The same with further units of the mean size in which nothing leaks."""
        size = float(self.sizes @ self.counts) / self.units
        return replace(
            self,
            sizes=np.append(self.sizes, size),
            sums=np.column_stack([self.sums, np.zeros(len(self.sums))]),
            counts=np.append(self.counts, units),
        )

    def times(self, factor: float) -> ObservedRisk:
        """The same with every unit observed this many times."""
        return replace(self, counts=self.counts * factor)


def likeness_of_groups(risks: Floats, group: Ints, *, rng: np.random.Generator) -> float:
    """p-value of the hypothesis that leaks do not depend on the group of a document.

    The statistic is the sum over groups of the squared sum of observed risks; it is compared with its values
    after random permutations of the risks.

    >>> risks, group = np.repeat([1.0, 0.0], [10, 90]), np.repeat(np.arange(10), 10)
    >>> likeness_of_groups(risks, group, rng=np.random.default_rng(7))
    0.0005
    """
    values = risks[risks > 0]
    if values.size < 2 or (values.size == risks.size and np.ptp(values) == 0):
        return 1.0
    groups = int(group.max()) + 1
    observed = _statistic(group[risks > 0], values, groups)
    as_much = 0
    for _ in range(PERMUTATIONS):
        places = rng.choice(group.size, values.size, replace=False)
        as_much += _statistic(group[places], values, groups) >= observed * (1 - 1e-12)
    return (1 + as_much) / (PERMUTATIONS + 1)


def _statistic(group: Ints, values: Floats, groups: int) -> float:
    sums = np.bincount(group, weights=values, minlength=groups)
    return float(sums @ sums)
