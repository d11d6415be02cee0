"""Risk over several tables: worked examples, the definitions by brute force, and a second way to count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import mean
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.events import dated, drawn, joined
from reidrisk.stats.events.compositions import Compositions
from reidrisk.stats.events.dated import DatedLists, DatedRows
from reidrisk.stats.events.joined import (
    CompositionAverage,
    JoinedKnown,
    Tally,
    bounds_without_join,
    count_subsets,
    events_by_table,
    joined_risk,
    supports_alone,
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


@pytest.fixture
def few_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn, "MOST_PEOPLE", 2)
    monkeypatch.setattr(drawn, "FEWEST_PEOPLE", 2)


def least_of(people: list[Person], at: int, way: Sequence[int]) -> int:
    of, has = people[at]
    return min(support(people, of, known) for known in sets_by(has, way))


def tally_of(people: list[Person], known: int, caps: Sequence[int]) -> Tally:
    lists = lists_of(people)
    comps = Compositions.of(known, tuple(min(cap, known) for cap in caps))
    return Tally.begin(comps, lists.class_sizes(), events_by_table(lists))


@given(DATABASES, st.integers(1, 3), CAPS)
@settings(max_examples=15, deadline=None)
def test_what_each_table_proves_alone(people: list[Person], known: int, caps: tuple[int, ...] | None) -> None:
    limits = caps or (known,) * TABLES
    alone = supports_alone(lists_of(people), tally_of(people, known, limits), known, 10**6)
    assert alone is not None
    assert len(alone) == known + 1
    for number, found in enumerate(alone):
        for table in range(TABLES):
            way = [min(number, limits[table]) if one == table else 0 for one in range(TABLES)]
            wanted = [least_of(people, at, way) for at in range(len(people))]
            assert found[:, table].tolist() == wanted


@given(DATABASES, st.integers(1, 3), CAPS)
@settings(max_examples=15, deadline=None)
def test_the_bound_without_a_join_by_person(
    people: list[Person], known: int, caps: tuple[int, ...] | None
) -> None:
    """For each way to know events: if n_t fit table t, at least the sum of n_t less (T - 1) n fit all."""
    limits = caps or (known,) * TABLES
    tally = tally_of(people, known, limits)
    size = tally.comps.largest
    floor = joined._floor(lists_of(people), tally, size, 10**6)
    for at, (of, _) in enumerate(people):
        alike = sum(other == of for other, _ in people)
        proved = [alike]
        for way in compositions(known, limits):
            parts = [
                least_of(people, at, [n if one == table else 0 for one in range(TABLES)])
                for table, n in enumerate(way)
                if n
            ]
            if parts:
                proved.append(round(1 / bounds_without_join(alike, parts)[1]))
        assert floor[at] == min(proved)
        assert floor[at] <= min(least_of(people, at, way) for way in compositions(known, limits))


def test_a_table_is_counted_alone_only_if_it_has_few_sets() -> None:
    people: list[Person] = [(0, frozenset({(0, 0), (0, 1), (1, 0)}))] * 4
    tally = tally_of(people, 2, (2, 2, 2))
    lists = lists_of(people)
    sets = 4 * (1 + 1 + 1)  # two of the first table, one of the second, none of the third
    assert supports_alone(lists, tally, 2, sets) is not None
    assert supports_alone(lists, tally, 2, sets - 1) is None
    assert joined._floor(lists, tally, 2, sets).tolist() == [4] * 4
    assert joined._floor(lists, tally, 2, sets - 1).tolist() == [1] * 4


@pytest.mark.usefixtures("few_drawn")
@given(DATABASES, st.integers(1, 3), CAPS, st.integers(0, 9), st.booleans())
@settings(max_examples=10, deadline=None)
def test_drawn_people_are_exact_and_others_bounded(
    people: list[Person], known: int, caps: tuple[int, ...] | None, seed: int, alone: bool
) -> None:
    lists, limits = lists_of(people), caps or (known,) * TABLES
    truth = joined_risk(lists, known, caps=caps)
    budget = -1 if not alone else max([one.subsets for one in truth.by_known[1:]], default=0) - 1
    found = joined_risk(lists, known, caps=caps, seed=seed, budget=budget)
    assert len(found.by_known) == len(truth.by_known)
    for fewer, more in pairwise(found.by_known):
        assert (more.least <= fewer.least).all(), "whoever knows more is no farther from the person"
    for number, (one, real) in enumerate(zip(found.by_known, truth.by_known, strict=True)):
        assert one.known == number
        assert one.subsets == real.subsets
        assert (one.floor <= real.least).all()
        assert (real.least <= one.least).all()
        ways = [(), *compositions(number, limits)]
        assert len(one.averages) == len(ways) - 1
        if one.method == "exact":
            assert one.floor.tolist() == one.least.tolist()
            continue
        assert one.drawn is not None
        assert len(one.drawn) == min(2, len(people))
        assert np.count_nonzero(one.floor == real.least) >= len(one.drawn)
        assert set(one.drawn.tolist()) <= set(real.least.tolist())
        for way in one.averages:
            assert 0 <= way.low <= way.average <= way.high
            assert 0 < way.average <= 1
    assert (found.without is None) == (found.by_known[-1].method == "sampled")


@pytest.mark.usefixtures("few_drawn")
def test_averages_are_those_of_the_drawn_people() -> None:
    """Everybody has the same risk, so that any two people show it: 1/4 with one table, 1/2 with the other."""
    people: list[Person] = [(0, frozenset({(0, 0), (1, at // 2)})) for at in range(4)]
    found = joined_risk(lists_of(people), 2, budget=0).by_known
    assert [one.method for one in found] == ["exact", "sampled", "sampled"]
    by_way = {one.composition: one.average for one in found[1].averages}
    assert by_way == {(0,): 0.25, (1,): 0.5, (2,): 0.25}
    by_way = {one.composition: one.average for one in found[2].averages}
    assert by_way[0, 1] == by_way[1, 1] == by_way[1, 2] == 0.5
    assert by_way[0, 0] == by_way[0, 2] == by_way[2, 2] == 0.25
    assert found[2].least.tolist() == [2] * 4
    assert found[2].average_limits[0] < 0.5 < found[2].average_limits[1]


def judged(least: Sequence[int], floor: Sequence[int], drawn_: Sequence[int] | None) -> JoinedKnown:
    average = (CompositionAverage((0,), 0.1, 0.0, 0.3), CompositionAverage((1,), 0.2, 0.1, 0.2))
    found = None if drawn_ is None else np.array(drawn_)
    return JoinedKnown(1, "sampled", 9, np.array(least), np.array(floor), average, found)


def test_the_share_of_people_below_a_cell_size() -> None:
    """One of four drawn people: Clopper and Pearson's 95 % limits are 0.0063 and 0.8059."""
    some = judged([5] * 10, [1] * 10, [5, 4, 7, 9])
    assert some.share_below(5) == pytest.approx((0.25, 0.0063, 0.8059), abs=1e-4)
    assert some.share_below(4) == pytest.approx((0.0, 0.0, 0.6024), abs=1e-4), "nobody of four"
    assert some.share_below(10)[0] == 1.0
    seen = judged([4] * 5 + [5] * 5, [4] * 6 + [5] * 4, [5, 5, 5, 5])
    assert seen.share_below(5) == (0.5, 0.5, 0.6), "five are below, and at most one more can be"
    assert judged([4, 5], [4, 5], [5, 5]).share_below(5) == (0.5, 0.5, 0.5)
    assert judged([4, 5], [4, 4], None).share_below(5) == (0.5, 0.5, 1.0)
    assert judged([9] * 4, [1, 9, 9, 9], [1, 1, 1, 9]).share_below(5)[0] == 0.25
    assert some.average == 0.2
    assert some.average_limits == (0.1, 0.3)
    assert some.worst.composition == (0,), "the upper limit decides"


