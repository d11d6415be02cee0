"""People who are drawn and walked exactly, and drawn sets of events of everybody.

If there are too many sets to count them all, the share of people above a threshold follows from people who
are drawn at random: for each, the support of every set is counted. Sets drawn from everybody give a lower
bound of the highest risk.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.events.compositions import Compositions, Steps, counts_of
from reidrisk.stats.events.dated import DatedLists
from reidrisk.stats.events.lists import EventLists, counting_order
from reidrisk.stats.events.walk import add_alone

MOST_PEOPLE, FEWEST_PEOPLE = 400, 40
WORK = 2_000_000_000
"""About how many steps all drawn people may take together."""
MOST_SETS = 50_000_000
"""People with more sets count as above any threshold."""
DRAWS = 16
"""Sets that are drawn of each person."""


class _View(NamedTuple):
    """Events of people with or without days, in the form that the compiled loops use."""

    starts: Ints
    items: Ints
    owners: Ints
    tables: NDArray[np.int16]
    days: Ints
    released: Ints
    dated: Bools
    order: Ints
    """Slots by event."""
    edges: Ints
    """By event: where its slots begin in `order`."""
    most: int


class _Job(NamedTuple):
    """Everything that the walk of one person uses."""

    events: _View
    steps: Steps
    size: int
    places: Ints
    """By event: the first slot of the person who is walked; -1 without one."""


class _Found(NamedTuple):
    """The results of one person, by composition."""

    sums: Floats
    least: Ints


def _view(lists: EventLists | DatedLists) -> _View:
    slots = lists.slots
    order, edges = counting_order(slots.items, lists.numbers)
    if isinstance(lists, DatedLists):
        dated = lists.slots
        return _View(*dated[:4], dated.days, dated.released, dated.dated, order, edges, lists.most)
    nothing = np.zeros(len(slots.items), dtype=np.int64)
    never = np.zeros(len(slots.items), dtype=np.bool_)
    return _View(
        slots.starts, slots.items, slots.owners, slots.tables, nothing, nothing, never, order, edges, 0
    )


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPeople:
    """People drawn at random, without regard to their events."""

    chosen: Ints = field(repr=False)
    complete: Bools = field(repr=False)
    """Whether all sets of the person can be counted."""

    def risks(self, lists: EventLists | DatedLists, size: int, comps: Compositions) -> tuple[Floats, Ints]:
        """By drawn person and composition: the sum of 1 / support, and the smallest support.

        A person with too many sets gets the support 1 everywhere, which is the worst.
        """
        from scipy.special import comb as ways_to_choose

        view = _view(lists)
        columns = len(comps.of_size(size))
        steps = comps.steps(size, 0, columns)
        sums = np.zeros((len(self.chosen), columns))
        least = np.zeros((len(self.chosen), columns), dtype=np.int64)
        job = _Job(view, steps, size, np.full(lists.numbers, -1, dtype=np.int64))
        for row, person in enumerate(self.chosen):
            if self.complete[row]:
                _walk_person(job, int(person), _Found(sums[row], least[row]))
                continue
            begin, end = view.starts[person], view.starts[person + 1]
            own = np.bincount(view.tables[begin:end], minlength=comps.tables)
            for place, one in enumerate(comps.of_size(size)):
                ways = float(np.prod(ways_to_choose(own, counts_of(one, comps.tables))))
                sums[row, place], least[row, place] = ways, int(ways > 0)
        return sums, least


def draw_people(
    lists: EventLists | DatedLists, lengths: Ints, size: int, rng: np.random.Generator, among: Ints
) -> DrawnPeople:
    """Draw from the people `among`; how many depends on the work that people make on average."""
    totals = lengths.sum(axis=1)
    values, of = np.unique(totals, return_inverse=True)
    sets = np.array([comb(int(n), size) for n in values], dtype=np.float64)[of]
    slots = lists.slots
    support = np.bincount(slots.items, minlength=lists.numbers)[slots.items]
    near = np.bincount(slots.owners, weights=support, minlength=lists.people) * max(totals.mean(), 1)
    work = near + np.minimum(sets, MOST_SETS) * (1 + support.mean() / 64 if len(support) else 1)
    number = int(np.clip(WORK / max(float(work.mean()), 1), FEWEST_PEOPLE, MOST_PEOPLE))
    chosen = np.sort(rng.choice(among, min(number, len(among)), replace=False))
    return DrawnPeople(chosen.astype(np.int64), sets[chosen] <= MOST_SETS)


@compiled
def _walk_person(job: _Job, person: int, found: _Found) -> None:
    """Count the people who fit each set of one person."""
    view, places = job.events, job.places
    begin, end = view.starts[person], view.starts[person + 1]
    for slot in range(end - 1, begin - 1, -1):
        places[view.items[slot]] = slot
    for root in range(begin, end):
        if job.steps.next[0, view.tables[root]] >= 0:
            _from_root(job, end, root, found)
    for slot in range(begin, end):
        places[view.items[slot]] = -1


@compiled
def _from_root(job: _Job, end: int, root: int, found: _Found) -> None:
    """Everything that begins with one event: who has it, and which of the later events each of them has."""
    view, item = job.events, job.events.items[root]
    near = np.empty(view.edges[item + 1] - view.edges[item], dtype=np.int64)
    number, people, last = 0, 0, -1
    for at in range(view.edges[item], view.edges[item + 1]):
        slot = view.order[at]
        if view.dated[slot] and abs(view.released[slot] - view.days[root]) > view.most:
            continue
        people += view.owners[slot] != last
        last = view.owners[slot]
        near[number] = slot
        number += 1
    if people == 1:
        rest = np.zeros(job.steps.next.shape[1], dtype=np.int64)
        for other in range(root + 1, end):
            rest[view.tables[other]] += 1
        first = job.steps.next[0, view.tables[root]]
        add_alone(job.steps, first, job.size - 1, rest, found.sums, found.least)
        return
    bits = np.zeros((end - root, (number + 63) // 64), dtype=np.uint64)
    for at in range(number):
        bits[0, at // 64] |= np.uint64(1) << np.uint64(at % 64)
        _mark(job, end, root, near[at], at, bits)
    owners = view.owners[near[: number if people < number else 0]]  # not needed if nobody occurs twice
    _choose_more(job, end, root, bits, owners, found)


@compiled
def _mark(job: _Job, end: int, root: int, slot: int, at: int, bits: NDArray[np.uint64]) -> None:
    """Mark which later events of the person another one has, moved by the same shift."""
    view = job.events
    shift = view.released[slot] - view.days[root]
    for other in range(slot, view.starts[view.owners[slot] + 1]):
        own = job.places[view.items[other]]
        while 0 <= own < end and view.items[own] == view.items[other]:
            if own > root and (not view.dated[own] or view.released[other] - shift == view.days[own]):
                bits[own - root, at // 64] |= np.uint64(1) << np.uint64(at % 64)
            own += 1


@compiled
def _choose_more(
    job: _Job, end: int, root: int, bits: NDArray[np.uint64], owners: Ints, found: _Found
) -> None:
    """Visit every set that begins with the root, without recursion."""
    steps, tables, size = job.steps, job.events.tables, job.size
    both = np.zeros((size, bits.shape[1]), dtype=np.uint64)
    at, composition = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    both[0] = bits[0]
    composition[0] = steps.next[0, tables[root]]
    if size == 1:
        _count(steps.columns[composition[0]], both[0], owners, found)
        return
    depth, at[1] = 1, root
    while depth > 0:
        at[depth] += 1
        if at[depth] >= end:
            depth -= 1
            continue
        composition[depth] = steps.next[composition[depth - 1], tables[at[depth]]]
        if composition[depth] < 0:
            continue
        for word in range(bits.shape[1]):
            both[depth, word] = both[depth - 1, word] & bits[at[depth] - root, word]
        if depth == size - 1:
            _count(steps.columns[composition[depth]], both[depth], owners, found)
        else:
            at[depth + 1] = at[depth]
            depth += 1


@compiled
def _count(column: int, bits: NDArray[np.uint64], owners: Ints, found: _Found) -> None:
    """Count the different people who are marked."""
    if column < 0:
        return
    number, last = 0, -1
    for word in range(len(bits)):
        left = bits[word]
        if len(owners) == 0:
            number += _ones(left)
            continue
        place = word * 64
        while left:
            if left & np.uint64(1):
                number += owners[place] != last
                last = owners[place]
            left >>= np.uint64(1)
            place += 1
    found.sums[column] += 1.0 / number
    if found.least[column] == 0 or number < found.least[column]:
        found.least[column] = number


@compiled
def _ones(word: np.uint64) -> int:
    """Number of ones in 64 bits (Warren, Hacker's Delight, 5-1)."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


def drawn_supports(lists: EventLists | DatedLists, size: int, comps: Compositions, seed: int) -> Ints:
    """By person: the smallest support of some sets that are drawn at random within the limits."""
    view = _view(lists)
    steps = comps.steps(size, 0, len(comps.of_size(size)))
    least = np.bincount(lists.class_of)[lists.class_of]
    _draw_sets(view, size, steps, np.uint64(seed), least)
    return least


@compiled
def _draw_sets(view: _View, size: int, steps: Steps, seed: np.uint64, least: Ints) -> None:
    chosen = np.zeros(size, dtype=np.int64)
    for person in range(len(view.starts) - 1):
        begin, end = view.starts[person], view.starts[person + 1]
        state = seed * np.uint64(0x9E3779B97F4A7C15) + np.uint64(person)
        for _ in range(DRAWS if end - begin >= size else 0):
            number, composition = 0, 0
            for _ in range(8 * size):
                if number == size:
                    break
                state = _mixed(state)
                slot = begin + int(state % np.uint64(end - begin))
                longer = steps.next[composition, view.tables[slot]]
                if longer < 0 or (chosen[:number] == slot).any():
                    continue
                chosen[number], composition = slot, longer
                number += 1
            if number:
                found = _fitting(view, chosen, number)
                least[person] = min(least[person], found)


@compiled
def _mixed(state: np.uint64) -> np.uint64:
    """The next random number (splitmix64)."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@compiled
def _fitting(view: _View, chosen: Ints, number: int) -> int:
    """Number of people whose events contain the chosen ones, moved by one shift."""
    root = chosen[0]
    for place in range(1, number):
        slot = chosen[place]
        rarer = view.dated[slot] == view.dated[root] and _support(view, slot) < _support(view, root)
        if rarer or (view.dated[slot] and not view.dated[root]):
            root = slot
    found, last = 0, -1
    for at in range(view.edges[view.items[root]], view.edges[view.items[root] + 1]):
        slot = view.order[at]
        if view.owners[slot] == last:
            continue
        if view.dated[slot] and abs(view.released[slot] - view.days[root]) > view.most:
            continue
        shift = view.released[slot] - view.days[root]
        every = True
        for place in range(number):
            every = every and _has(view, view.owners[slot], chosen[place], shift)
        if every:
            found += 1
            last = view.owners[slot]
    return found


@compiled
def _support(view: _View, slot: int) -> int:
    return int(view.edges[view.items[slot] + 1] - view.edges[view.items[slot]])


@compiled
def _has(view: _View, person: int, wanted: int, shift: int) -> bool:
    """Whether a person has an event, on the day that the shift gives; by a search in the person's list."""
    low, high = view.starts[person], view.starts[person + 1]
    end = high
    item, dated = view.items[wanted], view.dated[wanted]
    day = view.days[wanted] + shift
    while low < high:
        middle = (low + high) // 2
        before = view.items[middle] < item
        if dated and view.items[middle] == item:
            before = view.released[middle] < day
        if before:
            low = middle + 1
        else:
            high = middle
    return bool(low < end and view.items[low] == item and (not dated or view.released[low] == day))
