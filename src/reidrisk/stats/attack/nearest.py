"""The released records nearest to each target.

Records are sorted by a column of categories and, within a category, by a column of numbers: the keys. Near
categories are searched first, outward from the number closest to the target's. The search stops where the
keys alone are farther away than the nearest record found.

The distance of two numbers is their difference in units of the column's range; that of two categories is 0 or
1 (Gower 1971, doi:10.2307/2528823). The distance of a generalized value is the mean over the values that it
covers.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.limits import cores_now
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.attack.columns import AttackColumn
from reidrisk.stats.compiled import compiled
from reidrisk.stats.grouping import grouped

Codes = NDArray[np.int32]
SLACK = 1e-12
"""Distances that differ by less are equal: the same sum in another order may differ in the last digit."""


class Side(NamedTuple):
    """Records, split into columns of numbers and columns of categories."""

    middle: Floats
    half: Floats
    codes: Codes


class SearchRows(NamedTuple):
    """The records to search, each once, sorted by the key."""

    side: Side
    counts: Ints
    """Number of rows with this record."""
    priority: Ints
    """Among equally near records, the one with the lowest value is taken."""
    starts: Ints
    """Where the records of each value of the first category column begin; without one, all are in one block.
    """
    offsets: Ints
    """Where the values of each category column begin in the table of distances."""
    wide: bool
    """Whether targets are released records, which may cover several values."""


class CategoryBlock(NamedTuple):
    """Records of one category, and their distance by the category alone."""

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
    """Number of values that the other tables have in each column."""
    groups: Codes


class NearestRows(NamedTuple):
    """For each target the nearest records, and the number of rows that are as near as the first."""

    row: Ints
    """One row per target, the nearest first."""
    distance: Floats
    """Infinite where no record is left."""
    ties: Ints


@compiled
def expected_distance(one: float, other: float, half: float) -> float:
    """Expected distance of a number from one that may be anywhere in an interval.

    Two missing values have distance 0; a missing value has distance 1 from any number.
    """
    if np.isnan(one) or np.isnan(other):
        return 0.0 if np.isnan(one) and np.isnan(other) else 1.0
    apart = abs(one - other)
    return apart if apart >= half else (apart * apart + half * half) / (2.0 * half)


@compiled
def least_distance(one: float, other: float, half: float) -> float:
    """Least distance of a number from an interval; 0 inside it."""
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
    """Distances of a released record from every known value: 0 if the record may stand for it."""
    for column in range(target.size):
        own = covers.start[column] + target[column]
        at = covers.base[column] + covers.layer[own] * covers.known[column]
        for value in range(covers.known[column]):
            held = covers.groups[at + value] == covers.group[own]
            table[offsets[column] + value] = 0.0 if held else 1.0


@compiled
def distance_to(targets: Side, target: int, rows: SearchRows, row: int, table: Floats) -> float:
    """Distance of one record from the target whose table is filled."""
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
def comes_before(
    at: int, distance: float, rows: SearchRows, found: NearestRows, target: int, place: int
) -> bool:
    """Whether a record is nearer than the one currently at a place, or as near and preferred."""
    other = found.distance[target, place]
    if distance < other - SLACK:
        return True
    is_preferred = rows.priority[at] < rows.priority[found.row[target, place]]
    return bool(distance <= other + SLACK and is_preferred)


@compiled
def look(at: int, distance: float, rows: SearchRows, found: NearestRows, target: int) -> None:
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
def search_block(
    targets: Side, target: int, rows: SearchRows, block: CategoryBlock, table: Floats, found: NearestRows
) -> None:
    """Search the records of one category, sorted by the first column of numbers, missing numbers last."""
    wanted, full = np.nan, block.start
    if rows.side.middle.shape[1] > 0:
        wanted, full = targets.middle[target, 0], block.end
        while full > block.start and np.isnan(rows.side.middle[full - 1, 0]):
            full -= 1
    if np.isnan(wanted):
        full = block.start
    else:
        search_outwards(targets, target, rows, CategoryBlock(block.start, full, block.bound), table, found)
    for at in range(full, block.end):
        look(at, distance_to(targets, target, rows, at, table), rows, found, target)


@compiled
def search_outwards(
    targets: Side, target: int, rows: SearchRows, block: CategoryBlock, table: Floats, found: NearestRows
) -> None:
    """Search outward from the closest number, as long as the keys alone are near enough."""
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
def search(
    targets: Side, rows: SearchRows, covers: Covers, part: tuple[int, int], found: NearestRows
) -> None:
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
                block = CategoryBlock(rows.starts[value], rows.starts[value + 1], bound)
                search_block(targets, target, rows, block, table, found)


@compiled
def own_distance(targets: Side, rows: SearchRows, covers: Covers, own: Ints, out: Floats) -> None:
    """The distance of each target from one given record."""
    table = np.empty(rows.offsets[rows.side.codes.shape[1]], dtype=np.float64)
    for target in range(own.size):
        if rows.wide:
            fill_from_released(targets.codes[target], covers, rows.offsets, table)
        else:
            fill_from_known(targets.codes[target], covers, rows.offsets, table)
        out[target] = distance_to(targets, target, rows, own[target], table)


AT_ONCE = 64
"""Targets per thread and batch."""
SOME, NEAR = 500, 0.02
"""Sample size to judge a column as a key, and the distance within which rows are counted."""


class NearestRow(NamedTuple):
    """For each target the nearest row, its distance, and the number of rows that are as near."""

    row: Ints
    distance: Floats
    ties: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Records prepared for the search."""

    columns: tuple[AttackColumn, ...]
    """Numbers first; within each kind, the key first."""
    order: Ints
    """The position of each of these among the given columns."""
    numbers: int
    rows: SearchRows = field(repr=False)
    covers: Covers = field(repr=False)
    of: Ints = field(repr=False)
    """The distinct record of each row."""
    drawn: Ints = field(repr=False)
    """Among equally near rows, the one with the lowest value is taken."""

    def find(self, targets: Codes) -> NearestRow:
        """The nearest row of every target, its distance, and the number of rows that are as near."""
        found = self._nearest(targets, 1)
        back = np.empty_like(self.drawn)
        back[self.drawn] = np.arange(self.drawn.size)
        return NearestRow(back[self.rows.priority[found.row[:, 0]]], found.distance[:, 0], found.ties)

    def find_many(self, targets: Codes, many: int) -> Ints:
        """The nearest rows of every target, one line per target; -1 where there are no more.

        Rows with the same record are equally near, so at most `many` of each can be among the nearest.
        """
        found = self._nearest(targets, many)
        kept = np.zeros(self.rows.counts.size, dtype=np.bool_)
        kept[found.row] = True
        rows = np.flatnonzero(kept[self.of])
        rows = rows[np.lexsort((self.drawn[rows], self.of[rows]))]
        record = self.of[rows]
        place = np.searchsorted(record, found.row)[:, :, None] + np.arange(many)
        inside = np.minimum(place, rows.size - 1)
        is_row = (place == inside) & (record[inside] == found.row[:, :, None])
        is_row &= np.isfinite(found.distance)[:, :, None]
        further = found.distance[:, 1:] > found.distance[:, :-1] + SLACK
        rank = np.concatenate([np.zeros((len(targets), 1), np.int64), np.cumsum(further, axis=1)], axis=1)
        key = rank[:, :, None] * self.drawn.size + self.drawn[rows[inside]]
        key = np.where(is_row, key, np.iinfo(np.int64).max).reshape(len(targets), -1)
        every = np.where(is_row, rows[inside], -1).reshape(len(targets), -1)
        return np.take_along_axis(every, np.argsort(key, axis=1, kind="stable")[:, :many], axis=1)

    def _nearest(self, targets: Codes, many: int) -> NearestRows:
        given, size = self._side(targets), len(targets)
        found = NearestRows(
            np.zeros((size, many), dtype=np.int64),
            np.full((size, many), np.inf),
            np.zeros(size, dtype=np.int64),
        )
        parts = [(at, min(at + AT_ONCE, size)) for at in range(0, size, AT_ONCE)]
        with ThreadPoolExecutor(cores_now()) as pool:
            list(pool.map(lambda part: search(given, self.rows, self.covers, part, found), parts))
        return found

    def distances(self, targets: Codes, own: Ints) -> Floats:
        """The distance of each target from the row given for it."""
        out = np.empty(len(targets))
        own_distance(self._side(targets), self.rows, self.covers, self.of[own], out)
        return out

    def _side(self, targets: Codes) -> Side:
        return _side(self.columns, targets[:, self.order], self.numbers, released=self.rows.wide)