def test_what_is_written_is_read_again() -> None:
    for one in (judged([3, 2, 3], [1, 1, 2], [0, 2]), judged([2], [2], None)):
        again = JoinedKnown.from_dict(one.to_dict())
        assert again.to_dict() == one.to_dict()
        assert sorted(one.least.tolist()) == again.least.tolist()
        assert again.share_below(3) == one.share_below(3)
    assert joined.runs(np.array([3, 1, 3])) == [[1, 1], [3, 2]]
    assert joined.repeated([]).tolist() == []


@given(DATABASES, st.integers(1, 3))
@settings(max_examples=10, deadline=None)
def test_columns_may_be_counted_one_by_one(people: list[Person], known: int) -> None:
    lists = lists_of(people)
    at_once = joined_risk(lists, known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joined, "CELLS", 2 * len(people))
        found = joined_risk(lists, known)
    for one, two in zip(at_once.by_known, found.by_known, strict=True):
        assert one.averages == two.averages
        assert one.least.tolist() == two.least.tolist()
    assert np.array_equal(at_once.without, found.without)  # type: ignore[arg-type]
    assert np.array_equal(at_once.alone, found.alone)  # type: ignore[arg-type]


@given(DATED, st.integers(1, 3))
@settings(max_examples=10, deadline=None)
def test_items_may_be_built_in_small_blocks(people: list[DatedPerson], known: int) -> None:
    lists = dated_lists(people, OFFSET)
    at_once = joined_risk(lists, known).by_known[-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dated, "BLOCK", 2)
        found = joined_risk(lists, known).by_known[-1]
    assert found.least.tolist() == at_once.least.tolist()
    assert [one.average for one in found.averages] == pytest.approx([one.average for one in at_once.averages])


