"""Invented databases of several tables, and the definitions written down once more, the slow way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st

from reidrisk.stats.events.dated import DatedLists, DatedRows
from reidrisk.stats.events.lists import EventLists, Pairs, event_lists

Event = tuple[int, int]
"""Table and value."""
Person = tuple[int, frozenset[Event]]
"""Static class and events."""
Dated = tuple[int, int, int | None]
"""Table, value and true day; None without a day."""
DatedPerson = tuple[int, int, frozenset[Dated]]
"""Static class, offset of the released days, and events."""

TABLES = 3
EVENTS = st.tuples(st.integers(0, TABLES - 1), st.integers(0, 2))
DATABASES: st.SearchStrategy[list[Person]] = st.lists(
    st.tuples(st.integers(0, 1), st.frozensets(EVENTS, max_size=6)), min_size=1, max_size=8
)
CAPS = st.one_of(st.none(), st.tuples(*[st.integers(0, 3)] * TABLES))
OFFSET = 4
DAYS = st.one_of(st.none(), st.integers(0, 9))
DATED: st.SearchStrategy[list[DatedPerson]] = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.integers(-OFFSET, OFFSET),
        st.frozensets(st.tuples(st.integers(0, TABLES - 1), st.integers(0, 1), DAYS), max_size=5),
    ),
    min_size=1,
    max_size=6,
)
TABLE_OF = np.repeat(np.arange(TABLES), 3)


def lists_of(people: list[Person]) -> EventLists:
    rows = sorted((at, 3 * table + value) for at, (_, has) in enumerate(people) for table, value in has)
    person, event = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    pairs = Pairs(person, event, np.ones(len(person), dtype=np.int64), TABLE_OF)
    return event_lists(pairs, np.array([of for of, _ in people]))


def dated_lists(people: list[DatedPerson], most: int | None) -> DatedLists:
    rows = [
        (at, 3 * table + value, day) for at, (_, _, has) in enumerate(people) for table, value, day in has
    ]
    person = np.array([row[0] for row in rows], dtype=np.int64)
    event = np.array([row[1] for row in rows], dtype=np.int64)
    day = np.array([row[2] or 0 for row in rows], dtype=np.int64)
    dated = np.array([row[2] is not None for row in rows], dtype=np.bool_)
    shift = np.array([shift for _, shift, _ in people])
    found = DatedRows(person, event, TABLE_OF, day, dated, shift, most)
    return DatedLists.of(found, np.array([of for of, _, _ in people]))


def compositions(known: int, caps: Sequence[int]) -> list[tuple[int, ...]]:
    """Numbers of events by table, as many as can be known."""
    most = min(known, sum(caps))
    return [way for way in product(*(range(min(cap, most) + 1) for cap in caps)) if sum(way) == most]


def sets_by(events: frozenset[tuple[int, ...]], way: Sequence[int]) -> Iterator[set[tuple[int, ...]]]:
    """All sets with so many events of each table, or all events of a table that has fewer."""
    choices = []
    for table, number in enumerate(way):
        own = sorted((one for one in events if one[0] == table), key=str)
        choices.append(list(combinations(own, min(number, len(own)))))
    for parts in product(*choices):
        yield {one for part in parts for one in part}


def support(people: list[Person], of: int, known: set[tuple[int, ...]]) -> int:
    return sum(other == of and known <= has for other, has in people)


def fits(person: DatedPerson, known: set[Dated], most: int) -> bool:
    """Whether some shift puts what is known into the released events of a person."""
    _, moved, has = person
    released = {(table, value, None if day is None else day + moved) for table, value, day in has}
    return any(
        {(table, value, None if day is None else day + shift) for table, value, day in known} <= released
        for shift in range(-most, most + 1)
    )
