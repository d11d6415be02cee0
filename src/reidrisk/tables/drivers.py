"""What drives the risk: the classes without each column, and the smallest sets that single people out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any

from reidrisk.core.classes import ClassSizes
from reidrisk.core.threshold import Threshold
from reidrisk.engine.protocol import Places, Sizes, Table, TupleSets
from reidrisk.stats.sampled_classes import LEVEL, SampledClasses, ShareEstimate
from reidrisk.stats.singling import MOST_TESTS, SmallestSets, smallest_sets
from reidrisk.tables.result import Driver, DriverEstimate

FEW = 32
"""Classes that a sample should have to tell anything; sets with fewer are counted."""


@dataclass(frozen=True, slots=True)
class DriverLimits:
    """When classes are sampled, and when the search for sets ends."""

    most_exact: int = 5_000_000
    """Tuples up to which every figure is exact; above, shares are estimated from a sample of classes."""
    most_untested: int = 500_000
    """Tuples up to which sets are counted at once; above, a sample of their classes is looked at first."""
    sample: int = 400_000
    """Tuples of a sample, about."""
    most_sets: int = MOST_TESTS
    """Sets to test."""
    most_looks: int = 400
    """Sets to test where a sample is looked at first."""
    most_proofs: int = 100
    """Sets to count where the sample showed no unique record."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class SetSizes:
    """Columns, and the classes that they form by themselves."""

    columns: tuple[str, ...]
    sizes: ClassSizes | SampledClasses

    def driver(self, threshold: Threshold, whole: ClassSizes) -> Driver:
        """Return how identifying the columns are; `whole` are the classes of all columns."""
        cell_size = threshold.cell_size
        if isinstance(self.sizes, ClassSizes):
            share = self.sizes.records_below(cell_size) / self.sizes.records
            return Driver(self.columns, self.sizes.unique_share, share)
        unique = _at_most(self.sizes.below(2), whole.unique_share)
        above = _at_most(self.sizes.below(cell_size), whole.records_below(cell_size) / whole.records)
        estimate = DriverEstimate(self.sizes.one_in, LEVEL, unique[1:], above[1:])
        return Driver(self.columns, unique.share, above.share, estimate)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        pairs = [list(pair) for pair in self.sizes.counts]
        if isinstance(self.sizes, ClassSizes):
            return {"columns": list(self.columns), "sizes": pairs}
        drawn = {name: getattr(self.sizes, name) for name in ("one_in", "records", "tuples")}
        return {"columns": list(self.columns), "sizes": pairs, "sampled": drawn}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> SetSizes:
        """Read what `to_dict` wrote."""
        pairs, drawn = tuple((size, number) for size, number in given["sizes"]), given.get("sampled")
        sizes = ClassSizes(pairs) if drawn is None else SampledClasses(pairs, **drawn)
        return cls(tuple(given["columns"]), sizes)


def _at_most(found: ShareEstimate, limit: float) -> ShareEstimate:
    """Fewer columns never make more records unique, or more classes small."""
    return ShareEstimate(*(min(one, limit) for one in found))


@dataclass(frozen=True, slots=True)
class DriverCounts:
    """What was counted."""

    sizes: ClassSizes
    """The classes of all columns."""
    without: tuple[SetSizes, ...]
    singling: tuple[SetSizes, ...]
    complete: bool
    """Whether every smallest set that singles out was found."""


def count_drivers(records: Table, quasi: tuple[str, ...], limits: DriverLimits | None = None) -> DriverCounts:
    """Count the classes of a table, those without each column, and those of the smallest singling sets."""
    with records.tuple_sets(quasi) as sets:
        return _Count(sets, limits or DriverLimits()).result()


@dataclass
class _Count:
    sets: TupleSets
    limits: DriverLimits

    def __post_init__(self) -> None:
        self.exact: dict[Places, Sizes] = {}
        self.drawn: dict[Places, Sizes] = {}

    @property
    def is_sampled(self) -> bool:
        """Whether shares are estimated."""
        return self.sets.tuples > self.limits.most_exact

    @property
    def _counts_at_once(self) -> bool:
        return self.sets.tuples <= self.limits.most_untested

    @cached_property
    def one_in(self) -> int:
        """A power of two, so that a sample has about the wanted number of tuples."""
        return 1 << max(1, (self.sets.tuples // self.limits.sample).bit_length())

    def result(self) -> DriverCounts:
        """Count the larger sets first: the smaller ones are made of them."""
        sizes = ClassSizes(self.sets.sizes)
        every = range(len(self.sets.columns))
        without = [self._sizes(tuple(place for place in every if place != gone)) for gone in every]
        found = self._singling()
        singling = tuple(self._sizes(places) for places in found.sets)
        return DriverCounts(sizes, tuple(without), singling, found.complete)

    def _singling(self) -> SmallestSets:
        telling = self.sets.telling
        if self.sets.records == 1:
            return SmallestSets(tuple((place,) for place in range(len(self.sets.columns))), complete=True)
        if self.sets.sizes[0][0] > 1:
            return SmallestSets((), complete=True)

        def named(places: Places) -> Places:
            return tuple(telling[place] for place in places)

        width = len(telling)
        known = {tuple(range(width)): True}
        for gone in range(width):
            rest = tuple(place for place in range(width) if place != gone)
            answer = self._apparently(named(rest))
            if answer is not None:
                known[rest] = answer
        found = smallest_sets(
            width,
            lambda places: self._apparently(named(places)),
            lambda places: _has_unique(self._alone(named(places))),
            known=known,
            weights=[log2(self.sets.possible((place,))) for place in telling],
            most=self.limits.most_sets if self._counts_at_once else self.limits.most_looks,
            most_proofs=self.limits.most_proofs,
        )
        return SmallestSets(tuple(named(places) for places in found.sets), found.complete)

    def _apparently(self, places: Places) -> bool | None:
        """Whether the columns single out; None if no class of a sample shows it."""
        key = self._key(places)
        if key not in self.exact and self._counts_at_once:
            return self.sets.has_unique(key)
        if key in self.exact or self.sets.possible(key) < FEW * self.one_in:
            return _has_unique(self._alone(places))
        drawn = self.drawn.get(key) or self.sets.glimpsed(key, self.one_in, seed=self.limits.seed)
        return True if _has_unique(drawn) else None

    def _sizes(self, places: Places) -> SetSizes:
        names = tuple(self.sets.columns[place] for place in places)
        if not self.is_sampled or self._key(places) in self.exact:
            return SetSizes(names, ClassSizes(self._alone(places)))
        if not self._key(places) or self._key(places) == self.sets.telling:
            return SetSizes(names, ClassSizes(self._alone(places)))
        drawn = SampledClasses(self._sample(places), self.one_in, self.sets.records, self.sets.tuples)
        return SetSizes(names, drawn)

    def _alone(self, places: Places) -> Sizes:
        key = self._key(places)
        if key not in self.exact:
            self.exact[key] = self.sets.alone(key)
        return self.exact[key]

    def _sample(self, places: Places) -> Sizes:
        key = self._key(places)
        if key not in self.drawn:
            self.drawn[key] = self.sets.sampled(key, self.one_in, seed=self.limits.seed)
        return self.drawn[key]

    def _key(self, places: Places) -> Places:
        """Without columns of one value."""
        return tuple(place for place in places if place in self.sets.telling)


def _has_unique(sizes: Sizes) -> bool:
    return bool(sizes) and sizes[0][0] == 1
