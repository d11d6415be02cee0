"""Predicates that single out one record.

A predicate that holds for a share w of people holds for exactly one of n with probability n w (1 - w)^(n - 1)
(Cohen & Nissim 2020, arXiv:1904.06009). Predicates with weights from 0 to some w single out c times the
integral of that; c and w are fitted to groups of several sizes.

Codes are numbered in the order of their values, so that a comparison is a range of codes. The values that a
generalized value covers are a group on a layer (see `Cover`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.limits import cores_now
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.attack.columns import AttackColumn
from reidrisk.stats.compiled import compiled

WEIGHTS = 400
"""Number of weights to try."""


def singled_out_integral(records: Floats, weight: float) -> Floats:
    """The integral of n w (1 - w)^(n - 1) from 0 to a weight.

    >>> round(float(singled_out_integral(np.array([100.0]), 0.01)[0]), 6)
    0.002653
    """
    left = np.exp(records * np.log1p(-weight)) if weight < 1 else np.zeros_like(records)
    found: Floats = (1 - (records * weight + 1) * left) / (records + 1)
    return found


def size_correction(sizes: Floats, successes: Floats, *, wanted: int, have: int) -> float:
    """How many times as many successes a group of `wanted` records would have as one of `have`.

    The result is 1 if nothing was singled out at any size.
    """
    if not np.any(successes > 0):
        return 1.0
    best = np.inf
    ratio = 1.0
    for weight in np.geomspace(0.01 / max(wanted, have), 1.0, WEIGHTS).tolist():
        model = singled_out_integral(sizes, weight)
        scale = float(model @ successes) / float(model @ model)
        error = float(((scale * model - successes) ** 2).sum())
        if error < best:
            best = error
            both = singled_out_integral(np.array([wanted, have], dtype=np.float64), weight)
            ratio = float(both[0] / both[1])
    return ratio


Codes = NDArray[np.int32]
EQUAL, AT_MOST, AT_LEAST = 0, 1, 2
AT_ONCE = 64
"""Predicates per thread and batch."""
RANGE = -1
"""In place of a group: the condition is a range of codes."""


class Predicates(NamedTuple):
    """One row per predicate, one column per condition; all conditions must hold."""

    column: Codes
    relation: Codes
    value: Codes
    """A released value of the column."""

    def __len__(self) -> int:
        """Number of predicates."""
        return len(self.column)

    @classmethod
    def none(cls, conditions: int) -> Predicates:
        """An empty set of predicates."""
        empty = np.empty((0, conditions), dtype=np.int32)
        return cls(empty, empty, empty)

    def at(self, chosen: NDArray[Any]) -> Predicates:
        """The chosen predicates."""
        return Predicates(self.column[chosen], self.relation[chosen], self.value[chosen])


class PredicateConditions(NamedTuple):
    """Predicates as codes of one table: a range, or membership in a group."""

    column: Ints
    low: Ints
    """Start of the range, or where the groups of a layer begin."""
    high: Ints
    group: Ints
    """RANGE for a range of codes."""


class SortedRows(NamedTuple):
    """The rows of a table, and for each column their order by its codes."""

    codes: Codes
    order: Codes
    """Row numbers in order, one column for each column of the table."""
    starts: Ints
    """Where each code begins in the order of its column; columns one after the other."""
    base: Ints
    """Where the starts of each column begin."""
    person: Ints
    """The person of each row."""


@compiled
def fits(rows: SortedRows, row: int, conditions: PredicateConditions, one: int, groups: Codes) -> bool:
    """Whether a row satisfies a predicate."""
    for at in range(conditions.column.shape[1]):
        code = rows.codes[row, conditions.column[one, at]]
        if conditions.group[one, at] == RANGE:
            held = conditions.low[one, at] <= code <= conditions.high[one, at]
        else:
            held = groups[conditions.low[one, at] + code] == conditions.group[one, at]
        if not held:
            return False
    return True


@compiled
def narrowest(rows: SortedRows, conditions: PredicateConditions, one: int) -> tuple[int, int, int]:
    """The condition that the fewest rows satisfy: its column, and the range of these rows in its order."""
    column, begin, end = 0, 0, rows.codes.shape[0]
    for at in range(conditions.column.shape[1]):
        if conditions.group[one, at] != RANGE:
            continue
        here, low, high = conditions.column[one, at], conditions.low[one, at], conditions.high[one, at]
        codes = rows.base[here + 1] - rows.base[here] - 1
        first = rows.starts[rows.base[here] + min(low, codes)]
        last = rows.starts[rows.base[here] + min(high + 1, codes)]
        if last - first < end - begin:
            column, begin, end = here, first, max(first, last)
    return column, begin, end


@compiled
def count_up_to_two(rows: SortedRows, conditions: PredicateConditions, groups: Codes) -> Ints:
    """How many persons have a row that satisfies each predicate; 2 means more than one."""
    found = np.zeros(conditions.column.shape[0], dtype=np.int64)
    for one in range(found.size):
        column, begin, end = narrowest(rows, conditions, one)
        first = -1
        for place in range(begin, end):
            row = rows.order[place, column]
            if rows.person[row] != first and fits(rows, row, conditions, one, groups):
                first = rows.person[row]
                found[one] += 1
                if found[one] == 2:
                    break
    return found


def sort_rows(codes: Codes, widths: Ints, person: Ints | None = None) -> SortedRows:
    """Prepare a table; `widths` is the number of codes per column, `person` the person of each row."""
    order = np.empty(codes.shape, dtype=np.int32, order="F")

    def sort(at: int, width: int) -> Ints:
        order[:, at] = np.argsort(codes[:, at], kind="stable")
        return np.concatenate([[0], np.cumsum(np.bincount(codes[:, at], minlength=width))])

    with ThreadPoolExecutor(cores_now()) as pool:
        starts = list(pool.map(sort, range(codes.shape[1]), widths.tolist()))
    base = np.concatenate([[0], np.cumsum(widths + 1)])
    whose = np.arange(len(codes), dtype=np.int64) if person is None else person
    return SortedRows(np.ascontiguousarray(codes), order, np.concatenate(starts), base, whose)


def join_predicates(*parts: Predicates) -> Predicates:
    """All predicates, each once, in the order of their first occurrence."""
    together = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
    _, first = np.unique(np.concatenate(together, axis=1), axis=0, return_index=True)
    return Predicates(*together).at(np.sort(first))


def matches(conditions: PredicateConditions, rows: SortedRows, groups: Codes) -> Ints:
    """How many rows satisfy each predicate: 0, 1, or 2 for more than one."""
    many = len(conditions.column)
    if not many:
        return np.zeros(0, dtype=np.int64)
    parts = [
        PredicateConditions(*(part[at : at + AT_ONCE] for part in conditions))
        for at in range(0, many, AT_ONCE)
    ]
    with ThreadPoolExecutor(cores_now()) as pool:
        return np.concatenate(list(pool.map(lambda part: count_up_to_two(rows, part, groups), parts)))


def on_release(predicates: Predicates, present: Ints) -> PredicateConditions:
    """Ranges of released codes; `present` is the number of values per column that are not empty cells."""
    column, value = predicates.column.astype(np.int64), predicates.value.astype(np.int64)
    low = np.where(predicates.relation == AT_MOST, 0, value)
    high = np.where(predicates.relation == AT_LEAST, present[column] - 1, value)
    return PredicateConditions(column, low, high, np.full(column.shape, RANGE, dtype=np.int64))


def on_others(
    predicates: Predicates, columns: Sequence[AttackColumn], present: Ints
) -> tuple[PredicateConditions, Codes]:
    """Ranges and groups of the codes of the other tables, and the groups of all layers in one row."""
    base = np.concatenate([[0], np.cumsum([one.cover.groups.size for one in columns])])
    groups = np.concatenate([one.cover.groups.ravel() for one in columns])
    column = predicates.column.astype(np.int64)
    low, high = np.zeros_like(column), np.zeros_like(column)
    group = np.full(column.shape, RANGE, dtype=np.int64)
    for at, one in enumerate(columns):
        mine = column == at
        value, relation = predicates.value[mine], predicates.relation[mine]
        held = one.cover
        below, above = _places(one, value, int(present[at]))
        apart = (relation == EQUAL) & (held.size[value] != held.last[value] - held.first[value] + 1)
        layer = base[at] + held.layer[value] * held.groups.shape[1]
        begin = np.where(relation == EQUAL, held.first[value], np.where(relation == AT_LEAST, below, 0))
        low[mine] = np.where(apart, layer, begin)
        above = np.where(relation == AT_MOST, above, present[at] - 1)
        high[mine] = np.where(relation == EQUAL, held.last[value], above)
        group[mine] = np.where(apart, held.group[value], RANGE)
    return PredicateConditions(column, low, high, group), groups


def _places(column: AttackColumn, values: Codes, present: int) -> tuple[Ints, Ints]:
    """The first known value that is not below each released one, and the last that is not above it."""
    if column.known is None or column.released is None:
        return np.zeros(values.size, dtype=np.int64), np.zeros(values.size, dtype=np.int64)
    known, wanted = column.known.middle[:present], column.released.middle[values]
    return np.searchsorted(known, wanted, "left"), np.searchsorted(known, wanted, "right") - 1