def nearest_in(
    columns: Sequence[AttackColumn], rows: Codes, *, wide: bool, rng: np.random.Generator
) -> Nearest:
    """Prepare rows for the search: released rows or, with `wide`, people to be matched by released records.

    Equal rows are searched once. Which of them is returned is drawn here, the same for all targets.
    """
    order, numbers = _keys_first(columns, rows, released=not wide)
    chosen = tuple(columns[at] for at in order)
    alike = grouped(rows[:, order], np.ones(len(rows), dtype=np.int64))
    side = _side(chosen, alike.codes, numbers, released=not wide)
    has_words = numbers < len(order)
    first_word = side.codes[:, 0] if has_words else np.zeros(len(alike.codes), dtype=np.int32)
    sorted_ = np.lexsort((side.middle[:, 0], first_word) if numbers else (first_word,))
    place = np.empty_like(sorted_)
    place[sorted_] = np.arange(len(sorted_))
    of = place[alike.of]
    drawn = rng.permutation(of.size)
    priority = np.full(len(sorted_), of.size, dtype=np.int64)
    np.minimum.at(priority, of, drawn)
    widths = [_width(one, released=not wide) for one in chosen[numbers:]]
    ready = SearchRows(
        Side(side.middle[sorted_], side.half[sorted_], side.codes[sorted_]),
        alike.counts[sorted_],
        priority,
        np.searchsorted(first_word[sorted_], np.arange((widths[0] if has_words else 1) + 1)).astype(np.int64),
        np.concatenate([[0], np.cumsum(widths)]).astype(np.int64),
        wide,
    )
    return Nearest(chosen, np.array(order), numbers, ready, _covers(chosen[numbers:]), of, drawn)


