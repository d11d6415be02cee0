"""People and sets that are drawn: each step against the definition, on a few people with a few events."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.events import drawn
from reidrisk.stats.events.compositions import Compositions
from reidrisk.stats.events.dated import DatedLists, DatedRows
from reidrisk.stats.events.drawn import DrawnPeople, draw_people, drawn_supports
from reidrisk.stats.events.joined import events_by_table
from reidrisk.stats.events.lists import EventLists, Pairs, event_lists
from tests.stats.events.databases import (
    CAPS,
    DATABASES,
    DATED,
    OFFSET,
    TABLES,
    DatedPerson,
    Person,
    dated_lists,
    lists_of,
)


def fitting(lists: EventLists | DatedLists, chosen: Sequence[int]) -> int:
    """How many people have the events of these slots, moved by one shift: the definition.

    Events of different classes have different numbers.
    """
    items, starts = lists.slots.items.tolist(), lists.slots.starts.tolist()
    true: list[int | None] = [None] * len(items)
    released, most = true, 0
    if isinstance(lists, DatedLists):
        dated, most = lists.slots.dated, lists.most
        true = [int(day) if has else None for day, has in zip(lists.slots.days, dated, strict=True)]
        released = [int(day) if has else None for day, has in zip(lists.slots.released, dated, strict=True)]
    number = 0
    for first, last in pairwise(starts):
        has_all = set(zip(items[first:last], released[first:last], strict=True))
        moved = (
            {(items[at], None if (day := true[at]) is None else day + shift) for at in chosen}
            for shift in range(-most, most + 1)
        )
        number += any(wanted <= has_all for wanted in moved)
    return number


def sets_of(lists: EventLists | DatedLists, person: int, size: int) -> list[tuple[int, ...]]:
    own = range(lists.slots.starts[person], lists.slots.starts[person + 1])
    return list(combinations(own, size))


def check_people(
    lists: EventLists | DatedLists, people: Sequence[int], size: int, caps: Sequence[int]
) -> None:
    """Compare the walk of some people with all their sets, by composition."""
    comps = Compositions.of(size, tuple(caps))
    chosen = DrawnPeople(np.array(people), np.ones(len(people), dtype=np.bool_))
    sums, least = chosen.risks(lists, size, comps)
    for row, person in enumerate(people):
        for place, composition in enumerate(comps.of_size(size)):
            supports = [
                fitting(lists, known)
                for known in sets_of(lists, person, size)
                if tuple(sorted(lists.slots.tables[list(known)].tolist())) == composition
            ]
            assert least[row, place] == min(supports, default=0)
            assert sums[row, place] == pytest.approx(sum(1 / number for number in supports))


@given(DATABASES, st.integers(1, 3), CAPS)
@settings(max_examples=15, deadline=None)
def test_a_walk_visits_each_set_once(people: list[Person], size: int, caps: tuple[int, ...] | None) -> None:
    check_people(lists_of(people), range(len(people)), size, caps or (size,) * TABLES)


@given(DATED, st.integers(1, 3), CAPS)
@settings(max_examples=15, deadline=None)
def test_a_walk_follows_distances(people: list[DatedPerson], size: int, caps: tuple[int, ...] | None) -> None:
    check_people(dated_lists(people, OFFSET), range(len(people)), size, caps or (size,) * TABLES)


def test_more_people_than_bits_of_a_word() -> None:
    """Of 130 people all have one event, every third another, every fifth a third one."""
    rows = [(at, e) for at in range(130) for e, every in enumerate((1, 3, 5)) if at % every == 0]
    person, event = np.array(rows).T
    pairs = Pairs(person, event, np.ones(len(rows), dtype=np.int64), np.zeros(3, dtype=np.int64))
    lists = event_lists(pairs, np.zeros(130, dtype=np.int64))
    found = DrawnPeople(np.array([0, 3]), np.ones(2, dtype=np.bool_))
    for size, wanted in ((1, [26, 44, 130]), (2, [9, 26, 44]), (3, [9])):
        sums, least = found.risks(lists, size, Compositions.of(size, (size,)))
        assert least[0, 0] == wanted[0]
        assert sums[0, 0] == pytest.approx(sum(1 / number for number in wanted))
    assert least[1, 0] == 0, "the second person has two of the events"
    assert sums[1, 0] == 0.0


def test_people_who_have_an_event_on_many_days_count_once() -> None:
    """33 people with a visit on days 0, 10 and 20, and one who comes on days 0 and 7 besides."""
    rows = [(at, day) for at in range(33) for day in (0, 10, 20)] + [(33, 0), (33, 7), (33, 20)]
    person, day = np.array(rows).T
    always = np.ones(len(rows), dtype=np.bool_)
    shift = np.zeros(34, dtype=np.int64)
    given_rows = DatedRows(person, 0 * day, np.zeros(1, dtype=np.int64), day, always, shift, 30)
    lists = DatedLists.of(given_rows, np.zeros(34, dtype=np.int64))
    check_people(lists, [0, 33], 1, (1,))
    check_people(lists, [0, 33], 2, (2,))
    check_people(lists, [0, 33], 3, (3,))


@given(DATABASES, DATED)
@settings(max_examples=15, deadline=None)
def test_the_support_of_any_set(people: list[Person], moved: list[DatedPerson]) -> None:
    for lists in (lists_of(people), dated_lists(moved, OFFSET)):
        view = drawn._view(lists)
        for person in range(min(lists.people, 3)):
            for size in (1, 2, 3):
                for known in sets_of(lists, person, size)[:6]:
                    for order in (known, known[::-1]):
                        chosen = np.array([*order, -1], dtype=np.int64)
                        assert drawn._fitting(view, chosen, size) == fitting(lists, order)


def least_of(lists: EventLists | DatedLists, size: int, caps: Sequence[int]) -> list[int]:
    """The smallest support of up to so many events within the limits."""
    return [
        min(
            (
                fitting(lists, known)
                for number in range(1, size + 1)
                for known in sets_of(lists, person, number)
                if (np.bincount(lists.slots.tables[list(known)], minlength=TABLES) <= caps).all()
            ),
            default=int(lists.class_sizes()[person]),
        )
        for person in range(lists.people)
    ]


FEW: list[Person] = [
    (0, frozenset({(0, 0), (0, 1), (1, 0)})),
    (0, frozenset({(0, 0), (0, 1)})),
    (0, frozenset({(0, 0), (1, 0), (2, 2)})),
    (0, frozenset({(0, 0)})),
    (0, frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})),
    (1, frozenset({(0, 0), (0, 1)})),
    (1, frozenset({(0, 0), (0, 1), (2, 0)})),
]


@pytest.mark.parametrize(("size", "caps"), [(1, (1, 1, 1)), (2, (2, 2, 2)), (3, (3, 3, 3)), (2, (1, 2, 2))])
def test_sixteen_draws_find_the_smallest_of_six_sets(size: int, caps: tuple[int, ...]) -> None:
    lists = lists_of(FEW)
    for seed in (1, 2):
        found = drawn_supports(lists, size, Compositions.of(size, caps), seed)
        has = lists.lengths >= size
        assert found[has].tolist() == np.array(least_of(lists, size, caps))[has].tolist()
        assert found[~has].tolist() == lists.class_sizes()[~has].tolist(), "of others nothing is drawn"


def test_draws_follow_distances_too() -> None:
    people: list[DatedPerson] = [
        (0, 1, frozenset({(0, 0, 1), (0, 0, 3), (1, 0, None)})),
        (0, -2, frozenset({(0, 0, 4), (0, 0, 6)})),
        (0, 0, frozenset({(0, 0, 4), (0, 0, 7), (1, 0, None)})),
    ]
    lists = dated_lists(people, OFFSET)
    for size, wanted in ((1, [2, 3, 2]), (2, [2, 2, 1])):
        found = drawn_supports(lists, size, Compositions.of(size, (size,) * TABLES), 1)
        assert found.tolist() == least_of(lists, size, (size,) * TABLES) == wanted


@given(DATABASES, st.integers(1, 3), st.integers(0, 99))
@settings(max_examples=10, deadline=None)
def test_drawn_sets_bound_the_smallest_support(people: list[Person], size: int, seed: int) -> None:
    lists = lists_of(people)
    found = drawn_supports(lists, size, Compositions.of(size, (size,) * TABLES), seed)
    assert (found >= least_of(lists, size, (size,) * TABLES)).all()
    assert (found <= lists.class_sizes()).all()


def test_random_numbers_are_those_of_splitmix64() -> None:
    """The first numbers of the published generator with the seed 1234567."""
    gamma = 0x9E3779B97F4A7C15
    wanted = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    states = [(1234567 + n * gamma) % 2**64 for n in range(4)]
    assert [int(drawn._mixed(np.uint64(state))) for state in states] == wanted


@given(st.integers(0, 2**64 - 1))
@settings(max_examples=30, deadline=None)
def test_ones_of_a_word(word: int) -> None:
    for one in (word, 2**64 - 1, 0, 1 << (word % 64)):
        assert drawn._ones(np.uint64(one)) == one.bit_count()


def one_event_each(people: int) -> EventLists:
    number = np.arange(people)
    pairs = Pairs(number, number % 2, np.ones(people, dtype=np.int64), np.zeros(2, dtype=np.int64))
    return event_lists(pairs, np.zeros(people, dtype=np.int64))


def drawn_number(lists: EventLists, events: int) -> int:
    """How many people are drawn if everybody had so many events."""
    lengths = np.full((lists.people, 1), events)
    people = np.arange(lists.people)
    return len(draw_people(lists, lengths, 2, np.random.default_rng(1), people).chosen)


def test_who_is_drawn() -> None:
    """As many people as the work allows, within limits, each once and from those asked for."""
    lists = one_event_each(600)
    among = np.arange(100, 600)
    found = draw_people(lists, events_by_table(lists), 2, np.random.default_rng(1), among)
    assert len(found.chosen) == len(set(found.chosen.tolist())) == drawn.MOST_PEOPLE
    assert found.chosen.min() >= 100
    assert found.chosen.tolist() == sorted(found.chosen.tolist())
    few = draw_people(lists, events_by_table(lists), 2, np.random.default_rng(1), among[:7])
    assert few.chosen.tolist() == among[:7].tolist()
    again = draw_people(lists, events_by_table(lists), 2, np.random.default_rng(1), among)
    assert again.chosen.tolist() == found.chosen.tolist()
    some, half = drawn_number(lists, 2500), drawn_number(lists, 3536)
    assert comb(3536, 2) == pytest.approx(2 * comb(2500, 2), rel=1e-3)
    assert drawn.FEWEST_PEOPLE < half < some < drawn.MOST_PEOPLE
    assert some == pytest.approx(2 * half, rel=0.05), "twice the sets are twice the work"
    assert drawn_number(lists, 50_000) == drawn.FEWEST_PEOPLE


def test_how_many_people_are_drawn_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of two events has 300 people, who are looked up once per event of a person.

    Then every set takes one step, and 300 / 64 for the people who are left, of whom 64 are in a word.
    """
    lists = one_event_each(600)
    sets = 2500 * 2499 // 2
    steps = 2500 * 300 + sets * (1 + 300 / 64)
    assert drawn_number(lists, 2500) == drawn.WORK // steps == 108
    monkeypatch.setattr(drawn, "WORK", 100 * 300)
    assert drawn_number(lists, 1) == 100, "one event and no pair: the 300 steps of looking people up"


