"""The risk in the population with its limits, put together by hand from the models of a small sample."""

from __future__ import annotations

import numpy as np
import pytest

from reidrisk.core.estimate import Estimate
from reidrisk.stats.uniqueness.class_models import ClassFigures, SampledClasses
from reidrisk.stats.uniqueness.copula import ClassChances
from reidrisk.stats.uniqueness.copula_estimate import CopulaFit, fit_chances
from reidrisk.stats.uniqueness.estimated_risk import (
    PitmanFigures,
    copula_risk,
    weighted_risk,
    whole_risk,
)
from reidrisk.stats.uniqueness.individual import WeightedClasses
from reidrisk.stats.uniqueness.model_limits import count_limits, people_limits, spread_limits

SAMPLE = SampledClasses(np.array([1, 2, 5, 9]), np.array([6, 3, 2, 1]), 310)
"""31 records, a tenth of the people."""


@pytest.fixture(scope="module")
def fit() -> CopulaFit:
    number = np.repeat(SAMPLE.sizes, SAMPLE.number)
    chance = np.repeat([0.004, 0.03, 0.1, 0.2], SAMPLE.number) * np.tile([0.5, 1.0, 2.0], 4)
    return fit_chances(ClassChances(chance, chance**1.1, chance, (), np.eye(2)), number, 310)


def test_what_pitman_says_of_the_sample() -> None:
    found = PitmanFigures.of(40.0, ClassFigures(0.2, 0.3), SAMPLE)
    assert (found.unique, found.average, found.small_records) == pytest.approx((4.0, 0.2, 9.3))
    assert (
        PitmanFigures.of(100.0, ClassFigures(0.2, 0.3), SAMPLE).unique == 6.0
    )  # not more than in the sample


@pytest.mark.parametrize("pitman", [None, PitmanFigures(5.5, 0.39, 11.0)])
@pytest.mark.parametrize("cell_size", [2, 5, 6])
def test_limits_cover_all_models(fit: CopulaFit, pitman: PitmanFigures | None, cell_size: int) -> None:
    found = copula_risk(fit, SAMPLE, cell_size=cell_size, pitman=pitman)
    small = fit.small_classes(cell_size)
    extra = [] if pitman is None else [pitman]
    unique = [*(one.unique for one in fit.models), *(one.unique for one in extra)]
    average = [*(one.average for one in fit.models), *(one.average for one in extra)]
    records = [*small.records, *(one.small_records for one in extra)]
    spreads = [one.unique_spread for one in fit.models]
    below = {2: 6, 5: 12, 6: 22}[cell_size]
    assert found.unique == covering(fit.unique, *count_limits(unique, spreads, most=6))
    people = people_limits(unique, spreads, fraction=0.1, population=310)
    assert found.people == covering(10 * fit.unique, *people)
    low, high = spread_limits(average, [one.average_spread for one in fit.models])
    assert found.average == covering(fit.main.average, low, min(high, 12 / 31))
    limits = count_limits(records, list(small.record_spreads), most=below)
    assert found.small_records == covering(small.records[1], *limits)
    assert found.chance == fit.chance_below(cell_size)
    assert found.chance_of_three == fit.chance_below(3)
    for size, at_least in ((found.smallest, 0.5), (found.smallest_limit, 0.05 + 1e-12)):
        assert size == 310 or fit.chance_below(size + 1) >= at_least
        assert size == 1 or fit.chance_below(size) < at_least


def covering(value: float, low: float, high: float) -> Estimate:
    found = Estimate(value, min(low, value), max(high, value))
    assert found.low <= found.value <= found.high
    return found


def test_if_no_two_records_are_alike_nothing_is_known_of_the_upper_limits() -> None:
    number = np.ones(12, dtype=np.int64)
    chance = np.geomspace(0.3, 0.001, 12)
    fit = fit_chances(ClassChances(chance, chance, chance, (), np.eye(2)), number, 60)
    alone = SampledClasses(np.array([1]), np.array([12]), 60)
    found = copula_risk(fit, alone, cell_size=3, pitman=None)
    assert (found.chance, found.chance_of_three) == (1.0, 1.0)
    assert (found.smallest, found.smallest_limit) == (1, 1)
    assert found.people is not None
    upper = [one.high for one in (found.unique, found.people, found.average, found.small_records)]
    assert upper == [12, 60, 1.0, 12]
    assert copula_risk(fit, alone, cell_size=1, pitman=None).chance == 0.0


@pytest.mark.parametrize(("cell_size", "below"), [(1, 0), (2, 6), (3, 12), (5, 12), (6, 22), (10, 31)])
def test_of_a_full_count_the_risk_is_that_of_the_table(cell_size: int, below: int) -> None:
    whole = SampledClasses(SAMPLE.sizes, SAMPLE.number, 31)
    found = whole_risk(whole, cell_size=cell_size)
    assert (found.chance, found.chance_of_three) == (float(cell_size > 1), 1.0)
    assert (found.smallest, found.smallest_limit) == (1, 1)
    assert found.unique == found.people == Estimate(6, 6, 6)
    assert found.average == Estimate(12 / 31, 12 / 31, 12 / 31)
    assert found.small_records == Estimate(below, below, below)


@pytest.mark.parametrize("smallest", [2, 3, 4])
def test_of_a_full_count_without_small_classes_there_is_no_chance(smallest: int) -> None:
    whole = SampledClasses(np.array([smallest, 8]), np.array([2, 1]), 2 * smallest + 8)
    found = whole_risk(whole, cell_size=4)
    assert found.chance == (0.0 if smallest == 4 else 1.0)
    assert found.chance_of_three == (1.0 if smallest == 2 else 0.0)
    assert found.smallest == smallest


def test_with_weights_limits_are_those_of_the_table() -> None:
    rows = ((1, 8.0, 6), (2, 30.0, 3), (5, 60.0, 2), (9, 70.0, 1))
    weighted = WeightedClasses(rows)
    found = weighted_risk(weighted, SAMPLE, cell_size=5)
    assert found.people is None
    assert found.unique == Estimate(6 / 8, 0.0, 6)
    assert found.average == Estimate(weighted.average, 0.0, 12 / 31)
    assert found.small_records == Estimate(weighted.small(5)[1], 0.0, 12)
    assert found.smallest == max(weighted.smallest, 1)
    heavy = WeightedClasses(((1, 0.5, 60),))
    assert weighted_risk(heavy, SAMPLE, cell_size=5).unique == Estimate(6, 0.0, 6)
    large = SampledClasses(np.array([7]), np.array([2]), 100)
    assert weighted_risk(heavy, large, cell_size=5).smallest == 7
