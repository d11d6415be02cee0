"""Compiled kernels: the walk over the lattice, and the search that then moves tuples between groups."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.local.tables import LocalState, Room, Space

LEAST = 1e-9
"""A smaller gain counts as rounding error."""


@compiled
def link(space: Space, state: LocalState, t: int, g: int) -> None:
    """Put a tuple into a group without changing the group's steps."""
    state.group[t], state.after[t], state.before[t] = g, state.head[g], -1
    if state.head[g] >= 0:
        state.before[state.head[g]] = t
    state.head[g] = t
    state.size[g] += space.counts[t]


@compiled
def slot_of(space: Space, room: Room, nodes: Ints, q: int, t: int) -> int:
    """The slot that counts the class of a tuple at a node; equal hashes are distinguished by their values."""
    columns, mask = space.codes.shape[1], room.stamp.size - 1
    key = 0
    for a in range(columns):
        key = key * 1000003 + space.code[space.offset[a, nodes[q, a]] + space.codes[t, a]]
    key = (key ^ (key >> 29)) * 668265263
    slot = (key ^ (key >> 32)) & mask
    while room.stamp[slot] == q:
        other, a = room.first[slot], 0
        while a < columns:
            at = space.offset[a, nodes[q, a]]
            if space.code[at + space.codes[t, a]] != space.code[at + space.codes[other, a]]:
                break
            a += 1
        if a == columns:
            return slot
        slot = (slot + 1) & mask
    room.stamp[slot], room.first[slot], room.total[slot], room.number[slot] = q, t, 0, -1
    return slot


@compiled
def fix(space: Space, state: LocalState, room: Room, rest: Ints, groups: int) -> tuple[int, int]:
    """Turn classes that reach the cell size into groups; returns the remaining tuples and the groups."""
    kept = 0
    for i in range(rest.size):
        slot = room.slots[i]
        if room.total[slot] < space.cell_size:
            rest[kept] = rest[i]
            kept += 1
            continue
        if room.number[slot] < 0:
            room.number[slot] = groups
            groups += 1
        link(space, state, rest[i], room.number[slot])
    return kept, groups


@compiled
def walk(space: Space, state: LocalState, nodes: Ints, rest: Ints, groups: int) -> tuple[int, int, int]:
    """Fix the classes of the tuples in `rest` that reach the cell size, node by node.

    The remaining tuples are moved to the front of `rest`. Returns the number of remaining tuples, of groups,
    and of nodes examined.
    """
    size = 1
    while size < 2 * rest.size:
        size *= 2
    first = np.zeros(size, dtype=np.int64)
    stamp = np.full(size, -1, dtype=np.int64)
    total = np.zeros(size, dtype=np.int64)
    number = np.zeros(size, dtype=np.int64)
    room = Room(first, stamp, total, number, np.zeros(rest.size, dtype=np.int64))
    left = rest.size
    for q in range(nodes.shape[0]):
        if left == 0:
            return left, groups, q
        hit = False
        for i in range(left):
            t = rest[i]
            slot = slot_of(space, room, nodes, q, t)
            room.total[slot] += space.counts[t]
            room.slots[i] = slot
            hit = hit or room.total[slot] >= space.cell_size
        if hit:
            left, groups = fix(space, state, room, rest[:left], groups)
    return left, groups, nodes.shape[0]


@compiled
def unlink(space: Space, state: LocalState, t: int) -> None:
    """Take a tuple out of its group without changing the group's steps."""
    g = state.group[t]
    if state.before[t] >= 0:
        state.after[state.before[t]] = state.after[t]
    else:
        state.head[g] = state.after[t]
    if state.after[t] >= 0:
        state.before[state.after[t]] = state.before[t]
    state.group[t] = -1
    state.size[g] -= space.counts[t]


@compiled
def fitted(space: Space, state: LocalState, g: int, without: int) -> float:
    """Loss per record of a group if one tuple leaves it; the steps are in `spare`."""
    columns = space.codes.shape[1]
    for a in range(columns):
        state.spare[a] = 0
    t = state.head[g]
    if t == without:
        t = state.after[t]
    first = t
    while t >= 0:
        if t != without:
            for a in range(columns):
                one, two = space.codes[t, a], space.codes[first, a]
                while (
                    space.code[space.offset[a, state.spare[a]] + one]
                    != space.code[space.offset[a, state.spare[a]] + two]
                ):
                    state.spare[a] += 1
        t = state.after[t]
    cost = 0.0
    for a in range(columns):
        cost += space.loss[space.offset[a, state.spare[a]] + space.codes[first, a]]
    return cost


