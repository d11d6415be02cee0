"""Microaggregation: groups of similar tuples, each at least as large as the cell size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints

BLOCK = 20_000
"""Tuples that are grouped together; the time grows with the square of this number."""
ROUNDS = 100
"""Rounds between two calls of `stop`."""
Stop = Callable[[], bool]


def microaggregate(points: Floats, counts: Ints, cell_size: int, *, stop: Stop | None = None) -> Ints:
    """By tuple: its group of at least the cell size; one group for all if there are fewer records.

    Tuples are never split, and a tuple that is large enough is a group of its own. Large tables are first
    halved where they are widest, until each part has at most BLOCK tuples. When `stop` ends the search, the
    rest of each part becomes one group: large enough, but less precise.
    """
    if cell_size < 1:
        raise InvalidSetting(f"The cell size cannot be {cell_size}.", hint="Give a cell size of 1 or more.")
    if points.ndim != 2 or len(points) != len(counts) or not np.isfinite(points).all():
        raise InvalidSetting(
            "Points and counts do not match.", hint="Give one row of finite numbers for each count."
        )
    group = np.full(len(counts), -1, dtype=np.int64)
    if counts.sum() < 2 * cell_size:
        group[:] = 0
        return group
    large = np.flatnonzero(counts >= cell_size)
    group[large] = np.arange(len(large))
    groups = len(large)
    small = np.flatnonzero(counts < cell_size)
    for block in _blocks(points, counts, small):
        groups = _group_part(points, counts, group, block, GroupingRun(cell_size, groups, stop))
    if (group < 0).any():
        _kernel().join(points, group, np.arange(len(counts)))
    return group


@dataclass(frozen=True, slots=True)
class GroupingRun:
    """How to group a part."""

    cell_size: int
    groups: int
    """Number of existing groups."""
    stop: Stop | None


def _group_part(points: Floats, counts: Ints, group: Ints, left: Ints, way: GroupingRun) -> int:
    """Group the tuples of a part, a few rounds at a time; returns the new number of groups."""
    kernel, size, groups = _kernel(), way.cell_size, way.groups
    total, records = kernel.begin(points, counts, left)
    number = left.size
    while records >= 2 * size and not (way.stop is not None and way.stop()):
        groups, number, records = kernel.mdav(
            points, counts, group, left[:number], total, records, size, groups, ROUNDS
        )
    if records < size:
        return groups
    group[left[:number]] = groups
    return groups + 1


def _blocks(points: Floats, counts: Ints, rows: Ints) -> list[Ints]:
    """Parts of at most BLOCK tuples, with similar ones together."""
    done: list[Ints] = []
    waiting = [rows]
    while waiting:
        part = waiting.pop()
        if part.size <= BLOCK:
            done.append(part)
            continue
        widest = int(np.argmax(np.ptp(points[part], axis=0)))
        ordered = part[np.argsort(points[part, widest], kind="stable")]
        half = max(1, int(np.searchsorted(np.cumsum(counts[ordered]), counts[ordered].sum() / 2)))
        waiting += [ordered[:half], ordered[half:]]
    return [np.sort(part) for part in done if part.size]


def _kernel() -> ModuleType:
    """The compiled module; loaded when it runs, because loading takes a moment."""
    from reidrisk.stats.partition import mdav_kernel

    return mdav_kernel
