"""How many people share a sample class: against sums, draws and populations of known truth."""

from __future__ import annotations

from math import exp, inf, lgamma, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.stats import betabinom, binom, hypergeom, nbinom

from reidrisk.errors import InvalidSetting
from reidrisk.stats.uniqueness import class_models as models_of_classes
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
    fit_pitman,
    fit_slide,
    log_likelihood,
    population_classes,
    snb_expected,
    snb_uniques,
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


def partition_chance(sizes: list[int], theta: float, alpha: float) -> float:
    """The urn of the model: people come one after the other, and join a class or open one."""
    found, people = 1.0, 0
    for classes, size in enumerate(sizes):
        for member in range(size):
            if people:
                found *= (member - alpha if member else theta + classes * alpha) / (people + theta)
            people += 1
    return found


PARTITIONS = (
    ([5], 1),
    ([4, 1], 5),
    ([3, 2], 10),
    ([3, 1, 1], 10),
    ([2, 2, 1], 15),
    ([2, 1, 1, 1], 10),
    ([1, 1, 1, 1, 1], 1),
)
"""Class sizes of five people, and in how many ways the people can have them."""


@pytest.mark.parametrize(("theta", "alpha"), [(2.0, 0.5), (0.3, 0.0), (10.0, 5e-5), (-0.2, 0.4)])
def test_the_likelihood_is_that_of_the_urn(theta: float, alpha: float) -> None:
    total = 0.0
    for sizes, ways in PARTITIONS:
        held, number = np.unique(sizes, return_counts=True)
        found = exp(log_likelihood(SampledClasses(held, number, 5), Pitman(theta, alpha)))
        assert found == pytest.approx(partition_chance(sizes, theta, alpha), rel=1e-9)
        total += ways * found
    assert total == pytest.approx(1)


def test_parameters_outside_their_range_are_impossible() -> None:
    sample = sampled({1: 3, 2: 1}, 9)
    for theta, alpha in ((1.0, -0.1), (1.0, 1.0), (-0.5, 0.5)):
        assert log_likelihood(sample, Pitman(theta, alpha)) == -inf


@pytest.mark.parametrize("alpha", [0.0, 5e-5, 0.2, 0.7])
def test_the_best_theta_is_where_the_likelihood_is_level(alpha: float) -> None:
    sample = sampled({1: 30, 2: 8, 5: 3, 9: 1}, 1000)
    best = models_of_classes._best_theta(sample, alpha)
    assert best.alpha == alpha
    top = log_likelihood(sample, best)
    for factor in (0.98, 1.02):
        assert log_likelihood(sample, Pitman((best.theta + alpha) * factor - alpha, alpha)) < top
    at = Pitman(best.theta * 1.3 + 0.1, alpha)
    numeric = approx_fprime(
        np.array([at.theta]), lambda point: log_likelihood(sample, Pitman(float(point[0]), alpha)), 1e-6
    )
    assert models_of_classes._slope(sample, at) == pytest.approx(numeric[0], rel=1e-3)


def test_the_best_theta_at_the_ends() -> None:
    """Where all are alike theta is as low as may be, where nobody is, as high as may be."""
    low = models_of_classes._best_theta(sampled({40: 1}, 100), 0.5)
    assert low.theta == pytest.approx(-0.5, abs=1e-9)
    high = models_of_classes._best_theta(sampled({1: 40}, 100), 0.5)
    assert high.theta == pytest.approx(40 * 1e9)


def test_pitman_is_not_fitted_to_one_class_or_to_uniques_alone() -> None:
    assert fit_pitman(sampled({40: 1}, 100)) is None
    assert fit_pitman(sampled({1: 40}, 100)) is None
    found = fit_pitman(sampled({1: 1, 40: 1}, 100))
    assert found is not None
    assert 0 <= found.alpha < 1


@pytest.mark.parametrize("histogram", [{1: 400, 2: 2, 3: 1}, {1: 200, 300: 1}, {1: 30, 2: 8, 5: 3, 9: 1}])
def test_no_other_parameters_are_more_likely(histogram: dict[int, int]) -> None:
    """Also with alpha near 1, where nearly all are alone but for one crowd."""
    sample = sampled(histogram, 100_000)
    found = fit_pitman(sample)
    assert found is not None
    top = log_likelihood(sample, found)
    for alpha in np.linspace(0, 0.999, 80):
        assert log_likelihood(sample, models_of_classes._best_theta(sample, float(alpha))) <= top + 1e-9


