"""Supports of known events: a table worked by hand, the definitions by brute force, and what always holds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, product
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.events import risk as draw
from reidrisk.stats.events.lists import Pairs, event_lists
from reidrisk.stats.events.risk import KnownRisk, risks_by_known
from tests.stats.events.people import PEOPLE, People, lists_of, supports

X, Y, Z = 0, 1, 2
BY_HAND: People = [(0, [X, Y]), (0, [X, Y]), (0, [X, Z]), (0, [X]), (1, [X])]


def test_the_table_worked_by_hand() -> None:
    none, one, two = risks_by_known(lists_of(BY_HAND), 2)
    assert none.least.tolist() == [4, 4, 4, 4, 1]
    assert one.least.tolist() == [2, 2, 1, 4, 1]
    assert one.mean.tolist() == [3 / 8, 3 / 8, 5 / 8, 1 / 4, 1]
    assert one.average == pytest.approx(0.525)
    assert two.least.tolist() == [2, 2, 1, 4, 1]
    assert two.average == pytest.approx(0.65)
    assert [risk.subsets for risk in (one, two)] == [8, 3]


def test_how_often_something_happened_may_be_known() -> None:
    people: People = [(0, [X, X]), (0, [X]), (0, [X])]
    once, often = lists_of(people), lists_of(people, counted=True)
    assert risks_by_known(once, 2)[-1].least.tolist() == [3, 3, 3]
    assert risks_by_known(often, 1)[-1].least.tolist() == [3, 3, 3]
    assert risks_by_known(often, 2)[-1].least.tolist() == [1, 3, 3]


@given(PEOPLE, st.integers(0, 5), st.booleans(), st.booleans())
@settings(max_examples=20, deadline=None)
def test_against_every_subset(people: People, known: int, counted: bool, walked: bool) -> None:
    lists = lists_of(people, counted=counted)
    found = risks_by_known(lists, known, budget=10**9 if walked else 0)[-1]
    wanted = supports(people, known, counted=counted)
    assert found.method == "exact", "so few subsets are all looked at, even if they are drawn"
    assert found.least.tolist() == [min(of) for of in wanted]
    assert found.mean.tolist() == pytest.approx([mean(1 / n for n in of) for of in wanted])


@given(PEOPLE, st.booleans(), st.data())
@settings(max_examples=30, deadline=None)
def test_what_must_always_hold(people: People, counted: bool, data: st.DataObject) -> None:
    risks = risks_by_known(lists_of(people, counted=counted), 4)
    for fewer, more in pairwise(risks):
        assert (more.least <= fewer.least).all(), "whoever knows more is no farther from the person"
        assert more.average >= fewer.average - 1e-12
    order = data.draw(st.permutations(range(len(people))))
    again = risks_by_known(lists_of([people[at] for at in order], counted=counted), 4)
    for one, two in zip(risks, again, strict=True):
        assert one.least[list(order)].tolist() == two.least.tolist()
        assert one.average == pytest.approx(two.average, rel=1e-12)
    if not counted:
        coarse = risks_by_known(lists_of([(of, [event // 2 for event in has]) for of, has in people]), 4)
        for fine, wide in zip(risks, coarse, strict=True):
            assert (wide.least >= fine.least).all(), "coarser events fit no fewer people"


def crowd() -> People:
    rng = np.random.default_rng(3)
    chance = 1 / np.arange(1, 41)
    sizes = rng.integers(8, 16, 150)
    return [(int(n % 2), rng.choice(40, n, replace=False, p=chance / chance.sum()).tolist()) for n in sizes]


def test_a_sample_covers_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "MOST_DRAWS", 20)
    lists = lists_of(crowd())
    for truth in risks_by_known(lists, 3)[2:]:
        held = []
        for seed in range(20):
            found = risks_by_known(lists, truth.known, seed=seed, budget=0)[-1]
            assert found.method == "sampled"
            assert found.subsets < truth.subsets
            assert (found.least >= truth.least).all(), "what was seen is a bound"
            held.append(found.interval[0] <= truth.average <= found.interval[1])
        assert sum(held) >= 16
    one, two = (risks_by_known(lists, 3, seed=5, budget=0)[-1] for _ in range(2))
    assert one.average == two.average
    assert one.least.tolist() == two.least.tolist()


def test_nobody_and_nothing() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    none = Pairs(nothing, nothing, nothing)
    with pytest.raises(NothingToMeasure):
        event_lists(none, nothing)
    lists = event_lists(none, np.zeros(3, dtype=np.int64))
    assert [risk.least.tolist() for risk in risks_by_known(lists, 2)] == [[3, 3, 3]] * 3
    with pytest.raises(InvalidSetting, match="different lengths"):
        Pairs(nothing, np.zeros(1, dtype=np.int64), nothing)


def test_a_rare_event_is_looked_up_in_the_lists_of_those_who_have_it() -> None:
    """90 people, of whom 88 have the common event; three have a rare one, one of them without the common."""
    people: People = [(0, [X, Z]), (0, [Y, Z]), (0, [X, Y, Z])] + [(0, [X])] * 86 + [(0, [Y])]
    lists = lists_of(people)
    for known in (1, 2, 3):
        found = risks_by_known(lists, known, budget=0)[-1]
        wanted = supports(people, known)
        assert found.least.tolist() == [min(of) for of in wanted]
        assert found.mean.tolist() == pytest.approx([mean(1 / n for n in of) for of in wanted])


def test_each_set_is_drawn_as_often() -> None:
    """Over a grid of chances, each of the ten pairs of five events comes up twice, in ascending order."""
    seen: Counter[tuple[int, ...]] = Counter()
    for one, two in product(range(5), range(4)):
        chosen = np.zeros(2, dtype=np.int64)
        draw._pick(np.array([(one + 0.5) / 5, (two + 0.5) / 4]), 5, chosen)
        seen[tuple(chosen.tolist())] += 1
    assert seen == dict.fromkeys(combinations(range(5), 2), 2)
    three: Counter[tuple[int, ...]] = Counter()
    for grid in product(range(4), range(3), range(2)):
        chosen = np.zeros(3, dtype=np.int64)
        draw._pick((np.array(grid) + 0.5) / np.array([4, 3, 2]), 4, chosen)
        three[tuple(chosen.tolist())] += 1
    assert three == dict.fromkeys(combinations(range(4), 3), 6)
    chosen = np.zeros(2, dtype=np.int64)
    draw._pick(np.array([0.0, 1.0]), 3, chosen)
    assert chosen.tolist() == [0, 2], "a chance that was rounded up to 1 is the last event"


@pytest.mark.parametrize(("length", "known"), [(1, 1), (4, 2), (5, 3), (3, 3)])
def test_all_sets_one_after_the_other(length: int, known: int) -> None:
    places = np.arange(known)
    every = list(combinations(range(length), known))
    assert draw._ways(length, known) == len(every)
    for one in every:
        assert tuple(places.tolist()) == one
        if one != every[-1]:
            draw._next(places, length)


def test_mean_and_variance_of_what_was_drawn() -> None:
    """Three events that 1, 2 and 3 people have; the first two are drawn: 1 and 1/2."""
    lists = lists_of([(0, [X, Y, Z]), (0, [Y, Z]), (0, [Z])])
    slots = lists.slots
    index = draw._Index(np.array([0, 1, 3, 6]), np.array([0, 0, 1, 0, 1, 2]))
    found = draw.SubsetRisks(np.zeros(3), np.zeros(3), np.zeros(3, dtype=np.int64), 0)
    chances = np.array([[[0.1], [0.5]], [[0.1], [0.9]], [[0.5], [0.5]]])
    looked = draw._draw(slots, index, 0, chances, found)
    assert looked == 2 + 2 + 1
    assert found.mean.tolist() == pytest.approx([3 / 4, (1 / 2 + 1 / 3) / 2, 1 / 3])
    assert found.least.tolist() == [1, 2, 3]
    assert found.variance.tolist() == pytest.approx([1 / 8 / 2, 0, 0]), "of the others, all were looked at"
    later = draw.SubsetRisks(np.zeros(3), np.zeros(3), np.zeros(3, dtype=np.int64), 0)
    assert draw._draw(slots, index, 1, chances[:1], later) == 2
    assert later.least.tolist() == [0, 2, 0]


def test_people_are_drawn_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "CHUNK", 2)
    lists = lists_of(BY_HAND)
    found = risks_by_known(lists, 1, budget=0)[-1]
    assert found.least.tolist() == [2, 2, 1, 4, 1]
    assert found.subsets == 8


def known_risk(mean_: list[float], deviation: float) -> KnownRisk:
    return KnownRisk(1, "sampled", deviation, 4, np.ones(len(mean_), dtype=np.int64), np.array(mean_))


def test_the_interval_of_a_sampled_average() -> None:
    assert known_risk([0.4, 0.6], 0.1).interval == pytest.approx((0.5 - 0.1959964, 0.5 + 0.1959964))
    assert known_risk([0.4, 0.6], 1.0).interval == (0.0, 1.0)
    assert known_risk([0.25, 0.5], 0.0).interval == (0.375, 0.375)
    before = known_risk([0.5, 0.5], 3.0)
    assert draw._method(before, np.array([True, False]), 4.0) == ("sampled", 5.0), "errors add up"
    assert draw._method(before, np.array([True, True]), 4.0) == ("exact", 4.0), (
        "nothing is left of the others"
    )
    exact = KnownRisk(0, "exact", 0.0, 2, before.least, before.mean)
    assert draw._method(exact, np.array([True, False]), 4.0) == ("exact", 4.0)


def test_how_many_sets_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the limits, as many in all as planned."""
    people: People = [(0, [0, 1, 2, 3, 4])] * 3
    for planned, wanted in ((9, 5), (12, 5), (21, 7), (10**6, 8)):
        monkeypatch.setattr(draw, "DRAWN", planned)
        monkeypatch.setattr(draw, "LEAST_DRAWS", 5)
        monkeypatch.setattr(draw, "MOST_DRAWS", 8)
        found = draw.sample_risks(lists_of(people), 2, np.random.default_rng(1))
        assert found.subsets == 3 * wanted
        assert found.mean.tolist() == pytest.approx([1 / 3] * 3)
        assert found.variance.tolist() == pytest.approx([0] * 3, abs=1e-12)
