"""Known events of people whose dates were moved by one offset per person: distances stay.

The adversary knows S, events of person i with their true days. Each person's dates were moved by an offset of
at most D days. Person j fits if some shift of at most D days puts S into the released events of j. An item is
a set of events with the distances between them; it is found in the list of each person, with its first day.
Events without a day are compared by their values alone.

Items are built in blocks, size by size, by sorting. A person who is alone with an item is alone with all that
contain it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.events.compositions import Compositions, Steps
from reidrisk.stats.events.walk import add_alone

BLOCK = 4_000_000
"""About how many items are built at once."""
ANY_SHIFT = 2**40
"""More days than any shift has."""


class DatedSlots(NamedTuple):
    """The dated events of all people one after another, in the form that the compiled loops use."""

    starts: Ints
    items: Ints
    """The number of the event within its class; events with a day come before those without."""
    owners: Ints
    tables: NDArray[np.int16]
    days: Ints
    """True day of each slot; 0 without a day."""
    released: Ints
    """Released day of each slot."""
    dated: Bools
    """Whether the slot has a day."""


@dataclass(frozen=True, slots=True, eq=False)
class DatedRows:
    """One row per event of a person."""

    person: Ints = field(repr=False)
    event: Ints = field(repr=False)
    table_of: Ints = field(repr=False)
    """By event: the table that it comes from."""
    day: Ints = field(repr=False)
    """True day."""
    dated: Bools = field(repr=False)
    """Whether the event has a day."""
    shift: Ints = field(repr=False)
    """By person: the offset of the released days."""
    most: int | None = None
    """The largest offset D that the adversary expects; None if any is possible."""

    def __post_init__(self) -> None:
        if self.most is not None and np.abs(self.shift).max(initial=0) > self.most:
            raise InvalidSetting(
                f"An offset is larger than the {self.most} days that the adversary expects.",
                hint="Give the largest offset of the release.",
            )


@dataclass(frozen=True, slots=True, eq=False)
class DatedLists:
    """Events with days of people in static classes."""

    slots: DatedSlots = field(repr=False)
    class_of: Ints = field(repr=False)
    numbers: int
    tables: int
    most: int
    """The largest offset."""

    @classmethod
    def of(cls, rows: DatedRows, class_of: Ints) -> DatedLists:
        """Number events within each class, those with days first and then by how rare they are."""
        if not len(class_of):
            raise NothingToMeasure("There are no people in the tables.", hint="Check the files.")
        day = np.where(rows.dated, rows.day, 0)
        one = np.lexsort((day, rows.dated, rows.event, rows.person))
        keys = np.stack([rows.person, rows.event, rows.dated, day])[:, one]
        one = one[np.append(True, (np.diff(keys, axis=1) != 0).any(axis=0))] if len(one) else one
        person, event, dated, day = rows.person[one], rows.event[one], rows.dated[one], day[one]
        kind = 2 * event + dated
        width = int(kind.max(initial=0)) + 1
        found, first, of = np.unique(class_of[person] * width + kind, return_index=True, return_inverse=True)
        support = np.bincount(of, minlength=len(found))
        order = np.lexsort((support, ~dated[first], found // width))
        number = np.empty(len(found), dtype=np.int64)
        number[order] = np.arange(len(found))
        item = number[of]
        by = np.lexsort((day, item, person))
        starts = np.searchsorted(person[by], np.arange(len(class_of) + 1))
        tables = rows.table_of.astype(np.int16)[event[by]]
        moved = np.where(dated, day + rows.shift[person], 0)[by]
        slots = DatedSlots(
            starts.astype(np.int64), item[by], person[by].astype(np.int64), tables, day[by], moved, dated[by]
        )
        most = ANY_SHIFT if rows.most is None else rows.most
        return cls(slots, class_of, len(found), int(rows.table_of.max(initial=0)) + 1, most)

    @property
    def people(self) -> int:
        """Number of people."""
        return len(self.class_of)

    def class_sizes(self) -> Ints:
        """For every person, the number of people in the class."""
        return np.bincount(self.class_of)[self.class_of]

    def risks(self, size: int, compositions: Compositions, columns: tuple[int, int]) -> tuple[Floats, Ints]:
        """By person and composition: the sum of 1 / support over all sets, and the smallest support."""
        first, last = columns
        steps = compositions.steps(size, first, last)
        sums = np.zeros((self.people, last - first))
        least = np.zeros((self.people, last - first), dtype=np.int64)
        order = np.argsort(self.slots.items, kind="stable")
        for block in self._blocks(order, size):
            self._one_block(block, size, steps, (sums, least))
        return sums, least

    def _blocks(self, order: Ints, size: int) -> list[Ints]:
        """The slots in the order of their events, cut between events about every `BLOCK` items."""
        if not len(order):
            return []
        slots = self.slots
        rest = (slots.starts[slots.owners + 1] - np.arange(len(order)) - 1).astype(np.float64)[order]
        work = np.ones(len(order))
        for n in range(size - 1):
            work = work * np.maximum(rest - n, 0) / (n + 1)
        items = slots.items[order]
        cell = (np.cumsum(work + 1) // BLOCK).astype(np.int64)
        starts = np.flatnonzero(np.append(True, np.diff(items) != 0))
        cut = starts[np.append(True, np.diff(cell[starts]) != 0)]
        return np.split(order, cut[1:])

    def _one_block(self, block: Ints, size: int, steps: Steps, found: tuple[Floats, Ints]) -> None:
        """All items that begin with the events of a block."""
        slots, (sums, least) = self.slots, found
        composition = steps.next[0, slots.tables[block]]
        allowed = composition >= 0
        entries = _Entries(
            block[allowed],
            slots.days[block[allowed]],
            slots.released[block[allowed]],
            slots.dated[block[allowed]],
            composition[allowed],
            np.unique(slots.items[block[allowed]], return_inverse=True)[1].astype(np.int64),
        )
        for done in range(1, size + 1):
            entries = entries.sorted_by_group(slots)
            number = self._fitting(entries)
            if done == size:
                _record(slots, entries, steps.columns, number, sums, least)
                return
            alone = _alone_groups(entries.group, slots.owners[entries.slot])
            _record_alone(slots, entries, steps, alone, size - done, sums, least)
            entries = self._longer(entries.only(~alone), steps)
            if not len(entries.slot):
                return

    def _longer(self, entries: _Entries, steps: Steps) -> _Entries:
        """All items with one event more, grouped by that event and its distance from the first."""
        slots = self.slots
        source, slot, composition = _expand(slots, entries.slot, entries.composition, steps.next)
        anchored = entries.anchored[source]
        gap = np.where(slots.dated[slot] & anchored, slots.days[slot] - entries.true[source], 0)
        low = int(gap.min(initial=0))
        span = int(gap.max(initial=0)) - low + 1
        _, code = np.unique(slots.items[slot] * span + (gap - low), return_inverse=True)
        group = entries.group[source] * (int(code.max(initial=0)) + 1) + code
        _, group = np.unique(group, return_inverse=True)
        return _Entries(
            slot,
            entries.true[source],
            entries.moved[source],
            anchored,
            composition,
            group.astype(np.int64),
        )

    def _fitting(self, entries: _Entries) -> Ints:
        """For each item of a person, how many people of the class have it within the largest shift."""
        owners = self.slots.owners[entries.slot]
        if self.most >= ANY_SHIFT:
            return _distinct(entries.group, owners)
        asked = np.lexsort((entries.true, entries.group))
        tally = np.zeros(self.people, dtype=np.int64)
        return _in_windows(entries, owners, asked, self.most, tally)


class _Entries(NamedTuple):
    """Items of people: one row per set of events of a person."""

    slot: Ints
    """The last event."""
    true: Ints
    """True day of the first event."""
    moved: Ints
    """Released day of the first event."""
    anchored: Bools
    """Whether the first event has a day; then the others that have one follow at a distance."""
    composition: Ints
    group: Ints
    """Entries with the same item have the same number."""

    def sorted_by_group(self, slots: DatedSlots) -> _Entries:
        return self.only(np.lexsort((slots.owners[self.slot], self.moved, self.group)))

    def only(self, which: Bools | Ints) -> _Entries:
        return _Entries(
            self.slot[which],
            self.true[which],
            self.moved[which],
            self.anchored[which],
            self.composition[which],
            self.group[which],
        )


@compiled
def _expand(slots: DatedSlots, last: Ints, composition: Ints, following: Ints) -> tuple[Ints, Ints, Ints]:
    """Every later event of each entry that the limits allow: the entry, the event, the composition."""
    number = 0
    for row in range(len(last)):
        for slot in range(last[row] + 1, slots.starts[slots.owners[last[row]] + 1]):
            number += following[composition[row], slots.tables[slot]] >= 0
    source, found = np.empty(number, dtype=np.int64), np.empty(number, dtype=np.int64)
    longer = np.empty(number, dtype=np.int64)
    at = 0
    for row in range(len(last)):
        for slot in range(last[row] + 1, slots.starts[slots.owners[last[row]] + 1]):
            longer_one = following[composition[row], slots.tables[slot]]
            if longer_one >= 0:
                source[at], found[at], longer[at] = row, slot, longer_one
                at += 1
    return source, found, longer


@compiled
def _distinct(group: Ints, owners: Ints) -> Ints:
    """The number of people of each entry's group; a person may be in it several times."""
    number = np.zeros(len(group), dtype=np.int64)
    low = 0
    while low < len(group):
        high = low
        while high < len(group) and group[high] == group[low]:
            high += 1
        people = np.unique(owners[low:high]).size if high - low > 1 else 1
        number[low:high] = people
        low = high
    return number


