"""Count the people who share each combination of known events.

The subsets form a tree: people who have the first event, among them those who also have the second, and so
on. At a leaf the people are counted by event. A person who is alone at a branch is alone everywhere below it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.events.compositions import Compositions, Steps
from reidrisk.stats.events.lists import EventLists, Slots, counting_order

RISK, SCORE, DROP = 0, 1, 2


class WalkResult(NamedTuple):
    """The results of a walk."""

    sums: Floats
    """By person and composition: the sum of 1 / support over the subsets, each weighted by the number of ways
    to draw it."""
    least: Ints
    """By person and composition: the smallest support of a subset; 0 without any."""
    scores: Ints
    """By slot: the number of subsets with too few people that contain it."""
    dropped: Bools
    """By slot: whether it was chosen for removal."""


class _Room(NamedTuple):
    """Scratch space of the walk, by depth."""

    slot: Ints
    parent: Ints
    weight: Floats
    begin: Ints
    at: Ints
    branches: Ints
    tally: Ints
    composition: Ints
    """By depth: the composition of the branch that is visited."""
    rest: Ints
    """By table: events of a person that are left."""


class _Aim(NamedTuple):
    """What to do at a leaf."""

    known: int
    mode: int
    smallest: int


class _TreeWalk(NamedTuple):
    """Everything that the walk uses."""

    slots: Slots
    aim: _Aim
    room: _Room
    found: WalkResult
    steps: Steps
    changed: Bools
    """By slot: whether it changed; subsets without any changed slot are skipped."""
    later: Ints
    """The first changed slot from each slot on."""


def support_risks(
    lists: EventLists,
    known: int,
    compositions: Compositions | None = None,
    *,
    columns: tuple[int, int] | None = None,
) -> WalkResult:
    """For every person, the risks over all subsets of `known` events, by composition.

    Without `compositions` all subsets are in one column. With `columns` only these compositions are counted.
    """
    comps = compositions or Compositions.of(known, (known,) * lists.tables)
    first, last = columns or (0, len(comps.of_size(known)))
    found = _nothing(lists, last - first)
    _walk(lists, _Aim(known, RISK, 0), found, comps.steps(known, first, last))
    return found


def too_few(
    lists: EventLists, known: int, smallest: int, changed: Bools, caps: tuple[int, ...] | None = None
) -> Bools:
    """Slots to remove so that no subset of `known` events (two or more) is shared by too few people.

    Smaller subsets, and subsets without a changed event, must satisfy this already. From each subset that
    does not, the slot that is in the most such subsets is removed. `caps` are the most events by table.
    """
    found = _nothing(lists, 0)
    comps = Compositions.of(known, caps or (known,) * lists.tables)
    steps = comps.steps(known, 0, len(comps.of_size(known)))
    _walk(lists, _Aim(known, SCORE, smallest), found, steps, changed)
    if found.scores.any():
        _walk(lists, _Aim(known, DROP, smallest), found, steps, changed)
    return found.dropped


def exposed_slots(lists: EventLists, known: int, smallest: int, caps: tuple[int, ...]) -> Ints:
    """By slot: the number of subsets of `known` events that too few people share and that contain it."""
    found = _nothing(lists, 0)
    comps = Compositions.of(known, tuple(min(cap, known) for cap in caps))
    _walk(lists, _Aim(known, SCORE, smallest), found, comps.steps(known, 0, len(comps.of_size(known))))
    return found.scores


def _nothing(lists: EventLists, columns: int) -> WalkResult:
    people, slots = lists.people, len(lists.slots.items)
    zeros = np.zeros((people, columns), dtype=np.int64)
    return WalkResult(
        np.zeros((people, columns)), zeros, np.zeros(slots, dtype=np.int64), np.zeros(slots, dtype=np.bool_)
    )


def _walk(
    lists: EventLists, aim: _Aim, found: WalkResult, steps: Steps, changed: Bools | None = None
) -> None:
    wide, branches = lists.room()
    depth = aim.known
    room = _Room(
        slot=np.zeros((depth, wide), dtype=np.int64),
        parent=np.zeros((depth, wide), dtype=np.int64),
        weight=np.zeros((depth, wide)),
        begin=np.zeros((depth, branches + 1), dtype=np.int64),
        at=np.zeros(depth, dtype=np.int64),
        branches=np.zeros(depth, dtype=np.int64),
        tally=np.zeros(lists.numbers + 1, dtype=np.int64),
        composition=np.zeros(depth, dtype=np.int64),
        rest=np.zeros(steps.next.shape[1], dtype=np.int64),
    )
    order, edges = counting_order(lists.slots.items, lists.numbers)
    some = np.ones(len(order), dtype=np.bool_) if changed is None else changed
    _roots(_TreeWalk(lists.slots, aim, room, found, steps, some, _later(some)), order, edges)


@compiled
def _later(changed: Bools) -> Ints:
    """From each slot on, the first changed slot; the end if there is none."""
    end = len(changed)
    later = np.full(end + 1, end, dtype=np.int64)
    for slot in range(end - 1, -1, -1):
        later[slot] = slot if changed[slot] else later[slot + 1]
    return later


@compiled
def _is_changed(walk: _TreeWalk, depth: int, place: int) -> bool:
    """Whether a branch contains a changed event; all people on it have the same events."""
    while depth >= 0:
        if walk.changed[walk.room.slot[depth, place]]:
            return True
        place = walk.room.parent[depth, place]
        depth -= 1
    return False


@compiled
def _roots(walk: _TreeWalk, order: Ints, edges: Ints) -> None:
    """Start the walk from every event."""
    slots, aim, room = walk.slots, walk.aim, walk.room
    for item in range(len(edges) - 1):
        low, high = edges[item], edges[item + 1]
        if low == high or slots.ordinals[order[low]] != 1:
            continue
        room.composition[0] = walk.steps.next[0, slots.tables[order[low]]]
        if room.composition[0] < 0:
            continue
        for i in range(low, high):
            room.slot[0, i - low] = order[i]
            room.weight[0, i - low] = slots.copies[order[i]]
        if aim.known == 1:
            column = walk.steps.columns[room.composition[0]]
            for i in range(high - low if column >= 0 else 0):
                _leaf(walk, order[low + i], -1, i, room.weight[0, i], high - low, column)
            continue
        room.begin[0, 0], room.begin[0, 1] = 0, high - low
        room.at[0], room.branches[0] = 0, 1
        _descend(walk)


@compiled
def _descend(walk: _TreeWalk) -> None:
    """Visit all subsets below one first event, without recursion."""
    slots, aim, room = walk.slots, walk.aim, walk.room
    depth = 0
    while depth >= 0:
        branch = room.at[depth]
        if branch == room.branches[depth]:
            depth -= 1
            continue
        room.at[depth] = branch + 1
        low, high = room.begin[depth, branch], room.begin[depth, branch + 1]
        if depth > 0:
            table = slots.tables[room.slot[depth, low]]
            room.composition[depth] = walk.steps.next[room.composition[depth - 1], table]
        if aim.mode == 0 and high - low == 1 and walk.steps.next.shape[1] == 1:
            _alone(slots, aim.known - depth - 1, room.slot[depth, low], room.weight[depth, low], walk.found)
        elif aim.mode == 0 and high - low == 1:
            _alone_by_table(walk, depth, room.slot[depth, low])
        elif depth == aim.known - 2:
            _leaves(walk, depth, low, high)
        else:
            _spread(walk, depth, low, high)
            depth += 1


@compiled
def _follows(slots: Slots, slot: int, other: int) -> bool:
    """Whether a slot may come after another: the next copy of the same event, or a first copy."""
    return slots.ordinals[other] == 1 or other == slot + 1


@compiled
def _allowed(walk: _TreeWalk, depth: int, slot: int) -> bool:
    """Whether the limits of the tables allow this slot on the branch that is visited."""
    return bool(walk.steps.next[walk.room.composition[depth], walk.slots.tables[slot]] >= 0)


@compiled
def _spread(walk: _TreeWalk, depth: int, low: int, high: int) -> None:
    """Go one level deeper: group people by their next event."""
    slots, room = walk.slots, walk.room
    below, branches = depth + 1, 0
    count, begin = room.tally, room.begin
    for i in range(low, high):
        slot = room.slot[depth, i]
        for other in range(slot + 1, slots.starts[slots.owners[slot] + 1]):
            if _follows(slots, slot, other) and _allowed(walk, depth, other):
                item = slots.items[other]
                if count[item] == 0:
                    begin[below, branches] = item  # first the event, later where its people begin
                    branches += 1
                count[item] += 1
    filled = 0
    for branch in range(branches):
        item = begin[below, branch]
        begin[below, branch] = filled
        filled += count[item]
        count[item] = begin[below, branch]
    begin[below, branches] = filled
    for i in range(low, high):
        slot = room.slot[depth, i]
        for other in range(slot + 1, slots.starts[slots.owners[slot] + 1]):
            if _follows(slots, slot, other) and _allowed(walk, depth, other):
                place = count[slots.items[other]]
                count[slots.items[other]] = place + 1
                room.slot[below, place] = other
                room.parent[below, place] = i
                room.weight[below, place] = room.weight[depth, i] * _step(slots, other)
    for branch in range(branches):
        count[slots.items[room.slot[below, begin[below, branch]]]] = 0
    room.at[below], room.branches[below] = 0, branches


@compiled
def _step(slots: Slots, slot: int) -> float:
    """The factor by which the next copy of an event multiplies the ways to draw it."""
    return float((slots.copies[slot] - slots.ordinals[slot] + 1) / slots.ordinals[slot])


@compiled
def _leaves(walk: _TreeWalk, depth: int, low: int, high: int) -> None:
    """Count people by the last event, then record the result for each of them."""
    slots, room = walk.slots, walk.room
    count = room.tally
    every = _is_changed(walk, depth, low)
    for i in range(low, high):
        slot = room.slot[depth, i]
        end, other = slots.starts[slots.owners[slot] + 1], _next(walk, slot, every)
        while other < end:
            if _follows(slots, slot, other):
                count[slots.items[other]] += 1
            other = _next(walk, other, every)
    for i in range(low, high):
        slot, weight = room.slot[depth, i], room.weight[depth, i]
        end, other = slots.starts[slots.owners[slot] + 1], _next(walk, slot, every)
        while other < end:
            column = _column(walk, depth, other)
            if column >= 0 and _follows(slots, slot, other):
                number = count[slots.items[other]]
                _leaf(walk, other, depth, i, weight * _step(slots, other), number, column)
            other = _next(walk, other, every)
    for i in range(low, high):
        slot = room.slot[depth, i]
        end, other = slots.starts[slots.owners[slot] + 1], _next(walk, slot, every)
        while other < end:
            count[slots.items[other]] = 0
            other = _next(walk, other, every)


@compiled
def _column(walk: _TreeWalk, depth: int, slot: int) -> int:
    """Where the subset that ends with this slot is counted; -1 if it is not."""
    composition = walk.steps.next[walk.room.composition[depth], walk.slots.tables[slot]]
    return int(walk.steps.columns[composition]) if composition >= 0 else -1


@compiled
def _next(walk: _TreeWalk, slot: int, every: bool) -> int:  # noqa: FBT001 - loops take no keywords
    """The next slot, or the next changed one."""
    return slot + 1 if every else int(walk.later[slot + 1])


@compiled
def _leaf(  # noqa: PLR0913, PLR0917 - the innermost step
    walk: _TreeWalk, slot: int, depth: int, place: int, weight: float, number: int, column: int
) -> None:
    """Process one subset of one person: its last slot, its branch, and the number of people who share it."""
    aim, room, found = walk.aim, walk.room, walk.found
    if aim.mode == 0:
        owner = walk.slots.owners[slot]
        found.sums[owner, column] += weight / number
        if found.least[owner, column] == 0 or number < found.least[owner, column]:
            found.least[owner, column] = number
    elif number < aim.smallest and aim.mode == 1:
        found.scores[slot] += 1
        while depth >= 0:
            found.scores[room.slot[depth, place]] += 1
            place = room.parent[depth, place]
            depth -= 1
    elif number < aim.smallest:
        best, gone = slot, found.dropped[slot]
        while depth >= 0:
            other = room.slot[depth, place]
            gone = gone or found.dropped[other]
            if found.scores[other] >= found.scores[best]:  # the nearer to the root, the rarer
                best = other
            place = room.parent[depth, place]
            depth -= 1
        if not gone:
            found.dropped[best] = True


@compiled
def _alone(slots: Slots, left: int, slot: int, weight: float, found: WalkResult) -> None:
    """Add everything below a branch with a single person, without walking it."""
    copies, ordinal, owner = slots.copies[slot], slots.ordinals[slot], slots.owners[slot]
    rest = slots.starts[owner + 1] - slot - 1 - (copies - ordinal)
    ways, more = 0.0, 1.0
    for again in range(left + 1):
        if again > copies - ordinal:
            break
        if again > 0:
            more *= (copies - ordinal - again + 1) / (ordinal + again)
        ways += more * _choose(rest, left - again)
    if ways > 0:
        found.sums[owner, 0] += weight * ways
        found.least[owner, 0] = 1


@compiled
def _alone_by_table(walk: _TreeWalk, depth: int, slot: int) -> None:
    """The same for events of several tables, each of which a person has once."""
    slots, found = walk.slots, walk.found
    owner, rest = slots.owners[slot], walk.room.rest
    rest[:] = 0
    for other in range(slot + 1, slots.starts[owner + 1]):
        rest[slots.tables[other]] += 1
    left, composition = walk.aim.known - depth - 1, walk.room.composition[depth]
    add_alone(walk.steps, composition, left, rest, found.sums[owner], found.least[owner])


@compiled
def add_alone(steps: Steps, first: int, left: int, rest: Ints, sums: Floats, least: Ints) -> None:
    """Add all ways to choose `left` more events of a person whom the events so far fit alone."""
    for row in range(steps.edges[left], steps.edges[left + 1]):
        composition, ways, run = first, 1.0, 0
        for place in range(left):
            table = steps.rows[row, place]
            run = run + 1 if place > 0 and steps.rows[row, place - 1] == table else 1
            ways *= max(rest[table] - run + 1, 0) / run
            composition = steps.next[composition, table] if composition >= 0 else -1
        if ways > 0 and composition >= 0 and steps.columns[composition] >= 0:
            sums[steps.columns[composition]] += ways
            least[steps.columns[composition]] = 1


@compiled
def _choose(among: int, number: int) -> float:
    """Binomial coefficient."""
    ways = 1.0
    for i in range(number):
        ways *= (among - i) / (i + 1)
    return ways if among >= number else 0.0
