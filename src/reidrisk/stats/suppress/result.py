"""The result of suppression: which cells to suppress in which tuples, and whether the limits are met.

A set of columns is a bit mask: bit j stands for column j.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.grouping import grouped
from reidrisk.stats.suppress.table import Request, SuppressionTable


def cheapest(weights: Floats, limit: int) -> tuple[Ints, Floats]:
    """The `limit` cheapest sets of columns with their costs; ties in a fixed order.

    >>> masks, costs = cheapest(np.array([1.0, 1.0, 3.0]), 5)
    >>> masks.tolist(), costs.tolist()
    ([0, 1, 2, 3, 4], [0.0, 1.0, 1.0, 2.0, 3.0])
    """
    order = np.argsort(weights, kind="stable")
    ranked = [float(weights[column]) for column in order]
    masks, costs = [0], [0.0]
    # Each entry is a set by its costliest member; it grows by the next column, or swaps its last one for it.
    heap = [(ranked[0], 1 << int(order[0]), 0)] if ranked else []
    while heap and len(masks) < limit:
        cost, mask, last = heapq.heappop(heap)
        masks.append(mask)
        costs.append(cost)
        if last + 1 < len(ranked):
            here, beyond = 1 << int(order[last]), 1 << int(order[last + 1])
            heapq.heappush(heap, (cost + ranked[last + 1], mask | beyond, last + 1))
            heapq.heappush(heap, (cost + ranked[last + 1] - ranked[last], (mask ^ here) | beyond, last + 1))
    return np.array(masks, dtype=np.int64), np.array(costs, dtype=np.float64)


def ladder(codes: np.ndarray[tuple[int, int], np.dtype[np.int32]], weights: Floats) -> Ints:
    """Nested sets that add the column with the most values for its cost next, up to all columns."""
    values = np.array([len(np.unique(codes[:, column])) for column in range(codes.shape[1])])
    order = np.argsort(-values / np.maximum(weights, 1e-12), kind="stable")
    return np.cumsum(np.left_shift(np.int64(1), order.astype(np.int64)))


def cost_of(masks: Ints, weights: Floats) -> Floats:
    """Cost of one record suppressed on each set."""
    bits = (masks[:, None] >> np.arange(len(weights), dtype=np.int64)) & 1
    return np.asarray(bits @ weights, dtype=np.float64)


class SuppressionMoves(NamedTuple):
    """Rows (tuple, set of suppressed columns, number of records): the decision of a method."""

    tuples: Ints
    masks: Ints
    numbers: Ints


@dataclass(frozen=True, slots=True)
class Suppression:
    """Cells to suppress so that every class has at least k records; suppression is a value of its own."""

    moves: tuple[tuple[int, int, int], ...]
    """(tuple, suppressed columns as bit mask, number of records), sorted; every record occurs once."""
    cells: int
    weighted: float
    """Cells, each counted with its column's weight: the minimized cost."""
    records: int
    """Number of records with any suppressed cell."""
    by_column: tuple[int, ...]
    bound: float
    """Proved lower bound: no solution within the limits has a smaller weighted number of cells."""
    optimal: bool
    """Whether it is proved that no solution is better."""
    method: str

    @property
    def gap(self) -> float:
        """Largest possible share of the cost that exceeds the optimum."""
        return (self.weighted - self.bound) / self.weighted if self.weighted else 0.0


@dataclass(frozen=True, slots=True)
class Unmet:
    """No suppression within the limits was found."""

    reason: str
    proved: bool
    """Whether none exists; otherwise none was found."""


def tidy(tuples: Ints, masks: Ints, numbers: Ints) -> SuppressionMoves:
    """Sort the moves, and add up those with the same tuple and set."""
    order = np.lexsort((masks, tuples))
    rows, sets = tuples[order], masks[order]
    new = np.flatnonzero((np.diff(rows, prepend=-1) != 0) | (np.diff(sets, prepend=-1) != 0))
    return SuppressionMoves(
        rows[new], sets[new], np.add.reduceat(numbers[order], new) if len(new) else numbers
    )


