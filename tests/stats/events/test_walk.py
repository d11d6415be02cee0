"""The walk over sets of events: each count against all sets of a few people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.events import walk
from reidrisk.stats.events.compositions import Compositions
from reidrisk.stats.events.lists import EventLists
from reidrisk.stats.events.walk import exposed_slots, support_risks, too_few
from tests.stats.events.databases import CAPS, DATABASES, TABLES, Person, lists_of
from tests.stats.events.people import PEOPLE, People, supports
from tests.stats.events.people import lists_of as counted_lists


def sets_of(lists: EventLists, size: int, caps: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every set of so many slots of a person within the limits, and how many people have these events."""
    slots = lists.slots
    owned = [
        frozenset(slots.items[slots.starts[at] : slots.starts[at + 1]].tolist()) for at in range(lists.people)
    ]
    for person in range(lists.people):
        for known in combinations(range(slots.starts[person], slots.starts[person + 1]), size):
            if (np.bincount(slots.tables[list(known)], minlength=TABLES) <= caps).all():
                wanted = set(slots.items[list(known)].tolist())
                yield known, sum(wanted <= one for one in owned)


@given(DATABASES, st.integers(1, 3), st.integers(1, 3), CAPS)
@settings(max_examples=20, deadline=None)
def test_slots_of_sets_that_fit_too_few(
    people: list[Person], known: int, smallest: int, caps: tuple[int, ...] | None
) -> None:
    lists, limits = lists_of(people), caps or (known,) * TABLES
    wanted = np.zeros(len(lists.slots.items), dtype=np.int64)
    for chosen, number in sets_of(lists, known, limits):
        if number < smallest:
            wanted[list(chosen)] += 1
    assert exposed_slots(lists, known, smallest, limits).tolist() == wanted.tolist()


@given(DATABASES, st.integers(2, 3), st.integers(1, 3), CAPS, st.data())
@settings(max_examples=25, deadline=None)
def test_from_each_set_that_fits_too_few_a_slot_goes(
    people: list[Person], known: int, smallest: int, caps: tuple[int, ...] | None, data: st.DataObject
) -> None:
    """Sets without a changed event are left alone; the slot that goes is in the most sets."""
    lists, limits = lists_of(people), caps or (known,) * TABLES
    numbers = data.draw(st.frozensets(st.integers(0, max(lists.numbers - 1, 0))))
    changed = np.isin(lists.slots.items, np.array(sorted(numbers), dtype=np.int64))
    few = [
        chosen
        for chosen, number in sets_of(lists, known, limits)
        if number < smallest and changed[list(chosen)].any()
    ]
    gone = too_few(lists, known, smallest, changed, limits)
    scores = np.zeros(len(gone), dtype=np.int64)
    for chosen in few:
        scores[list(chosen)] += 1
    assert all(gone[list(chosen)].any() for chosen in few)
    for slot in np.flatnonzero(gone).tolist():
        assert any(slot in one and scores[slot] == scores[list(one)].max() for one in few)
    every = too_few(lists, known, smallest, np.ones(len(gone), dtype=np.bool_))
    assert every.any() == any(number < smallest for _, number in sets_of(lists, known, (known,) * TABLES))


@given(DATABASES, st.integers(1, 3), CAPS)
@settings(max_examples=20, deadline=None)
def test_sums_and_smallest_supports(people: list[Person], known: int, caps: tuple[int, ...] | None) -> None:
    lists, limits = lists_of(people), caps or (known,) * TABLES
    comps = Compositions.of(known, limits)
    rows = comps.of_size(known)
    found = support_risks(lists, known, comps)
    sums, least = np.zeros(found.sums.shape), np.zeros(found.least.shape, dtype=np.int64)
    for chosen, number in sets_of(lists, known, limits):
        at = (
            lists.slots.owners[chosen[0]],
            rows.index(tuple(sorted(lists.slots.tables[list(chosen)].tolist()))),
        )
        sums[at] += 1 / number
        least[at] = min(least[at] or number, number)
    assert found.least.tolist() == least.tolist()
    np.testing.assert_allclose(found.sums, sums)
    if len(rows) > 1:
        last = support_risks(lists, known, comps, columns=(1, len(rows)))
        assert last.least.tolist() == least[:, 1:].tolist()
        np.testing.assert_allclose(last.sums, sums[:, 1:])


@given(PEOPLE, st.integers(1, 4))
@settings(max_examples=20, deadline=None)
def test_events_that_happened_several_times(people: People, known: int) -> None:
    lists = counted_lists(people, counted=True)
    found = support_risks(lists, known)
    for at, (wanted, (_, has)) in enumerate(zip(supports(people, known, counted=True), people, strict=True)):
        is_long = len(has) >= known
        assert found.least[at, 0] == (min(wanted) if is_long else 0)
        np.testing.assert_allclose(found.sums[at, 0], sum(1 / number for number in wanted) if is_long else 0)


def test_the_first_changed_slot_from_each_on() -> None:
    for length in range(5):
        for bits in range(2**length):
            changed = np.array([bool(bits >> at & 1) for at in range(length)], dtype=np.bool_)
            wanted = [
                next((at for at in range(first, length) if changed[at]), length)
                for first in range(length + 1)
            ]
            assert walk._later(changed).tolist() == wanted


def test_ways_to_choose() -> None:
    for among in range(6):
        assert [walk._choose(among, number) for number in range(7)] == [comb(among, n) for n in range(7)]


def test_all_that_contains_what_only_one_person_has() -> None:
    """Two more events of a person with 3, 0 and 2 left in three tables; of the second, none may be known."""
    comps = Compositions.of(3, (3, 0, 1))
    steps = comps.steps(3, 0, len(comps.of_size(3)))
    first = comps.rows.index((0,))
    sums, least = np.zeros(len(comps.of_size(3))), np.zeros(len(comps.of_size(3)), dtype=np.int64)
    walk.add_alone(steps, first, 2, np.array([3, 0, 2]), sums, least)
    assert comps.of_size(3) == ((0, 0, 0), (0, 0, 2))
    assert sums.tolist() == [3.0, 6.0]
    assert least.tolist() == [1, 1]
    walk.add_alone(steps, first, 2, np.array([1, 9, 1]), sums, least)
    assert sums.tolist() == [3.0, 7.0]