@compiled
def refit(space: Space, state: LocalState, g: int) -> None:
    """Set the lowest steps on which all tuples of a group have the same values."""
    state.cost[g] = fitted(space, state, g, -1)
    for a in range(space.codes.shape[1]):
        step = state.spare[a]
        state.step[g, a] = step
        state.lost[g, a] = space.loss[space.offset[a, step] + space.codes[state.head[g], a]]


@compiled
def refit_all(space: Space, state: LocalState, groups: int) -> None:
    """Refit all groups that have tuples."""
    for g in range(groups):
        if state.head[g] >= 0:
            refit(space, state, g)


@compiled
def insert(space: Space, state: LocalState, tuples: Ints, groups: int) -> None:
    """Put tuples without a group where they cost least."""
    for i in range(tuples.size):
        to, _, _ = cheapest(space, state, tuples[i], groups, np.inf)
        link(space, state, tuples[i], to)
        refit(space, state, to)


@compiled
def cheapest(space: Space, state: LocalState, t: int, groups: int, bound: float) -> tuple[int, float, int]:
    """The group that costs least with one more tuple, if below the bound; and the groups examined."""
    found, looked = -1, 0
    records = space.counts[t]
    for g in range(groups):
        looked += 1
        more = state.cost[g] * records
        if more >= bound or state.size[g] == 0 or state.group[t] == g:
            continue
        member, size = state.head[g], state.size[g] + records
        for a in range(space.codes.shape[1]):
            one, two = space.codes[t, a], space.codes[member, a]
            step = state.step[g, a]
            if (
                one == two
                or space.code[space.offset[a, step] + one] == space.code[space.offset[a, step] + two]
            ):
                continue
            step += 1
            while (
                step < space.steps[a]
                and space.code[space.offset[a, step] + one] != space.code[space.offset[a, step] + two]
            ):
                step += 1
            if step == space.steps[a]:
                more = np.inf
                break
            more += (space.loss[space.offset[a, step] + two] - state.lost[g, a]) * size
            if more >= bound:
                break
        if more < bound:
            found, bound = g, more
    return found, bound, looked


@compiled
def move(space: Space, state: LocalState, t: int, groups: int) -> tuple[float, int]:
    """Move a tuple that its group can spare to where it costs least; returns the gain and groups examined."""
    g = state.group[t]
    left = state.size[g] - space.counts[t]
    gain = state.cost[g] * state.size[g] - fitted(space, state, g, t) * left
    to, more, looked = cheapest(space, state, t, groups, gain - LEAST)
    if to < 0:
        return 0.0, looked
    unlink(space, state, t)
    refit(space, state, g)
    link(space, state, t, to)
    refit(space, state, to)
    return gain - more, looked


@compiled
def dissolve(space: Space, state: LocalState, g: int, groups: int) -> tuple[float, int]:
    """Move every tuple of a group to where it costs least; undone if that gains nothing."""
    gain = state.cost[g] * state.size[g]
    number, looked, spent = 0, 0, 0.0
    while state.head[g] >= 0:
        t = state.head[g]
        unlink(space, state, t)
        state.kept[0, number], state.kept[1, number] = t, -1
        number += 1
    for i in range(number):
        t = state.kept[0, i]
        to, more, seen = cheapest(space, state, t, groups, gain - LEAST - spent)
        looked += seen
        if to < 0:
            for j in range(i):
                unlink(space, state, state.kept[0, j])
            for j in range(i):
                refit(space, state, state.kept[1, j])
            for j in range(number - 1, -1, -1):
                link(space, state, state.kept[0, j], g)
            return 0.0, looked
        spent += more
        link(space, state, t, to)
        refit(space, state, to)
        state.kept[1, i] = to
    return gain - spent, looked


@compiled
def improve(space: Space, state: LocalState, order: Ints, groups: int, most: int) -> tuple[float, int, int]:
    """Try every tuple in order until `most` groups were examined: move it, or dissolve its group.

    Returns the gain, the position reached in the order, and the number of groups examined.
    """
    gained, looked = 0.0, 0
    for i in range(order.size):
        if looked >= most:
            return gained, i, looked
        t = order[i]
        g = state.group[t]
        if state.cost[g] <= LEAST:
            continue
        if state.size[g] - space.counts[t] >= space.cell_size:
            gain, seen = move(space, state, t, groups)
        elif state.head[g] == t:
            gain, seen = dissolve(space, state, g, groups)
        else:
            continue
        gained += gain
        looked += seen
    return gained, order.size, looked