def cost(moves: SuppressionMoves, table: SuppressionTable) -> float:
    """Weighted number of suppressed cells, plus the entry cost of records with any."""
    each = cost_of(moves.masks, table.weights) + table.entry * (moves.masks != 0)
    return float(each @ moves.numbers)


def by_column(moves: SuppressionMoves, columns: int) -> Ints:
    """Suppressed cells of each column."""
    bits = (moves.masks[:, None] >> np.arange(columns, dtype=np.int64)) & 1
    return np.asarray(moves.numbers @ bits, dtype=np.int64)


def smallest_class(moves: SuppressionMoves, table: SuppressionTable) -> int:
    """Size of the smallest class after suppression."""
    bits = (moves.masks[:, None] >> np.arange(table.codes.shape[1], dtype=np.int64)) & 1
    suppressed = np.where(bits == 1, -1, table.codes[moves.tuples])
    return int(grouped(suppressed + 1, moves.numbers).counts.min())


def finish(moves: SuppressionMoves, table: SuppressionTable, bound: float, method: str) -> Suppression:
    """Describe a solution; with whole weights, the bound is rounded up."""
    value = cost(moves, table)
    if np.all(table.weights == np.rint(table.weights)):
        bound = float(np.ceil(bound - 1e-6))
    per_column = by_column(moves, len(table.weights))
    return Suppression(
        moves=tuple(zip(moves.tuples.tolist(), moves.masks.tolist(), moves.numbers.tolist(), strict=True)),
        cells=int(per_column.sum()),
        weighted=value,
        records=int(moves.numbers[moves.masks != 0].sum()),
        by_column=tuple(per_column.tolist()),
        bound=min(bound, value),
        optimal=bound >= value - 1e-6,
        method=method,
    )


TRIES = 12
GENTLY, HARD = 1.1, 2.0
"""The least and the greatest factor by which the cost of exceeding a limit is raised."""


def most_records(table: SuppressionTable, share: float | None) -> int:
    """A share as a number of records."""
    return table.records if share is None else int(np.floor(share * table.records + 1e-9))


def excess(moves: SuppressionMoves, table: SuppressionTable, request: Request) -> tuple[int, Floats]:
    """By how many records each limit is exceeded: any suppressed cell, then each column."""
    suppressed = int(moves.numbers[moves.masks != 0].sum()) - most_records(table, request.max_records)
    columns = by_column(moves, len(table.weights)) - most_records(table, request.max_column)
    return max(0, suppressed), np.maximum(columns, 0).astype(np.float64)


def keeps(moves: SuppressionMoves, table: SuppressionTable, request: Request) -> bool:
    """Whether all limits are met."""
    suppressed, columns = excess(moves, table, request)
    return suppressed == 0 and not columns.any()


def impossible(table: SuppressionTable, request: Request) -> Unmet | None:
    """Why no solution can exist, in the cases where that is obvious."""
    if table.records < table.k:
        return Unmet(f"There are {table.records} records, fewer than the cell size {table.k}.", proved=True)
    allowed = most_records(table, request.max_records)
    if table.risky > allowed:
        problem = (
            f"{table.risky} records are in classes below {table.k}; only {allowed} may have suppressed cells."
        )
        return Unmet(problem, proved=True)
    return None


def within_limits(
    table: SuppressionTable,
    request: Request,
    search: Callable[[SuppressionTable], SuppressionMoves],
    first: SuppressionMoves,
) -> SuppressionMoves | Unmet:
    """Raise the cost of what exceeds a limit and search again, until the limits are met or tries run out."""
    moves, entry, weights = first, 0.0, table.weights.copy()
    unit = float(table.weights.mean())
    for _ in range(TRIES):
        suppressed, columns = excess(moves, table, request)
        if not suppressed and not columns.any():
            return moves
        entry = HARD * entry + unit if suppressed else entry
        share = 1 + columns / (1 + most_records(table, request.max_column))
        weights = np.where(columns > 0, weights * np.clip(share, GENTLY, HARD), weights)
        moves = search(table._replace(weights=weights, entry=entry))
    if keeps(moves, table, request):
        return moves
    return Unmet(f"No solution within the limits was found in {TRIES} tries.", proved=False)
