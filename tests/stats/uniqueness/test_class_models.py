"""How many people share a sample class: against sums, draws and populations of known truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import betabinom, nbinom

from reidrisk.stats.uniqueness.class_models import (
    ClassModel,
    Pitman,
    PitmanClasses,
    SampledClasses,
    Slide,
    SlideClasses,
    WholeClasses,
    ZayatzClasses,
    class_figures,
    class_risks,
)
from reidrisk.stats.uniqueness.estimates import class_models, estimate_uniques
from reidrisk.stats.uniqueness.individual import WeightedClasses, individual_risk, least_sample_class
from reidrisk.stats.uniqueness.loglinear import expected_matches, independent_matches
from tests.stats.uniqueness.test_estimates import HISTOGRAMS, drawn, sampled


def one(model: ClassModel, size: int, cell_size: int = 5) -> tuple[float, float]:
    risk, small = class_risks(model, np.array([size]), cell_size=cell_size)
    return float(risk[0]), float(small[0])


@given(st.integers(1, 60), st.floats(0, 0.95), st.floats(1, 500), st.integers(100, 50_000))
def test_pitman_is_the_beta_binomial_sum(size: int, alpha: float, theta: float, left: int) -> None:
    records = 200
    model = PitmanClasses(Pitman(theta, alpha), records, records + left)
    others = np.arange(left + 1)
    chance = betabinom(left, size - alpha, theta + records - size + alpha).pmf(others)
    risk, small = one(model, size)
    assert risk == pytest.approx((chance / (size + others)).sum(), rel=1e-3)
    assert small == pytest.approx(chance[size + others < 5].sum(), abs=1e-6)


@given(st.integers(1, 20), st.floats(0.1, 3), st.floats(0.05, 0.9), st.floats(0.05, 0.9))
def test_slide_is_its_prior_thinned(size: int, alpha: float, beta: float, fraction: float) -> None:
    population = 10_000
    model = SlideClasses(Slide(alpha, beta, 1.0), round(fraction * population), population)
    others = np.arange(4000)
    people = size + others
    thinned = nbinom(size + 1, 1.0 - (1.0 - fraction)).pmf(others)  # C(F, f) (1 - pi)^x up to a constant
    chance = nbinom(alpha, beta).pmf(people - 1) * thinned
    chance /= chance.sum()
    risk, small = one(model, size)
    assert risk == pytest.approx((chance / people).sum(), rel=1e-3)
    assert small == pytest.approx(chance[people < 5].sum(), abs=1e-3)


@given(HISTOGRAMS, st.floats(0.02, 0.9))
@settings(max_examples=15)
def test_zayatz_of_a_unique_is_the_share_that_its_formula_has(
    histogram: dict[int, int], share: float
) -> None:
    records = sum(size * number for size, number in histogram.items())
    sample = sampled(histogram, max(records + 1, round(records / share)))
    found = estimate_uniques(sample)
    if sample.uniques:
        _, alone = one(ZayatzClasses(sample), 1, cell_size=2)
        assert alone * sample.uniques / sample.fraction == pytest.approx(found.zayatz, rel=1e-6)


@given(HISTOGRAMS, st.floats(0.02, 1))
@settings(max_examples=15, deadline=None)
def test_no_model_says_more_than_the_prosecutor_risk(histogram: dict[int, int], share: float) -> None:
    records = sum(size * number for size, number in histogram.items())
    sample = sampled(histogram, max(records, round(records / share)))
    found = estimate_uniques(sample)
    models = class_models(sample, found)
    for model in models.values():
        risk, small = class_risks(model, sample.sizes, cell_size=5)
        assert np.all(risk <= 1 / sample.sizes + 1e-12)
        assert np.all(risk > 0)
        assert np.all((small >= 0) & (small <= 1 + 1e-12))
        assert np.all(small[sample.sizes >= 5] == 0)
        total = class_figures(model, sample, cell_size=5)
        assert total.average <= risk.max() + 1e-12


def test_a_full_count_has_the_prosecutor_risk() -> None:
    sample = sampled({1: 3, 4: 2}, 11)
    for model in class_models(sample, estimate_uniques(sample)).values():
        found = class_figures(model, sample, cell_size=3)
        assert found.average == pytest.approx(5 / 11)
        assert found.small_share == pytest.approx(3 / 11)


def test_large_classes_are_read_off_between_those_reckoned() -> None:
    sizes = np.array([1, 60, 61, 75, 900, 5000, 80_000])
    model = PitmanClasses(Pitman(50.0, 0.3), 200_000, 2_000_000)
    risk, _ = class_risks(model, sizes, cell_size=5)
    assert risk[1:] == pytest.approx(0.1 / sizes[1:], rel=0.05)


@pytest.mark.parametrize("fraction", [0.05, 0.3])
def test_the_average_risk_of_a_made_population_is_met(fraction: float) -> None:
    """Class sizes of a log-normal population, which is none of the models."""
    rng = np.random.default_rng(8)
    share = rng.lognormal(0, 2, 20_000)
    people = rng.choice(share.size, 60_000, p=share / share.sum())
    whole = np.bincount(people, minlength=share.size)
    chosen = rng.choice(people, round(fraction * people.size), replace=False)
    part = np.bincount(chosen, minlength=share.size)
    seen = part > 0
    sizes, number = np.unique(part[seen], return_counts=True)
    sample = SampledClasses(sizes, number, people.size)
    found = estimate_uniques(sample)
    model = class_models(sample, found)["pitman" if fraction == 0.05 else "zayatz"]
    truth = (part[seen] / whole[seen]).sum() / sample.records
    assert 0.9 < class_figures(model, sample, cell_size=5).average / truth < 1.4


def test_snb_is_right_where_the_population_is_one() -> None:
    rng = np.random.default_rng(2)
    ratios = []
    for _ in range(6):
        sizes = 1 + rng.negative_binomial(0.7, 0.1, 8000)
        found = estimate_uniques(drawn(sizes, 0.3, rng))
        ratios.append(found.snb / (sizes == 1).sum())
    assert 0.9 < np.mean(ratios) < 1.1


def test_nobody_unique_still_leaves_models_for_the_classes() -> None:
    sample = sampled({2: 50, 4: 3}, 10_000)
    assert {"pitman", "zayatz"} <= set(class_models(sample, estimate_uniques(sample)))
    every = sampled({1: 40}, 40)
    assert isinstance(class_models(every, estimate_uniques(every))["pitman"], WholeClasses)


@given(st.integers(1, 8), st.floats(1.01, 500), st.integers(2, 12))
def test_weights_give_the_negative_binomial_chance_of_a_small_class(
    size: int, each: float, cell_size: int
) -> None:
    people = size * each
    found = WeightedClasses(((size, people, 3),))
    expected = nbinom(size, 1 / each).cdf(cell_size - 1 - size) if size < cell_size else 0.0
    assert found.small(cell_size) == pytest.approx((3 * expected, 3 * size * expected), abs=1e-8)
    assert found.unique == pytest.approx(3 / each if size == 1 else 0)
    assert found.average == pytest.approx(individual_risk(np.array([size]), np.array([people]))[0])
    assert found.smallest >= size


def test_independent_columns_have_the_means_of_their_margins() -> None:
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    number = np.array([6, 1, 2, 1])
    found = independent_matches(codes, number, 0.2)
    means = np.array([7 * 2, 3 * 2]) / 10
    expected = expected_matches(means, 0.2)
    assert found.population_uniques == pytest.approx(expected.population_uniques)
    assert found.correct_matches == pytest.approx(expected.correct_matches)


@given(st.integers(2, 30), st.floats(0.001, 0.999))
def test_a_class_that_is_seen_is_never_shown_by_one_record_alone(cell_size: int, fraction: float) -> None:
    seen = least_sample_class(cell_size, fraction, seen=True)
    assert least_sample_class(cell_size, fraction) <= seen <= cell_size
    assert seen >= 2
