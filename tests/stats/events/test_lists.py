"""Events in lists: what the lists promise, on a few people."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.events.lists import EventLists, Pairs, counting_order, event_lists
from tests.stats.events.people import PEOPLE, People, lists_of, pairs_of


def of_person(lists: EventLists, person: int) -> list[int]:
    """The rows of the pairs of each slot of a person."""
    return [int(row) for row in lists.rows[lists.slots.starts[person] : lists.slots.starts[person + 1]]]


@given(PEOPLE, st.booleans())
@settings(max_examples=30, deadline=None)
def test_what_lists_promise(people: People, counted: bool) -> None:
    pairs, lists = pairs_of(people), lists_of(people, counted=counted)
    slots = lists.slots
    for person, (of, has) in enumerate(people):
        rows = of_person(lists, person)
        wanted = Counter(has) if counted else Counter(set(has))
        assert Counter(pairs.event[rows].tolist()) == wanted
        own = slice(slots.starts[person], slots.starts[person + 1])
        assert set(pairs.person[rows].tolist()) <= {person}
        assert slots.owners[own].tolist() == [person] * len(rows)
        assert (np.diff(slots.items[own]) > 0).all(), "ascending"
        support = [
            sum(event in other for at, other in people if at == of) for event in pairs.event[rows].tolist()
        ]
        assert support == sorted(support), "the rarest first"
        assert slots.copies[own].tolist() == [wanted[event] for event in pairs.event[rows].tolist()]
        seen: Counter[int] = Counter()
        for event, ordinal in zip(pairs.event[rows].tolist(), slots.ordinals[own].tolist(), strict=True):
            seen[event] += 1
            assert ordinal == seen[event]
    events = {
        (people[owner][0], int(pairs.event[row]), ordinal): item
        for owner, row, ordinal, item in zip(
            slots.owners.tolist(),
            lists.rows.tolist(),
            slots.ordinals.tolist(),
            slots.items.tolist(),
            strict=True,
        )
    }
    assert len(set(events.values())) == len(events) == lists.numbers
    assert lists.room() == room(people, counted=counted)
    assert lists.class_sizes().tolist() == [sum(one == of for one, _ in people) for of, _ in people]


def room(people: People, *, counted: bool) -> tuple[int, int]:
    slots, numbers = [1], [1]
    for of in {of for of, _ in people}:
        lists = [Counter(has) if counted else Counter(set(has)) for one, has in people if one == of]
        slots.append(sum(sum(own.values()) for own in lists))
        numbers.append(sum(max(own[event] for own in lists) for event in range(5)))
    return max(slots), max(numbers)


@given(PEOPLE, st.integers(0, 4))
@settings(max_examples=20, deadline=None)
def test_numbers_of_subsets(people: People, known: int) -> None:
    lists = lists_of(people, counted=True)
    assert lists.lengths.tolist() == [len(has) for _, has in people]
    assert lists.subsets(known) == sum(comb(len(has), known) for _, has in people)


def test_people_without_events_may_go() -> None:
    people: People = [(0, [1]), (1, []), (0, []), (1, [2, 3])]
    lists = lists_of(people)
    left = lists.without_people(np.array([False, True, False, False]))
    assert left.people == 3
    assert left.class_of.tolist() == [0, 0, 1]
    assert left.lengths.tolist() == [1, 0, 2]
    assert left.slots.owners.tolist() == [0, 2, 2]
    assert left.slots.items.tolist() == lists.slots.items.tolist()
    again = lists_of([people[0], people[2], people[3]])
    assert left.slots.starts.tolist() == again.slots.starts.tolist()


def test_pairs_of_several_tables() -> None:
    pairs = Pairs(np.array([0, 0, 1]), np.array([2, 0, 1]), np.ones(3, dtype=np.int64), np.array([0, 1, 2]))
    assert pairs.tables().tolist() == [2, 0, 1]
    assert pairs.number_of_tables == 3
    some = pairs.only(np.array([True, False, True]))
    assert (some.person.tolist(), some.event.tolist()) == ([0, 1], [2, 1])
    assert some.number_of_tables == 3, "a table without events is still there"
    alone = Pairs(pairs.person, pairs.event, pairs.copies)
    assert alone.tables().tolist() == [0, 0, 0]
    assert alone.number_of_tables == 1
    lists = event_lists(pairs, np.zeros(2, dtype=np.int64))
    assert lists.tables == 3
    assert lists.slots.tables.tolist() == pairs.tables()[lists.rows].tolist()
    twice = Pairs(np.array([0]), np.array([0]), np.array([2]), np.array([0, 1]))
    assert event_lists(twice, np.zeros(1, dtype=np.int64)).lengths.tolist() == [1], "not counted"
    assert Pairs(*3 * (np.zeros(0, dtype=np.int64),), np.zeros(0, dtype=np.int64)).number_of_tables == 1


@given(st.lists(st.integers(0, 4), max_size=9))
def test_the_order_by_counting_is_stable(keys: list[int]) -> None:
    order, edges = counting_order(np.array(keys, dtype=np.int64), 5)
    assert order.tolist() == sorted(range(len(keys)), key=lambda at: keys[at])
    assert edges.tolist() == [sum(key < one for key in keys) for one in range(6)]
