"""A hierarchy renumbered in the order of its tree, so that codes joined by a level are neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.lattice.inputs import Codes, Recoding


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """One quasi-identifier of a table; codes of every level are dense and keep the order of the tree."""

    given: Codes
    """Value codes of the tuples, as given."""
    place: Codes
    """By value code as given: its place in the tree."""
    codes: tuple[Codes, ...]
    """By level and place: the code."""
    counts: tuple[Ints, ...]
    """By level and code: records."""
    shares: tuple[Floats, ...]
    """By level and code: share of the hierarchy's rows."""
    domain: int
    height: int
    low: int
    high: int

    @classmethod
    def of(cls, recoding: Recoding, given: Codes, counts: Ints) -> Ordered:
        """Renumber a hierarchy and count the records under each of its codes."""
        values = recoding.levels[0].size
        if given.max() >= values:
            raise InvalidSetting(
                "The data hold codes that a hierarchy does not.",
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
        """By code of a level: its code one level up; at the top itself."""
        below, above = self.codes[level], self.codes[min(level + 1, self.height)]
        return above[np.flatnonzero(np.diff(below, prepend=-1))]


def _runs(codes: Codes) -> Codes:
    """Number runs of equal codes 0, 1, ..."""
    return np.cumsum(np.diff(codes, prepend=codes[:1]) != 0, dtype=np.int32)
