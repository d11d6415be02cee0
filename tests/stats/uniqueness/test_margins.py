"""Shares and orders of categories, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from reidrisk.stats.uniqueness import margins
from reidrisk.stats.uniqueness.class_models import SampledClasses, fit_pitman
from reidrisk.stats.uniqueness.margins import Shares, margin_shares, order_categories, singleton_ratio


def test_rare_categories_leave_room_for_others() -> None:
    counts = np.array([9, 1, 4, 1, 2, 1, 1])
    model = fit_pitman(SampledClasses(np.array([1, 2, 4, 9]), np.array([4, 1, 1, 1]), 19))
    assert model is not None
    found = margin_shares(counts)
    theta = min(model.theta, 19.0)
    assert found.seen == pytest.approx((counts - model.alpha) / (19 + theta))
    assert found.unseen == pytest.approx((theta + 7 * model.alpha) / (19 + theta))
    assert found.unseen > 0.1


@pytest.mark.parametrize("counts", [[5, 3, 2], [1, 1, 1], [4, 4], [7]])
def test_without_rare_categories_shares_are_those_of_the_sample(counts: list[int]) -> None:
    found = margin_shares(np.array(counts))
    assert found.seen == pytest.approx(np.array(counts) / sum(counts))
    assert found.unseen == 0.0


def test_theta_is_at_most_the_number_of_records() -> None:
    """Of 41 categories one has two records: the fitted theta is far above 42."""
    counts = np.array([2] + [1] * 40)
    model = fit_pitman(SampledClasses(np.array([1, 2]), np.array([40, 1]), 42))
    assert model is not None
    assert model.theta > 100
    assert margin_shares(counts).seen[0] == pytest.approx((2 - model.alpha) / 84)


def test_limits_of_categories() -> None:
    found = Shares(np.array([0.5, 0.2, 0.1]), 0.2).bounds
    assert found == pytest.approx([0.0, 0.5, 0.7, 0.8])


def test_the_share_of_a_single_record_by_turing() -> None:
    counts = np.array([10, 2, 1, 1, 1])
    shares = Shares(counts / 15, 0.0)
    assert singleton_ratio(counts, shares) == pytest.approx((2 * 2 / (4 * 15)) / (1 / 15))
    assert singleton_ratio(np.array([10, 2, 2, 1]), Shares(np.array([10, 2, 2, 1]) / 15, 0.0)) == 1.0
    assert singleton_ratio(np.array([10, 2]), Shares(np.array([10, 2]) / 12, 0.0)) == 1.0
    none = np.array([10, 1, 1, 1])
    assert singleton_ratio(none, Shares(none / 13, 0.0)) == pytest.approx((2 / (4 * 13)) / (1 / 13))


def test_scores_have_mean_0_and_variance_1_over_the_records() -> None:
    counts = np.array([1.0, 2.0, 5.0])
    found = margins._standardised(np.array([4.0, 1.0, 2.0]), counts)
    assert counts @ found == pytest.approx(0, abs=1e-12)
    assert counts @ found**2 == pytest.approx(8)
    assert found[0] > found[2] > found[1]
    assert margins._standardised(np.array([2.0, 2.0, 2.0]), counts).tolist() == [0, 0, 0]


def test_where_an_order_starts() -> None:
    counts = np.array([2.0, 6.0, 2.0])
    ordinal = norm.ppf([0.1, 0.5, 0.9])
    assert margins._start(counts, is_ordinal=True) == pytest.approx(margins._standardised(ordinal, counts))
    by_frequency = margins._start(np.array([2.0, 6.0, 3.0]), is_ordinal=False)
    assert np.argsort(by_frequency).tolist() == [1, 2, 0]


def test_categories_are_placed_by_the_mean_of_the_other_columns() -> None:
    """One round for a nominal column beside an ordinal one is the mean of its scores, shrunk."""
    codes = np.array([[0, 1], [1, 1], [2, 0], [3, 2], [4, 2]])
    number = np.array([3, 1, 2, 2, 4])
    first, second = order_categories(codes, number, ordinal=(True, False))
    assert first.tolist() == [0, 1, 2, 3, 4]
    age = margins._start(np.array([3.0, 1, 2, 2, 4]), is_ordinal=True)
    means = [
        2 * age[2] / (2 + 2),
        (3 * age[0] + age[1]) / (4 + 2),
        (2 * age[3] + 4 * age[4]) / (6 + 2),
    ]
    assert second.tolist() == np.argsort(means).tolist() == [1, 0, 2]


def test_a_column_alone_is_ordered_by_frequency() -> None:
    (found,) = order_categories(np.array([[0], [1], [2]]), np.array([2, 9, 5]), ordinal=(False,))
    assert found.tolist() == [1, 2, 0]
