"""The integer program of SPEC 8.9, solved by HiGHS."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, csr_array, vstack

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.suppress.result import SuppressionMoves, tidy
from reidrisk.stats.suppress.table import Budget, Request, SuppressionTable, TupleGroups

INFEASIBLE = 2
LIMIT_REACHED = 1
"""The solver's status after a limit on time; a limit on nodes is another one."""


class IntegerProgram(NamedTuple):
    """Columns x (records of a tuple suppressed on a set), then y (whether the group is open)."""

    tuples: Ints
    sets: Ints
    groups: Ints
    opened: int


class ProgramSolution(NamedTuple):
    """The solver's result: moves if it found any, its bound, and whether the limits cannot be met."""

    moves: SuppressionMoves | None
    bound: float
    impossible: bool


def solve_integer_program(
    table: SuppressionTable, groups: TupleGroups, request: Request, budget: Budget
) -> ProgramSolution:
    """The least weighted number of suppressed cells within the limits; `groups` must have all column sets."""
    tuples, sets = np.nonzero(groups.of >= 0)
    program = IntegerProgram(tuples, sets, groups.of[tuples, sets].astype(np.int64), len(groups.pattern))
    constraints = [
        *assign(program, table),
        link(program, table),
        *limit(program, table, groups, request),
    ]
    width = len(tuples) + program.opened
    upper = np.concatenate([table.counts[tuples], np.ones(program.opened)])
    objective = np.concatenate([groups.costs[sets], np.zeros(program.opened)])
    found = milp(
        objective,
        integrality=np.ones(width),
        bounds=Bounds(np.zeros(width), upper),
        constraints=constraints,
        options={
            "mip_rel_gap": budget.gap,
            "node_limit": budget.nodes,
            "time_limit": budget.integer_seconds,
        },
    )
    return read(found, program, groups)


def read(found: Any, program: IntegerProgram, groups: TupleGroups) -> ProgramSolution:
    """Translate the solver's result; what it found until time ran out is not used."""
    if found.status == LIMIT_REACHED:
        return ProgramSolution(None, 0.0, impossible=False)
    proved = found.mip_dual_bound
    bound = 0.0 if proved is None or not np.isfinite(proved) else max(0.0, float(proved))
    if found.x is None:
        return ProgramSolution(None, bound, found.status == INFEASIBLE)
    numbers = np.rint(found.x[: len(program.tuples)]).astype(np.int64)
    used = numbers > 0
    masks = groups.masks[program.sets[used]]
    return ProgramSolution(tidy(program.tuples[used], masks, numbers[used]), bound, impossible=False)


def matrix(rows: Ints, columns: Ints, values: Floats | Ints, shape: tuple[int, int]) -> csr_array:
    """A sparse matrix from its entries."""
    return csr_array(coo_array((np.asarray(values, dtype=np.float64), (rows, columns)), shape=shape))


def assign(program: IntegerProgram, table: SuppressionTable) -> list[LinearConstraint]:
    """Every record is assigned once; an open group has at least k records."""
    number = len(program.tuples)
    width, every = number + program.opened, np.arange(number)
    placed = matrix(program.tuples, every, np.ones(number), (len(table.counts), width))
    groups = np.arange(program.opened)
    filled = matrix(
        np.concatenate([program.groups, groups]),
        np.concatenate([every, number + groups]),
        np.concatenate([np.ones(number), np.full(program.opened, -float(table.k))]),
        (program.opened, width),
    )
    return [LinearConstraint(placed, table.counts, table.counts), LinearConstraint(filled, 0, np.inf)]


def link(program: IntegerProgram, table: SuppressionTable) -> LinearConstraint:
    """No record enters a closed group.

    One row per variable gives a far better bound than one row per group.
    """
    number = len(program.tuples)
    every = np.arange(number)
    rows = matrix(
        np.concatenate([every, every]),
        np.concatenate([every, number + program.groups]),
        np.concatenate([np.ones(number), -table.counts[program.tuples]]),
        (number, number + program.opened),
    )
    return LinearConstraint(rows, -np.inf, 0)


def limit(
    program: IntegerProgram, table: SuppressionTable, groups: TupleGroups, request: Request
) -> list[LinearConstraint]:
    """Limits on the share of records with any suppressed cell, and with one in each column."""
    masks = groups.masks[program.sets]
    lines, most = [], []
    if request.max_records is not None:
        lines.append(masks != 0)
        most.append(request.max_records)
    if request.max_column is not None:
        lines += [(masks >> column) & 1 for column in range(len(table.weights))]
        most += [request.max_column] * len(table.weights)
    if not lines:
        return []
    padding = np.zeros(program.opened)
    rows = vstack([csr_array(np.concatenate([line, padding])[None, :].astype(np.float64)) for line in lines])
    return [LinearConstraint(csr_array(rows), -np.inf, np.floor(np.array(most) * table.records + 1e-9))]
