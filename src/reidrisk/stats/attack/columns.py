"""The columns of an attack: values, generalized values, and which of them cover which.

Released values are put into layers. Within a layer no two values cover the same original value: exact values
are one layer, decades another, the suppressed cell a third. On a layer, a value of the other table belongs to
one group, so that records can be matched by equal numbers however coarse they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Floats, Ints

NONE = -2
"""The group of a released value that covers no known value; no value has it."""


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """The released values of a column, matched to the values of the other tables."""

    layer: Ints = field(repr=False)
    """Layer of each released value."""
    group: Ints = field(repr=False)
    """Group of each released value, within its layer."""
    groups: NDArray[np.int32] = field(repr=False)
    """By layer and value of the other tables: its group, -1 for none."""
    size: Ints = field(repr=False)
    """Number of values that each released value covers."""
    first: Ints = field(repr=False)
    """The first of these values."""
    last: Ints = field(repr=False)

    def holds(self, released: NDArray[np.int32], others: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether each released value covers the value beside it."""
        held: NDArray[np.bool_] = self.groups[self.layer[released], others] == self.group[released]
        return held


def cover(exact: Ints, wider: Mapping[int, Ints], domain: int) -> Cover:
    """Put released values into layers.

    `exact` has the single value that each released value covers, or -1. `wider` has the values of those that
    cover more or fewer than one.

    >>> cover(np.array([1, -1]), {1: np.array([0, 1])}, 2).groups.tolist()
    [[0, 1], [0, 0]]
    """
    layer = np.zeros(exact.size, dtype=np.int64)
    group = np.where(exact >= 0, exact, NONE)
    size = (exact >= 0).astype(np.int64)
    first, last = np.maximum(exact, 0), np.where(exact >= 0, exact, -1)
    rows = [np.arange(domain, dtype=np.int32)]
    known: dict[bytes, tuple[int, int]] = {}
    for value, held in sorted(wider.items(), key=lambda one: (one[1].size, one[0])):
        size[value] = held.size
        if not held.size:
            continue
        key = np.sort(held).tobytes()
        if key not in known:
            known[key] = _first_free_layer(rows, held, domain)
        layer[value], group[value] = known[key]
        first[value], last[value] = held.min(), held.max()
    return Cover(layer, group, np.stack(rows), size, first, last)


def _first_free_layer(rows: list[NDArray[np.int32]], held: Ints, domain: int) -> tuple[int, int]:
    """The first layer on which no other released value covers any of these values."""
    for at in range(1, len(rows)):
        if not (rows[at][held] >= 0).any():
            break
    else:
        at = len(rows)
        rows.append(np.full(domain, -1, dtype=np.int32))
    group = int(rows[at].max(initial=-1)) + 1
    rows[at][held] = group
    return at, group


class Extent(NamedTuple):
    """Numbers and intervals, in units of the column's whole range."""

    middle: Floats
    """Midpoints of the values; NaN for a value that is not a number."""
    half: Floats
    """Half the width; 0 for a single number."""


@dataclass(frozen=True, slots=True, eq=False)
class AttackColumn:
    """The values that released values cover, and their distances from the values of the other tables."""

    cover: Cover
    released: Extent | None = field(default=None, repr=False)
    """Extent of each released value, in a column of numbers."""
    known: Extent | None = field(default=None, repr=False)
    """Extent of each value of the other tables."""
    is_ordered: bool = False
    """Whether released values are unchanged numbers in ascending order, so that they can be compared."""
