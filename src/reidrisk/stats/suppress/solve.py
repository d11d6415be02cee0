"""The fewest suppressed cells where a suppressed cell is a value of its own.

A few records are solved exactly by dynamic programming over subsets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.block import BlockSolution, group_block, search_block
from reidrisk.stats.suppress.large import greedy, no_moves, search_large, times_too_large, whole_records
from reidrisk.stats.suppress.result import (
    Suppression,
    SuppressionMoves,
    Unmet,
    cost,
    finish,
    impossible,
    keeps,
    smallest_class,
    tidy,
    within_limits,
)
from reidrisk.stats.suppress.table import Budget, Codes, Request, SuppressionTable, make_table, variables

if TYPE_CHECKING:
    from reidrisk.stats.suppress.integer import ProgramSolution


MOST_RECORDS = 14


def by_subsets(table: SuppressionTable) -> SuppressionMoves:
    """Least weighted cells; classes have k to 2k - 1 records, because larger ones could be split."""
    owners = np.repeat(np.arange(len(table.counts)), table.counts)
    masks, costs = class_costs(table.codes[owners], table.weights, table.k)
    choice = best_split(costs, len(owners))
    tuples, suppressed, left = [], [], (1 << len(owners)) - 1
    while left:
        group = int(choice[left])
        inside = [record for record in range(len(owners)) if group >> record & 1]
        tuples += [int(owners[record]) for record in inside]
        suppressed += [int(masks[group])] * len(inside)
        left ^= group
    return tidy(np.array(tuples), np.array(suppressed), np.ones(len(tuples), dtype=np.int64))


@compiled
def class_costs(rows: Codes, weights: Floats, k: int) -> tuple[Ints, Floats]:
    """For every subset of records: the columns on which they differ, and the cost of suppressing these."""
    records = len(rows)
    masks = np.zeros(1 << records, dtype=np.int64)
    costs = np.full(1 << records, np.inf)
    for subset in range(1, 1 << records):
        size, first = 0, -1
        for record in range(records):
            if subset >> record & 1:
                size += 1
                if first < 0:
                    first = record
        cost = 0.0
        for column in range(rows.shape[1]):
            for record in range(first, records):
                if subset >> record & 1 and rows[record, column] != rows[first, column]:
                    masks[subset] |= 1 << column
                    cost += weights[column]
                    break
        if k <= size < 2 * k:
            costs[subset] = cost * size
    return masks, costs


@compiled
def best_split(costs: Floats, records: int) -> Ints:
    """For every subset: the class of its first record in the cheapest partition."""
    best = np.full(1 << records, np.inf)
    best[0] = 0.0
    choice = np.zeros(1 << records, dtype=np.int64)
    for subset in range(1, 1 << records):
        first = subset & -subset
        rest = subset ^ first
        part = rest
        while True:
            group = part | first
            value = costs[group] + best[subset ^ group]
            if value < best[subset]:
                best[subset] = value
                choice[subset] = group
            if part == 0:
                break
            part = (part - 1) & rest
    return choice


MOST_AGGLOMERATED = 25_000
"""Number of tuples up to which the greedy baseline, quadratic in them, is computed too."""
MOST_VARIABLES = 4_000
"""Pairs of a tuple and a column set up to which the integer program is solved."""

Halt = Callable[[], bool]


def suppress_cells(
    codes: Codes, counts: Ints, *, request: Request, budget: Budget | None = None, rng: np.random.Generator
) -> Suppression | Unmet:
    """Suppress the fewest cells so that every record is in a class of at least k.

    A suppressed cell is a value of its own. `codes` are the distinct tuples of quasi-identifiers, `counts`
    the number of records of each. The same generator state and budget of rounds give the same solution.

    >>> ages = np.array([[0, 1], [0, 2], [1, 3]], dtype=np.int32)
    >>> answer = suppress_cells(ages, np.array([1, 1, 2]), request=Request(2), rng=np.random.default_rng(1))
    >>> answer.cells, answer.optimal, answer.moves
    (2, True, ((0, 2, 1), (1, 2, 1), (2, 0, 2)))
    """
    table, budget = make_table(codes, counts, request), budget or Budget()
    refused = impossible(table, request)
    if refused is not None:
        return refused
    if not table.risky:
        return finish(no_moves(table, np.arange(len(table.counts))), table, 0.0, "none needed")
    small = table.records <= MOST_RECORDS and not request.limited
    if request.method == "subsets" or (request.method == "auto" and small):
        return exactly(table, request)
    halt = budget.watch()
    if request.method == "integer":
        return integer_only(table, request, budget)
    return best_of_all(table, request, budget, (rng, halt))


def exactly(table: SuppressionTable, request: Request) -> Suppression:
    """Dynamic programming, for a few records."""
    if table.records > MOST_RECORDS or request.limited:
        raise InvalidSetting(
            f"The method subsets takes at most {MOST_RECORDS} records, and no limits.",
            hint="Use the method auto.",
        )
    moves = by_subsets(table)
    return finish(moves, table, cost(moves, table), "subsets")


def integer_only(table: SuppressionTable, request: Request, budget: Budget) -> Suppression | Unmet:
    """The integer program and nothing else."""
    solved = solve_program(table, request, budget)
    if solved is None:
        raise InvalidSetting("The table is too large for the integer program.", hint="Use the method auto.")
    if solved.moves is None:
        return Unmet("The integer program found no solution.", proved=solved.impossible)
    return finish(solved.moves, table, solved.bound, "integer programme")


def solve_program(table: SuppressionTable, request: Request, budget: Budget) -> ProgramSolution | None:
    """Solve the integer program if it is small and includes all sets of columns."""
    if len(table.counts) << min(len(table.weights), 20) > 64 * MOST_VARIABLES:
        return None
    groups, _ = group_block(table)
    if len(groups.masks) < 1 << len(table.weights) or variables(groups) > MOST_VARIABLES:
        return None
    from reidrisk.stats.suppress.integer import solve_integer_program  # the solver is slow to load

    return solve_integer_program(table, groups, request, budget)


def best_of_all(
    table: SuppressionTable, request: Request, budget: Budget, run: tuple[np.random.Generator, Halt]
) -> Suppression | Unmet:
    """Search, baselines, and the integer program if it is small: the cheapest solution within the limits."""
    rng, halt = run
    found = search(table, budget, rng, halt)
    answers = {"search": found.moves, "whole records": whole_records(table)}
    if len(table.counts) <= MOST_AGGLOMERATED and not halt():
        answers["greedy"] = greedy(table)
    bound, refused = found.bound, None
    if request.limited and not any(keeps(moves, table, request) for moves in answers.values()):
        again = replace(budget, ascents=budget.ascents // 4, rounds=budget.rounds // 2)
        limited = within_limits(
            table, request, lambda dear: search(dear, again, rng, halt).moves, found.moves
        )
        if isinstance(limited, Unmet):
            refused = limited
        else:
            answers["search"] = limited
    if request.method == "auto" and not halt() and (request.limited or bound_below(bound, answers, table)):
        solved = solve_program(table, request, budget)
        if solved is not None and solved.impossible:
            return Unmet("The integer program proves that the limits cannot be met.", proved=True)
        if solved is not None:
            bound = max(bound, solved.bound)
            answers |= {"integer programme": solved.moves} if solved.moves is not None else {}
    return cheapest_answer(answers, table, request, bound) or refused or Unmet("No solution.", proved=False)


def bound_below(bound: float, answers: dict[str, SuppressionMoves], table: SuppressionTable) -> bool:
    """Whether the optimum is not proved yet."""
    return bound < min(cost(moves, table) for moves in answers.values()) - 1e-6


def cheapest_answer(
    answers: dict[str, SuppressionMoves], table: SuppressionTable, request: Request, bound: float
) -> Suppression | None:
    """The cheapest solution that meets the limits and has no class below k."""
    good = {
        name: moves
        for name, moves in answers.items()
        if keeps(moves, table, request) and smallest_class(moves, table) >= table.k
    }
    if not good:
        return None
    name = min(good, key=lambda known: cost(good[known], table))
    return finish(good[name], table, bound, name)


def search(table: SuppressionTable, budget: Budget, rng: np.random.Generator, halt: Halt) -> BlockSolution:
    """Search the whole table if it is small enough, else the part that needs suppression."""
    times = times_too_large(table)
    if times <= 1:
        return search_block(table, budget, rng, halt)
    return search_large(table, budget, rng, halt, times=times)
