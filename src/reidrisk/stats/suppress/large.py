"""Suppression in large tables: block by block, compared with simpler methods.

The simpler methods are baselines: suppressing whole records, and the greedy agglomeration of SPEC 8.9. No
solution may be worse than these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.block import MOST_CELLS, BlockSolution, choose_sets, search_block
from reidrisk.stats.suppress.bound import REFRESH, way_out_bound
from reidrisk.stats.suppress.result import SuppressionMoves, tidy
from reidrisk.stats.suppress.table import (
    Budget,
    Codes,
    SuppressionTable,
    column_keys,
    kept_keys,
    number_keys,
    scratch_slots,
)

SUPPRESSED_CODE = -1


@compiled
def added_cost(values: Codes, weights: Floats, pair: tuple[int, int], records: int, most: float) -> float:
    """Cost of all records in the union of two clusters; the sum ends early once it exceeds `most`."""
    left, right = pair
    cost = 0.0
    for column in range(values.shape[1]):
        if values[left, column] != values[right, column] or values[left, column] == SUPPRESSED_CODE:
            cost += weights[column] * records
            if cost >= most:
                break
    return cost


@compiled
def nearest(values: Codes, sizes: Ints, costs: Floats, weights: Floats, own: int) -> int:
    """The cluster whose union with `own` adds the fewest suppressed cells."""
    best, found = np.inf, -1
    for other in range(len(sizes)):
        if other == own or sizes[other] == 0:
            continue
        already = costs[own] * sizes[own] + costs[other] * sizes[other]
        records = sizes[own] + sizes[other]
        added = added_cost(values, weights, (own, other), records, best + already) - already
        if added < best:
            best, found = added, other
    return found


@compiled
def agglomerate(codes: Codes, counts: Ints, weights: Floats, k: int) -> tuple[Ints, Codes]:
    """Merge the smallest cluster with its nearest until all have `k` records.

    Returns the cluster of each tuple, and the values of the clusters.
    """
    values, sizes = codes.copy(), counts.copy()
    costs = np.zeros(len(codes))
    parent = np.arange(len(codes))
    for size in range(1, k):
        for own in range(len(codes)):
            # A cluster that grew but is still small waits for its own turn.
            if sizes[own] != size:
                continue
            other = nearest(values, sizes, costs, weights, own)
            if other < 0:
                continue
            costs[other] = 0.0
            for column in range(codes.shape[1]):
                if values[own, column] != values[other, column]:
                    values[other, column] = SUPPRESSED_CODE
                if values[other, column] == SUPPRESSED_CODE:
                    costs[other] += weights[column]
            sizes[other] += sizes[own]
            sizes[own] = 0
            parent[own] = other
    for row in range(len(codes)):
        top = row
        while parent[top] != top:
            top = parent[top]
        parent[row] = top
    return parent, values


def no_moves(table: SuppressionTable, rows: Ints) -> SuppressionMoves:
    """Moves that suppress nothing in these tuples."""
    return SuppressionMoves(rows, np.zeros(len(rows), dtype=np.int64), table.counts[rows])


def whole_records(table: SuppressionTable) -> SuppressionMoves:
    """Suppress all columns of each record in a class below k, and of a few more if these are fewer than k."""
    starred = np.where(table.counts < table.k, table.counts, 0)
    missing = table.k - int(starred.sum())
    if 0 < missing < table.k:
        spare = np.maximum(table.counts - table.k, 0)
        if spare.sum() < missing:
            # No class can spare enough: the smallest one is suppressed as a whole.
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


def greedy(table: SuppressionTable) -> SuppressionMoves:
    """The greedy agglomeration of SPEC 8.9; needs at least k records."""
    parent, values = agglomerate(table.codes, table.counts, table.weights, table.k)
    bits = np.left_shift(np.int64(1), np.arange(len(table.weights), dtype=np.int64))
    masks = (values[parent] == SUPPRESSED_CODE) @ bits
    return tidy(np.arange(len(parent)), masks, table.counts)


MOST_SETS = 256
"""Largest number of column sets to examine."""
MOST_BOUNDED = 20_000_000
"""Pairs of a tuple and a column set up to which the lower bound is raised."""

Halt = Callable[[], bool]


def times_too_large(table: SuppressionTable) -> int:
    """How many times larger the table is than what can be searched at once; 1 if it can be."""
    return max(1, -(-len(table.codes) * _sets(table) // MOST_CELLS))


def search_large(
    table: SuppressionTable, budget: Budget, rng: np.random.Generator, halt: Halt, *, times: int
) -> BlockSolution:
    """A solution and a lower bound for the whole table; larger tables get less work per record."""
    less = replace(
        budget,
        ascents=min(budget.ascents, max(REFRESH, budget.ascents // times**2)),
        rounds=min(budget.rounds, max(1, budget.rounds // times**2)),
    )
    moves = among_risky(table, less, rng, halt)
    known = choose_sets(table, _sets(table))
    some = np.flatnonzero(known.costs <= known.ceiling)[: max(2, MOST_BOUNDED // len(table.codes))]
    patience = replace(budget, seconds=None if budget.seconds is None else budget.seconds / 4).watch()
    return BlockSolution(moves, way_out_bound(table, known.masks[some], known.costs[some], patience))


def among_risky(
    table: SuppressionTable, budget: Budget, rng: np.random.Generator, halt: Halt
) -> SuppressionMoves:
    """Suppress only in tuples below k and their helpers, in parts if they are many; all others stay."""
    if table.risky < table.k:
        return whole_records(table)
    rows = with_helpers(table, MOST_CELLS // _sets(table))
    # Tuples that agree on the columns with few values are likely to share classes: keep them together.
    codes = table.codes[rows]
    order = rows[np.lexsort(codes.T[np.argsort(-codes.max(axis=0), kind="stable")])]
    parts = np.array_split(order, -(-len(rows) * _sets(table) // MOST_CELLS))
    if min(int(table.counts[some].sum()) for some in parts) < table.k:
        return whole_records(table)  # no class fits into a part
    pieces = [no_moves(table, np.setdiff1d(np.arange(len(table.counts)), rows))]
    for some in parts:
        part = table._replace(codes=table.codes[some], counts=table.counts[some])
        moves = whole_records(part) if halt() else search_block(part, budget, rng, halt).moves
        pieces.append(SuppressionMoves(some[moves.tuples], moves.masks, moves.numbers))
    return tidy(*(np.concatenate(column) for column in zip(*pieces, strict=True)))


def with_helpers(table: SuppressionTable, room: int) -> Ints:
    """The tuples below k and, while there is room, the largest tuple that differs from each in few cells."""
    small = table.counts < table.k
    alone, chosen = small.copy(), small.copy()
    by_size = np.flatnonzero(~small)[np.argsort(table.counts[~small], kind="stable")]
    keys, slots = column_keys(table.codes), scratch_slots(len(table.codes))
    ids = np.empty(len(table.codes), dtype=np.int32)
    for mask in choose_sets(table, _sets(table)).masks[1:]:
        left = room - int(chosen.sum())
        if left <= 0 or not alone.any():
            break
        found = number_keys(kept_keys(keys, int(mask)), slots, ids)
        largest = np.full(found, -1, dtype=np.int64)
        largest[ids[by_size]] = by_size
        helper = np.where(alone, largest[ids], -1)
        chosen[np.unique(helper[helper >= 0])[:left]] = True
        alone &= helper < 0
    return np.flatnonzero(chosen)


def _sets(table: SuppressionTable) -> int:
    return min(1 << min(len(table.weights), 30), MOST_SETS)
