"""The exact optimum for a handful of records: dynamic programming over subsets."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.groups import Codes
from reidrisk.stats.suppress.result import Stars, tidy
from reidrisk.stats.suppress.table import Table

MOST_RECORDS = 14


def by_subsets(table: Table) -> Stars:
    """Fewest weighted stars; a class of 2k or more could be split, so classes have k to 2k - 1 records."""
    owners = np.repeat(np.arange(len(table.counts)), table.counts)
    masks, costs = class_costs(table.codes[owners], table.weights, table.k)
    choice = best_split(costs, len(owners))
    tuples, starred, left = [], [], (1 << len(owners)) - 1
    while left:
        group = int(choice[left])
        inside = [record for record in range(len(owners)) if group >> record & 1]
        tuples += [int(owners[record]) for record in inside]
        starred += [int(masks[group])] * len(inside)
        left ^= group
    return tidy(np.array(tuples), np.array(starred), np.ones(len(tuples), dtype=np.int64))


@compiled
def class_costs(rows: Codes, weights: Floats, k: int) -> tuple[Ints, Floats]:
    """For every subset of records the columns on which they differ, and the cost of making them alike."""
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
    """For every subset the class of its first record in the cheapest division."""
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
