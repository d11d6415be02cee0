from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.attack.columns import AttackColumn, Extent, cover
from reidrisk.stats.attack.nearest import expected_distance, least_distance, nearest_in

STAR = 3
"""The released category that stands for all three others."""


def category() -> AttackColumn:
    return AttackColumn(cover(np.array([0, 1, 2, -1]), {STAR: np.arange(3)}, 3))


def number(released: Extent, known: Extent) -> AttackColumn:
    empty = cover(np.full(released.middle.size, -1), {}, known.middle.size)
    return AttackColumn(empty, released, known)


def apart(released: list[Any], person: list[Any], columns: list[AttackColumn], *, wide: bool) -> float:
    """The definition, one column after the other."""
    total = 0.0
    for code, other, column in zip(released, person, columns, strict=True):
        if column.known is None or column.released is None:
            held = code in (STAR, other)
            total += (1 - 1 / (3 if code == STAR else 1) if not wide else 0.0) if held else 1.0
            continue
        low, high = column.released.middle[code], column.known.middle[other]
        half = column.released.half[code]
        if np.isnan(low) or np.isnan(high):
            total += float(np.isnan(low) != np.isnan(high))
        elif wide:
            total += max(0.0, abs(low - high) - half)
        else:
            points = np.linspace(low - half, low + half, 20001)
            total += float(np.abs(points - high).mean())
    return total


@given(st.integers(0, 2**31), st.booleans(), st.integers(0, 2), st.integers(0, 2))
@settings(max_examples=15)
def test_the_nearest_is_found_with_all_that_are_as_near(
    seed: int, wide: bool, numbers: int, words: int
) -> None:
    numbers = numbers or int(not words)
    rng = np.random.default_rng(seed)
    columns = []
    for _ in range(numbers):
        released = Extent(rng.integers(0, 9, 6) / 8, rng.choice([0.0, 0.125, 0.25], 6))
        known = Extent(rng.integers(0, 9, 6) / 8, np.zeros(6))
        released.middle[5] = known.middle[5] = np.nan
        columns.append(number(released, known))
    columns += [category() for _ in range(words)]
    released_rows = np.stack(
        [
            *(rng.integers(6, size=14) for _ in range(numbers)),
            *(rng.integers(4, size=14) for _ in range(words)),
        ],
        axis=1,
    )
    people_rows = np.stack(
        [
            *(rng.integers(6, size=14) for _ in range(numbers)),
            *(rng.integers(3, size=14) for _ in range(words)),
        ],
        axis=1,
    )
    rows, targets = (people_rows, released_rows) if wide else (released_rows, people_rows)
    search = nearest_in(columns, rows.astype(np.int32), wide=wide, rng=rng)
    found = search.find(targets.astype(np.int32))
    for at, target in enumerate(targets):
        pairs = [(target, row) if wide else (row, target) for row in rows]
        every = np.array([apart(one, other, columns, wide=wide) for one, other in pairs])
        assert found.distance[at] == pytest.approx(every.min(), abs=1e-4)
        near = np.flatnonzero(every <= every.min() + 1e-4)
        assert found.row[at] in near
        assert found.ties[at] == len(near)
        for many in (1, 3, 20):
            neighbours = search.find_many(target[None].astype(np.int32), many)[0]
            steps = np.rint(every * 96).astype(int)  # distances are whole 96ths, the sum by points nearly so
            best = np.lexsort((search.drawn, steps))[:many].tolist()
            assert neighbours.tolist() == [*best, *[-1] * (many - len(best))]
    own = rng.integers(len(rows), size=len(targets))
    told = search.distances(targets.astype(np.int32), own)
    pairs = [
        (target, rows[at]) if wide else (rows[at], target) for target, at in zip(targets, own, strict=True)
    ]
    assert told == pytest.approx([apart(one, other, columns, wide=wide) for one, other in pairs], abs=1e-4)


def test_two_missing_values_are_equal_and_one_is_apart() -> None:
    nothing = float("nan")
    for distance in (expected_distance, least_distance):
        assert distance(nothing, nothing, 0.0) == 0
        assert distance(nothing, 0.5, 0.0) == distance(0.5, nothing, 0.0) == 1


def test_the_expected_distance_of_an_interval() -> None:
    assert expected_distance(0.5, 0.5, 0.5) == 0.25
    assert expected_distance(0.0, 0.5, 0.5) == 0.5
    assert least_distance(0.0, 0.5, 0.25) == 0.25


def test_the_same_draw_takes_the_same_of_equal_rows() -> None:
    rows = np.zeros((50, 1), np.int32)
    taken = [
        int(nearest_in([category()], rows, wide=False, rng=np.random.default_rng(seed)).find(rows[:1]).row[0])
        for seed in (1, 1, 2)
    ]
    assert taken[0] == taken[1]
    assert taken[0] != taken[2]


def test_a_record_without_a_number_counts_once() -> None:
    """One record has the number and the wrong category, the other the category and no number."""
    half = Extent(np.array([0.5, np.nan]), np.zeros(2))
    columns = [number(half, half), category()]
    rows = np.array([[0, 0], [1, 1]], dtype=np.int32)
    for wide in (False, True):
        for order in (slice(None), slice(None, None, -1)):
            search = nearest_in(columns, rows[order], wide=wide, rng=np.random.default_rng(1))
            found = search.find(np.array([[0, 1], [0, 0], [1, 1], [1, 0]], dtype=np.int32))
            assert found.distance.tolist() == [1.0, 0.0, 0.0, 1.0]
            assert found.ties.tolist() == [2, 1, 1, 2]


def test_the_nearest_of_many_numbers() -> None:
    """Every target against every record, from below the smallest to above the largest number."""
    known = Extent(np.array([0.0, 0.1, 0.25, 0.5, 0.5625, 1.0]), np.zeros(6))
    released = Extent(np.array([0.125, 0.25, 0.5, 0.625, 0.75, 0.875]), np.zeros(6))
    rows = np.array([[0], [1], [2], [2], [3], [4], [5]], dtype=np.int32)
    search = nearest_in([number(released, known)], rows, wide=False, rng=np.random.default_rng(2))
    targets = np.arange(6, dtype=np.int32)[:, None]
    found = search.find(targets)
    every = np.abs(known.middle[:, None] - released.middle[rows[:, 0]][None, :])
    assert found.distance.tolist() == pytest.approx(every.min(axis=1).tolist())
    assert found.ties.tolist() == (np.abs(every - every.min(axis=1)[:, None]) < 1e-9).sum(axis=1).tolist()
    assert all(every[at, row] == every[at].min() for at, row in enumerate(found.row.tolist()))
    three = search.find_many(targets, 3)
    for at, chosen in enumerate(three.tolist()):
        assert sorted(every[at, chosen].tolist()) == pytest.approx(sorted(every[at].tolist())[:3])
