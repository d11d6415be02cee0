"""Tables too large to be searched as a whole: those tuples that cannot stay, with some that can help them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.suppress.block import MOST_CELLS, Found, choose_sets, search_block
from reidrisk.stats.suppress.bound import REFRESH, way_out_bound
from reidrisk.stats.suppress.groups import column_keys, kept_keys, number_keys, scratch_slots
from reidrisk.stats.suppress.result import Stars, tidy
from reidrisk.stats.suppress.table import Budget, Table
from reidrisk.stats.suppress.yardsticks import unstarred, whole_records

MOST_SETS = 256
"""Starred sets that are looked at."""
MOST_BOUNDED = 20_000_000
"""Pairs of a tuple and a starred set up to which the lower bound is raised."""

Halt = Callable[[], bool]


def times_too_large(table: Table) -> int:
    """How many times the table is what can be searched at once; 1 if it can be."""
    return max(1, -(-len(table.codes) * _sets(table) // MOST_CELLS))


def search_large(table: Table, budget: Budget, rng: np.random.Generator, halt: Halt, *, times: int) -> Found:
    """An answer, and a bound on the whole table; the larger the table, the less work for each record."""
    less = replace(
        budget,
        ascents=min(budget.ascents, max(REFRESH, budget.ascents // times**2)),
        rounds=min(budget.rounds, max(1, budget.rounds // times**2)),
    )
    stars = among_risky(table, less, rng, halt)
    known = choose_sets(table, _sets(table))
    some = np.flatnonzero(known.costs <= known.ceiling)[: max(2, MOST_BOUNDED // len(table.codes))]
    patience = replace(budget, seconds=None if budget.seconds is None else budget.seconds / 4).watch()
    return Found(stars, way_out_bound(table, known.masks[some], known.costs[some], patience))


def among_risky(table: Table, budget: Budget, rng: np.random.Generator, halt: Halt) -> Stars:
    """Star only tuples below k and their helpers, in parts if they are many; all others stay."""
    if table.risky < table.k:
        return whole_records(table)
    rows = with_helpers(table, MOST_CELLS // _sets(table))
    # Tuples that agree on the columns with few values are likely to share classes: keep them together.
    codes = table.codes[rows]
    order = rows[np.lexsort(codes.T[np.argsort(-codes.max(axis=0), kind="stable")])]
    pieces = [unstarred(table, np.setdiff1d(np.arange(len(table.counts)), rows))]
    for some in np.array_split(order, -(-len(rows) * _sets(table) // MOST_CELLS)):
        part = table._replace(codes=table.codes[some], counts=table.counts[some])
        stars = whole_records(part) if halt() else search_block(part, budget, rng, halt).stars
        pieces.append(Stars(some[stars.tuples], stars.masks, stars.numbers))
    return tidy(*(np.concatenate(column) for column in zip(*pieces, strict=True)))


def with_helpers(table: Table, room: int) -> Ints:
    """The tuples below k and, while there is room, for each the largest that is like it but for few cells."""
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


def _sets(table: Table) -> int:
    return min(1 << min(len(table.weights), 30), MOST_SETS)
