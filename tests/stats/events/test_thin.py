"""Rows and people left out of several tables: what is promised is counted once more, the slow way."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

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
