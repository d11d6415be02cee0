"""Compiled: the search for the nearest record.

Records are sorted by a column of categories, and within a category by a column of numbers: the keys. Near
categories are searched first, from the number nearest to the target's outwards, up to where the keys alone
are farther away than the nearest record found.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled

Codes = NDArray[np.int32]
SLACK = 1e-12
"""Distances that differ by less are equal: the same sum in another order may differ in the last digit."""


class Side(NamedTuple):
    """Records by their columns of numbers and of categories."""

    middle: Floats
    half: Floats
    codes: Codes


class Rows(NamedTuple):
    """The records that are searched, each once, sorted by the key."""

    side: Side
    counts: Ints
    """How many rows are this record."""
    priority: Ints
    """Of equally near records the one with the least is taken."""
    starts: Ints
    """Where the records of each value of the first column of categories begin; without one all are alike."""
    offsets: Ints
    """Where the values of each column of categories begin in the table of distances."""
    wide: bool
    """Whether targets are released records, which may stand for several values."""


class Block(NamedTuple):
    """Records of one category, and how far away they are by that alone."""

    start: int
    end: int
    bound: float


class Covers(NamedTuple):
    """Columns of categories, one after the other."""

    start: Ints
    """Where the released values of each column begin."""
    layer: Ints
    group: Ints
    size: Ints
    base: Ints
    """Where the groups of each column begin."""
    known: Ints
    """How many values the other tables have in each column."""
    groups: Codes


class Found(NamedTuple):
    """For each target the nearest records, and how many rows are as near as the first."""

    row: Ints
    """One row a target, the nearest first."""
    distance: Floats
    """Infinite where there is no record left."""
    ties: Ints


@compiled
def expected_distance(one: float, other: float, half: float) -> float:
    """Of a number from one that may be anywhere in an interval.

    Two missing values are equal, one is apart from any number.
    """
    if np.isnan(one) or np.isnan(other):
        return 0.0 if np.isnan(one) and np.isnan(other) else 1.0
    apart = abs(one - other)
    return apart if apart >= half else (apart * apart + half * half) / (2.0 * half)


@compiled
def least_distance(one: float, other: float, half: float) -> float:
    """Of a number from an interval, all of which is at distance 0."""
    if np.isnan(one) or np.isnan(other):
        return 0.0 if np.isnan(one) and np.isnan(other) else 1.0
    return max(0.0, abs(one - other) - half)


@compiled
def fill_from_known(target: Codes, covers: Covers, offsets: Ints, table: Floats) -> None:
    """Distances of a person from every released value: the chance that it stands for another value."""
    for column in range(target.size):
        first, last = covers.start[column], covers.start[column + 1]
        for own in range(first, last):
            at = covers.base[column] + covers.layer[own] * covers.known[column] + target[column]
            held = covers.groups[at] == covers.group[own]
            table[offsets[column] + own - first] = 1.0 - 1.0 / covers.size[own] if held else 1.0


@compiled
def fill_from_released(target: Codes, covers: Covers, offsets: Ints, table: Floats) -> None:
    """Distances of a released record from every known value: 0 if it may stand for it."""
    for column in range(target.size):
        own = covers.start[column] + target[column]
        at = covers.base[column] + covers.layer[own] * covers.known[column]
        for value in range(covers.known[column]):
            held = covers.groups[at + value] == covers.group[own]
            table[offsets[column] + value] = 0.0 if held else 1.0


@compiled
def distance_to(targets: Side, target: int, rows: Rows, row: int, table: Floats) -> float:
    """Of one record from the target whose table is filled."""
    total = 0.0
    for column in range(rows.side.middle.shape[1]):
        one, other = targets.middle[target, column], rows.side.middle[row, column]
        if rows.wide:
            total += least_distance(one, other, targets.half[target, column])
        else:
            total += expected_distance(one, other, rows.side.half[row, column])
    for column in range(rows.side.codes.shape[1]):
        total += table[rows.offsets[column] + rows.side.codes[row, column]]
    return total


@compiled
def comes_before(at: int, distance: float, rows: Rows, found: Found, target: int, place: int) -> bool:
    """Whether a record is nearer than the one at a place so far, or as near and to be preferred."""
    other = found.distance[target, place]
    if distance < other - SLACK:
        return True
    is_preferred = rows.priority[at] < rows.priority[found.row[target, place]]
    return bool(distance <= other + SLACK and is_preferred)


@compiled
def look(at: int, distance: float, rows: Rows, found: Found, target: int) -> None:
    """Keep a record if it is among the nearest so far."""
    best, many = found.distance[target, 0], found.distance.shape[1]
    if distance > found.distance[target, many - 1] + SLACK:
        return
    if distance < best - SLACK:
        found.ties[target] = rows.counts[at]
    elif distance <= best + SLACK:
        found.ties[target] += rows.counts[at]
    place = many
    while place > 0 and comes_before(at, distance, rows, found, target, place - 1):
        place -= 1
    if place == many:
        return
    for moved in range(many - 1, place, -1):
        found.distance[target, moved] = found.distance[target, moved - 1]
        found.row[target, moved] = found.row[target, moved - 1]
    found.distance[target, place], found.row[target, place] = distance, at


@compiled
def search_block(targets: Side, target: int, rows: Rows, block: Block, table: Floats, found: Found) -> None:
    """Records of one category; they are sorted by the first column of numbers, those without one last."""
    wanted, full = np.nan, block.start
    if rows.side.middle.shape[1] > 0:
        wanted, full = targets.middle[target, 0], block.end
        while full > block.start and np.isnan(rows.side.middle[full - 1, 0]):
            full -= 1
    if np.isnan(wanted):
        full = block.start
    else:
        search_outwards(targets, target, rows, Block(block.start, full, block.bound), table, found)
    for at in range(full, block.end):
        look(at, distance_to(targets, target, rows, at, table), rows, found, target)


@compiled
def search_outwards(
    targets: Side, target: int, rows: Rows, block: Block, table: Floats, found: Found
) -> None:
    """From the nearest number to both sides, while the keys alone are not too far away."""
    key, wanted = rows.side.middle, targets.middle[target, 0]
    near = block.bound - (targets.half[target, 0] if rows.wide else 0.0)
    last = found.distance.shape[1] - 1
    low, high = block.start, block.end
    while low < high:
        middle = (low + high) // 2
        if key[middle, 0] < wanted:
            low = middle + 1
        else:
            high = middle
    left, right = low - 1, low
    while left >= block.start or right < block.end:
        before = wanted - key[left, 0] if left >= block.start else np.inf
        after = key[right, 0] - wanted if right < block.end else np.inf
        if near + min(before, after) > found.distance[target, last] + SLACK:
            break
        if before < after:
            at, left = left, left - 1
        else:
            at, right = right, right + 1
        look(at, distance_to(targets, target, rows, at, table), rows, found, target)


@compiled
def search(targets: Side, rows: Rows, covers: Covers, part: tuple[int, int], found: Found) -> None:
    """The nearest record of each target in a part of them; far categories only if nothing was near."""
    words, last = rows.side.codes.shape[1], found.distance.shape[1] - 1
    table = np.empty(rows.offsets[words], dtype=np.float64)
    for target in range(part[0], part[1]):
        if rows.wide:
            fill_from_released(targets.codes[target], covers, rows.offsets, table)
        else:
            fill_from_known(targets.codes[target], covers, rows.offsets, table)
        for far in (False, True):
            for value in range(rows.starts.size - 1):
                bound = table[value] if words > 0 else 0.0
                if (bound >= 1.0) != far or bound > found.distance[target, last] + SLACK:
                    continue
                block = Block(rows.starts[value], rows.starts[value + 1], bound)
                search_block(targets, target, rows, block, table, found)


@compiled
def own_distance(targets: Side, rows: Rows, covers: Covers, own: Ints, out: Floats) -> None:
    """The distance of each target from one record named for it."""
    table = np.empty(rows.offsets[rows.side.codes.shape[1]], dtype=np.float64)
    for target in range(own.size):
        if rows.wide:
            fill_from_released(targets.codes[target], covers, rows.offsets, table)
        else:
            fill_from_known(targets.codes[target], covers, rows.offsets, table)
        out[target] = distance_to(targets, target, rows, own[target], table)
