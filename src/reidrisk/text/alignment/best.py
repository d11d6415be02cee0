"""Two short stretches of text: what every best alignment keeps, what some keep, what none does.

The best alignments are those with the longest common subsequence. All of them are seen at once, from
the lengths before and after every point (Wagner and Fischer's table, doi:10.1145/321796.321811, from
both ends): a token is kept by some best alignment if it can be matched without losing length, and by
all of them if it cannot be left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Bools, Ints
from reidrisk.text.alignment.outcome import MOST_WAYS

_COUNTED = 20_000
"""Cells of a table up to which alignments are counted."""
Table = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Best:
    """What the best alignments of a stretch have in common."""

    always: Bools
    """Tokens of the original that every best alignment keeps."""
    perhaps: Bools
    """Tokens that some keep and some do not."""
    free: Bools
    """Tokens of the released text that need not come from the original."""
    ways: int
    """How many best alignments there are, as far as they are counted."""


def best_alignments(one: Ints, other: Ints) -> Best:
    """Compare the original's tokens with the released ones."""
    equal = one[:, None] == other[None, :]
    before, after = _lengths(equal), _lengths(equal[::-1, ::-1])[::-1, ::-1]
    total = before[-1, -1]
    kept = (before[:-1, :-1] + after[1:, 1:] + 1 == total) & equal
    skipped = (before[:-1] + after[1:] == total).any(axis=1)
    free = (before[:, :-1] + after[:, 1:] == total).any(axis=0)
    perhaps = kept.any(axis=1) & skipped
    return Best(~skipped, perhaps, free, _ways(before, one, other) if perhaps.any() else 1)


def _lengths(equal: Bools) -> Table:
    """The longest common subsequence of everything before each pair of places."""
    rows, columns = equal.shape
    if rows > columns:  # the loop goes over the shorter text
        return _lengths(equal.T).T
    table = np.zeros((rows + 1, columns + 1), dtype=np.int32)
    for at in range(rows):
        above, row = table[at], table[at + 1]
        np.add(above[:-1], equal[at], out=row[1:])
        np.maximum(row, above, out=row)
        np.maximum.accumulate(row, out=row)
    return table


def _ways(table: Table, one: Ints, other: Ints) -> int:
    """The number of best alignments, from 2 to `MOST_WAYS`."""
    if table.size > _COUNTED:
        return 2
    lengths, counts = table.tolist(), [[1] * (other.size + 1) for _ in range(one.size + 1)]
    tokens = other.tolist()
    for at, token in enumerate(one.tolist(), start=1):
        above, row, counted, counting = lengths[at - 1], lengths[at], counts[at - 1], counts[at]
        for to in range(1, len(tokens) + 1):
            length = row[to]
            ways = counted[to] * (above[to] == length) + counting[to - 1] * (row[to - 1] == length)
            ways -= counted[to - 1] * (above[to - 1] == length)
            ways += counted[to - 1] * (token == tokens[to - 1] and above[to - 1] + 1 == length)
            counting[to] = ways
    return min(counts[-1][-1], MOST_WAYS)
