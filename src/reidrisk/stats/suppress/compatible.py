"""Class sizes under both readings of a suppressed cell: it matches every value, or is a value of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.result import SuppressionMoves
from reidrisk.stats.suppress.table import Codes, Keys, column_keys, kept_keys, number_keys, scratch_slots

SUPPRESSED_CODE = -1
SMALL = 200_000
"""Number of pairs of rows up to which they are compared one by one."""


class ReleasedRows(NamedTuple):
    """Released rows, with the number of records of each; -1 is a suppressed cell."""

    codes: Codes
    numbers: Ints


def released_rows(codes: Codes, moves: SuppressionMoves) -> ReleasedRows:
    """The released rows of a solution, one for each of its moves."""
    bits = (moves.masks[:, None] >> np.arange(codes.shape[1], dtype=np.int64)) & 1
    return ReleasedRows(
        np.where(bits == 1, SUPPRESSED_CODE, codes[moves.tuples]).astype(np.int32), moves.numbers
    )


def compatible_sizes(codes: Codes, numbers: Ints, among: ReleasedRows | None = None) -> Ints:
    """For each row, the records that it is compatible with.

    Two rows are compatible if in every column they are equal or one of them is suppressed. Rows are compared
    among themselves, so that each counts its own records, or with the given rows.

    >>> rows = np.array([[0, 1], [0, -1], [2, 3]], dtype=np.int32)
    >>> compatible_sizes(rows, np.array([1, 1, 5])).tolist()
    [2, 2, 5]
    """
    others = ReleasedRows(codes, numbers) if among is None else among
    if len(codes) * len(others.codes) <= SMALL:
        return _one_by_one(codes, others.codes, others.numbers)
    keys = column_keys(np.maximum(np.concatenate([codes, others.codes]), 0))
    asked, told = keys[: len(codes)], keys[len(codes) :]
    total = np.zeros(len(codes), dtype=np.int64)
    by_mask = _rows_of(suppressed_masks(others.codes))
    for mine, rows in _rows_of(suppressed_masks(codes)).items():
        for union, alike in _by_union(mine, by_mask).items():
            wanted, found = kept_keys(asked[rows], union), kept_keys(told[alike], union)
            total[rows] += _matches(wanted, found, others.numbers[alike])
    return total


def suppressed_masks(codes: Codes) -> Ints:
    """The suppressed columns of each row as a bit mask."""
    bits = np.left_shift(np.int64(1), np.arange(codes.shape[1], dtype=np.int64))
    return np.asarray((codes == SUPPRESSED_CODE) @ bits, dtype=np.int64)


def _rows_of(masks: Ints) -> dict[int, Ints]:
    """The rows with each set of suppressed cells."""
    order = np.argsort(masks, kind="stable")
    found, first = np.unique(masks[order], return_index=True)
    return dict(zip(found.tolist(), np.split(order, first[1:]), strict=True))


def _by_union(mine: int, by_mask: dict[int, Ints]) -> dict[int, Ints]:
    """The rows that leave the same columns to compare, given the suppressed cells of both sides."""
    unions: dict[int, list[Ints]] = {}
    for mask, rows in by_mask.items():
        unions.setdefault(mine | mask, []).append(rows)
    return {union: np.concatenate(parts) for union, parts in unions.items()}


def _matches(asked: Keys, told: Keys, numbers: Ints) -> Ints:
    """For each key asked for, the records with the same key."""
    keys = np.concatenate([asked, told])
    ids = np.empty(len(keys), dtype=np.int32)
    found = number_keys(keys, scratch_slots(len(keys)), ids)
    return _sums(ids[: len(asked)], ids[len(asked) :], numbers, found)


@compiled
def _sums(asked: Codes, told: Codes, numbers: Ints, found: int) -> Ints:
    """Add up by id, exactly, and look the sums up."""
    sums = np.zeros(found, dtype=np.int64)
    for row in range(len(told)):
        sums[told[row]] += numbers[row]
    return sums[asked]


@compiled
def _one_by_one(asked: Codes, told: Codes, numbers: Ints) -> Ints:
    """Compare every row with every other."""
    total = np.zeros(len(asked), dtype=np.int64)
    for row in range(len(asked)):
        for other in range(len(told)):
            alike = True
            for column in range(asked.shape[1]):
                mine, theirs = asked[row, column], told[other, column]
                if mine != theirs and SUPPRESSED_CODE not in (mine, theirs):
                    alike = False
                    break
            if alike:
                total[row] += numbers[other]
    return total


@dataclass(frozen=True, slots=True)
class Reading:
    """The risk of the classes under one reading of suppressed cells."""

    smallest: int
    """Number of records in the smallest class."""
    highest: float
    """Risk of the most exposed record: 1 / smallest class."""
    average: float
    """Mean of 1 / class size over the records."""
    share_below: float
    """Share of records in classes below the cell size."""


@dataclass(frozen=True, slots=True)
class Readings:
    """The classes under the wildcard reading, and those that an adversary who knows the rule sees."""

    wildcard: Reading
    """A suppressed cell matches every value."""
    value: Reading
    """A suppressed cell is a value: who knows why cells were suppressed can separate these records."""


def readings(codes: Codes, moves: SuppressionMoves, *, k: int) -> Readings:
    """Both readings of a solution; `codes` are the distinct tuples before suppression."""
    rows = released_rows(codes, moves)
    return Readings(
        _reading(compatible_sizes(*rows), rows.numbers, k), _reading(value_sizes(rows), rows.numbers, k)
    )


def value_sizes(rows: ReleasedRows) -> Ints:
    """For each row, the records with the same values and the same suppressed cells."""
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
