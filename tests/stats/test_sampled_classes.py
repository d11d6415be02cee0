from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from reidrisk.stats.sampled_classes import SampledClasses, weighted_interval


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
