from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reidrisk.stats.usefulness.distances import ConfidenceInterval, overlap
from reidrisk.stats.usefulness.scores import Propensity, auc, cross_validate, r_squared, score_model


@settings(max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4), st.integers(1, 3)), min_size=1, max_size=12))
def test_the_area_is_the_share_of_pairs_in_the_right_order(rows: list[tuple[bool, int, int]]) -> None:
    outcome, score, weights = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    pairs = [
        (weights[yes] * weights[no], (score[yes] > score[no]) + (score[yes] == score[no]) / 2)
        for yes in np.flatnonzero(outcome)
        for no in np.flatnonzero(outcome == 0)
    ]
    total = sum(weight for weight, _ in pairs)
    expected = sum(weight * right for weight, right in pairs) / total if total else None
    found = auc(outcome, score, weights)
    assert found == (None if expected is None else pytest.approx(expected))


def test_what_is_explained() -> None:
    outcome = np.array([1.0, 2.0, 3.0])
    assert r_squared(outcome, outcome, np.ones(3)) == 1
    assert r_squared(outcome, np.full(3, 2.0), np.ones(3)) == 0
    assert r_squared(np.ones(3), np.ones(3), np.ones(3)) is None


def test_noise_explains_nothing_out_of_sample() -> None:
    rng = np.random.default_rng(2)
    design = np.column_stack([np.ones(400), rng.normal(size=(400, 5))])
    data = design, rng.normal(size=400), np.ones(400)
    found = cross_validate(data, np.arange(400) % 5, is_linear=True)
    assert found is not None
    assert found < 0.02
    inside = score_model(data, data, is_linear=True)
    assert inside is not None
    assert inside > found


def test_a_category_that_does_not_occur_has_no_score() -> None:
    data = np.ones((4, 1)), np.zeros(4), np.ones(4)
    assert cross_validate(data, np.array([0, 0, 1, 1]), is_linear=False) is None


@settings(max_examples=50)
@given(st.tuples(*[st.floats(-5, 5)] * 4))
def test_overlap_lies_between_nothing_and_all_and_has_no_sides(ends: tuple[float, ...]) -> None:
    one, two = ConfidenceInterval(*sorted(ends[:2])), ConfidenceInterval(*sorted(ends[2:]))
    assert 0 <= overlap(one, two) <= 1
    assert overlap(one, two) == pytest.approx(overlap(two, one))
    assert overlap(one, one) == pytest.approx(1)


def test_what_an_interval_says() -> None:
    assert [ConfidenceInterval(*ends).says for ends in ((0.1, 1), (-1, 1), (-1, -0.1))] == [1, 0, -1]


def interval(low: float, high: float) -> ConfidenceInterval:
    return ConfidenceInterval(low, high)


def test_overlaps_by_hand() -> None:
    assert overlap(interval(0, 4), interval(3, 5)) == pytest.approx((1 / 4 + 1 / 2) / 2)
    assert overlap(interval(3, 5), interval(0, 4)) == pytest.approx((1 / 4 + 1 / 2) / 2)
    assert overlap(interval(0, 10), interval(2, 4)) == pytest.approx((2 / 10 + 1) / 2)
    assert overlap(interval(0, 1), interval(1, 2)) == 0.0
    assert overlap(interval(0, 1), interval(1.5, 2)) == 0.0
    assert overlap(interval(0, 0), interval(-1, 1)) == overlap(interval(-1, 1), interval(0, 0)) == 0.5
    assert overlap(interval(1, 1), interval(1, 1)) == 1.0


def test_an_interval_that_touches_0_says_nothing() -> None:
    assert [interval(*ends).says for ends in ((0.1, 2), (-2, -0.1), (-1, 1), (0, 1), (-1, 0))] == [
        1,
        -1,
        0,
        0,
        0,
    ]


def test_a_propensity_score_and_what_chance_gives() -> None:
    """Snoke et al. 2018 for 3 parameters and 25 of 100 records: mean 2 * 0.75^2 * 0.25 / 100."""
    found = Propensity(0.01, 3, 0.25, 100.0, is_held=False)
    mean = 2 * 0.75**2 * 0.25 / 100
    assert found.expected == pytest.approx(mean)
    assert found.ratio == pytest.approx(0.01 / mean)
    assert found.standardised == pytest.approx((0.01 - mean) / (2 * 0.75**2 * 0.25 / 100))
    two = Propensity(0.01, 2, 0.25, 100.0, is_held=False)
    assert two.ratio == pytest.approx(0.02 / mean)
    assert two.standardised == pytest.approx((0.01 - mean / 2) / (2**0.5 * mean / 2))
    alone = Propensity(0.0, 1, 0.25, 100.0, is_held=False)
    assert (alone.ratio, alone.standardised) == (None, None)


def test_what_is_explained_counts_weights() -> None:
    outcome, predicted, weights = np.array([0.0, 4.0]), np.array([1.0, 4.0]), np.array([3.0, 1.0])
    # The mean is 1: squares 3 * 1 + 9, of which 3 are left.
    assert r_squared(outcome, predicted, weights) == pytest.approx(1 - 3 / 12)
    worse = r_squared(outcome, np.array([4.0, 0.0]), weights)
    assert worse == pytest.approx(1 - 64 / 12)


def test_the_score_of_a_line_on_other_records() -> None:
    design = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    train = design, np.array([1.0, 3.0, 5.0]), np.ones(3)
    test = np.array([[1.0, 3.0], [1.0, 4.0]]), np.array([7.0, 8.0]), np.array([1.0, 3.0])
    # The line 1 + 2 x gives 7 and 9; the mean of the truth is 7.75.
    expected = 1 - 3 / (0.75**2 + 3 * 0.25**2)
    assert score_model(train, test, is_linear=True) == pytest.approx(expected)


def test_the_score_of_chances_is_the_area() -> None:
    design = np.column_stack([np.ones(6), [0.0, 1, 2, 3, 4, 5]])
    outcome = np.array([0.0, 0, 1, 0, 1, 1])
    train = design, outcome, np.ones(6)
    assert score_model(train, train, is_linear=False) == pytest.approx(auc(outcome, design[:, 1], np.ones(6)))
    for only in (np.zeros(6), np.ones(6)):
        assert score_model((design, only, np.ones(6)), train, is_linear=False) is None


def test_the_mean_of_the_folds_that_can_be_predicted() -> None:
    design = np.column_stack([np.ones(6), [0.0, 1, 2, 3, 4, 6]])
    outcome = np.array([0.0, 1, 1, 3, 5, 5])
    folds = np.array([0, 1, 0, 1, 0, 1])
    found = cross_validate((design, outcome, np.ones(6)), folds, is_linear=True)
    each = []
    for fold in (0, 1):
        slope, start = np.polyfit(design[folds != fold, 1], outcome[folds != fold], 1)
        truth = outcome[folds == fold]
        left = truth - (start + slope * design[folds == fold, 1])
        each.append(1 - (left**2).sum() / ((truth - truth.mean()) ** 2).sum())
    assert found == pytest.approx(np.mean(each))
    same = np.array([0.0, 1, 1, 3, 5, 5])
    alone = np.array([0, 0, 0, 0, 0, 1])  # a fold of one record has no score
    first = score_model(
        (design[5:], same[5:], np.ones(1)), (design[:5], same[:5], np.ones(5)), is_linear=True
    )
    assert cross_validate((design, same, np.ones(6)), alone, is_linear=True) == first