@given(DATABASES, st.integers(0, 3), st.data())
@settings(max_examples=15, deadline=None)
def test_averages_over_some_people_only(people: list[Person], known: int, data: st.DataObject) -> None:
    """The others still fit what is known."""
    among = np.array(data.draw(st.lists(st.booleans(), min_size=len(people), max_size=len(people))))
    if not among.any():
        among[0] = True
    found = joined_risk(lists_of(people), known, among=among).by_known[-1]
    for one in found.averages:
        way = [one.composition.count(table) for table in range(TABLES)]
        means = []
        for at in np.flatnonzero(among).tolist():
            of, has = people[at]
            own = [1 / support(people, of, part) for part in sets_by(has, way)]
            means.append(sum(own) / len(own))
        assert one.average == pytest.approx(sum(means) / len(means))
        assert (one.low, one.high) == (one.average, one.average)


@given(DATABASES, st.integers(1, 2))
@settings(max_examples=15, deadline=None)
def test_one_table_alone_and_all_but_one(people: list[Person], known: int) -> None:
    found = joined_risk(lists_of(people), known)
    assert found.alone is not None
    assert found.without is not None
    for table in range(TABLES):
        for at, (of, has) in enumerate(people):
            for own, number in (
                (frozenset(e for e in has if e[0] == table), found.alone[at, table]),
                (frozenset(e for e in has if e[0] != table), found.without[at, table]),
            ):
                sets = combinations(sorted(own), min(known, len(own)))
                assert number == min(support(people, of, set(part)) for part in sets)


def test_numbers_of_events_by_table() -> None:
    pairs = Pairs(np.array([0, 0, 2]), np.array([0, 1, 1]), np.ones(3, dtype=np.int64), np.array([0, 2]))
    lists = event_lists(pairs, np.zeros(3, dtype=np.int64))
    assert events_by_table(lists).tolist() == [[1, 0, 1], [0, 0, 0], [0, 0, 1]]
