"""Compiled kernels of a lattice profile: every node is visited, and counted for all class sizes at once.

The tables are those of `kernels.py`, and the loss is added up by the same functions in the same order, so
that a profile agrees with the search to the last digit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.lattice.inputs import Codes
from reidrisk.stats.lattice.kernels import attribute_loss, combined, fix_level, next_level, number_groups
from reidrisk.stats.lattice.tables import DISCERNIBILITY, LatticeProblem, LatticeState


class CountedNodes(NamedTuple):
    """The counts of all nodes. Column s is for cell size s + 1."""

    begins: Ints
    """Space to sort classes by size."""
    below: Ints
    classes: Ints
    loss: Floats
    total: Ints
    """By node: number of all classes."""


def new_counts(nodes: int, sizes: int) -> CountedNodes:
    """Space for the counts of so many nodes and cell sizes."""

    def ints(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int64)

    return CountedNodes(
        ints(sizes + 1), ints(nodes, sizes), ints(nodes, sizes), np.zeros((nodes, sizes)), ints(nodes)
    )


@compiled
def by_size(counts: Ints, begins: Ints, order: Codes) -> int:
    """Sort the classes below a size by their size: those of size s begin at `begins[s]` of `order`.

    Returns the number of such classes.
    """
    most = begins.size - 2
    for size in range(begins.size):
        begins[size] = 0
    for i in range(counts.size):
        if counts[i] <= most:
            begins[counts[i] + 1] += 1
    for size in range(1, begins.size):
        begins[size] += begins[size - 1]
    for i in range(counts.size):
        if counts[i] <= most:
            order[begins[counts[i]]] = i
            begins[counts[i]] += 1
    for size in range(begins.size - 1, 0, -1):
        begins[size] = begins[size - 1]
    begins[0] = 0
    return int(begins[most + 1])


@compiled
def lose_class(problem: LatticeProblem, state: LatticeState, entry: int, gone: Ints) -> None:
    """Add the records of one class to the suppressed ones, for every attribute."""
    a = state.level.size - 1
    records, group = state.counts[a, entry], state.group[a, entry]
    gone[problem.place[a] + state.value[a, entry]] += records
    for fixed in range(a, 0, -1):
        gone[problem.place[fixed - 1] + state.last[fixed, group]] += records
        group = state.above[fixed, group]


@compiled
def present_loss(problem: LatticeProblem, state: LatticeState, gone: Ints, squares: float) -> float:
    """The loss of the node with the suppressed records of `gone`."""
    if problem.measure.kind == DISCERNIBILITY:
        return squares
    losses = state.bound[state.level.size]
    for each in range(state.level.size):
        losses[each] = attribute_loss(problem, each, state.level[each], gone)
    return combined(problem.measure, losses)


@compiled
def profile_node(problem: LatticeProblem, state: LatticeState, counted: CountedNodes, node: int) -> None:
    """For each size k: records and classes smaller than k, and the loss if these are suppressed."""
    a = state.level.size - 1
    counts, gone = state.counts[a, : state.size[a]], state.gone[a + 1]
    begins, below, classes, loss = (
        counted.begins,
        counted.below[node],
        counted.classes[node],
        counted.loss[node],
    )
    for place in range(gone.size):
        gone[place] = 0
    squares = 0.0
    if problem.measure.kind == DISCERNIBILITY:
        for i in range(counts.size):
            squares += float(counts[i]) * counts[i]
    by_size(counts, begins, state.order)
    records = float(problem.limits.records)
    loss[0] = present_loss(problem, state, gone, squares)
    for size in range(1, loss.size):
        number = begins[size + 1] - begins[size]
        for at in range(begins[size], begins[size + 1]):
            lose_class(problem, state, state.order[at], gone)
            squares += float(size) * (records - size)
        below[size] = below[size - 1] + number * size
        classes[size] = classes[size - 1] + number
        loss[size] = present_loss(problem, state, gone, squares) if number else loss[size - 1]
    counted.total[node] = counts.size


@compiled
def node_place(problem: LatticeProblem, state: LatticeState) -> int:
    """The number of the present node, the last attribute counting fastest."""
    place = 0
    for a in range(state.level.size):
        place = place * (problem.high[a] - problem.low[a] + 1) + state.level[a] - problem.low[a]
    return place


@compiled
def profile_nodes(problem: LatticeProblem, state: LatticeState, counted: CountedNodes, budget: int) -> None:
    """Continue with the next nodes until all are done or about `budget` entries were read."""
    a, final = state.mark[0], state.level.size - 1
    while a >= 0 and budget > 0:
        budget -= state.size[a]
        if a < final:
            number_groups(problem, state, a)
            fix_level(problem, state, a)
            a += 1
            continue
        profile_node(problem, state, counted, node_place(problem, state))
        state.mark[1] += 1
        a = next_level(problem, state, a)
    state.mark[0] = a
