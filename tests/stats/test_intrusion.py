"""Data intrusion simulation: by hand, by taking records out, and against known populations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.intrusion import dis_scores, right_match


def sampled(seed: int, fraction: float, spread: float) -> tuple[float, float]:
    """Estimate and truth: of all people who fit exactly one record, the share whose own it is."""
    rng = np.random.default_rng(seed)
    weights = rng.gamma(spread, 1.0, 20_000)
    people = rng.multinomial(60_000, weights / weights.sum())
    drawn = rng.binomial(people, fraction)
    uniques = drawn == 1
    told = right_match(int(uniques.sum()), int((drawn == 2).sum()), fraction)
    assert told is not None
    return told, float(uniques.sum() / people[uniques].sum())


@pytest.mark.parametrize(("fraction", "spread"), [(0.02, 0.5), (0.1, 0.5), (0.1, 2.0), (0.5, 1.0)])
def test_the_estimate_is_right_on_average(fraction: float, spread: float) -> None:
    pairs = np.array([sampled(seed, fraction, spread) for seed in range(40)])
    assert pairs[:, 0].mean() == pytest.approx(pairs[:, 1].mean(), rel=0.05)


def test_it_is_what_taking_records_out_and_putting_them_back_gives() -> None:
    """The simulation after which the method is named: each record in turn, as often as it matters."""
    classes = [1] * 30 + [2] * 10 + [3] * 5
    fraction = 0.1
    right = wrong = 0.0
    for size in classes:
        for _ in range(size):
            left = size - 1
            right += fraction * (left == 0)
            wrong += (1 - fraction) * (left == 1)
    assert right_match(30, 10, fraction) == pytest.approx(right / (right + wrong))


def test_a_whole_population_is_matched_rightly_and_nobody_unique_not_at_all() -> None:
    assert right_match(5, 9, 1.0) == 1.0
    assert right_match(5, 0, 0.1) == 1.0
    assert right_match(0, 9, 0.5) is None


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=30),
    st.integers(1, 20),
    st.floats(0.01, 0.99),
)
@settings(max_examples=50)
def test_scores_of_records_rise_and_their_odds_are_those_of_the_table(
    given_scores: list[int], columns: int, right: float
) -> None:
    scores = np.array(given_scores, dtype=np.float64)
    found = dis_scores(scores, columns, right)
    order = np.argsort(scores, kind="stable")
    assert np.all(np.diff(found[order]) >= -1e-12)
    assert np.all(found[scores == 0] == 0)
    own = found[scores > 0]
    if own.size:
        assert np.mean(1 / own - 1) == pytest.approx(1 / right - 1)
    if own.size and len(set(given_scores) - {0}) == 1:
        assert own == pytest.approx(right)


def test_scores_by_hand() -> None:
    """Eight columns make the exponent 1: odds against 1 and 3 around an average of 2."""
    assert dis_scores(np.array([3.0, 1.0]), 8, 1 / 3) == pytest.approx([1 / 2, 1 / 4])
