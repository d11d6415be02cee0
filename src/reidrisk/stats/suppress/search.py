"""Local search for the fewest suppressed cells of a block.

Records are units that move one by one between groups.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.suppress.result import SuppressionMoves, tidy
from reidrisk.stats.suppress.table import Codes, Keys, TupleGroups


class SuppressionState(NamedTuple):
    """The place of each unit, and scratch space for free units."""

    k: int
    of: Codes
    pattern: Codes
    start: Ints
    members: Codes
    costs: Floats
    tuple_of: Codes
    """Tuple of each unit; units of one tuple are neighbors."""
    first_unit: Ints
    fixed: Codes
    """Records of each group that never move: those of large tuples beyond k."""
    place: Codes
    """Current column set of each unit, -1 while it is free."""
    size: Codes
    """Current number of records in each group."""
    head: Codes
    """First unit in each group, -1 if none; `after` and `before` link the others."""
    after: Codes
    before: Codes
    price: Floats
    """The price of a record of each tuple according to the lower bound; guides the search."""
    freed: Codes
    old: Codes
    goal: Codes
    value: Floats
    seen: Codes
    able: Codes
    gain: Floats
    random: Keys


def make_state(groups: TupleGroups, counts: Ints, k: int, seed: int) -> SuppressionState:
    """All units are free. Of a tuple with more than 2k records, all but k stay unsuppressed for good."""
    large = counts > 2 * k
    movable = np.where(large, k, counts)
    owners = np.repeat(np.arange(len(counts), dtype=np.int32), movable)
    first = np.concatenate([[0], np.cumsum(movable)]).astype(np.int64)
    units, total = len(owners), len(groups.pattern)
    fixed = np.zeros(total, dtype=np.int32)
    fixed[groups.of[large, 0]] = np.minimum(counts - k, 1 << 30)[large]
    links = [np.full(units, -1, dtype=np.int32) for _ in range(3)]
    moving = [np.zeros(units, dtype=np.int32) for _ in range(3)]
    return SuppressionState(
        k, groups.of, groups.pattern, groups.start, groups.members, groups.costs,
        owners, first, fixed, links[0], fixed.copy(), np.full(total, -1, dtype=np.int32), links[1], links[2],
        np.zeros(len(counts)), moving[0], moving[1], moving[2], np.zeros(units),
        np.zeros(total, dtype=np.int32), np.zeros(total, dtype=np.int32),
        np.zeros(total), np.array([seed | 1], dtype=np.uint64),
    )  # fmt: skip


def moves_of(place: Codes, state: SuppressionState, groups: TupleGroups, counts: Ints) -> SuppressionMoves:
    """The solution given by the places of the units and the records that never moved."""
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
def enter(s: SuppressionState, unit: int, place: int) -> None:
    """Put a unit into the group that it has under a column set."""
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
def leave(s: SuppressionState, unit: int) -> None:
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
def cheapest_open(s: SuppressionState, row: int) -> int:
    """The cheapest set under which a tuple finds an open class, -1 if there is none."""
    for place in range(len(s.costs)):
        group = s.of[row, place]
        if group >= 0 and s.size[group] >= s.k:
            return place
    return -1


@compiled
def restore(s: SuppressionState, places: Codes) -> None:
    """Put every unit where `places` says."""
    for unit in range(len(places)):
        if s.place[unit] >= 0:
            leave(s, unit)
    for unit in range(len(places)):
        enter(s, unit, places[unit])


@compiled
def total_cost(s: SuppressionState) -> float:
    """Cost of all units."""
    total = 0.0
    for place in s.place:
        total += s.costs[place]
    return total


NOWHERE = 1e15
"""The price of a record that fits no open class: never accepted."""

LARGE, SELDOM = 12, 4
"""A class of 2k records can spare one; one in `SELDOM` is dissolved anyway, if it is not too large."""


class SearchStep(NamedTuple):
    """The settings of one round."""

    size: int
    """Up to this many records, beyond k, are freed."""
    reach: float
    """How much costlier than its fallback a record may become to help others."""
    rise: float
    """Greatest increase of prices when they guide the search."""
    noise: float
    """Noise added to the saving of a group when the best is chosen."""


@compiled
def free_unit(s: SuppressionState, unit: int, freed: int) -> int:
    """Add a unit to the freed ones."""
    s.freed[freed] = unit
    s.old[freed] = s.place[unit]
    leave(s, unit)
    return freed + 1


@compiled
def take(s: SuppressionState, unit: int, freed: int) -> int:
    """Free a unit, and its whole class unless the class can spare it."""
    group = s.of[s.tuple_of[unit], s.place[unit]]
    size = s.size[group]
    if s.fixed[group] > 0 or size >= LARGE * s.k or (size >= 2 * s.k and draw(s.random, SELDOM) > 0):
        return free_unit(s, unit, freed)
    while s.head[group] >= 0:
        freed = free_unit(s, s.head[group], freed)
    return freed


@compiled
def ruin(s: SuppressionState, limit: int) -> int:
    """Free a unit with suppressed cells, and others with which it could share a cheaper group."""
    units = len(s.place)
    unit = draw(s.random, units)
    for _ in range(200):
        if s.place[unit] > 0:
            break
        unit = draw(s.random, units)
    row, here = s.tuple_of[unit], s.place[unit]
    group = -1
    for _ in range(20):
        place = draw(s.random, here + 1)
        if s.costs[place] <= s.costs[here] and s.of[row, place] >= 0:
            group = s.of[row, place]
            break
    freed = take(s, unit, 0)
    if group < 0:
        return freed
    first, length = s.start[group], s.start[group + 1] - s.start[group]
    offset = draw(s.random, length)
    for step in range(min(length, 4 * limit)):
        other = s.members[first + (offset + step) % length]
        for friend in range(s.first_unit[other], s.first_unit[other + 1]):
            if freed >= limit:
                return freed
            if s.place[friend] >= 0:
                freed = take(s, friend, freed)
    return freed


@compiled
def price_fallback(s: SuppressionState, freed: int) -> None:
    """The cheapest open class for each freed unit."""
    for index in range(freed):
        place = cheapest_open(s, s.tuple_of[s.freed[index]])
        s.goal[index] = place
        s.value[index] = s.costs[place] if place >= 0 else NOWHERE


@compiled
def cap_by_price(s: SuppressionState, freed: int, rise: float) -> None:
    """Value a freed unit at its price, slightly raised, where that is below its fallback."""
    for index in range(freed):
        s.value[index] = min(s.value[index], s.price[s.tuple_of[s.freed[index]]] + rise)


@compiled
def tally(s: SuppressionState, freed: int, reach: float) -> int:
    """For each group that freed units could form: how many can enter and the most it would save."""
    touched = 0
    for index in range(freed):
        if s.place[s.freed[index]] >= 0:
            continue
        row, value = s.tuple_of[s.freed[index]], s.value[index]
        for place in range(len(s.costs)):
            spare = value - s.costs[place]
            if spare < -reach:
                break
            group = s.of[row, place]
            if group < 0:
                continue
            if s.able[group] == 0:
                s.gain[group] = 0.0
                s.seen[touched] = group
                touched += 1
            s.able[group] += 1
            if spare > 0:
                s.gain[group] += spare
    return touched


@compiled
def net_gain(s: SuppressionState, freed: int, group: int) -> tuple[float, float]:
    """Saving from opening a group, and the least spare of the units that should enter it."""
    place = s.pattern[group]
    total, count, missing = 0.0, 0, 0
    spares = np.empty(s.k, dtype=np.float64)
    for index in range(freed):
        unit = s.freed[index]
        if s.place[unit] >= 0 or s.of[s.tuple_of[unit], place] != group:
            continue
        spare = s.value[index] - s.costs[place]
        if spare > 0:
            total += spare
            count += 1
        else:
            at = missing
            if missing == s.k and spares[s.k - 1] < spare:
                at = s.k - 1
            if at < s.k:
                while at > 0 and spares[at - 1] < spare:
                    spares[at] = spares[at - 1]
                    at -= 1
                spares[at] = spare
                missing = min(s.k, missing + 1)
    least = 0.0
    for index in range(s.k - count):
        if index >= missing:
            return -1.0, 0.0
        total += spares[index]
        least = spares[index]
    return total, least


@compiled
def choose(s: SuppressionState, touched: int, freed: int, noise: float) -> int:
    """The group that saves most, with a little noise; -1 if none saves anything."""
    best, chosen = 1e-9, -1
    for index in range(touched):
        group = s.seen[index]
        if s.able[group] < s.k:
            continue
        blur = 1.0 - noise * draw(s.random, 1024) / 1024.0
        if s.gain[group] * blur <= best:
            continue
        net, _ = net_gain(s, freed, group)
        if net * blur > best:
            best, chosen = net * blur, group
    for index in range(touched):
        s.able[s.seen[index]] = 0
    return chosen


@compiled
def open_group(s: SuppressionState, group: int, freed: int) -> None:
    """Move into a group all units that gain, filled up to k with those that lose least."""
    place = s.pattern[group]
    _, least = net_gain(s, freed, group)
    for tier in range(3):
        for index in range(freed):
            unit = s.freed[index]
            if s.place[unit] >= 0 or s.of[s.tuple_of[unit], place] != group:
                continue
            spare = s.value[index] - s.costs[place]
            if (
                spare > 0
                or (tier == 1 and spare > least)
                or (tier == 2 and spare == least and s.size[group] < s.k)
            ):
                enter(s, unit, place)
    for index in range(freed):
        unit = s.freed[index]
        mine = s.place[unit] < 0 and s.of[s.tuple_of[unit], place] == group
        if mine and s.costs[place] < s.value[index]:
            s.value[index] = s.costs[place]
            s.goal[index] = place


@compiled
def open_groups(s: SuppressionState, freed: int, step: SearchStep) -> None:
    """Open groups as long as one saves cost."""
    while True:
        touched = tally(s, freed, step.reach)
        group = choose(s, touched, freed, step.noise)
        if group < 0:
            break
        open_group(s, group, freed)


@compiled
def recreate(s: SuppressionState, freed: int, step: SearchStep) -> float:
    """Assign every freed unit to a class again; returns their total cost."""
    price_fallback(s, freed)
    if draw(s.random, 4) > 0:
        cap_by_price(s, freed, step.rise * draw(s.random, 1024) / 1024.0)
        open_groups(s, freed, step)
        price_fallback(s, freed)
    open_groups(s, freed, step)
    total = 0.0
    for index in range(freed):
        unit = s.freed[index]
        if s.place[unit] < 0:
            if s.goal[index] < 0:
                total += NOWHERE
                continue
            enter(s, unit, s.goal[index])
        total += s.costs[s.place[unit]]
    return total


@compiled
def undo(s: SuppressionState, freed: int) -> None:
    """Put the freed units back where they were."""
    for index in range(freed):
        if s.place[s.freed[index]] >= 0:
            leave(s, s.freed[index])
    for index in range(freed):
        enter(s, s.freed[index], s.old[index])


@compiled
def improve(s: SuppressionState, rounds: int, heat: float, step: SearchStep) -> None:
    """Ruin and recreate `rounds` times; with heat, a slightly costlier result is sometimes accepted."""
    for _ in range(rounds):
        freed = ruin(s, s.k + draw(s.random, step.size))
        before = 0.0
        for index in range(freed):
            before += s.costs[s.old[index]]
        after = recreate(s, freed, step)
        luck = (draw(s.random, 1 << 20) + 1.0) / (1 << 20)
        if after > before - heat * np.log(luck):
            undo(s, freed)
