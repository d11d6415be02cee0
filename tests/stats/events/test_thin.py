"""Rows and people left out of several tables: what is promised is counted once more, the slow way."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.events import thin as module
from reidrisk.stats.events.joined import joined_risk
from reidrisk.stats.events.thin import LinkedEvents, ThinDemand, Thinned, thin
from tests.stats.events.databases import (
    DATABASES,
    DATED,
    OFFSET,
    TABLE_OF,
    DatedPerson,
    Person,
    compositions,
    dated_lists,
    lists_of,
    sets_by,
    support,
)

CAPS = (3, 3, 3)


def events_of(people: list[Person]) -> LinkedEvents:
    rows = sorted((at, 3 * table + value) for at, (_, has) in enumerate(people) for table, value in has)
    person, event = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    return LinkedEvents(np.array([of for of, _ in people]), person, event, event, TABLE_OF)


def demand(known: int, cell_size: int, people: int, rows: int = 10**6) -> ThinDemand:
    return ThinDemand(known, CAPS, cell_size, people, rows, 10**6)


def left(people: list[Person], found: Thinned) -> list[Person]:
    return [
        (of, frozenset((table, value) for table, value in has if not _is_gone(found, 3 * table + value)))
        for (of, has), stays in zip(people, found.stays, strict=True)
        if stays
    ]


def _is_gone(found: Thinned, value: int) -> bool:
    return value < len(found.values) and bool(found.values[value])


@given(DATABASES, st.integers(0, 3), st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_nothing_that_may_be_known_fits_too_few(people: list[Person], known: int, size: int) -> None:
    found = thin(events_of(people), demand(known, size, len(people) - 1))
    if found is None:
        sizes = np.bincount([of for of, _ in people])
        assert size > 1, "everybody fits with themselves"
        assert sizes.max() < size or known > 0
        return
    out = left(people, found)
    for of, has in out:
        for way in compositions(known, CAPS):
            assert all(support(out, of, part) >= size for part in sets_by(has, way))
    assert found.people_left_out == len(people) - len(out) <= len(people) - 1


@given(DATED)
@settings(max_examples=20, deadline=None)
def test_distances_are_protected_too(people: list[DatedPerson]) -> None:
    rows = [
        (at, 3 * table + value, day) for at, (_, _, has) in enumerate(people) for table, value, day in has
    ]
    person, event = (np.array([row[at] for row in rows], dtype=np.int64) for at in (0, 1))
    day = np.array([row[2] or 0 for row in rows], dtype=np.int64)
    dated = np.array([row[2] is not None for row in rows], dtype=np.bool_)
    shift = np.array([shift for _, shift, _ in people])
    classes = np.array([of for of, _, _ in people])
    linked = LinkedEvents(classes, person, event, event, TABLE_OF, (day, dated, shift), OFFSET)
    found = thin(linked, demand(2, 2, len(people) - 1))
    if found is None:
        return
    out: list[DatedPerson] = [
        (of, moved, frozenset(one for one in has if not _is_gone(found, 3 * one[0] + one[1])))
        for (of, moved, has), stays in zip(people, found.stays, strict=True)
        if stays
    ]
    assert joined_risk(dated_lists(out, OFFSET), 2).by_known[-1].least.min() >= 2


def test_rare_values_go_before_people() -> None:
    """Forty people share two common events; each of ten has a rare one besides."""
    people: list[Person] = [(0, frozenset({(0, 0), (1, 0)})) for _ in range(30)]
    people += [(0, frozenset({(0, 0), (1, 0), (2, at % 3)})) for at in range(6)]
    found = thin(events_of(people), demand(2, 5, people=0))
    assert found is not None
    assert found.people_left_out == 0
    assert np.flatnonzero(found.values).tolist() == [6, 7, 8]
    few = thin(events_of(people), demand(2, 5, people=6))
    assert few is not None
    assert (few.people_left_out, int(few.values.sum())) == (6, 0), "few people are left out as they are"
    assert thin(events_of(people), demand(2, 5, people=0, rows=5)) is None
    assert thin(events_of(people), demand(2, 5, people=0), stop=lambda: True) is None
    assert thin(events_of(people), ThinDemand(2, CAPS, 5, 0, 10, 3)) is None, "too many sets to count"


def test_small_classes_are_left_out_first() -> None:
    people: list[Person] = [(0, frozenset({(0, 0)}))] * 5 + [(1, frozenset({(0, 0)}))]
    found = thin(events_of(people), demand(1, 3, people=1))
    assert found is not None
    assert found.stays.tolist() == [True] * 5 + [False]
    assert joined_risk(lists_of(left(people, found)), 1).by_known[-1].least.min() == 5
    assert thin(events_of(people), demand(1, 3, people=0)) is None
    assert found.rounds == 0


def linked(people: list[Person], stays_always: tuple[int, ...] = ()) -> LinkedEvents:
    """The events, of which some tables are always kept."""
    found = events_of(people)
    value = np.where(np.isin(TABLE_OF[found.event], stays_always), -1, found.value)
    return LinkedEvents(found.class_of, found.person, found.event, value, TABLE_OF)


def test_rows_that_always_stay_do() -> None:
    """One person has a rare event that may go, another one that may not: the second must be left out."""
    people: list[Person] = [(0, frozenset({(0, 0), (1, 0)})) for _ in range(6)]
    people += [(0, frozenset({(0, 0), (1, 1)})), (0, frozenset({(0, 1), (0, 0), (1, 0)}))]
    events = linked(people, (0,))
    assert thin(events, demand(1, 2, people=0)) is None
    found = thin(events, demand(1, 2, people=1))
    assert found is not None
    assert found.stays.tolist() == [True] * 7 + [False]
    assert np.flatnonzero(found.values).tolist() == [4]
    assert np.flatnonzero(~found.kept).tolist() == [events.value.tolist().index(4)]
    nothing = linked(people, (0, 1, 2))
    assert thin(nothing, demand(1, 2, people=1)) is None
    both = thin(nothing, demand(1, 2, people=2))
    assert both is not None
    assert both.kept.all()
    assert both.people_left_out == 2


def test_as_many_rows_are_lost_as_allowed() -> None:
    people: list[Person] = [(0, frozenset({(0, 0), (1, at)})) for at in range(3)]
    found = thin(events_of(people), demand(1, 2, people=0, rows=3))
    assert found is not None
    assert np.count_nonzero(~found.kept) == 3
    assert thin(events_of(people), demand(1, 2, people=0, rows=2)) is None


def test_the_value_of_most_rows_comes_back_first() -> None:
    """Only the pair of two values is too rare: without the rarer one the other may stay."""
    people: list[Person] = [(0, frozenset({(0, 0), (1, 0)}))]
    people += [(0, frozenset({(0, 0)}))] * 4 + [(0, frozenset({(1, 0)}))] * 2
    events, everybody = events_of(people), np.ones(7, dtype=np.bool_)
    both = np.isin(np.arange(4), [0, 3])
    back = module._restored(events, both, everybody, demand(2, 2, 0))
    assert np.flatnonzero(back).tolist() == [3]
    assert np.flatnonzero(both).tolist() == [0, 3], "what was given is not changed"
    enough = 10 * len(events.person) * 2
    once = ThinDemand(2, CAPS, 2, 0, 9, enough)
    assert np.flatnonzero(module._restored(events, both, everybody, once)).tolist() == [3]
    never = ThinDemand(2, CAPS, 2, 0, 9, enough - 1)
    assert np.flatnonzero(module._restored(events, both, everybody, never)).tolist() == [0, 3]
    found = thin(events, demand(2, 2, people=0))
    assert found is not None
    assert np.flatnonzero(found.values).tolist() == [3], "the fewest rows are lost"


@given(DATABASES, st.integers(1, 2), st.integers(2, 3), st.data())
@settings(max_examples=25, deadline=None)
def test_values_in_the_most_sets_that_fit_too_few(
    people: list[Person], known: int, size: int, data: st.DataObject
) -> None:
    """Sets by value, compared with its rows; as many values as are in a tenth of the sets."""
    events = events_of(people)
    stays = np.array(data.draw(st.lists(st.booleans(), min_size=len(people), max_size=len(people))))
    if not stays.any():
        stays[0] = True
    gone = data.draw(st.integers(0, 8))
    kept = events.event != gone
    out = [
        (of, frozenset(one for one in has if 3 * one[0] + one[1] != gone))
        for (of, has), there in zip(people, stays.tolist(), strict=True)
        if there
    ]
    score, lost = np.zeros(9), np.zeros(9)
    for of, has in out:
        for table, value in has:
            lost[3 * table + value] += 1
        for number in range(1, known + 1):
            for part in combinations(sorted(has), number):
                if support(out, of, set(part)) < size:
                    score[[3 * table + value for table, value in part]] += 1
    exposed = module._exposed(events, kept, stays, demand(known, size, 0))
    assert exposed is not None
    assert not exposed[~stays].any()
    least = [
        min(
            support(out, of, set(part))
            for number in range(known + 1)
            for part in combinations(sorted(has), number)
        )
        for of, has in out
    ]
    assert exposed[stays].tolist() == [number < size for number in least]
    order = sorted(np.flatnonzero(score).tolist(), key=lambda at: (-score[at] / lost[at], lost[at], at))
    enough = next(
        (n for n in range(len(order) + 1) if score[order[:n]].sum() >= module.PART * score.sum() and n > 0), 0
    )
    chosen = module._worst_values(events, kept, stays, exposed, demand(known, size, 0))
    assert chosen.tolist() == order[:enough]


def test_with_distances_the_rows_of_exposed_people_count() -> None:
    """Two values, both of an exposed person; the one that fewer others have goes first."""
    people: list[Person] = [
        (0, frozenset({(0, 0), (0, 1)})),
        (0, frozenset({(0, 0)})),
        (0, frozenset({(0, 2)})),
    ]
    events = events_of(people)
    none = np.zeros(len(events.person), dtype=np.int64)
    dated = LinkedEvents(
        events.class_of, events.person, events.event, events.value, TABLE_OF,
        (none, none < 0, np.zeros(3, dtype=np.int64)), OFFSET,
    )  # fmt: skip
    every, exposed = np.ones(4, dtype=np.bool_), np.array([True, False, False])
    chosen = module._worst_values(dated, every, np.ones(3, dtype=np.bool_), exposed, demand(2, 2, 0))
    assert chosen.tolist() == [1]
    rest = module._worst_values(
        dated, events.event != 1, np.ones(3, dtype=np.bool_), exposed, demand(2, 2, 0)
    )
    assert rest.tolist() == [0]
    assert dated.lists(every, np.array([True, False, True]))[1].tolist() == [0, 1, 3]


def test_people_go_until_nobody_is_exposed() -> None:
    """Without the first person a second one is exposed, and then the class is too small."""
    people: list[Person] = [(0, frozenset({(0, 0), (0, 1)})), (0, frozenset({(0, 1)})), (0, frozenset())]
    events, everybody = linked(people, (0,)), np.ones(3, dtype=np.bool_)
    every = np.ones(len(events.person), dtype=np.bool_)
    exposed = np.array([True, False, False])
    for allowed in (3, 2, 1):
        assert module._without_people(events, every, everybody, exposed, demand(1, 2, allowed)) is None
    more: list[Person] = [*people, (0, frozenset())]
    events, everybody = linked(more, (0,)), np.ones(4, dtype=np.bool_)
    found = module._without_people(events, every, everybody, np.append(exposed, False), demand(1, 2, 2))
    assert found is not None
    assert found.tolist() == [False, False, True, True]
    assert (
        module._without_people(events, every, everybody, np.append(exposed, False), demand(1, 2, 1)) is None
    )
    sizes = module._large_classes(np.array([0, 0, 1, 2]), np.array([True, True, True, False]), 2)
    assert sizes.tolist() == [True, True, False, False]
