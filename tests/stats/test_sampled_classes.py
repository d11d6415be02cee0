from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from reidrisk.stats.sampled_classes import HASHED, SampledClasses, weighted_interval


def test_one_size_has_the_exact_interval_of_a_count() -> None:
    for number in (1, 7, 300):
        low, high = weighted_interval(number, number, 1)
        assert low == pytest.approx(chi2.ppf(0.025, 2 * number) / 2)
        assert high == pytest.approx(chi2.ppf(0.975, 2 * number + 2) / 2)


def test_an_empty_sample_excludes_large_shares_only() -> None:
    share, low, high = SampledClasses((), 8, 1000, 500).below(5)
    assert (share, low) == (0, 0)
    assert 8 * 3 / 1000 < high < 1


def test_the_interval_holds_for_classes_drawn_at_random() -> None:
    rng = np.random.default_rng(5)
    number = np.array([400, 150, 60, 30])
    true = float((number * np.arange(1, 5)).sum()) / 10_000
    held = 0
    for _ in range(400):
        drawn = rng.binomial(number, 1 / 16)
        counts = tuple((size, int(one)) for size, one in enumerate(drawn, start=1) if one)
        found = SampledClasses(counts, 16, 10_000, 640).below(5)
        held += found.low <= true <= found.high
    assert held >= 376


def test_only_sizes_below_the_cell_size_count() -> None:
    sampled = SampledClasses(((1, 10), (2, 5), (9, 100)), 4, 4000, 1000)
    assert sampled.below(2).share == pytest.approx(0.01)
    assert sampled.below(5).share == pytest.approx(0.02)
    assert sampled.below(5).low < 0.02 < sampled.below(5).high


def test_the_interval_of_several_sizes_and_of_classes_with_equal_hashes() -> None:
    """With as many tuples as values of the hash, the variance doubles."""
    counts = ((1, 10), (2, 5), (4, 3), (5, 7))
    for tuples, factor in ((0, 1), (HASHED, 2), (3 * HASHED, 4)):
        found = SampledClasses(counts, 4, 4000, tuples).below(5)
        low, high = weighted_interval(32, factor * (10 + 20 + 48), 4)
        assert (found.share, found.low, found.high) == pytest.approx((0.032, low / 1000, high / 1000))


def test_shares_end_at_one() -> None:
    found = SampledClasses(((1, 900),), 4, 1000, 1000).below(2)
    assert (found.share, found.low, found.high) == (1.0, 1.0, 1.0)


def test_no_class_is_smaller_than_one_record() -> None:
    found = SampledClasses(((1, 10),), 4, 4000, 0).below(1)
    assert (found.share, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(chi2.ppf(0.975, 2) / 2 / 1000)


def test_an_interval_with_another_level() -> None:
    low, high = weighted_interval(7, 7, 1, level=0.8)
    assert low == pytest.approx(chi2.ppf(0.1, 14) / 2)
    assert high == pytest.approx(chi2.ppf(0.9, 16) / 2)
    assert weighted_interval(14, 28, 2)[0] == pytest.approx(chi2.ppf(0.025, 14))  # seven counts of weight 2
    assert weighted_interval(14, 28, 2)[1] == pytest.approx(chi2.ppf(0.975, 16))
