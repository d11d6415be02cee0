"""Estimates from a sample of classes: counts stay exact, limits get wider, no small class is overlooked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reidrisk.stats.uniqueness.copula_estimate import CopulaFit, fit_copula
from reidrisk.stats.uniqueness.drawn_classes import DrawnClasses, _wanted, draw_classes
from tests.stats.uniqueness.test_copula_estimate import people


def classes(rows: int) -> tuple[Any, Any]:
    found = people(rows)
    dense = np.stack([np.unique(column, return_inverse=True)[1] for column in found.T], axis=1)
    codes, number = np.unique(dense, axis=0, return_counts=True)
    return codes, number


def test_the_smallest_sizes_are_whole_and_numbers_stay_exact() -> None:
    codes, size = classes(4000)
    most = 150
    places, drawn = draw_classes(codes, size, most=most)
    assert drawn is not None
    assert most <= len(places) <= most + len(np.unique(size))  # one of each size at least
    weight = drawn.weights(size[places])
    for one in np.unique(size):
        assert weight[size[places] == one].sum() == pytest.approx((size == one).sum())
    assert size[places] @ weight == pytest.approx(size.sum())
    first = drawn.sizes[0][0]
    assert (size[places] < first).sum() == (size < first).sum() > 0
    again, _ = draw_classes(codes[::-1], size[::-1], most=most)
    assert {tuple(row) for row in codes[::-1][again]} == {tuple(row) for row in codes[places]}
    other, _ = draw_classes(codes, size, most=most, seed=1)
    assert set(other.tolist()) != set(places.tolist())
    every, nothing = draw_classes(codes, size, most=len(size))
    assert every.tolist() == list(range(len(size)))
    assert nothing is None


def test_a_sample_of_classes_estimates_the_same() -> None:
    codes, size = classes(3000)
    ordinal = (True, False, False)
    whole = fit_copula(codes, size, 100_000, ordinal=ordinal)
    some = fit_copula(codes, size, 100_000, ordinal=ordinal, most=120)
    assert some.drawn is not None
    assert some.examined < len(size) / 1.5
    assert (some.records, some.sample) == (whole.records, whole.sample)
    for one, other in zip(some.models, whole.models, strict=True):
        assert one.unique == pytest.approx(other.unique, rel=0.5)
        assert one.average == pytest.approx(other.average, rel=0.2)
        assert one.unique_spread > 0
    assert CopulaFit.from_dict(some.to_dict()) == some


def test_a_sample_never_shows_that_there_is_no_small_class() -> None:
    """A class below the cell size that was not examined may be the exceptional one."""
    codes, size = classes(3000)
    ordinal = (True, False, False)
    some = fit_copula(codes, size, 10**9, ordinal=ordinal, most=60)
    whole = fit_copula(codes, size, 10**9, ordinal=ordinal)
    assert some.drawn is not None
    first = some.drawn.sizes[0][0]
    assert some.drawn.missed(first) == 0.0
    assert some.drawn.missed(first + 1) > 0
    for cell_size in (3, 5, 11):
        assert some.chance_below(cell_size) >= min(1.0, whole.chance_below(cell_size)) - 0.02
        if cell_size > first:
            assert some.chance_below(cell_size) > 0.5


def test_missed_classes() -> None:
    assert DrawnClasses(()).missed(5) == 0.0
    drawn = DrawnClasses(((2, 1, 2),))
    # Of x classes that matter, one in two is drawn: all are missed with a chance of 0.5 to the power of x.
    assert 0.5 ** drawn.missed(3) == pytest.approx(0.05)


def test_each_class_stands_for_as_many_as_there_are_for_each_drawn() -> None:
    drawn = DrawnClasses(((2, 3, 12), (5, 2, 5)))
    assert drawn.weights(np.array([1, 2, 5, 2, 7])).tolist() == [1.0, 4.0, 2.5, 4.0, 1.0]
    assert drawn.missed(2) == 0.0
    assert 0.75 ** drawn.missed(3) == pytest.approx(0.05)
    assert drawn.missed(6) == drawn.missed(3)  # the one that is missed most easily
    assert drawn.to_list() == [[2, 3, 12], [5, 2, 5]]
    assert DrawnClasses(((2, 12, 12),)).missed(3) == 0.0


def test_the_room_goes_to_the_smallest_classes_first() -> None:
    """Half of the room for sizes that are whole; the rest is shared among the others, rounded up."""
    size = np.repeat([1, 2, 3, 4], [5, 20, 30, 1])
    assert dict(_wanted(size, 20)) == {1: 5, 2: 6, 3: 9, 4: 1}  # 15 of 51 classes
    assert dict(_wanted(size, 10)) == {1: 5, 2: 2, 3: 3, 4: 1}  # 5 of 51
    assert dict(_wanted(size, 9)) == {1: 1, 2: 4, 3: 5, 4: 1}  # 9 of 56: no size is whole
    assert dict(_wanted(size, 112)) == {1: 5, 2: 20, 3: 30, 4: 1}
    assert dict(_wanted(np.repeat([1, 2, 3], [5, 20, 300]), 60)) == {1: 5, 2: 20, 3: 35}  # 25 whole of 30


def test_the_same_seed_draws_the_same_classes_whatever_their_order() -> None:
    codes = np.stack([np.arange(56), np.arange(56) % 3], axis=1)
    size = np.repeat([1, 2, 3, 4], [5, 20, 30, 1])
    places, drawn = draw_classes(codes, size, most=20)
    assert drawn == DrawnClasses(((2, 6, 20), (3, 9, 30)))
    assert np.bincount(size[places]).tolist() == [0, 5, 6, 9, 1]
    assert places.tolist() == sorted(set(places.tolist()))
    back, _ = draw_classes(codes[::-1], size[::-1], most=20)
    assert sorted(55 - back) == places.tolist()
    assert draw_classes(codes, size, most=20, seed=3)[0].tolist() != places.tolist()
    assert draw_classes(codes, size, most=56)[1] is None
    assert draw_classes(codes, size, most=55)[1] is not None
