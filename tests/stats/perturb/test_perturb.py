"""What randomised categories, swapped ranks and noise promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.perturb import (
    check_matrix,
    invariant,
    least_certain,
    randomize,
    redraw_matrix,
    with_noise,
)
from reidrisk.stats.swap import swap_ranks

COUNTS = st.lists(st.integers(1, 50), min_size=2, max_size=6).map(np.array)


@given(counts=COUNTS, keep=st.floats(0, 1))
def test_values_drawn_anew_keep_their_shares_in_expectation(counts: Any, keep: float) -> None:
    matrix = check_matrix(redraw_matrix(counts, keep))
    assert np.allclose(counts @ matrix, counts)
    assert np.diag(matrix).min() >= keep - 1e-12
    assert 0 <= least_certain(matrix, counts) <= 1


@given(counts=COUNTS, data=st.data())
def test_any_matrix_becomes_invariant(counts: Any, data: st.DataObject) -> None:
    size = len(counts)
    rows = st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)
    given_rows = np.array(data.draw(st.lists(rows, min_size=size, max_size=size)), dtype=np.float64)
    matrix = invariant(given_rows / given_rows.sum(axis=1, keepdims=True), counts)
    assert np.allclose(counts @ check_matrix(matrix), counts)


def test_randomised_follows_the_matrix_and_the_seed() -> None:
    codes = np.repeat([0, 1, -1], [30_000, 10_000, 5])
    matrix = np.array([[0.9, 0.1], [0.3, 0.7]])
    found = randomize(codes, matrix, np.random.default_rng(7))
    assert (found[codes == -1] == -1).all()
    assert np.mean(found[codes == 0] == 1) == pytest.approx(0.1, abs=0.01)
    assert np.mean(found[codes == 1] == 0) == pytest.approx(0.3, abs=0.02)
    assert np.array_equal(found, randomize(codes, matrix, np.random.default_rng(7)))
    same = randomize(codes, np.eye(2), np.random.default_rng(7))
    assert np.array_equal(same, codes)


@settings(deadline=None)
@given(
    values=st.lists(st.one_of(st.integers(0, 9), st.none()), min_size=1, max_size=40),
    within=st.floats(0.01, 1),
    seed=st.integers(0, 5),
)
def test_swapped_values_are_the_same_values_of_near_ranks(values: Any, within: float, seed: int) -> None:
    numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    sources = swap_ranks(numbers, within, np.random.default_rng(seed))
    assert sorted(sources.tolist()) == list(range(len(numbers)))
    assert np.array_equal(sources[sources], np.arange(len(numbers))), "two change places"
    known = ~np.isnan(numbers)
    assert np.array_equal(np.isnan(numbers[sources]), ~known)
    ordered = np.sort(numbers[known])
    reach = int(within * known.sum())
    for row in np.flatnonzero(known):
        lowest = np.searchsorted(ordered, numbers[row], "left")
        highest = np.searchsorted(ordered, numbers[row], "right") - 1
        other = numbers[sources[row]]
        assert np.searchsorted(ordered, other, "right") - 1 >= lowest - reach
        assert np.searchsorted(ordered, other, "left") <= highest + reach


def test_most_values_are_swapped_when_all_differ() -> None:
    values = np.arange(1000, dtype=np.float64)
    sources = swap_ranks(values, 0.05, np.random.default_rng(7))
    moved = np.abs(values[sources] - values)
    assert moved.max() <= 50
    assert np.mean(moved > 0) > 0.9


def test_noise_keeps_means_variances_and_correlations() -> None:
    rng = np.random.default_rng(7)
    values = rng.multivariate_normal([10, -5], [[4, 3], [3, 9]], 50_000)
    values[:5, 0] = np.nan
    noisy = with_noise(values, 0.5, rng)
    known = ~np.isnan(values).any(axis=1)
    assert np.array_equal(np.isnan(noisy), np.isnan(values))
    assert np.allclose(noisy[known].mean(axis=0), values[known].mean(axis=0), atol=0.05)
    assert np.allclose(np.cov(noisy[known].T), np.cov(values[known].T), atol=0.2)
    assert np.corrcoef(noisy[known, 0], values[known, 0])[0, 1] == pytest.approx(1 / np.sqrt(1.5), abs=0.01)


def test_refusals() -> None:
    rng = np.random.default_rng(7)
    with pytest.raises(InvalidSetting, match="keep a value"):
        redraw_matrix(np.array([1, 1]), 1.1)
    with pytest.raises(InvalidSetting, match="add up"):
        check_matrix(np.array([[0.5, 0.4], [0.0, 1.0]]))
    with pytest.raises(InvalidSetting, match="square"):
        check_matrix(np.array([[1.5, -0.5], [0.0, 1.0]]))
    with pytest.raises(InvalidSetting, match="Ranks"):
        swap_ranks(np.array([1.0]), 0.0, rng)
    with pytest.raises(InvalidSetting, match="variance"):
        with_noise(np.ones((3, 1)), 0.0, rng)
    with pytest.raises(NothingToMeasure):
        with_noise(np.full((3, 1), np.nan), 0.1, rng)
