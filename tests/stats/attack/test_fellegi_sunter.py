from __future__ import annotations

import itertools
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reidrisk.stats.arrays import Floats, Ints
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
from reidrisk.stats.attack.fellegi_sunter import LinkageModel, best_matches, chances, fit, scores

ONES = np.ones(1, dtype=np.int64)


def binary(columns: int) -> Ints:
    """All patterns of columns that agree or not; the first column changes fastest."""
    every = itertools.product((AGREES, FAR), repeat=columns)
    return np.array([list(one)[::-1] for one in every], dtype=np.int64)


def same_value(people: Ints, targets: Ints) -> tuple[PatternCounts, Ints]:
    """The patterns of records whose columns agree or not, by looking at every pair."""
    differs = targets[:, np.newaxis, :] != people[np.newaxis, :, :]
    pattern = (differs @ (2 ** np.arange(people.shape[1]))).astype(np.int64)
    table = np.stack([np.bincount(row, minlength=2 ** people.shape[1]) for row in pattern])
    target, which = np.nonzero(table)
    return PatternCounts(target, which, table[target, which]), binary(people.shape[1])


def by_level(match: list[float]) -> Floats:
    return np.array([[one, 0, 1 - one, 0] for one in match])


def test_weights_are_those_of_the_textbook() -> None:
    """Two columns, m 0.9 and 0.8, u 0.1 and 0.5: the four weights by hand."""
    other = np.array([[[0.1, 0, 0.9, 0], [0.5, 0, 0.5, 0]]])
    fitted = LinkageModel(by_level([0.9, 0.8]), other, 1.0, 1)
    levels = np.array([[AGREES, AGREES], [AGREES, FAR], [FAR, AGREES], [NOTHING, AGREES]])
    by_hand = [log2(9) + log2(1.6), log2(9) + log2(0.4), log2(1 / 9) + log2(1.6), log2(1.6)]
    assert scores(fitted, levels, np.zeros(4, np.int64), np.arange(4)) == pytest.approx(by_hand)


def test_the_chance_of_the_best_person_is_its_share_of_the_odds() -> None:
    """Ten people: two agree in both columns (odds 14.4), three in the first only (3.6), five in none."""
    other = np.array([[[0.1, 0, 0.9, 0], [0.5, 0, 0.5, 0]]])
    found = PatternCounts(np.zeros(3, np.int64), np.array([0, 2, 3]), np.array([2, 3, 5]))
    told = best_matches(LinkageModel(by_level([0.9, 0.8]), other, 0.8, 1), found, binary(2), 10)
    odds = 2 * 14.4 + 3 * 3.6 + 5 * (0.1 / 0.9 * 0.4)
    assert told.ties.tolist() == [2]
    assert told.posterior[0] == pytest.approx(0.08 * 14.4 / (0.2 + 0.08 * odds))


def test_u_is_that_of_the_value_of_the_target() -> None:
    """The reference case of the specification: ten people, three targets, m and present given."""
    people = np.array([[0, 0], [0, 0], [0, 1], [0, 1], [0, 2], [1, 0], [1, 0], [1, 1], [2, 0], [0, 0]])
    found, levels = same_value(people, np.array([[2, 0], [0, 0], [1, 1]]))
    other = chances(found, levels, len(people))
    assert other[:, :, AGREES] == pytest.approx(np.array([[0.1, 0.6], [0.6, 0.6], [0.3, 0.3]]))
    told = best_matches(LinkageModel(by_level([0.98, 0.95]), other, 0.95, 0), found, levels, len(people))
    assert told.posterior == pytest.approx(np.array([0.95604732, 0.28291649, 0.89728669]), rel=1e-6)
    assert told.posterior.mean() == pytest.approx(0.7120835, rel=1e-6)


