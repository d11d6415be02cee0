"""Limits over several models, by hand."""

from __future__ import annotations

from math import exp, sqrt

import pytest
from scipy.stats import poisson

from reidrisk.stats.uniqueness.model_limits import (
    LARGEST_CHANCE,
    accepts_maximum,
    count_limits,
    limit_smallest,
    median_smallest,
    people_limits,
    poisson_quantile,
    small_class_chance,
    spread_limits,
)


def test_limits_are_the_lowest_and_the_highest_of_all_models() -> None:
    low, high = spread_limits([10.0, 8.0], [0.1, 0.5])
    assert low == pytest.approx(8 * exp(-0.98))
    assert high == pytest.approx(8 * exp(0.98))
    low, high = spread_limits([10.0, 8.0, 30.0], [0.1, 0.5])  # the last one takes the median of 0.3
    assert low == pytest.approx(8 * exp(-0.98))
    assert high == pytest.approx(30 * exp(1.96 * 0.3))
    assert spread_limits([7.0], [0.0]) == (7.0, 7.0)


def test_limits_of_a_count_add_chance_and_end_at_the_most_there_are() -> None:
    low, high = spread_limits([10.0, 8.0], [0.1, 0.5])
    expected = int(poisson.ppf(0.025, low)), int(poisson.ppf(0.975, high))
    assert count_limits([10.0, 8.0], [0.1, 0.5], most=1000) == expected
    assert count_limits([10.0, 8.0], [0.1, 0.5], most=20) == (expected[0], 20)
    assert count_limits([10.0, 8.0], [0.1, 0.5], most=0) == (0, 0)


def test_limits_of_people_are_those_of_the_sample_by_its_fraction() -> None:
    values, spreads = [100.0, 80.0], [0.1, 0.2]
    widths = [sqrt(0.01 + 1 / 100), sqrt(0.04 + 1 / 80)]
    found = people_limits(values, spreads, fraction=0.1, population=10**6)
    assert found[0] == pytest.approx(80 * exp(-1.96 * widths[1]) / 0.1)
    highest = max(value * exp(1.96 * width) for value, width in zip(values, widths, strict=True))
    assert found[1] == pytest.approx(highest / 0.1)
    assert people_limits(values, spreads, fraction=0.1, population=900)[1] == 900
    assert people_limits([0.5], [0.1], fraction=0.1, population=900)[0] == 0.0
    least = people_limits([0.001], [0.1], fraction=0.5, population=10**9)[1]
    assert least == pytest.approx(0.001 * exp(1.96 * sqrt(0.01 + 1 / 0.05)) / 0.5)


@pytest.mark.parametrize("mean", [0.01, 0.7, 1.0, 12.0, 300.0])
def test_a_quantile_is_the_first_number_that_is_enough(mean: float) -> None:
    for share in (0.001, 0.025, 0.5, 0.975, 0.999):
        found = poisson_quantile(share, mean)
        assert poisson.cdf(found, mean) >= share
        assert found == 0 or poisson.cdf(found - 1, mean) < share
    assert poisson_quantile(0.975, 0.0) == poisson_quantile(0.975, -1.0) == 0


def test_the_model_with_the_most_small_classes_decides() -> None:
    expected = 1 - exp(-max(0.004 * exp(0.5), 0.006 * exp(0.405)))
    assert small_class_chance([0.004, 0.006], [1.0, 0.9]) == pytest.approx(expected)
    widest = 1 - exp(-0.004 * exp(1.8**2 / 2))
    assert small_class_chance([0.004], [2.9]) == pytest.approx(widest)
    assert small_class_chance([0.0], [3.0]) == 0.0


def test_small_classes_are_acceptable_if_there_are_none_or_hardly_any() -> None:
    assert accepts_maximum(1.0, smallest=5, cell_size=5)
    assert not accepts_maximum(LARGEST_CHANCE + 1e-9, smallest=4, cell_size=5)
    assert accepts_maximum(LARGEST_CHANCE, smallest=4, cell_size=5)


@pytest.mark.parametrize("first", range(2, 12))
@pytest.mark.parametrize("most", [1, 2, 3, 4, 7, 8, 9, 100])
def test_the_smallest_class_is_one_below_the_first_size_that_may_be_missed(first: int, most: int) -> None:
    """The chance of a class below a size reaches one half, or more than 5 %, from that size on."""
    asked: list[int] = []

    def at(value: float) -> int:
        def chance(size: int) -> float:
            asked.append(size)
            return value if size >= first else 0.0

        median, limit = median_smallest(chance, most=most), limit_smallest(chance, most=most)
        return 10_000 * median + limit

    expected = min(first - 1, most)
    assert at(0.6) == at(0.5) == 10_000 * expected + expected
    assert at(0.49) == 10_000 * most + expected
    assert at(LARGEST_CHANCE) == 10_000 * most + most
    assert max(asked, default=0) <= most + 1
