"""Records as units that move one by one between groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.groups import Codes, Groups, Keys
from reidrisk.stats.suppress.result import Stars, tidy


class State(NamedTuple):
    """Who is where, and scratch space for those on the move."""

    k: int
    of: Codes
    pattern: Codes
    start: Ints
    members: Codes
    costs: Floats
    tuple_of: Codes
    """Tuple of each unit; units of one tuple are neighbours."""
    first_unit: Ints
    fixed: Codes
    """Records of each group that never move: what large tuples have beyond k."""
    place: Codes
    """Starred set of each unit at present, -1 while it is on the move."""
    size: Codes
    """Records in each group at present."""
    head: Codes
    """First unit in each group, -1 if none; `after` and `before` chain the others."""
    after: Codes
    before: Codes
    price: Floats
    """What the lower bound says a record of each tuple is worth; leads the search."""
    freed: Codes
    old: Codes
    goal: Codes
    value: Floats
    seen: Codes
    able: Codes
    gain: Floats
    random: Keys


def make_state(groups: Groups, counts: Ints, k: int, seed: int) -> State:
    """All units on the move. Of a tuple with more than 2k records all but k stay unstarred for good."""
    large = counts > 2 * k
    movable = np.where(large, k, counts)
    owners = np.repeat(np.arange(len(counts), dtype=np.int32), movable)
    first = np.concatenate([[0], np.cumsum(movable)]).astype(np.int64)
    units, total = len(owners), len(groups.pattern)
    fixed = np.zeros(total, dtype=np.int32)
    fixed[groups.of[large, 0]] = np.minimum(counts - k, 1 << 30)[large]
    links = [np.full(units, -1, dtype=np.int32) for _ in range(3)]
    moving = [np.zeros(units, dtype=np.int32) for _ in range(3)]
    return State(
        k, groups.of, groups.pattern, groups.start, groups.members, groups.costs,
        owners, first, fixed, links[0], fixed.copy(), np.full(total, -1, dtype=np.int32), links[1], links[2],
        np.zeros(len(counts)), moving[0], moving[1], moving[2], np.zeros(units),
        np.zeros(total, dtype=np.int32), np.zeros(total, dtype=np.int32),
        np.zeros(total), np.array([seed | 1], dtype=np.uint64),
    )  # fmt: skip


def stars_of(place: Codes, state: State, groups: Groups, counts: Ints) -> Stars:
    """The places of the units, and the records that never moved, as an answer."""
    stay = counts - np.diff(state.first_unit)
    rows = np.flatnonzero(stay)
    tuples = np.concatenate([state.tuple_of.astype(np.int64), rows])
    masks = np.concatenate([groups.masks[place], np.zeros(len(rows), dtype=np.int64)])
    return tidy(tuples, masks, np.concatenate([np.ones(len(place), dtype=np.int64), stay[rows]]))


@compiled
def draw(random: Keys, below: int) -> int:
    """A random whole number in [0, below): xorshift64*, so that a seed gives the same digits everywhere."""
    state = random[0]
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    random[0] = state
    return int(((state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33)) % np.uint64(below))


@compiled
def enter(s: State, unit: int, place: int) -> None:
    """Put a unit into the group it has under a starred set."""
    group = s.of[s.tuple_of[unit], place]
    s.place[unit] = place
    s.size[group] += 1
    following = s.head[group]
    s.after[unit] = following
    s.before[unit] = -1
    if following >= 0:
        s.before[following] = unit
    s.head[group] = unit


@compiled
def leave(s: State, unit: int) -> None:
    """Take a unit out of its group."""
    group = s.of[s.tuple_of[unit], s.place[unit]]
    s.size[group] -= 1
    left, right = s.before[unit], s.after[unit]
    if left >= 0:
        s.after[left] = right
    else:
        s.head[group] = right
    if right >= 0:
        s.before[right] = left
    s.place[unit] = -1


@compiled
def cheapest_open(s: State, row: int) -> int:
    """The cheapest set under which a tuple finds an open class, -1 if there is none."""
    for place in range(len(s.costs)):
        group = s.of[row, place]
        if group >= 0 and s.size[group] >= s.k:
            return place
    return -1


@compiled
def restore(s: State, places: Codes) -> None:
    """Put every unit where `places` says."""
    for unit in range(len(places)):
        if s.place[unit] >= 0:
            leave(s, unit)
    for unit in range(len(places)):
        enter(s, unit, places[unit])


@compiled
def total_cost(s: State) -> float:
    """Cost of all units."""
    total = 0.0
    for place in s.place:
        total += s.costs[place]
    return total
