from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.stats.attack.candidates import candidates, holds
from reidrisk.stats.attack.columns import Cover, cover

DOMAIN = 5
SETS = st.lists(st.frozensets(st.integers(0, DOMAIN - 1)), min_size=1, max_size=6)


def covered(sets: list[frozenset[int]]) -> Cover:
    exact = np.array([next(iter(one)) if len(one) == 1 else -1 for one in sets])
    wider = {at: np.array(sorted(one), dtype=np.int64) for at, one in enumerate(sets) if len(one) != 1}
    return cover(exact, wider, DOMAIN)


@given(SETS)
def test_a_released_value_holds_what_it_stands_for_and_nothing_else(sets: list[frozenset[int]]) -> None:
    found = covered(sets)
    for released, value in product(range(len(sets)), range(DOMAIN)):
        held = found.holds(np.array([released], np.int32), np.array([value], np.int32))
        assert bool(held[0]) == (value in sets[released])
    assert found.size.tolist() == [len(one) for one in sets]


def test_values_that_share_nothing_share_a_layer() -> None:
    decades = cover(np.full(2, -1), {0: np.array([0, 1]), 1: np.array([2, 3])}, 4)
    assert decades.groups.shape[0] == 2
    crossing = cover(np.full(2, -1), {0: np.array([0, 1]), 1: np.array([1, 2])}, 4)
    assert crossing.groups.shape[0] == 3
    twice = cover(np.full(2, -1), {0: np.array([0, 1]), 1: np.array([1, 0])}, 4)
    assert twice.groups.shape[0] == 2


@given(st.lists(SETS, min_size=1, max_size=3), st.integers(0, 2**31), st.integers(1, 12), st.integers(1, 12))
def test_candidates_are_the_people_whom_every_value_fits(
    columns: list[list[frozenset[int]]], seed: int, records: int, people: int
) -> None:
    rng = np.random.default_rng(seed)
    covers = [covered(sets) for sets in columns]
    released = np.stack([rng.integers(len(sets), size=records) for sets in columns], axis=1).astype(np.int32)
    others = rng.integers(DOMAIN, size=(people, len(columns))).astype(np.int32)
    fits = np.array(
        [
            [all(person[at] in columns[at][record[at]] for at in range(len(columns))) for person in others]
            for record in released
        ]
    )
    assert candidates(covers, released, others).tolist() == fits.sum(axis=1).tolist()
    both = min(records, people)
    assert holds(covers, released[:both], others[:both]).tolist() == np.diag(fits)[:both].tolist()
