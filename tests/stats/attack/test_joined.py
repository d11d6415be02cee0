"""Who fits known events of moved dates: every shift tried, and what an adversary may draw."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.attack.joined import KnownEvent, ReleasedJoin, TargetEvents

Row = tuple[int, int, int | None]
"""Person, event and released day."""
DAY = st.one_of(st.none(), st.integers(0, 6))
ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1), DAY), max_size=10)
KNOWN = st.lists(st.tuples(st.integers(0, 2), DAY), max_size=3)


def join_of(rows: list[Row], classes: list[int], most: int | None) -> ReleasedJoin:
    person, event = (np.array([row[at] for row in rows], dtype=np.int64) for at in (0, 1))
    day = np.array([row[2] or 0 for row in rows], dtype=np.int64)
    dated = np.array([row[2] is not None for row in rows], dtype=np.bool_)
    return ReleasedJoin.of(np.array(classes), person, event, day, dated, most=most)


@given(
    ROWS, st.lists(st.integers(0, 1), min_size=4, max_size=4), KNOWN, st.one_of(st.none(), st.integers(0, 3))
)
@settings(max_examples=60)
def test_who_fits_and_with_which_shifts(
    rows: list[Row], classes: list[int], wanted: list[tuple[int, int | None]], most: int | None
) -> None:
    held, reach = set(rows), 12 if most is None else most
    known = [KnownEvent(event, day) for event, day in wanted]
    for of in (0, 1):
        fitting = {
            (who, shift)
            for who in range(4)
            for shift in range(-reach, reach + 1)
            if classes[who] == of
            and all((who, event, None if day is None else day + shift) in held for event, day in known)
        }
        if not any(day is not None for _, day in known):
            fitting = {(who, 0) for who, _ in fitting}
        join = join_of(rows, classes, most)
        people, shifts = join.fitting_shifts(of, known)
        assert set(zip(people.tolist(), shifts.tolist(), strict=True)) == fitting
        assert join.fitting(of, known).tolist() == sorted({who for who, _ in fitting})


def test_a_shift_of_exactly_the_largest_offset_fits() -> None:
    join = join_of([(0, 0, 15), (1, 0, 5), (2, 0, 16), (3, 0, 4)], [0] * 4, 5)
    assert join.fitting(0, [KnownEvent(0, 10)]).tolist() == [0, 1]
    assert join.fitting(0, [KnownEvent(0, None)]).tolist() == [], "here all have a day"
    assert join.fitting(0, []).tolist() == [0, 1, 2, 3]
    assert join.fitting(9, []).tolist() == [], "nobody is in this class"


def targets() -> TargetEvents:
    """The first person has four events of two tables, one of them twice; the second none, the third one."""
    person, event = np.array([0, 0, 0, 0, 0, 2]), np.array([5, 5, 5, 6, 7, 8])
    table, day = np.array([0, 0, 0, 0, 1, 1]), np.array([3, 3, 4, 9, 9, 2])
    dated = np.array([True, True, True, False, False, True])
    return TargetEvents.of(3, person, event, table, day, dated)


def test_the_same_event_on_the_same_day_is_known_once() -> None:
    found = targets()
    assert found.starts.tolist() == [0, 4, 4, 5]
    assert sorted(zip(found.event.tolist(), found.day.tolist(), found.dated.tolist(), strict=True)) == [
        (5, 3, True), (5, 4, True), (6, 0, False), (7, 0, False), (8, 2, True)
    ]  # fmt: skip
    assert found.table.tolist() == [0, 0, 0, 1, 1]


@pytest.mark.parametrize("seed", range(5))
def test_what_an_adversary_draws(seed: int) -> None:
    found, rng = targets(), np.random.default_rng(seed)
    first, second = {KnownEvent(5, 3), KnownEvent(5, 4), KnownEvent(6, None)}, {KnownEvent(7, None)}
    both = found.drawn(0, (2, 1), rng)
    assert len(both) == len(set(both)) == 3
    assert len(first & set(both)) == 2
    assert second < set(both)
    assert set(found.drawn(0, (9, 0), rng)) == first
    assert set(found.drawn(0, (0, 9), rng)) == second
    assert found.drawn(1, (2, 2), rng) == []
    dates = found.dates(0, 1, rng)
    assert len(dates) == 1
    assert dates[0] in {KnownEvent(5, 3), KnownEvent(5, 4)}
    assert set(found.dates(0, 9, rng)) == {KnownEvent(5, 3), KnownEvent(5, 4)}
    assert found.dates(2, 1, rng) == [KnownEvent(8, 2)]


def test_each_event_is_drawn_as_often() -> None:
    found, rng = targets(), np.random.default_rng(8)
    drawn = [found.drawn(0, (1, 0), rng)[0] for _ in range(300)]
    for one in {KnownEvent(5, 3), KnownEvent(5, 4), KnownEvent(6, None)}:
        assert 70 < drawn.count(one) < 130
