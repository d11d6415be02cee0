"""Simple answers: nothing; and two that no other may lose to, whole records and greedy agglomeration."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.suppress.agglomerate import STAR, agglomerate
from reidrisk.stats.suppress.result import Stars, tidy
from reidrisk.stats.suppress.table import Table


def unstarred(table: Table, rows: Ints) -> Stars:
    """Nothing to do for these tuples."""
    return Stars(rows, np.zeros(len(rows), dtype=np.int64), table.counts[rows])


def whole_records(table: Table) -> Stars:
    """Star every column of each record in a class below k, and of a few more if these are fewer than k."""
    starred = np.where(table.counts < table.k, table.counts, 0)
    missing = table.k - int(starred.sum())
    if 0 < missing < table.k:
        spare = np.maximum(table.counts - table.k, 0)
        if spare.sum() < missing:
            # No class can spare enough: the smallest one goes as a whole.
            safe = np.where(starred > 0, np.iinfo(np.int64).max, table.counts)
            starred[np.argmin(safe)] = safe.min()
        else:
            before = np.cumsum(spare) - spare
            starred += np.clip(missing - before, 0, spare)
    everything = (1 << len(table.weights)) - 1
    rows = np.arange(len(starred))
    tuples, numbers = np.concatenate([rows, rows]), np.concatenate([table.counts - starred, starred])
    masks = np.repeat(np.array([0, everything], dtype=np.int64), len(rows))
    return tidy(tuples[numbers > 0], masks[numbers > 0], numbers[numbers > 0])


def greedy(table: Table) -> Stars:
    """The greedy agglomeration of SPEC 8.9; needs at least k records."""
    parent, values = agglomerate(table.codes, table.counts, table.weights, table.k)
    bits = np.left_shift(np.int64(1), np.arange(len(table.weights), dtype=np.int64))
    masks = (values[parent] == STAR) @ bits
    return tidy(np.arange(len(parent)), masks, table.counts)
