"""How pairs of columns go together before and after, at the released level."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.association import count_pairs, cramers_v, rank_correlation
from reidrisk.stats.usefulness.distances import bin_values
from reidrisk.tables.utility.comparable import Comparable
from reidrisk.tables.utility.data import Both

MOST_COLUMNS = 30
MOST_GROUPS = 200
"""Categories of a column whose associations mean something."""
BINS = 10
"""Of numbers beside categories."""


@dataclass(frozen=True, slots=True)
class PairChange:
    """Two columns, their association before and after; None where it is undefined."""

    columns: tuple[str, str]
    measure: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        """After less before."""
        return None if self.before is None or self.after is None else self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "columns": list(self.columns), "change": self.change}


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Codes of rows; -1 for nothing."""

    fine: Ints = field(repr=False)
    """In order, for numbers; else groups."""
    coarse: Ints = field(repr=False)
    """At most so many that a table of counts means something."""


def pair_changes(both: Both) -> tuple[PairChange, ...]:
    """The largest change first."""
    used = [one for one in both.compared if one.kind != "category" or len(one.groups().labels) <= MOST_GROUPS]
    sides = [_sides(one, both) for one in used[:MOST_COLUMNS]]
    found = [
        _change((used[one], used[two]), (sides[one], sides[two]))
        for one, two in combinations(range(len(sides)), 2)
    ]
    return tuple(sorted(found, key=lambda pair: -abs(pair.change or 0.0)))


def _change(columns: tuple[Comparable, Comparable], sides: tuple[Any, Any]) -> PairChange:
    ordered = all(one.kind != "category" for one in columns)
    strengths: list[float | None] = []
    for at in range(2):
        x, y = ((side[at].fine if ordered else side[at].coarse) for side in sides)
        there = (x >= 0) & (y >= 0)
        if not there.any():
            strengths.append(None)
            continue
        counts = count_pairs(x[there], y[there], np.ones(int(there.sum()), dtype=np.int64))
        strengths.append((rank_correlation if ordered else cramers_v)(*counts))
    measure = "rank correlation" if ordered else "Cramer's V"
    return PairChange((columns[0].name, columns[1].name), measure, strengths[0], strengths[1])


def _sides(column: Comparable, both: Both) -> tuple[_Side, _Side]:
    codes = both.codes[0][column.name], both.codes[1][column.name]
    if column.numbers is None:
        groups = column.groups()
        old, new = groups.before[codes[0]], groups.after[codes[1]]
        return _Side(old, old), _Side(new, new)
    before, after = column.original_numbers(), column.numbers
    values = np.unique(np.concatenate([before[~np.isnan(before)], after[~np.isnan(after)]]))
    weights = np.zeros(values.size)
    there = ~np.isnan(before)
    np.add.at(weights, np.searchsorted(values, before[there]), column.before.counts[there])
    bins = np.append(bin_values(weights, BINS), -1)
    return _numbers(before, codes[0], values, bins), _numbers(after, codes[1], values, bins)


def _numbers(numbers: Floats, codes: Any, values: Floats, bins: Ints) -> _Side:
    place = np.where(np.isnan(numbers), -1, np.searchsorted(values, numbers))
    return _Side(place[codes], bins[place][codes])