def _keys_first(columns: Sequence[AttackColumn], rows: Codes, *, released: bool) -> tuple[list[int], int]:
    """Numbers before categories; within each kind, the column that leaves the fewest rows to search first."""

    def left(at: int) -> float:
        extent = columns[at].released if released else columns[at].known
        if extent is None:
            return float(((np.bincount(rows[:, at]) / len(rows)) ** 2).sum())
        numbers = np.sort(extent.middle[rows[:, at]])
        some = numbers[:: max(1, len(numbers) // SOME)]
        near = np.searchsorted(numbers, some + NEAR) - np.searchsorted(numbers, some - NEAR)
        return float(near.mean()) / len(rows)

    order = sorted(range(len(columns)), key=lambda at: (columns[at].known is None, left(at)))
    return order, sum(one.known is not None for one in columns)


def _side(columns: Sequence[AttackColumn], codes: Codes, numbers: int, *, released: bool) -> Side:
    middle, half = np.empty((len(codes), numbers)), np.empty((len(codes), numbers))
    for at, one in enumerate(columns[:numbers]):
        extent = one.released if released else one.known
        if extent is not None:
            middle[:, at], half[:, at] = extent.middle[codes[:, at]], extent.half[codes[:, at]]
    return Side(middle, half, np.ascontiguousarray(codes[:, numbers:]))


def _width(column: AttackColumn, *, released: bool) -> int:
    return int(column.cover.layer.size if released else column.cover.groups.shape[1])


def _covers(columns: Sequence[AttackColumn]) -> Covers:
    covers = [one.cover for one in columns]
    values = [one.layer.size for one in covers]
    cells = [one.groups.size for one in covers]
    return Covers(
        np.concatenate([[0], np.cumsum(values)]).astype(np.int64),
        _join([one.layer for one in covers]),
        _join([one.group for one in covers]),
        _join([one.size for one in covers]),
        np.concatenate([[0], np.cumsum(cells)]).astype(np.int64),
        np.array([one.groups.shape[1] for one in covers], dtype=np.int64),
        np.concatenate([np.empty(0, np.int32), *(one.groups.ravel() for one in covers)]),
    )


def _join(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([np.empty(0, dtype=np.int64), *parts]).astype(np.int64)
