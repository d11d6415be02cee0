from __future__ import annotations

import itertools
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.agreement import (
    AGREES,
    FAR,
    NEAR,
    NOTHING,
    WIDTH,
    AgreementColumn,
    PatternCounts,
    agreement_column,
    comparison,
    pattern_counts,
    pattern_of,
)
from reidrisk.stats.attack.columns import AttackColumn, Extent, cover
from reidrisk.stats.attack.fellegi_sunter import LinkageModel, best_matches, fit, scores

ONES = np.ones(1, dtype=np.int64)


def binary(columns: int) -> Ints:
    """All patterns of columns that agree or not; the first column changes fastest."""
    every = itertools.product((AGREES, FAR), repeat=columns)
    return np.array([list(one)[::-1] for one in every], dtype=np.int64)


def test_weights_are_those_of_the_textbook() -> None:
    """Two columns, m 0.9 and 0.8, u 0.1 and 0.5: the four weights by hand."""
    match = np.array([[0.9, 0, 0.1, 0], [0.8, 0, 0.2, 0]])
    other = np.array([[0.1, 0, 0.9, 0], [0.5, 0, 0.5, 0]])
    fitted = LinkageModel(match, other, 1.0, 1)
    levels = np.array([[AGREES, AGREES], [AGREES, FAR], [FAR, AGREES], [NOTHING, AGREES]])
    by_hand = [log2(9) + log2(1.6), log2(9) + log2(0.4), log2(1 / 9) + log2(1.6), log2(1.6)]
    assert scores(fitted, levels) == pytest.approx(by_hand)


def test_the_chance_of_the_best_person_is_its_share_of_the_odds() -> None:
    """Ten people: two agree in both columns (odds 14.4), three in the first only (3.6), five in none."""
    match = np.array([[0.9, 0, 0.1, 0], [0.8, 0, 0.2, 0]])
    other = np.array([[0.1, 0, 0.9, 0], [0.5, 0, 0.5, 0]])
    found = PatternCounts(np.zeros(3, np.int64), np.array([0, 2, 3]), np.array([2, 3, 5]))
    told = best_matches(LinkageModel(match, other, 0.8, 1), found, binary(2), 10)
    odds = 2 * 14.4 + 3 * 3.6 + 5 * (0.1 / 0.9 * 0.4)
    assert told.ties.tolist() == [2]
    assert told.posterior[0] == pytest.approx(0.08 * 14.4 / (0.2 + 0.08 * odds))


@pytest.mark.parametrize("present", [1.0, 0.6])
def test_chances_are_recovered_from_simulated_pairs(present: float) -> None:
    rng = np.random.default_rng(5)
    own = np.array([0.95, 0.9, 0.85, 0.9, 0.8])
    anybody = np.array([0.05, 0.1, 0.02, 0.5, 0.2])
    targets, people = 3000, 200
    agrees = rng.random((targets, people, 5)) < anybody
    there = rng.random(targets) < present
    agrees[there, 0] = rng.random((int(there.sum()), 5)) < own
    pattern = (~agrees @ (2 ** np.arange(5))).astype(np.int64)
    table = np.stack([np.bincount(row, minlength=32) for row in pattern])
    target, which = np.nonzero(table)
    found = PatternCounts(target, which, table[target, which])
    told = fit(found, binary(5), np.ones(targets, np.int64), people)
    assert told.other[:, AGREES] == pytest.approx(anybody, abs=0.01)
    assert told.match[:, AGREES] == pytest.approx(own, abs=0.03)
    assert told.present == pytest.approx(there.mean(), abs=0.03)


def _number(rng: np.random.Generator) -> tuple[AttackColumn, AgreementColumn, Ints, Ints]:
    """Seven known numbers and an empty cell; released are numbers, intervals, one unread and one star."""
    known = np.append(np.cumsum(rng.integers(1, 4, 7)) / 20, np.nan)
    people = rng.integers(0, 8, 12)
    wider = {7: np.arange(2, 5), 8: np.arange(8), 9: np.empty(0, np.int64), 10: np.array([1, 4])}
    exact = np.array([*range(7), -1, -1, -1, -1])
    low, high = np.append(known[:7], [np.nan] * 4), np.append(known[:7], [np.nan] * 4)
    for at in (7, 8, 10):
        inside = wider[at][wider[at] < 7]
        low[at], high[at] = known[inside.min()], known[inside.max()]
    held = AttackColumn(
        cover(exact, wider, 8), Extent((low + high) / 2, (high - low) / 2), Extent(known, np.zeros(8))
    )
    ready = agreement_column(held, people.astype(np.int32), present=7, has_missing=True)
    return held, ready, rng.integers(0, 11, 9), people


def _level(column: AttackColumn, value: int, code: int, spread: float) -> int:
    """The definition."""
    stands_for = {
        *np.flatnonzero(column.cover.groups[column.cover.layer[value]] == column.cover.group[value])
    }
    assert column.released is not None
    assert column.known is not None
    if stands_for >= set(range(7)):
        return NOTHING
    if code in stands_for:
        return AGREES
    if code == 7:
        return NOTHING
    apart = abs(column.released.middle[value] - column.known.middle[code]) - column.released.half[value]
    return NEAR if apart <= WIDTH * spread + 1e-12 else FAR


@given(st.integers(0, 2**31))
@settings(max_examples=25)
def test_patterns_are_counted_as_by_looking_at_every_pair(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = [_number(rng) for _ in range(2)]
    compared = comparison([one[1] for one in made])
    targets = np.stack([one[2] for one in made], axis=1).astype(np.int32)
    people = np.stack([one[3] for one in made], axis=1).astype(np.int32)
    times = rng.integers(1, 4, len(people))
    told = pattern_counts(compared, targets, people, times)
    spreads = [float(np.std(one[0].known.middle[one[3][one[3] < 7]])) for one in made]  # type: ignore[union-attr]
    for at, target in enumerate(targets):
        wanted: dict[tuple[int, ...], int] = {}
        for person, number in zip(people, times, strict=True):
            levels = tuple(
                _level(made[c][0], int(target[c]), int(person[c]), spreads[c]) for c in range(len(made))
            )
            wanted[levels] = wanted.get(levels, 0) + int(number)
        mine = told.target == at
        found = {
            tuple(compared.levels[pattern].tolist()): int(number)
            for pattern, number in zip(told.pattern[mine], told.people[mine], strict=True)
        }
        assert found == wanted
        beside = pattern_of(compared, np.repeat(target[None], len(people), axis=0), people)
        counts = np.bincount(beside, times, minlength=len(compared.levels))
        assert counts[told.pattern[mine]].tolist() == told.people[mine].tolist()


def test_too_many_patterns_are_made_fewer() -> None:
    rng = np.random.default_rng(1)
    column = _number(rng)[1]
    assert len(comparison([column] * 3).levels) == 4**3
    without_near = comparison([column] * 8)
    assert len(without_near.levels) == 3**8
    assert len(without_near.columns) == 8
    assert len(comparison([column] * 20).columns) == 8


def test_a_column_that_says_nothing_weighs_nothing() -> None:
    found = PatternCounts(np.zeros(2, np.int64), np.array([0, 1]), np.array([1, 4]))
    levels = np.array([[AGREES, NOTHING], [FAR, NOTHING]])
    told = fit(found, levels, ONES, 5)
    assert told.weights[1].tolist() == [0, 0, 0, 0]
