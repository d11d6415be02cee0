"""Events by person: one list per person, ordered so that the rarest events come first."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.compiled import compiled
from reidrisk.stats.keys import rank_keys


class Slots(NamedTuple):
    """The events of all people one after another, in the form that the compiled loops use.

    An event that a person has several times has one slot per copy, one after another. Event numbers are local
    to a class of people: the same event has another number in another class.
    """

    starts: Ints
    """By person, plus an end marker: where the slots begin."""
    items: Ints
    """The number of each slot's event; ascending within a person."""
    ordinals: Ints
    """Which copy of the event it is, from 1."""
    copies: Ints
    """Number of copies of the event that the person has."""
    owners: Ints
    """The person of each slot."""
    tables: NDArray[np.int16]
    """The table that each slot comes from; 0 if there is one table."""


@dataclass(frozen=True, slots=True, eq=False)
class EventLists:
    """The events of people in static classes."""

    slots: Slots = field(repr=False)
    class_of: Ints = field(repr=False)
    """The class of every person, including people without events."""
    rows: Ints = field(repr=False)
    """For each slot, the row of the pairs that it comes from."""
    numbers: int
    """How many event numbers there are."""
    tables: int = 1
    """How many tables the events come from."""

    @property
    def people(self) -> int:
        """Number of people."""
        return len(self.class_of)

    @property
    def lengths(self) -> Ints:
        """Number of events per person."""
        return np.diff(self.slots.starts)

    def class_sizes(self) -> Ints:
        """For every person, the number of people in the class."""
        return np.bincount(self.class_of)[self.class_of]

    def without_people(self, gone: Bools) -> EventLists:
        """The lists of the others; people who go must have no events."""
        number = np.cumsum(~gone) - 1
        starts = np.append(self.slots.starts[:-1][~gone], self.slots.starts[-1])
        slots = self.slots._replace(starts=starts, owners=number[self.slots.owners])
        return EventLists(slots, self.class_of[~gone], self.rows, self.numbers, self.tables)

    def subsets(self, known: int) -> int:
        """Number of subsets of `known` events, over all people who have that many."""
        lengths, people = np.unique(self.lengths, return_counts=True)
        return sum(comb(n, known) * m for n, m in zip(lengths.tolist(), people.tolist(), strict=True))

    def room(self) -> tuple[int, int]:
        """The most slots of one class, and the most event numbers of one class."""
        if not len(self.slots.items):
            return 1, 1
        of = self.class_of[self.slots.owners]
        classes = np.full(self.numbers, -1, dtype=np.int64)
        classes[self.slots.items] = of
        return int(np.bincount(of).max()), int(np.bincount(classes[classes >= 0]).max())


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of person and event, each pair once."""

    person: Ints = field(repr=False)
    event: Ints = field(repr=False)
    copies: Ints = field(repr=False)
    """Number of copies."""
    table_of: Ints | None = field(default=None, repr=False)
    """By event: the table that it comes from; None if all come from one table."""

    def __post_init__(self) -> None:
        if not len(self.person) == len(self.event) == len(self.copies):
            raise InvalidSetting(
                "People, events and copies have different lengths.", hint="Give one of each per row."
            )

    def only(self, which: Bools) -> Pairs:
        """The chosen pairs."""
        return Pairs(self.person[which], self.event[which], self.copies[which], self.table_of)

    def tables(self) -> NDArray[np.int16]:
        """By pair: the table that its event comes from."""
        if self.table_of is None:
            return np.zeros(len(self.event), dtype=np.int16)
        return self.table_of.astype(np.int16)[self.event]

    @property
    def number_of_tables(self) -> int:
        """How many tables there are."""
        return 1 if self.table_of is None else int(self.table_of.max(initial=0)) + 1


def event_lists(pairs: Pairs, class_of: Ints, *, counted: bool = False) -> EventLists:
    """Number the events within each class, the rarest first, and put them into lists.

    With `counted`, the adversary knows how often something happened; otherwise only that it happened.
    """
    if not len(class_of):
        raise NothingToMeasure("There are no people in the table.", hint="Check the filter that made it.")
    copies = pairs.copies if counted else np.ones(len(pairs.person), dtype=np.int64)
    kinds, of = event_kinds(pairs, class_of)
    support = np.bincount(of, minlength=len(kinds))
    return put_in_lists(
        Pairs(pairs.person, pairs.event, copies, pairs.table_of), (kinds, of), class_of, support
    )


def event_kinds(pairs: Pairs, class_of: Ints) -> tuple[Ints, Ints]:
    """The kinds of events of each class in order, with their class; and the kind of each pair."""
    width = int(pairs.event.max(initial=0)) + 1
    keys, of = rank_keys(class_of[pairs.person] * width + pairs.event)
    return keys // width, of


def put_in_lists(pairs: Pairs, keys: tuple[Ints, Ints], class_of: Ints, support: Ints) -> EventLists:
    """Lists of pairs whose kinds are known, numbered by the given support; one slot per copy."""
    copies = pairs.copies
    if pairs.number_of_tables > 1 and copies.max(initial=1) > 1:
        raise InvalidSetting(
            "How often an event happened cannot be counted over several tables.",
            hint="Count each event once.",
        )
    first, numbers = _numbers(keys, copies, support)
    row = np.repeat(np.arange(len(copies), dtype=np.int64), copies)
    ordinal = np.arange(len(row), dtype=np.int64) - np.repeat(np.cumsum(copies) - copies, copies) + 1
    item, owner = first[row] + ordinal - 1, pairs.person[row].astype(np.int64)
    order = counting_order(item, numbers)[0]
    by_owner, starts = counting_order(owner[order], len(class_of))
    order = order[by_owner]
    slots = Slots(
        starts, item[order], ordinal[order], copies[row][order], owner[order], pairs.tables()[row[order]]
    )
    return EventLists(slots, class_of, row[order], numbers, pairs.number_of_tables)


def _numbers(keys: tuple[Ints, Ints], copies: Ints, support: Ints) -> tuple[Ints, int]:
    """For each pair, the number of the event's first copy within the class; and the count of such numbers."""
    kinds, of = keys
    most = np.zeros(len(kinds), dtype=np.int64)
    np.maximum.at(most, of, copies)
    order = np.lexsort((support, kinds))  # of equal support, the kind that comes first
    first = np.zeros(len(kinds), dtype=np.int64)
    first[order] = np.cumsum(most[order]) - most[order]
    return first[of], int(most.sum())


@compiled
def counting_order(keys: Ints, number: int) -> tuple[Ints, Ints]:
    """Stable order of keys from 0 to `number` - 1, and where each key begins in it.

    >>> order, edges = counting_order(np.array([2, 0, 2]), 3)
    >>> order.tolist(), edges.tolist()
    ([1, 0, 2], [0, 1, 1, 3])
    """
    edges = np.zeros(number + 1, dtype=np.int64)
    for key in keys:
        edges[key + 1] += 1
    for key in range(number):
        edges[key + 1] += edges[key]
    place, order = edges[:number].copy(), np.empty(len(keys), dtype=np.int64)
    for at in range(len(keys)):
        order[place[keys[at]]] = at
        place[keys[at]] += 1
    return order, edges
