"""Limits on the share of starred records and of starred cells in a column."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.suppress.result import Stars, Unmet, by_column
from reidrisk.stats.suppress.table import Request, Table

TRIES = 12
GENTLY, HARD = 1.1, 2.0
"""By how much what is exceeded becomes dearer, at least and at most."""


def most_records(table: Table, share: float | None) -> int:
    """A share as a number of records."""
    return table.records if share is None else int(np.floor(share * table.records + 1e-9))


def excess(stars: Stars, table: Table, request: Request) -> tuple[int, Floats]:
    """By how many records each limit is exceeded: any star, then each column."""
    starred = int(stars.numbers[stars.masks != 0].sum()) - most_records(table, request.max_records)
    columns = by_column(stars, len(table.weights)) - most_records(table, request.max_column)
    return max(0, starred), np.maximum(columns, 0).astype(np.float64)


def keeps(stars: Stars, table: Table, request: Request) -> bool:
    """Whether all limits are kept."""
    starred, columns = excess(stars, table, request)
    return starred == 0 and not columns.any()


def impossible(table: Table, request: Request) -> Unmet | None:
    """Why no answer can exist, where that is plain to see."""
    if table.records < table.k:
        return Unmet(f"There are {table.records} records, fewer than the cell size {table.k}.", proved=True)
    allowed = most_records(table, request.max_records)
    if table.risky > allowed:
        problem = f"{table.risky} records are in classes below {table.k}; only {allowed} may be starred."
        return Unmet(problem, proved=True)
    return None


def within_limits(
    table: Table, request: Request, search: Callable[[Table], Stars], first: Stars
) -> Stars | Unmet:
    """Make what is exceeded dearer and search again, until the limits are kept or the tries are used up."""
    stars, entry, weights = first, 0.0, table.weights.copy()
    unit = float(table.weights.mean())
    for _ in range(TRIES):
        starred, columns = excess(stars, table, request)
        if not starred and not columns.any():
            return stars
        entry = HARD * entry + unit if starred else entry
        share = 1 + columns / (1 + most_records(table, request.max_column))
        weights = np.where(columns > 0, weights * np.clip(share, GENTLY, HARD), weights)
        stars = search(table._replace(weights=weights, entry=entry))
    if keeps(stars, table, request):
        return stars
    return Unmet(f"No answer within the limits was found in {TRIES} tries.", proved=False)