@compiled
def _in_windows(entries: _Entries, owners: Ints, asked: Ints, most: int, tally: Ints) -> Ints:
    """For each entry, the people of its group whose released first day is near its true first day.

    Entries come by group and released day; `asked` has them by group and true day. `tally` is zero by person.
    """
    number = np.zeros(len(owners), dtype=np.int64)
    low = 0
    while low < len(owners):
        high = low
        while high < len(owners) and entries.group[high] == entries.group[low]:
            high += 1
        wide = most if entries.anchored[low] else 2**40
        enter, leave, people = low, low, 0
        for place in range(low, high):
            row = asked[place]
            while enter < high and entries.moved[enter] <= entries.true[row] + wide:
                people += tally[owners[enter]] == 0
                tally[owners[enter]] += 1
                enter += 1
            while leave < enter and entries.moved[leave] < entries.true[row] - wide:
                tally[owners[leave]] -= 1
                people -= tally[owners[leave]] == 0
                leave += 1
            number[row] = people
        for row in range(low, high):
            tally[owners[row]] = 0
        low = high
    return number


@compiled
def _alone_groups(group: Ints, owners: Ints) -> Bools:
    """Whether all entries of the group belong to one person."""
    alone = np.zeros(len(group), dtype=np.bool_)
    low = 0
    while low < len(group):
        high, same = low, True
        while high < len(group) and group[high] == group[low]:
            same = same and owners[high] == owners[low]
            high += 1
        alone[low:high] = same
        low = high
    return alone


@compiled
def _record(
    slots: DatedSlots, entries: _Entries, columns: Ints, number: Ints, sums: Floats, least: Ints
) -> None:
    for row in range(len(number)):
        column, owner = columns[entries.composition[row]], slots.owners[entries.slot[row]]
        if column >= 0:
            sums[owner, column] += 1.0 / number[row]
            if least[owner, column] == 0 or number[row] < least[owner, column]:
                least[owner, column] = number[row]


@compiled
def _record_alone(  # noqa: PLR0913, PLR0917 - loops take no objects that change
    slots: DatedSlots, entries: _Entries, steps: Steps, alone: Bools, left: int, sums: Floats, least: Ints
) -> None:
    """Add everything that contains an item of a single person, without building it."""
    rest = np.zeros(steps.next.shape[1], dtype=np.int64)
    for row in range(len(alone)):
        if not alone[row]:
            continue
        slot = entries.slot[row]
        owner = slots.owners[slot]
        rest[:] = 0
        for other in range(slot + 1, slots.starts[owner + 1]):
            rest[slots.tables[other]] += 1
        add_alone(steps, entries.composition[row], left, rest, sums[owner], least[owner])
