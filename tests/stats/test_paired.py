from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.errors import InvalidSetting
from reidrisk.stats.bootstrap import difference_interval, share_difference

LEVELS = (0.025, 0.975)


def test_pairing_takes_out_what_both_share() -> None:
    rng = np.random.default_rng(1)
    common = rng.normal(0.5, 0.1, 4000)
    own = rng.normal(0.1, 0.01, 4000)
    low, high = difference_interval(common + own, common, LEVELS)
    assert (low, high) == pytest.approx((0.08, 0.12), abs=0.003)


def test_draws_of_different_resamples_are_not_compared() -> None:
    with pytest.raises(InvalidSetting, match="different numbers of draws"):
        difference_interval(np.zeros(3), np.zeros(4), LEVELS)


@given(st.integers(1, 500), st.integers(0, 500), st.integers(0, 500))
def test_the_interval_of_shares_is_symmetric_and_holds_the_difference(n: int, a: int, b: int) -> None:
    a, b = min(a, n), min(b, n - min(a, n))
    value, low, high = share_difference(a, b, n, levels=LEVELS)
    other = share_difference(b, a, n, levels=LEVELS)
    assert -1 <= low < high <= 1
    assert low <= value + 1 / (n + 2)
    assert value - 1 / (n + 2) <= high
    assert other == pytest.approx((-value, -high, -low))


def test_it_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for only_a, only_b, _ in rng.multinomial(60, (0.08, 0.02, 0.9), size=1000):
        _, low, high = share_difference(int(only_a), int(only_b), 60, levels=LEVELS)
        hits += low <= 0.06 <= high
    assert 930 <= hits <= 1000


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(InvalidSetting, match="disagreements"):
        share_difference(5, 6, 10, levels=LEVELS)
