"""Mondrian: cut the table in halves while both are large enough.

LeFevre, DeWitt, Ramakrishnan 2006, doi:10.1109/ICDE.2006.101, with hierarchies for categories.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.lattice.inputs import Codes, Tuples


def span(group: Ints, values: Codes | Ints) -> tuple[Ints, Ints]:
    """By tuple: the least and the greatest value in its group."""
    low = np.full(int(group.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    high = np.full(low.size, np.iinfo(np.int64).min)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    return low[group], high[group]


def lowest_step(group: Ints, values: Codes, steps: Sequence[Codes]) -> Ints:
    """By tuple: the first step on which its group has one value; the number of steps if there is none.

    >>> pairs = [np.array([0, 1, 2], dtype=np.int32), np.array([0, 0, 1], dtype=np.int32)]
    >>> lowest_step(np.array([0, 0, 1]), np.array([0, 1, 2], dtype=np.int32), pairs).tolist()
    [1, 1, 0]
    """
    found = np.full(len(group), len(steps), dtype=np.int64)
    for number in range(len(steps) - 1, -1, -1):
        low, high = span(group, steps[number][values])
        found[low == high] = number
    return found


Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True, eq=False)
class MondrianAxis:
    """One column as used by Mondrian."""

    weight: float
    steps: tuple[Codes, ...] = field(repr=False)
    """By step: the code of each value; a column that is halved has only the values."""
    lost: tuple[Floats, ...] = field(repr=False)
    """By step and value: the share of the column that is lost; past the last step it is 1."""
    is_halved: bool
    """Whether the values are ordered, so that parts are ranges."""
    missing: int = -1
    """The code of a missing value, which belongs to no range."""


def mondrian(
    tuples: Tuples, axes: Sequence[MondrianAxis], cell_size: int, *, stop: Stop | None = None
) -> Ints:
    """By tuple: its group. Each group has at least the cell size, and no allowed cut is left in it.

    The column in which a group is least precise is cut first.
    """
    if cell_size < 1:
        raise InvalidSetting(f"The cell size cannot be {cell_size}.", hint="Give a cell size of 1 or more.")
    group = np.zeros(len(tuples.counts), dtype=np.int64)
    waiting, groups = [np.arange(len(tuples.counts))], 0
    while waiting:
        rows = waiting.pop()
        parts = None if stop is not None and stop() else _cut(tuples, axes, rows, cell_size)
        if parts is None:
            group[rows] = groups
            groups += 1
        else:
            waiting += parts
    return group


def _cut(tuples: Tuples, axes: Sequence[MondrianAxis], rows: Ints, cell_size: int) -> list[Ints] | None:
    counts = tuples.counts[rows]
    if counts.sum() < 2 * cell_size:
        return None
    values = [tuples.codes[rows, place] for place in range(len(axes))]
    spread = [axis.weight * _loss(axis, each) for axis, each in zip(axes, values, strict=True)]
    for place in sorted(range(len(axes)), key=lambda at: -spread[at]):
        if spread[place] <= 0:
            return None
        labels = _parts(axes[place], values[place], counts, cell_size)
        if labels is not None:
            return [rows[labels == label] for label in np.unique(labels)]
    return None


def _loss(axis: MondrianAxis, values: Codes) -> float:
    """The share of the column that a group with these values covers."""
    if axis.is_halved:
        known = values[values != axis.missing]
        if known.size < values.size:
            return 1.0 if known.size else 0.0
        return float(known.max() - known.min()) / max(1, axis.steps[0].size - 1)
    for codes, lost in zip(axis.steps, axis.lost, strict=True):
        if (codes[values] == codes[values[0]]).all():
            return float(lost[values[0]])
    return 1.0


def _parts(axis: MondrianAxis, values: Codes, counts: Ints, cell_size: int) -> Ints | None:
    """The part of each tuple, all parts large enough; None if there is no such cut."""
    if axis.is_halved:
        gone = values == axis.missing
        if gone.any() and not gone.all():
            return _large(gone.astype(np.int64), counts, cell_size)
        return _halves(values, counts, cell_size)
    for codes in reversed(axis.steps):
        labels = codes[values]
        if (labels != labels[0]).any():
            return _large(labels.astype(np.int64), counts, cell_size)
    return None


def _large(labels: Ints, counts: Ints, cell_size: int) -> Ints | None:
    _, of = np.unique(labels, return_inverse=True)
    return labels if np.bincount(of, weights=counts).min() >= cell_size else None


def _halves(values: Codes, counts: Ints, cell_size: int) -> Ints | None:
    """Cut where the two sides are closest in size; equal values stay together."""
    found, of = np.unique(values, return_inverse=True)
    below = np.cumsum(np.bincount(of, weights=counts))[:-1]
    total = counts.sum()
    allowed: Bools = (below >= cell_size) & (total - below >= cell_size)
    if not allowed.any():
        return None
    cut = int(np.argmin(np.where(allowed, np.abs(below - total / 2), np.inf)))
    return np.asarray(values > found[cut], dtype=np.int64)