def test_people_with_too_many_sets_count_as_the_worst() -> None:
    lists = one_event_each(3)
    lengths = np.array([[10_000], [10_001], [0]])
    found = draw_people(lists, lengths, 2, np.random.default_rng(1), np.arange(3))
    assert comb(10_000, 2) <= drawn.MOST_SETS < comb(10_001, 2)
    assert found.complete.tolist() == [True, False, True]
    people = DrawnPeople(np.array([4, 3]), np.zeros(2, dtype=np.bool_))
    sums, least = people.risks(lists_of(FEW), 2, Compositions.of(2, (2, 2, 2)))
    rows = Compositions.of(2, (2, 2, 2)).of_size(2)
    assert dict(zip(rows, sums[0].tolist(), strict=True)) == {
        (0, 0): 1, (0, 1): 4, (0, 2): 0, (1, 1): 1, (1, 2): 0, (2, 2): 0
    }  # fmt: skip
    assert least[0].tolist() == [1, 1, 0, 1, 0, 0]
    assert sums[1].tolist() == [0.0] * 6, "one event is no set of two"
    nobody = event_lists(Pairs(*3 * (np.zeros(0, dtype=np.int64),)), np.zeros(2, dtype=np.int64))
    assert (
        len(
            draw_people(
                nobody, np.zeros((2, 1), dtype=np.int64), 1, np.random.default_rng(1), np.arange(2)
            ).chosen
        )
        == 2
    )
