"""Compiled: how many people agree with each released record in each pattern.

All people are looked at for every record, column after column in parts that stay in the cache, so that a
million people cost some milliseconds a record.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.agreement import (
    AGREES,
    FAR,
    NEAR,
    NOTHING,
    RANGE,
    Codes,
    Comparison,
    Wanted,
    wanted,
)
from reidrisk.stats.compiled import compiled

AT_ONCE = 16
"""Targets that a thread takes at a time."""
PART = 8192
"""People who are looked at column after column."""


class Counted(NamedTuple):
    """Patterns that occur, target after target."""

    target: Ints
    pattern: Ints
    people: Ints


class People(NamedTuple):
    """Those who are held against every target, each row of codes once."""

    codes: Codes
    """Column after column in one line: parts of it are known to lie side by side, which makes loops fast."""
    counts: Ints
    """How many have each row."""
    missing: Ints
    """By column: the code of the empty cell."""
    groups: Codes
    """Of all columns and layers."""
    steps: Ints
    """By column and level: what it adds to the number of a pattern."""


@compiled
def add_column(people: People, start: int, column: int, want: Wanted, target: int, out: Codes) -> None:
    """Add what one column tells to the patterns of some people."""
    # Numbers of 32 bits and no branches, so that the loops work on several people at once.
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
def count_patterns(want: Wanted, begin: int, people: People, out: Ints) -> None:
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


def counted(compared: Comparison, targets: Codes, people: Codes, counts: Ints) -> Counted:
    """For each released record the people of every pattern; `counts` is how many have each row of codes."""
    columns = compared.columns
    want = wanted(columns, targets)
    ready = People(
        people[:, : len(columns)].T.ravel(),
        counts,
        np.array([one.missing for one in columns], dtype=np.int64),
        np.concatenate([one.groups for one in columns]),
        compared.steps,
    )

    def part(begin: int) -> Counted:
        out = np.zeros((min(AT_ONCE, len(targets) - begin), len(compared.levels)), dtype=np.int64)
        count_patterns(want, begin, ready, out)
        target, pattern = np.nonzero(out)
        return Counted(target + begin, pattern, out[target, pattern])

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        parts = list(pool.map(part, range(0, len(targets), AT_ONCE)))
    return Counted(*(np.concatenate(column) for column in zip(*parts, strict=True)))
