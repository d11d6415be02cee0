"""Events that are removed: where the limits are, and what is checked again."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.stats.events import clean
from reidrisk.stats.events.clean import Bounds, Cleaning, Demand
from tests.stats.events.people import People, pairs_of


def cleaned(people: People, demand: Demand, bounds: Bounds | None = None) -> list[int] | None:
    """The rows of the pairs that are left."""
    pairs = pairs_of(people)
    state = Cleaning.of_pairs(pairs, np.array([of for of, _ in people]), demand)
    found = state.clean(np.full(len(pairs.person), 0.5), bounds or Bounds(10**6))
    if found is None:
        return None
    assert np.count_nonzero(state.kept) == len(set(found.rows.tolist()))
    return np.flatnonzero(state.kept).tolist()


def demand(known: int, cell_size: int = 2, *, counted: bool = False, budget: int = 10**6) -> Demand:
    return Demand(known, cell_size, 1.0, counted, budget)


def test_sets_are_counted_with_copies() -> None:
    """Of three events there are three pairs; of two people with one event there are none."""
    person = np.array([0, 0, 0, 2, 3])
    assert clean._sets(person, np.ones(5, dtype=np.int64), 2) == 3
    assert clean._sets(person, np.ones(5, dtype=np.int64), 1) == 5
    assert clean._sets(np.array([0, 1]), np.array([4, 2]), 2) == 6 + 1
    assert clean._sets(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), 1) == 0


def test_as_many_sets_are_checked_as_the_budget_allows() -> None:
    same: People = [(0, [0, 1, 2, 3])] * 2
    assert cleaned(same, demand(2, budget=12)) == list(range(8))
    assert cleaned(same, demand(2, budget=11)) is None, "two people with six pairs"
    one: People = [(0, [0, 1])] * 2
    assert cleaned(one, demand(1, budget=4)) == list(range(4))
    assert cleaned(one, demand(1, budget=3)) is None
    often: People = [(0, [0, 0, 0])] * 2
    assert cleaned(often, demand(2, counted=True, budget=6)) == [0, 1]
    assert cleaned(often, demand(2, counted=True, budget=5)) is None
    assert cleaned(often, demand(2, budget=2)) == [0, 1], "how often is not known"


def test_as_much_is_removed_as_the_bounds_allow() -> None:
    people: People = [(0, [0, 1, 1]), (0, [0]), (0, [2])]
    assert cleaned(people, demand(1), Bounds(3)) == [0, 2]
    assert cleaned(people, demand(1), Bounds(2)) is None, "three rows: one event twice"
    assert cleaned(people, demand(1), Bounds(3, cost=1.0)) == [0, 2]
    assert cleaned(people, demand(1), Bounds(3, cost=0.99)) is None


def test_what_was_removed_is_checked_for_others_again() -> None:
    """Each of three people loses one of two events; then an event is left with one person, and goes, too."""
    people: People = [(0, [0, 1]), (0, [0, 2]), (0, [1, 2]), (0, [0]), (0, [1]), (0, [2])]
    left = cleaned(people, demand(2))
    assert left is not None
    pairs = pairs_of(people)
    kept = [(int(pairs.person[row]), int(pairs.event[row])) for row in left]
    has = [{event for at, event in kept if at == person} for person in range(6)]
    assert all(len(own) < 2 for own in has), "no pair is shared by two"
    number = np.bincount([event for _, event in kept])
    assert set(number.tolist()) <= {0, 2, 3}, "nobody has an event alone"
    assert len(kept) == 5


def test_classes_are_checked_apart() -> None:
    """In the second class nothing is too rare, and nothing goes."""
    people: People = [(0, [0, 1]), (0, [0]), (1, [0, 1]), (1, [0, 1])]
    assert cleaned(people, demand(2)) == [0, 2, 3, 4, 5, 6]
    assert cleaned([(0, [0]), (0, [0]), (1, [0])], demand(1)) == [0, 1]


@pytest.mark.parametrize("cell_size", [2, 3])
def test_an_event_of_as_many_people_as_the_cell_size_stays(cell_size: int) -> None:
    people: People = [(0, [0])] * cell_size + [(0, [1])] * (cell_size - 1)
    assert cleaned(people, demand(1, cell_size)) == list(range(cell_size))
