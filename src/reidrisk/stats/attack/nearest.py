"""The nearest record in another table, by Gower's distance.

Numbers are as far apart as their difference in units of the column's range, categories 0 or 1 (Gower 1971,
doi:10.2307/2528823). A generalized value is as far as one of the values that it may stand for, on average.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.attack.columns import Compared
from reidrisk.stats.attack.nearest_kernels import (
    SLACK,
    Codes,
    Covers,
    Found,
    Rows,
    Side,
    own_distance,
    search,
)
from reidrisk.stats.grouping import grouped

AT_ONCE = 64
"""Targets that a thread takes at a time."""
SOME, NEAR = 500, 0.02
"""Values by which a column is judged as a key, and how far from them rows are counted."""


class One(NamedTuple):
    """For each target the nearest row, its distance, and how many rows are as near."""

    row: Ints
    distance: Floats
    ties: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Records made ready to be searched."""

    columns: tuple[Compared, ...]
    """Numbers first, in each kind the key first."""
    order: Ints
    """The place of each of these among the columns given."""
    numbers: int
    rows: Rows = field(repr=False)
    covers: Covers = field(repr=False)
    of: Ints = field(repr=False)
    """The record searched that each row is."""
    drawn: Ints = field(repr=False)
    """Of equally near rows the one with the least is taken."""

    def find(self, targets: Codes) -> One:
        """The nearest row of every target, how near it is, and how many rows are as near."""
        found = self._nearest(targets, 1)
        back = np.empty_like(self.drawn)
        back[self.drawn] = np.arange(self.drawn.size)
        return One(back[self.rows.priority[found.row[:, 0]]], found.distance[:, 0], found.ties)

    def find_many(self, targets: Codes, many: int) -> Ints:
        """The nearest rows of every target, one line a target; -1 where there are no more.

        Rows of a record are equally near, so that no more than `many` of each can be among the nearest.
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

    def _nearest(self, targets: Codes, many: int) -> Found:
        given, size = self._side(targets), len(targets)
        found = Found(
            np.zeros((size, many), dtype=np.int64),
            np.full((size, many), np.inf),
            np.zeros(size, dtype=np.int64),
        )
        parts = [(at, min(at + AT_ONCE, size)) for at in range(0, size, AT_ONCE)]
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(lambda part: search(given, self.rows, self.covers, part, found), parts))
        return found

    def distances(self, targets: Codes, own: Ints) -> Floats:
        """How far each target is from the row named for it."""
        out = np.empty(len(targets))
        own_distance(self._side(targets), self.rows, self.covers, self.of[own], out)
        return out

    def _side(self, targets: Codes) -> Side:
        return _side(self.columns, targets[:, self.order], self.numbers, released=self.rows.wide)


def nearest_in(columns: Sequence[Compared], rows: Codes, *, wide: bool, rng: np.random.Generator) -> Nearest:
    """Make rows ready: those of a release, or with `wide` those of people whom released records look for.

    Equal rows are searched once; which of them is taken is drawn here, the same for all targets.
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
    ready = Rows(
        Side(side.middle[sorted_], side.half[sorted_], side.codes[sorted_]),
        alike.counts[sorted_],
        priority,
        np.searchsorted(first_word[sorted_], np.arange((widths[0] if has_words else 1) + 1)).astype(np.int64),
        np.concatenate([[0], np.cumsum(widths)]).astype(np.int64),
        wide,
    )
    return Nearest(chosen, np.array(order), numbers, ready, _covers(chosen[numbers:]), of, drawn)


def _keys_first(columns: Sequence[Compared], rows: Codes, *, released: bool) -> tuple[list[int], int]:
    """Numbers before categories, and in each kind the column first that leaves fewest rows to look at."""

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


def _side(columns: Sequence[Compared], codes: Codes, numbers: int, *, released: bool) -> Side:
    middle, half = np.empty((len(codes), numbers)), np.empty((len(codes), numbers))
    for at, one in enumerate(columns[:numbers]):
        extent = one.released if released else one.known
        if extent is not None:
            middle[:, at], half[:, at] = extent.middle[codes[:, at]], extent.half[codes[:, at]]
    return Side(middle, half, np.ascontiguousarray(codes[:, numbers:]))


def _width(column: Compared, *, released: bool) -> int:
    return int(column.cover.layer.size if released else column.cover.groups.shape[1])


def _covers(columns: Sequence[Compared]) -> Covers:
    covers = [one.cover for one in columns]
    values = [one.layer.size for one in covers]
    cells = [one.groups.size for one in covers]
    return Covers(
        np.concatenate([[0], np.cumsum(values)]).astype(np.int64),
        _joined([one.layer for one in covers]),
        _joined([one.group for one in covers]),
        _joined([one.size for one in covers]),
        np.concatenate([[0], np.cumsum(cells)]).astype(np.int64),
        np.array([one.groups.shape[1] for one in covers], dtype=np.int64),
        np.concatenate([np.empty(0, np.int32), *(one.groups.ravel() for one in covers)]),
    )


def _joined(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([np.empty(0, dtype=np.int64), *parts]).astype(np.int64)
