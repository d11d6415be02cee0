from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import nbinom, poisson

from reidrisk.stats.choices import CountModel
from reidrisk.stats.counts import Counts, counts, zero_truncated_rate


@pytest.mark.parametrize("mean", [0.2, 1.0, 7.3, 60.0])
def test_a_poisson_distribution_and_its_relatives(mean: float) -> None:
    found = counts("poisson", mean=mean)
    assert found.rate == mean
    assert found.chances == pytest.approx(poisson.pmf(found.support, mean), rel=1e-9)
    assert found.support[0] == (0 if mean < 20 else found.support[0])
    assert poisson.sf(found.support[-1], mean) < 1e-13
    shifted = counts("shifted_poisson", mean=mean + 1)
    assert shifted.support.tolist() == (found.support + 1).tolist()
    assert shifted.chances == pytest.approx(found.chances, rel=1e-12)
    assert shifted.rate is None
    cut = counts("zero_truncated", mean=mean / -np.expm1(-mean))
    assert cut.support[0] >= 1
    assert cut.chances == pytest.approx(poisson.pmf(cut.support, mean) / -np.expm1(-mean), rel=1e-9)


def test_counts_that_are_certain() -> None:
    for model, mean, value in (
        ("poisson", 0.0, 0.0),
        ("shifted_poisson", 1.0, 1.0),
        ("shifted_poisson", 0.4, 1.0),
        ("zero_truncated", 1.0, 1.0),
        ("fixed", 2.5, 2.5),
    ):
        found = counts(model, mean=mean)  # type: ignore[arg-type]
        assert (found.support.tolist(), found.chances.tolist()) == ([value], [1.0])


def test_the_rate_behind_a_truncated_mean() -> None:
    for rate in (1e-6, 0.01, 1.0, 8.0, 50.0):
        assert zero_truncated_rate(rate / -np.expm1(-rate)) == pytest.approx(rate, rel=1e-6)
    assert zero_truncated_rate(1.0) == 0.0
    assert zero_truncated_rate(0.5) == 0.0


def test_a_negative_binomial_has_the_mean_and_variance_of_what_was_observed() -> None:
    """Variance 24 and mean 4: p = 1/6, size 4 / 5."""
    found = counts("negative_binomial", mean=4.0, observed=[0, 0, 4, 4, 12])
    assert found.chances == pytest.approx(nbinom.pmf(found.support, 0.8, 1 / 6), rel=1e-9)
    assert found.rate is None
    assert nbinom.sf(found.support[-1], 0.8, 1 / 6) < 1e-12
    for observed in ([4], [], [3, 4, 5]):
        assert counts("negative_binomial", mean=4.0, observed=observed).rate == 4.0


def test_observed_numbers_have_their_shares() -> None:
    found = counts("empirical", mean=0.0, observed=[3, 0, 3, 7])
    assert (found.support.tolist(), found.chances.tolist()) == ([0, 3, 7], [0.25, 0.5, 0.25])
    assert found.mean == 3.25
    u = np.array([0.0, 0.249, 0.25, 0.74, 0.75, 1.0])
    assert found.quantiles(u).tolist() == [0, 0, 3, 3, 7, 7]


def test_large_numbers_are_merged_at_their_mean() -> None:
    """Up to 40 each is kept; 41 is within 2.5 % of 40, and 42 and 43 of each other."""
    support = np.array([39.0, 40, 41, 42, 43, 80])
    found = Counts(support, np.array([0.1, 0.2, 0.1, 0.2, 0.2, 0.2]), 3.0).coarse()
    assert found.support.tolist()[:2] == [39.0, 40.0]
    assert found.chances.sum() == pytest.approx(1)
    assert found.mean == pytest.approx(support @ [0.1, 0.2, 0.1, 0.2, 0.2, 0.2])
    assert found.rate == 3.0
    ends = 40 * np.exp(0.025 * np.arange(30))
    for value, chance in zip(found.support[2:], found.chances[2:], strict=True):
        place = np.searchsorted(ends, value, side="right")
        merged = (support > 40) & (support >= ends[place - 1]) & (support < ends[place])
        assert chance == pytest.approx(np.array([0.1, 0.2, 0.1, 0.2, 0.2, 0.2])[merged].sum())
    rare = Counts(np.array([1.0, 40, 99]), np.array([0.5, 0.5 - 1e-10, 1e-10]), 3.0).coarse()
    assert (rare.support.tolist(), rare.rate) == ([1.0, 40.0], 3.0)
    assert rare.chances.sum() == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("model", ["poisson", "negative_binomial"])
def test_nothing_above_the_negligible_is_left_out(model: CountModel) -> None:
    found = counts(model, mean=3.0, observed=[0, 0, 9])
    assert np.diff(found.support).tolist() == [1.0] * (found.support.size - 1)
    assert found.chances.min() > 1e-14
    assert found.chances.sum() == pytest.approx(1, abs=1e-14)
