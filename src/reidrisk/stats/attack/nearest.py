"""The nearest record in another table, by Gower's distance.

Numbers are as far apart as their difference in units of the column's range, categories 0 or 1 (Gower 1971,
doi:10.2307/2528823). A generalized value is as far as one of the values that it may stand for, on average.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.attack.columns import Compared
from reidrisk.stats.attack.nearest_kernels import Codes, Covers, Found, Rows, Side, own_distance, search
from reidrisk.stats.grouping import grouped

AT_ONCE = 64
"""Targets that a thread takes at a time."""
SOME, NEAR = 500, 0.02
"""Values by which a column is judged as a key, and how far from them rows are counted."""


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
    first: Ints = field(repr=False)
    """The row that stands for each record searched."""

    def find(self, targets: Codes) -> Found:
        """The nearest row of every target, how near it is, and how many rows are as near."""
        given = self._side(targets)
        many = len(targets)
        found = Found(np.zeros(many, dtype=np.int64), np.full(many, np.inf), np.zeros(many, dtype=np.int64))
        parts = [(at, min(at + AT_ONCE, many)) for at in range(0, many, AT_ONCE)]
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(lambda part: search(given, self.rows, self.covers, part, found), parts))
        return Found(self.first[found.row], found.distance, found.ties)

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
    priority, first = _preferred(of, len(sorted_), rng)
    widths = [_width(one, released=not wide) for one in chosen[numbers:]]
    ready = Rows(
        Side(side.middle[sorted_], side.half[sorted_], side.codes[sorted_]),
        alike.counts[sorted_],
        priority,
        np.searchsorted(first_word[sorted_], np.arange((widths[0] if has_words else 1) + 1)).astype(np.int64),
        np.concatenate([[0], np.cumsum(widths)]).astype(np.int64),
        wide,
    )
    return Nearest(chosen, np.array(order), numbers, ready, _covers(chosen[numbers:]), of, first)


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


def _preferred(of: Ints, many: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """For each record the least of the drawn numbers of its rows, and the row that has it."""
    drawn = rng.permutation(of.size)
    least = np.full(many, of.size, dtype=np.int64)
    np.minimum.at(least, of, drawn)
    back = np.empty(of.size, dtype=np.int64)
    back[drawn] = np.arange(of.size)
    return least, back[least]


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