@given(st.integers(0, 2**31))
@settings(max_examples=25)
def test_posteriors_are_those_of_the_formula_for_every_pair(seed: int) -> None:
    """A second way: loop over targets, people and columns."""
    rng = np.random.default_rng(seed)
    people, targets = rng.integers(0, 4, (30, 2)), rng.integers(0, 5, (6, 2))
    match, present = rng.uniform(0.6, 0.99, 2), float(rng.uniform(0.2, 1))
    found, levels = same_value(people, targets)
    fitted = LinkageModel(by_level(match.tolist()), chances(found, levels, 30), present, 0)
    told = best_matches(fitted, found, levels, 30)
    for at, target in enumerate(targets):
        odds = np.ones(30)
        for column in range(2):
            same = people[:, column] == target[column]
            share = max(same.mean(), 0.5 / 30), max(1 - same.mean(), 0.5 / 30)
            own = match[column] / share[0], (1 - match[column]) / share[1]
            odds *= np.where(same, *own)
        best = present * odds.max() / 30 / (1 - present + present * odds.sum() / 30)
        assert told.posterior[at] == pytest.approx(best)


@pytest.mark.parametrize("given_present", [None, 0.6])
def test_agreement_is_recovered_from_simulated_errors(given_present: float | None) -> None:
    """Many values per column, so that the share of records in the table can be learned, too."""
    rng = np.random.default_rng(5)
    own = np.array([0.95, 0.9, 0.85, 0.8])
    values = np.array([30, 20, 40, 10])
    people = (rng.random((400, 4)) ** 2 * values).astype(np.int64)
    there = rng.random(1500) < 0.6
    targets = (rng.random((1500, 4)) ** 2 * values).astype(np.int64)
    mine = people[rng.integers(0, 400, 1500)]
    wrong = rng.random((1500, 4)) > own
    targets = np.where(there[:, np.newaxis], np.where(wrong, (mine + 1) % values, mine), targets)
    found, levels = same_value(people, targets)
    told = fit(found, levels, np.ones(1500, np.int64), 400, given_present)
    assert told.match[:, AGREES] == pytest.approx(own, abs=0.05)
    assert told.present == pytest.approx(0.6, abs=0.08)
    right = best_matches(told, found, levels, 400).posterior.mean()
    assert right == pytest.approx(_achieved(told, found, levels, (people, targets, mine, there)), abs=0.03)


def _achieved(
    told: LinkageModel, found: PatternCounts, levels: Ints, made: tuple[Ints, Ints, Ints, NDArray[np.bool_]]
) -> float:
    """The share of all targets that the best match gets right, drawn among ties."""
    people, targets, mine, there = made
    likely = best_matches(told, found, levels, len(people))
    pattern = ((targets != mine) @ (2 ** np.arange(targets.shape[1]))).astype(np.int64)
    own = scores(told, levels, np.arange(len(targets)), pattern)
    return float((there * (own >= likely.score - 1e-9) / likely.ties).mean())


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
    assert told.other[:, 1].tolist() == [[0, 0, 0, 0]]
    assert told.mean_other(ONES)[1].tolist() == [0, 0, 0, 0]
    without = fit(found, levels[:, :1], ONES, 5)
    alone = scores(without, levels[:, :1], found.target, found.pattern)
    assert scores(told, levels, found.target, found.pattern) == pytest.approx(alone)


def test_a_level_that_never_occurs_has_no_chance() -> None:
    """Columns that agree or not are never near: m is shared by the two other levels."""
    people = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2], [3, 0]])
    found, levels = same_value(people, people)
    fitted = fit(found, levels, np.ones(6, dtype=np.int64), 6)
    assert fitted.match[:, [NEAR, NOTHING]].tolist() == [[0.0, 0.0]] * 2
    assert fitted.match.sum(axis=1).tolist() == pytest.approx([1.0, 1.0])
    assert (fitted.match[:, AGREES] > 0.9).all(), "every record is its own person"
    assert fitted.present > 0.9


def test_records_that_are_there_twice_count_twice() -> None:
    people = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2], [3, 0]])
    once = np.array([[0, 0], [2, 2], [3, 1]])
    twice = np.array([[0, 0], [0, 0], [2, 2], [3, 1]])
    short = fit(*same_value(people, once), np.array([2, 1, 1]), 6)
    long = fit(*same_value(people, twice), np.ones(4, dtype=np.int64), 6)
    assert short.match == pytest.approx(long.match, abs=1e-5)
    assert short.present == pytest.approx(long.present, abs=1e-5)
    fixed = fit(*same_value(people, once), np.array([2, 1, 1]), 6, present=0.25)
    assert fixed.present == 0.25
