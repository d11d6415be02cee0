"""Distances between dates: who fits, by hand and against every shift."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.events import dated
from reidrisk.stats.events.dated import DatedLists, DatedRows
from reidrisk.stats.events.joined import joined_risk
from tests.stats.events.databases import DATED, OFFSET, TABLE_OF, DatedPerson, dated_lists

Row = tuple[int, int, int | None]
"""Person, event and true day."""


def lists_of(
    rows: list[Row], shift: list[int], most: int | None, classes: list[int] | None = None
) -> DatedLists:
    person, event = (np.array([row[at] for row in rows], dtype=np.int64) for at in (0, 1))
    day = np.array([row[2] or 0 for row in rows], dtype=np.int64)
    dated = np.array([row[2] is not None for row in rows], dtype=np.bool_)
    given_rows = DatedRows(person, event, TABLE_OF, day, dated, np.array(shift), most)
    return DatedLists.of(given_rows, np.array(classes or [0] * len(shift)))


def least(lists: DatedLists, known: int) -> list[int]:
    found: list[int] = joined_risk(lists, known).by_known[-1].least.tolist()
    return found


def test_a_shift_of_exactly_the_largest_offset_fits() -> None:
    """Known: day 10. A release shows day 40 or day -20; with offsets of at most 30 days both may be it."""
    for other, wanted in ((40, [2, 2]), (41, [1, 1]), (-20, [2, 2]), (-21, [1, 1])):
        offset = 30 if other > 0 else -30
        rows: list[Row] = [(0, 0, 10), (1, 0, other - offset)]
        found = lists_of(rows, [0, offset], 30)
        assert found.slots.released.tolist() == [10, other]
        day = other - offset
        assert least(found, 1) == [wanted[0], 2 if abs(10 - day) <= 30 else 1]
    assert least(lists_of([(0, 0, 10), (1, 0, 9000)], [0, 0], None), 1) == [2, 2], "any offset is possible"


def test_a_row_that_stands_twice_is_one_event() -> None:
    rows: list[Row] = [(0, 0, 1), (0, 0, 5), (0, 3, None), (1, 0, 2), (1, 0, 6), (1, 3, None), (2, 0, 2)]
    once, twice = lists_of(rows, [0, 1, 0], 4), lists_of(rows + rows[::-1], [0, 1, 0], 4)
    assert twice.slots.items.tolist() == once.slots.items.tolist()
    assert len(once.slots.items) == 7
    one, two = (joined_risk(lists, 2).by_known[-1] for lists in (once, twice))
    assert one.averages == two.averages
    assert least(once, 2) == [2, 2, 3]


def test_rows_that_differ_by_one_in_everything_are_different_events() -> None:
    lists = lists_of([(0, 0, None), (1, 1, 1)], [0, 0], None)
    assert lists.slots.owners.tolist() == [0, 1]
    assert least(lists, 1) == [1, 1]


def test_events_with_a_day_come_first_and_then_the_rarest() -> None:
    rows: list[Row] = [(0, 0, 3), (0, 1, 2), (0, 2, None), (1, 0, 8), (1, 2, None), (2, 2, 4), (2, 0, None)]
    lists = lists_of(rows, [1, 2, 3], None, [0, 0, 1])
    slots = lists.slots
    assert slots.starts.tolist() == [0, 3, 5, 7]
    assert slots.days.tolist() == [2, 3, 0, 8, 0, 4, 0]
    assert slots.released.tolist() == [3, 4, 0, 10, 0, 7, 0]
    assert slots.dated.tolist() == [True, True, False, True, False, True, False]
    assert slots.items.tolist() == [0, 1, 2, 1, 2, 3, 4], "a class has numbers of its own"
    assert lists.numbers == 5
    assert lists.tables == 3
    assert lists.class_sizes().tolist() == [2, 2, 1]


def test_a_person_counts_once_however_often_an_event_fits() -> None:
    """Visits every ten days: two of them fit the other person in many ways."""
    rows: list[Row] = [(0, 0, day) for day in (0, 10, 20, 30)]
    rows += [(1, 0, day) for day in (0, 10, 20)]
    for most in (None, 40):
        found = joined_risk(lists_of(rows, [0, 0], most), 2).by_known
        assert found[1].least.tolist() == [2, 2]
        assert found[2].least.tolist() == [1, 2], "days 0 and 30 are three visits apart"
        assert found[2].averages[0].average == pytest.approx(((1 + 5 / 2) / 6 + 1 / 2) / 2)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_blocks_have_as_many_items_as_they_may(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Twelve people, each in a class alone, have four events; the most sets begin with the first of them."""
    rows: list[Row] = [(at, event, event) for at in range(12) for event in range(4)]
    lists = lists_of(rows, [0] * 12, 30, list(range(12)))
    assert lists.numbers == 48
    # every event is an item by itself, before it becomes a set of this size with later ones
    work = np.array([1 + comb(3 - at % 4, size - 1) for at in range(48)])
    monkeypatch.setattr(dated, "BLOCK", 8)
    blocks = lists._blocks(np.arange(48), size)
    assert np.concatenate(blocks).tolist() == list(range(48))
    built = [int(work[block].sum()) for block in blocks]
    assert max(built) < 8 + work.max()
    assert min(built[:-1]) >= 8 - work.max()


def test_who_is_alone_with_an_item() -> None:
    """Items of one person, of two people, and of one person who has it twice."""
    group, owners = np.array([0, 1, 1, 1, 2, 2, 3]), np.array([5, 5, 6, 6, 6, 6, 5])
    assert dated._alone_groups(group, owners).tolist() == [True, False, False, False, True, True, True]


@given(DATED, st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_a_larger_offset_fits_no_fewer_people(people: list[DatedPerson], known: int) -> None:
    some, more, any_ = (joined_risk(dated_lists(people, most), known).by_known for most in (OFFSET, 9, None))
    for one, two, three in zip(some, more, any_, strict=True):
        assert (one.least <= two.least).all()
        assert (two.least <= three.least).all()
        assert one.average >= two.average - 1e-12 >= three.average - 2e-12


@given(DATED, st.integers(1, 2), st.integers(-9, 9))
@settings(max_examples=15, deadline=None)
def test_only_distances_matter_if_any_offset_is_possible(
    people: list[DatedPerson], known: int, more: int
) -> None:
    moved = [(of, shift + more * at, has) for at, (of, shift, has) in enumerate(people)]
    one, two = (joined_risk(dated_lists(each, None), known).by_known[-1] for each in (people, moved))
    assert one.least.tolist() == two.least.tolist()
    assert one.averages == two.averages
