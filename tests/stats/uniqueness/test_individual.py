"""Risk by sampling weights, by sums."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, nbinom

from reidrisk.errors import InvalidSetting
from reidrisk.stats.uniqueness.individual import WeightedClasses, individual_risk, least_sample_class

ROWS = ((1, 4.0, 5), (1, 0.8, 2), (3, 10.0, 2), (6, 9.0, 1))
"""Size, sum of the weights, number of classes."""


@pytest.mark.parametrize("count", [1, 2, 19, 20, 21, 50])
@pytest.mark.parametrize("share", [0.05, 0.5, 0.97])
def test_the_risk_is_the_mean_of_one_in_the_class(count: int, share: float) -> None:
    others = np.arange(60_000)
    expected = (nbinom(count, share).pmf(others) / (count + others)).sum()
    found = individual_risk(np.array([float(count)]), np.array([count / share]))[0]
    assert found == pytest.approx(expected, rel=1e-9)


def test_a_class_whose_people_were_all_sampled_has_its_own_risk() -> None:
    sizes = np.array([1.0, 20.0, 21.0])
    assert individual_risk(sizes, sizes).tolist() == (1 / sizes).tolist()
    assert individual_risk(sizes, sizes / 2).tolist() == (1 / sizes).tolist()


@pytest.mark.parametrize(
    ("count", "people"), [(0.5, 3.0), (1.0, 0.0), (1.0, -1.0), (1.0, float("nan")), (1.0, float("inf"))]
)
def test_weights_that_make_no_sense_are_refused(count: float, people: float) -> None:
    with pytest.raises(InvalidSetting, match="weight"):
        individual_risk(np.array([2.0, count]), np.array([5.0, people]))


def chances(size: int, people: float, cell_size: int) -> float:
    share = min(size / people, 1.0)
    return float(nbinom(size, share).cdf(cell_size - 1 - size)) if size < cell_size else 0.0


@pytest.mark.parametrize("cell_size", [1, 2, 3, 4, 6, 7, 12])
def test_figures_of_a_survey_are_sums_over_its_classes(cell_size: int) -> None:
    found = WeightedClasses(ROWS)
    small = [(number * chances(size, people, cell_size), size) for size, people, number in ROWS]
    assert found.small(cell_size) == pytest.approx(
        (sum(number for number, _ in small), sum(number * size for number, size in small))
    )
    assert found.unique == pytest.approx(5 / 4 + 2 * 1)
    risk = individual_risk(np.array([1.0, 1.0, 3.0, 6.0]), np.array([4.0, 0.8, 10.0, 9.0]))
    assert found.average == pytest.approx((5 * risk[0] + 2 * risk[1] + 6 * risk[2] + 6 * risk[3]) / 19)


def test_the_smallest_class_is_as_likely_as_not() -> None:
    rows = ((3, 30.0, 4), (5, 80.0, 1))
    found = WeightedClasses(rows)
    missed = [1 - np.exp(-found.small(size)[0]) for size in range(1, 82)]
    expected = next(size for size, chance in enumerate(missed[1:], 1) if chance >= 0.5)
    assert found.smallest == expected > 3
    assert WeightedClasses(((1, 0.5, 1),)).smallest == 1


def test_the_least_sample_class_is_the_first_that_small_classes_hardly_reach() -> None:
    for cell_size in (1, 2, 5, 11):
        for fraction in (0.04, 0.3, 1.0):
            for alpha in (0.01, 0.05):
                for seen in (False, True):
                    others = binom(cell_size - 1, fraction)
                    whole = others.sf(0) if seen and cell_size > 1 else 1.0
                    fits = [x for x in range(1, cell_size) if others.sf(x - 1) <= alpha * whole]
                    found = least_sample_class(cell_size, fraction, alpha=alpha, seen=seen)
                    assert found == min(fits, default=cell_size)


@pytest.mark.parametrize(
    ("cell_size", "fraction", "alpha"),
    [(0, 0.5, 0.05), (5, 0.0, 0.05), (5, 1.01, 0.05), (5, 0.5, 0.0), (5, 0.5, 1.0)],
)
def test_what_cannot_be_is_refused(cell_size: int, fraction: float, alpha: float) -> None:
    with pytest.raises(InvalidSetting, match="not valid"):
        least_sample_class(cell_size, fraction, alpha=alpha)
