"""Supports of known events: a table worked by hand, the definitions by brute force, and what always holds."""

from __future__ import annotations

from itertools import pairwise
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.events import risk as draw
from reidrisk.stats.events.lists import Pairs, event_lists
from reidrisk.stats.events.risk import risks_by_known
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