def test_ratios_of_gamma_functions_where_they_are_large() -> None:
    """Gamma(x + 1) = x Gamma(x), and half a step twice is a whole one."""
    ratio = models_of_classes._log_ratio
    for x in (2e5, 3e6):
        assert ratio(x, 1.0) == pytest.approx(log(x), abs=1e-12)
        assert ratio(x, -1.0) == pytest.approx(-log(x - 1), abs=1e-10)
        assert ratio(x, 2.0) == pytest.approx(log(x) + log(x + 1), abs=1e-10)
        assert ratio(x, -0.5) + ratio(x - 0.5, -0.5) == pytest.approx(-log(x - 1), abs=1e-10)
    assert ratio(99_999.0, 0.5) == pytest.approx(ratio(100_001.0, 0.5), abs=2e-5)
    assert ratio(7.0, 2.5) == lgamma(9.5) - lgamma(7.0)


@pytest.mark.parametrize(("theta", "alpha"), [(3.0, 0.0), (3.0, 0.5)])
def test_expected_uniques_are_those_of_the_urn(theta: float, alpha: float) -> None:
    expected = sum(
        ways * sizes.count(1) * partition_chance(sizes, theta, alpha) for sizes, ways in PARTITIONS
    )
    assert Pitman(theta, alpha).uniques(5) == pytest.approx(expected)
    many = Pitman(theta, 0.5)
    assert many.uniques(10**7, exact=False) == pytest.approx(many.uniques(10**7), rel=1e-5)


@pytest.mark.parametrize(("alpha", "beta", "fraction"), [(0.7, 0.3, 0.2), (2.5, 0.6, 0.5)])
def test_expected_classes_of_the_slide_model_are_its_sum(alpha: float, beta: float, fraction: float) -> None:
    people = 1 + np.arange(3000)
    prior = nbinom(alpha, beta).pmf(people - 1)
    expected = [1000 * float(prior @ binom(people, fraction).pmf(size)) for size in (1, 2)]
    assert snb_expected(alpha, beta, 1000, fraction) == pytest.approx(expected)


def test_the_number_of_classes_by_its_formula() -> None:
    """The modified Shlosser estimator (Haas and Stokes 1998), term by term."""
    histogram, population = {1: 30, 2: 8, 5: 3}, 305
    sample = sampled(histogram, population)
    pi = sample.records / population
    rare = sum(i * pi**2 * (1 - pi**2) ** (i - 1) * n for i, n in histogram.items())
    scale = sum((1 - pi) ** i * ((1 + pi) ** i - 1) * n for i, n in histogram.items())
    missed = sum((1 - pi) ** i * n for i, n in histogram.items())
    seen = sum(i * pi * (1 - pi) ** (i - 1) * n for i, n in histogram.items())
    expected = 41 + 30 * (rare / scale) * (missed / seen) ** 2
    assert population_classes(sample) == pytest.approx(expected)
    assert population_classes(sampled(histogram, sample.records)) == 41


def test_the_slide_model_meets_both_equations() -> None:
    sample = sampled({1: 300, 2: 90, 3: 40, 5: 20, 9: 6}, 4000)
    found = fit_slide(sample)
    assert found is not None
    assert found.classes == pytest.approx(population_classes(sample))
    both = snb_expected(found.alpha, found.beta, found.classes, sample.fraction)
    assert both == pytest.approx((300, 90), rel=1e-6)
    assert found.uniques == pytest.approx(found.classes * nbinom(found.alpha, found.beta).pmf(0))
    assert snb_uniques(sample) == found.uniques
    whole = sampled({1: 300, 2: 90}, 480)
    assert fit_slide(whole) is None
    assert snb_uniques(whole) == 300
    assert np.isnan(snb_uniques(sampled({1: 300, 3: 40}, 4000)))  # without a class of two
    assert snb_uniques(sampled({2: 5}, 4000)) == 0


def test_parameters_of_the_search_are_a_logarithm_and_log_odds() -> None:
    found = models_of_classes._parameters(np.array([log(3), log(0.2 / 0.8)]))
    assert found == pytest.approx((3, 0.2))
    for far in (-1e4, 1e4):
        assert np.all(np.isfinite(models_of_classes._parameters(np.array([far, far]))))


@pytest.mark.parametrize("most", [0, 5, 1022, 1023, 1024, 5000, 10**6])
def test_points_stand_for_all_whole_numbers(most: int) -> None:
    points, weights = models_of_classes._thin(most)
    assert points[0] == 0
    assert points[-1] == most
    assert np.all(np.diff(points) > 0)
    assert weights.sum() == pytest.approx(most + 1)
    assert weights @ points == pytest.approx(most * (most + 1) / 2, rel=1e-9)
    assert np.all(weights[: min(most, 1023)] == 1)
    far = points[1023:]
    assert np.all(far[1:] - far[:-1] <= far[:-1] * (exp(0.01) - 1) + 1)  # one percent, in whole numbers
    assert points.size < 2000


