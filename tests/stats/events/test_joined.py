"""Risk over several tables: worked examples, the definitions by brute force, and a second way to count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import mean
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.events.compositions import Compositions
from reidrisk.stats.events.dated import DatedLists, DatedRows
from reidrisk.stats.events.joined import (
    JoinedKnown,
    bounds_without_join,
    count_subsets,
    events_by_table,
    joined_risk,
)
from reidrisk.stats.events.lists import EventLists, Pairs, event_lists
from reidrisk.stats.events.risk import risks_by_known
from tests.stats.events.databases import (
    CAPS,
    DATABASES,
    DATED,
    OFFSET,
    TABLES,
    DatedPerson,
    Person,
    compositions,
    dated_lists,
    fits,
    lists_of,
    sets_by,
    support,
)


def averages(found: JoinedKnown) -> dict[tuple[int, ...], float]:
    return {one.composition: one.average for one in found.averages}


def test_each_table_is_harmless_and_the_join_is_not() -> None:
    """Example 1: diagnosis x: a b c, y: d e f; drug m: a d, n: b c e f."""
    diagnosis = [(0, 0), (0, 0), (0, 0), (0, 1), (0, 1), (0, 1)]
    drug = [(1, 0), (1, 1), (1, 1), (1, 0), (1, 1), (1, 1)]
    people: list[Person] = [(0, frozenset(has)) for has in zip(diagnosis, drug, strict=True)]
    found = joined_risk(lists_of(people), 2)
    assert found.alone is not None
    assert found.without is not None
    assert found.alone.min(axis=0).tolist() == [3, 2, 6]
    assert found.without.min(axis=0).tolist() == [2, 3, 1]
    assert found.by_known[2].least.tolist() == [1, 2, 2, 1, 2, 2]


def test_a_harmless_table_does_not_lower_the_average() -> None:
    """Example 2: four people, each with a diagnosis of their own and the same three drugs."""
    person = np.repeat(np.arange(4), 4)
    event = np.array([[at, 4, 5, 6] for at in range(4)]).ravel()
    pairs = Pairs(person, event, np.ones(16, dtype=np.int64), np.array([0, 0, 0, 0, 1, 1, 1]))
    found = joined_risk(event_lists(pairs, np.zeros(4, dtype=np.int64)), 1).by_known[1]
    assert averages(found) == {(0,): 1.0, (1,): 0.25}
    assert found.average == 1.0
    pooled = risks_by_known(event_lists(Pairs(person, event, pairs.copies), np.zeros(4, dtype=np.int64)), 1)
    assert pooled[1].average == 7 / 16


def test_bounds_need_no_join() -> None:
    """Example 3: of ten people eight fit the diagnosis, seven the drug."""
    assert bounds_without_join(10, (8, 7)) == (1 / 7, 1 / 5)
    assert bounds_without_join(6, (3, 2)) == (1 / 2, 1.0)
    with pytest.raises(InvalidSetting, match="Each part"):
        bounds_without_join(4, (5,))


TRUE = {"a": (10, 55), "b": (100, 145), "c": (30, 75), "d": (10, 40)}
MOVED = {"a": 7, "b": -20, "c": 3, "d": -9}


def visits(shift: Sequence[int], most: int | None) -> DatedLists:
    person = np.repeat(np.arange(4), 2)
    event, always = np.zeros(8, dtype=np.int64), np.ones(8, dtype=np.bool_)
    day = np.array(list(TRUE.values())).ravel()
    rows = DatedRows(person, event, np.zeros(1, dtype=np.int64), day, always, np.array(shift), most)
    return DatedLists.of(rows, np.zeros(4, dtype=np.int64))


@pytest.mark.parametrize(("most", "wanted"), [(None, [3, 3, 3, 1]), (400, [3, 3, 3, 1]), (30, [2, 1, 2, 1])])
@pytest.mark.parametrize("budget", [10**6, 0])
def test_one_offset_hides_days_and_not_distances(most: int | None, wanted: list[int], budget: int) -> None:
    """Example 4: visits with offsets +7, -20, +3, -9."""
    lists = visits(list(MOVED.values()), most)
    assert joined_risk(lists, 2, budget=budget).by_known[2].least.tolist() == wanted
    by_day = visits([0, 0, 0, 0], 0)
    assert joined_risk(by_day, 2, budget=budget).by_known[2].least.tolist() == [1, 1, 1, 1]


def check(
    found: JoinedKnown,
    events: Sequence[frozenset[tuple[int, ...]]],
    ways: Sequence[tuple[int, ...]],
    fitting: Callable[[int, set[tuple[int, ...]]], int],
) -> None:
    """Compare with all sets of all compositions."""
    supports = {
        way: [[fitting(at, known) for known in sets_by(has, way)] for at, has in enumerate(events)]
        for way in ways
    }
    least = [min(number for way in ways for number in supports[way][at]) for at in range(len(events))]
    assert found.least.tolist() == least
    assert found.floor.tolist() == least
    for one in found.averages:
        way = tuple(one.composition.count(table) for table in range(TABLES))
        wanted = mean(mean(Fraction(1, number) for number in own) for own in supports[way])
        assert one.average == pytest.approx(float(wanted))
    assert len(found.averages) == len(ways)


@given(DATABASES, st.integers(0, 3), CAPS, st.booleans())
@settings(max_examples=80, deadline=None)
def test_against_every_set(
    people: list[Person], known: int, caps: tuple[int, ...] | None, walked: bool
) -> None:
    lists = lists_of(people)
    limits = caps or (known,) * TABLES
    found = joined_risk(lists, known, caps=caps, budget=10**9 if walked else 0).by_known
    for number, one in enumerate(found):
        check(
            one,
            [has for _, has in people],
            compositions(number, limits),
            lambda at, known: support(people, people[at][0], known),
        )
    assert len(found) == min(known, sum(min(cap, known) for cap in limits)) + 1


@given(DATED, st.integers(1, 3), CAPS, st.booleans(), st.booleans())
@settings(max_examples=80, deadline=None)
def test_distances_against_every_set_and_shift(
    people: list[DatedPerson], known: int, caps: tuple[int, ...] | None, limited: bool, walked: bool
) -> None:
    most = OFFSET if limited else 40
    found = joined_risk(
        dated_lists(people, most if limited else None), known, caps=caps, budget=10**9 if walked else 0
    ).by_known[-1]

    def fitting(at: int, known: set[tuple[int, ...]]) -> int:
        return sum(other[0] == people[at][0] and fits(other, known, most) for other in people)  # type: ignore[arg-type]

    events: list[frozenset[Any]] = [has for _, _, has in people]
    check(found, events, compositions(known, caps or (known,) * TABLES), fitting)


def crowd(people: int = 300, events: int = 12) -> EventLists:
    """Many people with events of three tables, some of them common."""
    rng = np.random.default_rng(3)
    person = np.repeat(np.arange(people), events)
    event = (60 * rng.random(len(person)) ** 2).astype(np.int64)
    keys = np.unique(person * 60 + event)
    table_of = np.arange(60) % 3
    pairs = Pairs(keys // 60, keys % 60, np.ones(len(keys), dtype=np.int64), table_of)
    return event_lists(pairs, rng.integers(0, 2, people))


def as_dated(lists: EventLists) -> DatedLists:
    """The same events, none of which has a day: counted by sorting instead of walking."""
    slots = lists.slots
    table_of = np.zeros(lists.numbers, dtype=np.int64)
    table_of[slots.items] = slots.tables
    never, nothing = np.zeros(len(slots.items), dtype=np.bool_), np.zeros(len(slots.items), dtype=np.int64)
    shift = np.zeros(lists.people, dtype=np.int64)
    rows = DatedRows(slots.owners, slots.items, table_of, nothing, never, shift, 0)
    return DatedLists.of(rows, lists.class_of)


@pytest.mark.parametrize("caps", [None, (3, 1, 2), (0, 3, 1)])
def test_sorting_agrees_with_the_walk(caps: tuple[int, ...] | None) -> None:
    lists = crowd()
    one, two = joined_risk(lists, 3, caps=caps), joined_risk(as_dated(lists), 3, caps=caps)
    for walked, sorted_ in zip(one.by_known, two.by_known, strict=True):
        assert walked.least.tolist() == sorted_.least.tolist()
        assert averages(walked) == pytest.approx(averages(sorted_), rel=1e-12)
        assert walked.subsets == sorted_.subsets
    assert one.without is not None
    assert two.without is not None
    assert np.array_equal(one.without, two.without)


def test_drawn_people_are_walked_exactly_and_bound_the_rest() -> None:
    lists = crowd(900)
    truth = joined_risk(lists, 2).by_known[2]
    held_share, held_average = [], []
    for seed in range(20):
        found = joined_risk(lists, 2, seed=seed, budget=9000).by_known[2]
        assert found.method == "sampled"
        assert (found.least >= truth.least).all(), "what was seen is a bound"
        assert (found.floor <= truth.least).all(), "what the tables prove alone is a bound"
        _, low, high = found.share_below(5)
        held_share.append(low <= truth.share_below(5)[0] <= high)
        held_average.append(found.average_limits[0] <= truth.average <= found.average_limits[1])
    assert sum(held_share) >= 19
    assert sum(held_average) >= 19
    again = joined_risk(lists, 2, seed=19, budget=9000).by_known[2]
    assert again.least.tolist() == found.least.tolist()
    assert again.average == found.average


def test_what_tables_prove_alone_needs_no_join() -> None:
    """64 people have all but one of four events in two tables each: 64 - 16 - 16 fit any two."""
    rows = [(at, 4 * t + e) for at in range(64) for t in range(2) for e in range(4) if (at // 4**t) % 4 != e]
    person, event = np.array(rows).T
    pairs = Pairs(person, event, np.ones(len(rows), dtype=np.int64), np.repeat([0, 1], 4))
    lists = event_lists(pairs, np.zeros(64, dtype=np.int64))
    found = joined_risk(lists, 2, budget=64 * 7).by_known[2]
    assert found.method == "sampled"
    truth = joined_risk(lists, 2).by_known[2]
    assert (found.floor <= truth.least).all()
    assert found.floor.min() == 32, "nobody is below, and no two tables were joined"


@given(DATABASES, st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_what_must_always_hold(people: list[Person], known: int) -> None:
    found = joined_risk(lists_of(people), known)
    fewer = joined_risk(lists_of([(of, frozenset(e for e in has if e[0])) for of, has in people]), known)
    assert (found.by_known[-1].least <= fewer.by_known[-1].least).all()
    assert found.by_known[-1].average >= fewer.by_known[-1].average - 1e-12, "a table more is never less risk"
    assert found.without is not None
    assert found.without[:, 0].tolist() == fewer.by_known[-1].least.tolist()


def test_refusals() -> None:
    lists = lists_of([(0, frozenset({(0, 1)}))])
    with pytest.raises(InvalidSetting, match="limits for 2 tables"):
        joined_risk(lists, 2, caps=(1, 1))
    with pytest.raises(InvalidSetting, match="cannot be negative"):
        Compositions.of(-1, (1,))
    with pytest.raises(InvalidSetting, match="larger than the 3 days"):
        visits([0, 0, 0, 5], 3)
    with pytest.raises(NothingToMeasure):
        dated_lists([], None)
    one = np.ones(1, dtype=np.int64)
    with pytest.raises(InvalidSetting, match="over several tables"):
        event_lists(Pairs(0 * one, one, 2 * one, np.array([0, 1])), 0 * one, counted=True)


def test_sets_are_counted_within_limits() -> None:
    lists = crowd(50)
    lengths = events_by_table(lists)
    assert count_subsets(lengths, (3, 3, 3), 3) == lists.subsets(3)
    assert count_subsets(np.array([[3, 2], [0, 1]]), (1, 2), 2) == 3 * 2 + 1 + 1
