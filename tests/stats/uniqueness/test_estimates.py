"""Population uniques: against another program's figures, against known truth, and at the edges."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import hypergeom, nbinom

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Ints
from reidrisk.stats.uniqueness.class_models import (
    Pitman,
    SampledClasses,
    fit_pitman,
    log_likelihood,
    snb_uniques,
)
from reidrisk.stats.uniqueness.estimates import (
    _one_drawn,
    class_models,
    estimate_uniques,
    zayatz_uniques,
)
from reidrisk.stats.uniqueness.individual import individual_risk, least_sample_class
from reidrisk.stats.uniqueness.loglinear import expected_matches


def sampled(histogram: dict[int, int], population: int) -> SampledClasses:
    return SampledClasses(np.array(list(histogram)), np.array(list(histogram.values())), population)


def drawn(sizes: Ints, fraction: float, rng: np.random.Generator) -> SampledClasses:
    """A simple random sample of a population with these class sizes."""
    people = np.repeat(np.arange(sizes.size), sizes)
    chosen = rng.choice(people, round(fraction * people.size), replace=False)
    counts = np.bincount(np.bincount(chosen))[1:]
    there = counts > 0
    return SampledClasses(np.arange(1, counts.size + 1)[there], counts[there], people.size)


HISTOGRAMS = st.dictionaries(st.integers(1, 30), st.integers(1, 50), min_size=1, max_size=6)


def test_arx_is_met_on_adult(shared: Path) -> None:
    """Zayatz and, in its asymptotic form, Pitman; not SNB, where that program has the formula wrong."""
    reference = json.loads((shared / "arx_reference.json").read_text())["risk"]["adult9"]
    histogram = {int(size): number for size, number in reference["class_size_histogram"].items()}
    for case in reference["population"]:
        found = estimate_uniques(sampled(histogram, case["population_size"]))
        theirs = case["frac_unique"]
        assert found.zayatz / case["population_size"] == pytest.approx(theirs["zayatz"], rel=1e-9)
        assert found.pitman_asymptotic / case["population_size"] == pytest.approx(theirs["pitman"], rel=1e-6)


@given(HISTOGRAMS, st.floats(0.01, 1))
def test_zayatz_agrees_with_the_hypergeometric_distribution(histogram: dict[int, int], share: float) -> None:
    records = sum(size * number for size, number in histogram.items())
    sample = sampled(histogram, max(records, round(records / share)))
    chance = {size: hypergeom(sample.population, size, records).pmf(1) for size in histogram}
    total = sum(number * chance[size] for size, number in histogram.items())
    own = sample.uniques * chance.get(1, 0)
    expected = sample.uniques * own / total / sample.fraction if sample.uniques else 0
    if total > 0:
        assert zayatz_uniques(sample) == pytest.approx(expected, rel=1e-9)


@given(HISTOGRAMS)
@settings(max_examples=15)
def test_no_other_search_finds_a_greater_likelihood(histogram: dict[int, int]) -> None:
    sample = sampled(histogram, 10**6)
    found = fit_pitman(sample)
    if found is None:
        assert sample.classes in {1, sample.records}
        return
    best = log_likelihood(sample, found)
    for alpha, theta in ((0.1, 1.0), (0.5, 10.0), (0.9, 100.0)):
        other = minimize(
            lambda x: (
                -log_likelihood(
                    sample, Pitman(np.exp(min(x[1], 30)) - 1 / (1 + np.exp(-x[0])), 1 / (1 + np.exp(-x[0])))
                )
            ),
            [np.log(alpha / (1 - alpha)), np.log(theta + alpha)],
            method="Nelder-Mead",
        )
        assert best >= -other.fun - 1e-6


def test_pitman_populations_are_met() -> None:
    """Populations drawn from the model itself, a tenth sampled: within the quarter that is promised."""
    rng = np.random.default_rng(5)
    ratios = []
    for _ in range(4):
        sizes = chinese_restaurant(30_000, theta=200.0, alpha=0.5, rng=rng)
        found = estimate_uniques(drawn(sizes, 0.1, rng))
        ratios.append(found.pitman / (sizes == 1).sum())
    assert 0.75 < np.mean(ratios) < 1.25


def chinese_restaurant(people: int, *, theta: float, alpha: float, rng: np.random.Generator) -> Ints:
    """Class sizes of a population drawn from the Ewens-Pitman model."""
    of: list[int] = []
    sizes: list[int] = []
    for person in range(people):
        if person == 0 or rng.random() * (person + theta) < theta + len(sizes) * alpha:
            of.append(len(sizes))
            sizes.append(1)
            continue
        other = of[rng.integers(person)]
        while rng.random() * sizes[other] < alpha:
            other = of[rng.integers(person)]
        of.append(other)
        sizes[other] += 1
    return np.array(sizes)


def test_snb_populations_are_met() -> None:
    rng = np.random.default_rng(3)
    sizes = 1 + rng.negative_binomial(0.7, 0.3, 60_000)
    sample = drawn(sizes, 0.5, rng)
    assert snb_uniques(sample) == pytest.approx((sizes == 1).sum(), rel=0.1)


def test_the_whole_population_is_its_own_estimate() -> None:
    found = estimate_uniques(sampled({1: 7, 3: 2}, 13))
    assert (found.zayatz, found.snb) == (7, 7)


def test_without_uniques_in_the_sample_there_are_none() -> None:
    found = estimate_uniques(sampled({2: 5, 4: 3}, 10_000))
    assert (found.zayatz, found.snb) == (0, 0)


def test_pitman_has_no_fit_if_all_are_unique() -> None:
    found = estimate_uniques(sampled({1: 40}, 10_000))
    assert isnan(found.pitman)


@given(st.integers(1, 60), st.floats(1e-4, 0.99))
def test_individual_risk_is_the_mean_of_the_negative_binomial(count: int, share: float) -> None:
    spread = np.arange(0, 200_000 if share < 0.01 else 20_000)
    mass = nbinom(count, share).pmf(spread)
    if mass.sum() < 1 - 1e-9:
        return
    expected = (mass / (count + spread)).sum()
    found = individual_risk(np.array([float(count)]), np.array([count / share]))[0]
    assert found == pytest.approx(expected, rel=1e-6)


def test_individual_risk_of_a_full_count_is_one_in_the_class() -> None:
    assert individual_risk(np.array([4.0, 100.0]), np.array([4.0, 90.0])).tolist() == [0.25, 0.01]


def test_matches_of_a_full_count_are_certain() -> None:
    found = expected_matches(np.array([0.4, 1.0]), 1.0)
    assert (found.population_uniques, found.correct_matches) == (2, 2)


@given(st.integers(1, 30), st.floats(0.01, 1), st.floats(0.01, 0.3))
def test_a_larger_sample_class_is_asked_where_more_is_sampled(
    cell: int, fraction: float, alpha: float
) -> None:
    thin = least_sample_class(cell, fraction / 2, alpha=alpha)
    assert 1 <= thin <= least_sample_class(cell, fraction, alpha=alpha) <= cell


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="cannot hold"):
        sampled({1: 10}, 9)
    with pytest.raises(NothingToMeasure):
        sampled({}, 9)
    with pytest.raises(InvalidSetting):
        sampled({0: 3}, 9)
    with pytest.raises(InvalidSetting):
        individual_risk(np.array([0.0]), np.array([3.0]))
    with pytest.raises(InvalidSetting):
        expected_matches(np.array([0.5]), 0.0)
    with pytest.raises(InvalidSetting):
        least_sample_class(5, 0.0)


def test_zayatz_by_its_formula() -> None:
    """Share of uniques that were sampled from a class of one, if classes are as frequent as in the sample."""
    histogram, population = {1: 6, 2: 3, 5: 2}, 88
    sample = sampled(histogram, population)
    chance = {size: hypergeom(population, size, 22).pmf(1) for size in histogram}
    own = 6 * chance[1] / sum(number * chance[size] for size, number in histogram.items())
    assert zayatz_uniques(sample) == pytest.approx(6 * own / 0.25)
    assert _one_drawn(sample).tolist() == pytest.approx(list(chance.values()))
    nearly = sampled(histogram, 23)
    chance = {size: hypergeom(23, size, 22).pmf(1) for size in histogram}
    assert _one_drawn(nearly).tolist() == pytest.approx(list(chance.values()))


def test_estimates_side_by_side() -> None:
    sample = sampled({1: 60, 2: 18, 3: 9, 6: 4}, 1500)
    found = estimate_uniques(sample)
    model = fit_pitman(sample)
    assert model is not None
    assert found.model == model
    assert found.pitman == pytest.approx(model.uniques(1500))
    assert found.pitman_asymptotic == pytest.approx(model.uniques(1500, exact=False))
    assert found.snb == pytest.approx(snb_uniques(sample))
    assert found.slide is not None
    assert found.slide.uniques == found.snb
    assert found.zayatz == zayatz_uniques(sample)
    assert set(class_models(sample, found)) == {"pitman", "snb", "zayatz"}


def test_uniques_are_at_most_all_people() -> None:
    found = estimate_uniques(sampled({1: 400, 2: 1}, 500))
    assert found.pitman <= 500


def test_where_a_model_has_no_result_it_is_left_out() -> None:
    lone = sampled({1: 5, 3: 2}, 100)
    found = estimate_uniques(lone)
    assert isnan(found.snb)
    assert set(class_models(lone, found)) == {"pitman", "zayatz"}
    alike = sampled({40: 1}, 100)
    assert set(class_models(alike, estimate_uniques(alike))) == {"zayatz"}
    whole = sampled({1: 5, 3: 2}, 11)
    assert set(class_models(whole, estimate_uniques(whole))) == {"pitman", "snb", "zayatz"}
