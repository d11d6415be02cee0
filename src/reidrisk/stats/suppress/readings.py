"""One answer under both readings of a star: it matches everything, or it is a value like any other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.suppress.compatible import Rows, compatible_sizes, released_rows
from reidrisk.stats.suppress.groups import Codes, column_keys, number_keys, scratch_slots
from reidrisk.stats.suppress.result import Stars


@dataclass(frozen=True, slots=True)
class Reading:
    """What the classes are if stars are read in one way."""

    smallest: int
    """Records in the smallest class."""
    highest: float
    """Risk of the most exposed record: 1 / smallest class."""
    average: float
    """Mean of 1 / class size over the records."""
    share_below: float
    """Share of records in classes below the cell size."""


@dataclass(frozen=True, slots=True)
class Readings:
    """What is claimed under the wildcard reading, and what an adversary who knows the rule sees."""

    wildcard: Reading
    """A star matches every value."""
    value: Reading
    """A star is a value: who knows why cells were starred tells starred records from others."""


def readings(codes: Codes, stars: Stars, *, k: int) -> Readings:
    """Both readings of an answer; `codes` are the distinct tuples before it."""
    rows = released_rows(codes, stars)
    return Readings(
        _reading(compatible_sizes(*rows), rows.numbers, k), _reading(value_sizes(rows), rows.numbers, k)
    )


def value_sizes(rows: Rows) -> Ints:
    """For each row the records that have the same values and the same stars."""
    ids = np.empty(len(rows.codes), dtype=np.int32)
    keys = column_keys(rows.codes + 1).sum(axis=1, dtype=np.uint64)
    found = number_keys(keys, scratch_slots(len(ids)), ids)
    sums = np.zeros(found, dtype=np.int64)
    np.add.at(sums, ids, rows.numbers)
    return sums[ids]


def _reading(sizes: Ints, numbers: Ints, k: int) -> Reading:
    records, smallest = int(numbers.sum()), int(sizes.min())
    return Reading(
        smallest,
        1 / smallest,
        float((numbers / sizes).sum()) / records,
        int(numbers[sizes < k].sum()) / records,
    )
