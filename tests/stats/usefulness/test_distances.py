from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reidrisk.stats.usefulness.distances import (
    bin_values,
    hellinger,
    kolmogorov,
    total_variation,
    wasserstein,
)

COUNTS = st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(lambda counts: sum(counts) > 0)


def test_distributions_without_a_common_value_are_as_far_apart_as_can_be() -> None:
    one, two = np.array([3, 0]), np.array([0, 5])
    assert total_variation(one, two) == hellinger(one, two) == kolmogorov(one, two) == 1.0


def test_hellinger_of_a_worked_example() -> None:
    # 1 - (sqrt(0.5 * 0.9) + sqrt(0.5 * 0.1)) = 0.10557
    assert hellinger(np.array([5, 5]), np.array([9, 1])) == pytest.approx(0.32492, abs=1e-5)


@settings(max_examples=50)
@given(COUNTS, COUNTS)
def test_numbers_agree_with_scipy(before: list[int], after: list[int]) -> None:
    size = min(len(before), len(after))
    one, two = np.array(before[:size]), np.array(after[:size])
    values = np.cumsum(np.arange(1.0, size + 1))
    if not one.sum() or not two.sum():
        assert kolmogorov(one, two) is None
        return
    rows = np.repeat(values, one), np.repeat(values, two)
    assert kolmogorov(one, two) == pytest.approx(stats.ks_2samp(*rows, method="asymp").statistic)
    far, range_ = stats.wasserstein_distance(*rows), np.ptp(rows[0])
    found = wasserstein(values, one, two)
    if found is None:
        assert range_ == 0
    else:
        assert found * range_ == pytest.approx(far)


@settings(max_examples=50)
@given(COUNTS, st.integers(2, 30))
def test_total_variation_lies_within_the_bounds_of_hellinger(counts: list[int], seed: int) -> None:
    one = np.array(counts)
    two = np.random.default_rng(seed).integers(0, 9, one.size) + (one > 0)
    near, far = hellinger(one, two), total_variation(one, two)
    assert near is not None
    assert far is not None
    assert near**2 - 1e-12 <= far <= near * np.sqrt(2) + 1e-12
    assert total_variation(one, 3 * one) == pytest.approx(0)


def test_bins_hold_about_the_same_share_and_are_in_order() -> None:
    bins = bin_values(np.ones(1000, dtype=np.int64), 20)
    assert np.bincount(bins).tolist() == [50] * 20
    assert np.all(np.diff(bins) >= 0)
    assert bin_values(np.array([5, 0, 1])).tolist() == [0, 1, 2]


def test_what_is_spread_and_put_together_again_is_the_same() -> None:
    counts = np.arange(1, 337)
    spread = counts / counts.sum() * 1461.3  # as the records of a year are over its days
    assert total_variation(counts, spread) == kolmogorov(counts, spread) == hellinger(counts, spread) == 0.0


def test_an_empty_side_has_no_distance() -> None:
    some, none, values = np.array([1, 2]), np.array([0, 0]), np.array([0.0, 1.0])
    for one, two in ((some, none), (none, some)):
        assert total_variation(one, two) is hellinger(one, two) is kolmogorov(one, two) is None
        assert wasserstein(values, one, two) is None


def test_worked_distances() -> None:
    before, after = np.array([2, 1, 1]), np.array([1, 1, 2])
    assert total_variation(before, after) == pytest.approx(0.25)
    assert kolmogorov(before, after) == pytest.approx(0.25)
    # A quarter moves from 0 to 30: 7.5 of the range of 30.
    assert wasserstein(np.array([0.0, 10.0, 30.0]), before, after) == pytest.approx(0.25)
    assert wasserstein(
        np.array([0.0, 10.0, 30.0]), np.array([1, 1, 0]), np.array([0, 1, 1])
    ) == pytest.approx(0.5 * 30 / 10)


def test_values_that_were_all_alike_have_no_range_to_compare_with() -> None:
    values = np.array([0.0, 1.0])
    assert wasserstein(values, np.array([3, 0]), np.array([2, 1])) is None
    assert wasserstein(values, np.array([3, 0]), np.array([5, 0])) == 0.0


def test_bins_of_uneven_values() -> None:
    counts = np.array([50, 1, 1, 48, 50, 50])
    found = bin_values(counts, 4)
    # The middle of each value on the scale from 0 to 200, in quarters of 50.
    middles = [25, 50.5, 51.5, 76, 125, 175]
    assert found.tolist() == [int(middle // 50) for middle in middles]
    assert bin_values(counts, 6).tolist() == [0, 1, 2, 3, 4, 5]
    assert bin_values(np.array([0, 0, 0, 9]), 2).max() == 1
    assert bin_values(np.array([1, 0, 9, 0]), 2).tolist() == [0, 0, 1, 1]