SAMPLE = SampledClasses(np.array([1, 2, 4, 9]), np.array([20, 6, 3, 1]), 160)


def differences(model: ClassModel, size: int) -> list[float]:
    others, _ = model.others(size)
    return [float(one) for one in np.diff(model.log_chance(size, others))]


@pytest.mark.parametrize("size", [1, 2, 4])
def test_chances_of_unsampled_people_are_those_of_the_models(size: int) -> None:
    records, left = SAMPLE.records, SAMPLE.population - SAMPLE.records
    assert (records, left) == (53, 107)
    pitman = PitmanClasses(Pitman(8.0, 0.4), records, SAMPLE.population)
    others = np.arange(left + 1)
    expected = betabinom(left, size - 0.4, 8 + records - size + 0.4).logpmf(others)
    assert differences(pitman, size) == pytest.approx(np.diff(expected).tolist(), abs=1e-8)
    slide = SlideClasses(Slide(0.7, 0.3, 100.0), records, SAMPLE.population)
    prior = nbinom(0.7, 0.3).logpmf(size + others - 1)
    expected = prior + binom(size + others, records / 160).logpmf(size)
    assert differences(slide, size) == pytest.approx(np.diff(expected).tolist(), abs=1e-8)
    zayatz = ZayatzClasses(SAMPLE)
    there, weights = zayatz.others(size)
    possible = [one for one in (1, 2, 4, 9) if one >= size]
    assert (size + there).tolist() == possible
    assert weights.tolist() == [{1: 20, 2: 6, 4: 3, 9: 1}[one] for one in possible]
    expected = np.array([hypergeom(160, one, records).logpmf(size) for one in possible])
    assert differences(zayatz, size) == pytest.approx(np.diff(expected).tolist(), abs=1e-8)


def test_no_more_people_can_be_outside_than_there_are() -> None:
    few = SampledClasses(np.array([1, 2, 9]), np.array([20, 6, 1]), 42)
    assert ZayatzClasses(few).others(1)[0].tolist() == [0.0, 1.0]
    one_more = SampledClasses(np.array([1, 2, 9]), np.array([20, 6, 1]), 49)
    assert ZayatzClasses(one_more).others(1)[0].tolist() == [0.0, 1.0, 8.0]


def test_a_class_that_nobody_else_is_in_is_as_in_the_sample() -> None:
    risk, small = class_risks(WholeClasses(), np.array([1, 4, 5, 60]), cell_size=5)
    assert risk == pytest.approx([1, 1 / 4, 1 / 5, 1 / 60])
    assert small.tolist() == [1, 1, 0, 0]
    total = class_figures(WholeClasses(), SAMPLE, cell_size=4)
    assert total.average == pytest.approx(30 / 53)
    assert total.small_share == pytest.approx((20 + 12) / 53)


def test_large_sizes_are_in_proportion() -> None:
    model = PitmanClasses(Pitman(50.0, 0.3), 20_000, 40_000)
    sizes = np.array([1, 50, 51, 52, 1999, 2000, 2001, 8000])
    risk, small = class_risks(model, sizes, cell_size=60)
    exact = [models_of_classes._one(model, size, 60) for size in (1, 50, 51, 52, 1999, 2000)]
    assert risk[:6] == pytest.approx([one for one, _ in exact])
    assert small[:4] == pytest.approx([one for _, one in exact[:4]])
    assert risk[6] == pytest.approx(risk[5] * 2000 / 2001)
    assert risk[7] == pytest.approx(risk[5] * 2000 / 8000)


def test_samples_that_cannot_be_are_refused_and_the_smallest_are_not() -> None:
    with pytest.raises(InvalidSetting, match="no records"):
        sampled({0: 3, 1: 2}, 9)
    with pytest.raises(InvalidSetting, match="no records"):
        sampled({1: 0}, 9)
    least = sampled({1: 1}, 1)
    assert (least.records, least.classes, least.fraction, least.uniques) == (1, 1, 1.0, 1)
    assert (SAMPLE.records, SAMPLE.classes, SAMPLE.of_size(4), SAMPLE.of_size(3)) == (53, 30, 3, 0)
    assert (SAMPLE.uniques, SAMPLE.fraction) == (20, 53 / 160)
