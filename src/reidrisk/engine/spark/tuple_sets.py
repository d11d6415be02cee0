"""Classes of many sets of columns, counted on the driver from distinct tuples that came there once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from math import prod

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import Places, Sizes

PRIME = 2**31 - 1


@dataclass(frozen=True, slots=True, eq=False)
class DriverTupleSets:
    """The distinct tuples of a table, ready to be counted by any set of their columns."""

    found: DistinctTuples = field(repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """All of them."""
        return self.found.columns

    @property
    def sizes(self) -> Sizes:
        """The classes of all columns together."""
        return _tallied(self.found.counts)

    @property
    def records(self) -> int:
        """Of the whole table."""
        return self.found.records

    @property
    def tuples(self) -> int:
        """Distinct ones."""
        return len(self.found)

    @property
    def telling(self) -> Places:
        """Columns with more than one value."""
        return tuple(place for place, values in enumerate(self.found.values) if len(values) > 1)

    def alone(self, places: Iterable[int]) -> Sizes:
        """The classes if only these columns are known."""
        return self._counted(self._wanted(places), np.ones(len(self.found), dtype=bool))

    def has_unique(self, places: Iterable[int]) -> bool:
        """Whether these columns single somebody out."""
        return self.alone(places)[0][0] == 1

    def sampled(self, places: Iterable[int], one_in: int, *, seed: int = 0) -> Sizes:
        """The same of a sample: each class is in it with a chance of one in so many, whole or not at all."""
        wanted = self._wanted(places)
        if not wanted:
            return self.alone(wanted)
        total = np.zeros(len(self.found), dtype=np.int64)
        for place in wanted:
            factor = int.from_bytes(sha256(f"{seed},{place}".encode()).digest()[:8], "big") % (PRIME - 1) + 1
            total = (total + (self.found.codes[:, place] + np.int64(1)) * factor % PRIME) % PRIME
        return self._counted(wanted, total % one_in == 0)

    def glimpsed(self, places: Iterable[int], one_in: int, *, seed: int = 0) -> Sizes:
        """Some whole classes: here a fair sample is as cheap."""
        return self.sampled(places, one_in, seed=seed)

    def possible(self, places: Iterable[int]) -> int:
        """How many classes there can be, at most, if only these columns are known."""
        return prod(max(1, len(self.found.values[place])) for place in places)

    def _wanted(self, places: Iterable[int]) -> Places:
        return tuple(sorted(set(places) & set(self.telling)))

    def _counted(self, places: Places, rows: NDArray[np.bool_]) -> Sizes:
        counts = self.found.counts[rows]
        group = np.zeros(len(counts), dtype=np.int64)
        for place in places:
            both = group * len(self.found.values[place]) + self.found.codes[rows, place]
            group = np.unique(both, return_inverse=True)[1]
        return _tallied(np.bincount(group, counts).astype(np.int64)) if len(counts) else ()


def _tallied(sizes: NDArray[np.int64]) -> Sizes:
    size, classes = np.unique(sizes, return_counts=True)
    return tuple(zip(size.tolist(), classes.tolist(), strict=True))
