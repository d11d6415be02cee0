"""Which columns agree in a pair of records, and how often each pattern of agreement occurs.

Every record is compared with all people. The people are processed column by column in parts that stay in the
processor's cache, so that a million people cost a few milliseconds per record.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.limits import cores_now
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.attack.columns import AttackColumn
from reidrisk.stats.compiled import compiled

Codes = NDArray[np.int32]
AGREES, NEAR, FAR, NOTHING = range(4)
LEVELS = ("agrees", "near", "far", "nothing")
WIDTH = 0.1
"""Two numbers are near if they differ by at most this share of the column's standard deviation among people.
"""
SLACK = 1e-12
MOST = 2**14
"""Largest number of agreement patterns that are distinguished."""
RANGE = -3
"""In place of a group: the values that agree are a range of codes."""


class AgreementColumn(NamedTuple):
    """The values that agree with each released value of a column, as codes of the other table."""

    low: Ints
    high: Ints
    """The range `low` to `high`; if `group` is not RANGE, `low` is where the groups of its layer begin."""
    group: Ints
    near_low: Ints
    near_high: Ints
    """The codes of numbers that are at least near; none if the second is below the first."""
    tells: NDArray[np.bool_]
    """Whether the value agrees with some values and not with others."""
    missing: int
    """The code of the empty cell, -1 if there is none."""
    groups: Codes


class PairComparison(NamedTuple):
    """The columns that are compared, and the number of each pattern of agreement."""

    columns: tuple[AgreementColumn, ...]
    steps: Ints
    """By column and level: what it adds to the number of a pattern."""
    levels: Ints
    """By pattern and column: its level."""


class TargetValues(NamedTuple):
    """The values that agree with each target, column by column."""

    low: Ints
    high: Ints
    group: Ints
    near_low: Ints
    near_high: Ints
    tells: NDArray[np.bool_]


def agreement_column(
    column: AttackColumn, people: Codes, *, present: int, has_missing: bool
) -> AgreementColumn:
    """Prepare a column; `people` has its codes, `present` is the number of values without the empty cell."""
    held = column.cover
    whole = held.size == held.last - held.first + 1  # also true of no values
    layer = held.layer * held.groups.shape[1]
    near_low, near_high = _near(column, people, present)
    return AgreementColumn(
        np.where(whole, held.first, layer),
        np.where(whole, held.last, -1),
        np.where(whole, RANGE, held.group),
        near_low,
        near_high,
        ~((held.first == 0) & (held.last >= present - 1) & (held.size >= present)),
        present if has_missing else -1,
        held.groups.ravel(),
    )


def comparison(columns: Sequence[AgreementColumn]) -> PairComparison:
    """Number the patterns of agreement.

    If there are too many, near values count as far; if there are still too many, the last columns are left
    out.

    >>> comparison([]).levels.shape
    (1, 0)
    """
    kept = tuple(columns)
    if _patterns(kept) > MOST:
        kept = tuple(one._replace(near_high=one.near_low - 1) for one in kept)
    while _patterns(kept) > MOST:
        kept = kept[:-1]
    steps = np.zeros((len(kept), len(LEVELS)), dtype=np.int64)
    levels = np.zeros((1, 0), dtype=np.int64)
    for at, column in enumerate(kept):
        own = _levels(column)
        steps[at, own] = np.arange(len(own)) * len(levels)
        levels = np.concatenate(
            [np.column_stack([levels, np.full(len(levels), level, dtype=np.int64)]) for level in own]
        )
    return PairComparison(kept, steps, levels)


def target_values(columns: Sequence[AgreementColumn], targets: Codes) -> TargetValues:
    """The values that agree with each of the released records."""
    base = np.cumsum([0, *(one.groups.size for one in columns)])

    def stacked(name: str) -> Ints:
        return np.stack([getattr(one, name)[targets[:, at]] for at, one in enumerate(columns)], axis=1)

    low, group = stacked("low"), stacked("group")
    low = np.where(group == RANGE, low, low + base[: len(columns)])
    tells: NDArray[np.bool_] = stacked("tells").astype(np.bool_)
    return TargetValues(low, stacked("high"), group, stacked("near_low"), stacked("near_high"), tells)


def pattern_of(compared: PairComparison, targets: Codes, people: Codes) -> Ints:
    """The pattern of each released record and the person in the same row."""
    found = np.zeros(len(targets), dtype=np.int64)
    for at, column in enumerate(compared.columns):
        value, code = targets[:, at], people[:, at]
        is_range = column.group[value] == RANGE
        inside = (code >= column.low[value]) & (code <= column.high[value])
        grouped = column.groups[np.where(is_range, 0, column.low[value]) + code] == column.group[value]
        near = (code >= column.near_low[value]) & (code <= column.near_high[value])
        level = np.where(near, NEAR, FAR)
        level = np.where(code == column.missing, NOTHING, level)
        level = np.where(np.where(is_range, inside, grouped), AGREES, level)
        found += compared.steps[at, np.where(column.tells[value], level, NOTHING)]
    return found


def _near(column: AttackColumn, people: Codes, present: int) -> tuple[Ints, Ints]:
    """The first and the last code of the numbers that are near each value."""
    released, known = column.released, column.known
    if released is None or known is None:
        none = np.zeros(column.cover.size.size, dtype=np.int64)
        return none, none - 1
    numbers: Floats = known.middle[:present]
    own = people[people < present]
    wide = WIDTH * float(numbers[own].std()) if own.size else 0.0
    reach = released.half + wide
    low = np.searchsorted(numbers, released.middle - reach - SLACK)
    high = np.searchsorted(numbers, released.middle + reach + SLACK, "right") - 1
    unknown = np.isnan(released.middle)
    return np.where(unknown, 0, low), np.where(unknown, -1, high)


def _levels(column: AgreementColumn) -> list[int]:
    """The levels of agreement that a column can have."""
    near = [NEAR] if np.any(column.near_high >= column.near_low) else []
    silent = column.missing >= 0 or not column.tells.all()
    return [AGREES, *near, FAR, *([NOTHING] if silent else [])]


def _patterns(columns: Sequence[AgreementColumn]) -> int:
    number = 1
    for one in columns:
        number *= len(_levels(one))
    return number


AT_ONCE = 16
"""Targets per thread and batch."""
PART = 8192
"""People processed together, column by column."""


class PatternCounts(NamedTuple):
    """The patterns that occur, target by target."""

    target: Ints
    pattern: Ints
    people: Ints


class People(NamedTuple):
    """The people compared with every target; each row of codes occurs once."""

    codes: Codes
    """Column after column in one array: its parts are known to be contiguous, so loops are fast."""
    counts: Ints
    """Number of people with each row."""
    missing: Ints
    """By column: the code of the empty cell."""
    groups: Codes
    """The groups of all columns and layers."""
    steps: Ints
    """By column and level: what it adds to the number of a pattern."""


@compiled
def add_column(people: People, start: int, column: int, want: TargetValues, target: int, out: Codes) -> None:
    """Add what one column contributes to the patterns of some people."""
    # 32-bit numbers and no branches, so that the loops work on several people at once.
    low, high = np.int32(want.low[target, column]), np.int32(want.high[target, column])
    near_low, near_high = np.int32(want.near_low[target, column]), np.int32(want.near_high[target, column])
    group, missing = np.int32(want.group[target, column]), np.int32(people.missing[column])
    agrees, near = np.int32(people.steps[column, AGREES]), np.int32(people.steps[column, NEAR])
    far, nothing = np.int32(people.steps[column, FAR]), np.int32(people.steps[column, NOTHING])
    groups = people.groups
    first = column * people.counts.size + start
    codes = people.codes[first : first + out.size]
    if not want.tells[target, column]:
        for at in range(codes.size):
            out[at] += nothing
    elif group == RANGE:
        for at in range(codes.size):
            code = codes[at]
            other = near if (code >= near_low) & (code <= near_high) else far
            other = nothing if code == missing else other
            out[at] += agrees if (code >= low) & (code <= high) else other
    else:
        for at in range(codes.size):
            code = codes[at]
            other = near if (code >= near_low) & (code <= near_high) else far
            other = nothing if code == missing else other
            out[at] += agrees if groups[low + code] == group else other


@compiled
def count_patterns(want: TargetValues, begin: int, people: People, out: Ints) -> None:
    """Fill one row of pattern counts for each target from `begin` on."""
    pattern = np.empty(PART, dtype=np.int32)
    columns, rows = people.missing.size, people.counts.size
    for start in range(0, rows, PART):  # outermost, so that these people stay in the cache for all targets
        own = pattern[: min(PART, rows - start)]
        for at in range(out.shape[0]):
            own[:] = 0
            for column in range(columns):
                add_column(people, start, column, want, begin + at, own)
            for row in range(own.size):
                out[at, own[row]] += people.counts[start + row]


def pattern_counts(compared: PairComparison, targets: Codes, people: Codes, counts: Ints) -> PatternCounts:
    """For each released record, the people with every pattern; `counts` is the people per row of codes."""
    columns = compared.columns
    want = target_values(columns, targets)
    ready = People(
        people[:, : len(columns)].T.ravel(),
        counts,
        np.array([one.missing for one in columns], dtype=np.int64),
        np.concatenate([one.groups for one in columns]),
        compared.steps,
    )

    def part(begin: int) -> PatternCounts:
        out = np.zeros((min(AT_ONCE, len(targets) - begin), len(compared.levels)), dtype=np.int64)
        count_patterns(want, begin, ready, out)
        target, pattern = np.nonzero(out)
        return PatternCounts(target + begin, pattern, out[target, pattern])

    with ThreadPoolExecutor(cores_now()) as pool:
        parts = list(pool.map(part, range(0, len(targets), AT_ONCE)))
    return PatternCounts(*(np.concatenate(column) for column in zip(*parts, strict=True)))
