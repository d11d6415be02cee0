"""The calibrated copula: second ways to compute, properties, and edge cases."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal, nbinom

from reidrisk.stats.uniqueness.calibration import ClassRows, OthersLikelihood
from reidrisk.stats.uniqueness.copula import class_chances, normal_quantile, positive, rectangles
from reidrisk.stats.uniqueness.copula_estimate import CopulaFit, fit_copula
from reidrisk.stats.uniqueness.margins import margin_shares, order_categories, singleton_ratio
from reidrisk.stats.uniqueness.model_limits import (
    LARGEST_CHANCE,
    accepts_maximum,
    limit_smallest,
    poisson_quantile,
)
from reidrisk.stats.uniqueness.record_risk import NegativeBinomialClasses


def people(rows: int, seed: int = 3) -> Any:
    """Age, and two columns that depend on it."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(rows, 3))
    latent[:, 1:] = 0.6 * latent[:, :1] + 0.8 * latent[:, 1:]
    edges = (np.linspace(-2, 2, 30), np.array([0.3]), np.array([-1.0, 0.2, 1.4, 2.2]))
    return np.stack(
        [np.searchsorted(edge, column) for edge, column in zip(edges, latent.T, strict=True)], axis=1
    )


def fit(rows: Any, population: int, ordinal: tuple[bool, ...] = (True, False, False)) -> CopulaFit:
    dense = np.stack([np.unique(column, return_inverse=True)[1] for column in rows.T], axis=1)
    codes, number = np.unique(dense, axis=0, return_counts=True)
    return fit_copula(codes, number, population, ordinal=ordinal)


@pytest.mark.parametrize("cap", [5, None])
def test_the_gradient_of_the_likelihood(cap: int | None) -> None:
    rows = ClassRows(np.array([-1.0, 0.0, 0.4, 3.0]), np.array([1, 2, 9, 30]), np.array([5, 4, 2, 1]), -3.0)
    likelihood = OthersLikelihood(rows, cap)
    point = np.array([-3.2, 0.9, 0.3, 0.8, 1.1, -0.4])
    numeric = approx_fprime(point, lambda at: likelihood.loss(at)[0], 1e-7)
    assert likelihood.loss(point)[1] == pytest.approx(numeric, rel=1e-4, abs=1e-4)


def test_probabilities_of_all_numbers_of_others_add_up() -> None:
    sizes = np.arange(1, 4000)
    rows = ClassRows(np.zeros(len(sizes)), sizes, np.ones(len(sizes), dtype=int), -3.0)
    point = np.array([-13.0, 1.0, 0.4, 0.9, 1.0, 0.3])
    from reidrisk.stats.uniqueness.calibration import Mixture

    every = np.exp(OthersLikelihood(rows).by_row(Mixture(point))[0])
    capped = np.exp(OthersLikelihood(rows, 5).by_row(Mixture(point))[0])
    assert every.sum() == pytest.approx(1, rel=1e-6)
    assert capped[5:] == pytest.approx(every[5:].sum(), rel=1e-6)


@pytest.mark.parametrize("size", [1, 4, 19, 20, 60, 900])
@pytest.mark.parametrize("success", [0.999, 0.4, 0.02])
def test_the_mean_inverse_is_the_sum_over_all_sizes(size: int, success: float) -> None:
    shape = size + 0.6
    model = NegativeBinomialClasses(np.array([size]), np.array([shape]), np.array([success]))
    others = np.arange(400_000)
    chance = nbinom.pmf(others, shape, success)
    assert model.inverse()[0] == pytest.approx((chance / (size + others)).sum(), rel=1e-5)
    assert model.inverse_square()[0] == pytest.approx((chance / (size + others) ** 2.0).sum(), rel=0.01)
    below = chance[size + others < 25].sum()
    assert model.below(25)[0] == pytest.approx(below, rel=1e-9, abs=1e-12)


def test_rectangles_agree_with_another_program() -> None:
    rng = np.random.default_rng(1)
    correlation = positive(np.asarray(np.corrcoef(rng.normal(size=(6, 4)), rowvar=False)))
    lower = rng.normal(size=(12, 4)) - 0.8
    upper = lower + 1.2
    theirs = [
        multivariate_normal.cdf(high, cov=correlation, lower_limit=low, rng=np.random.default_rng(2))
        for low, high in zip(lower, upper, strict=True)
    ]
    assert rectangles(lower, upper, correlation) == pytest.approx(theirs, rel=0.05, abs=1e-5)


def test_rows_that_share_limits_are_as_if_alone() -> None:
    lower = np.array([[-1.0, -1.0, 0.0], [-1.0, -1.0, 0.5], [-1.0, 0.2, 0.0]])
    matrix = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]])
    alone = [rectangles(row[None], row[None] + 1, matrix)[0] for row in lower]
    assert rectangles(lower, lower + 1, matrix).tolist() == alone


@given(st.floats(1e-290, 1 - 1e-15))
def test_the_normal_quantile(share: float) -> None:
    from scipy.special import ndtri

    assert normal_quantile(share) == pytest.approx(float(ndtri(share)), rel=1e-11, abs=1e-13)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=12))
def test_shares_and_the_unseen_rest_are_one(counts: list[int]) -> None:
    found = margin_shares(np.array(counts))
    assert found.seen.sum() + found.unseen == pytest.approx(1)
    assert np.all(found.seen > 0)
    assert np.all(np.diff(found.bounds) >= 0)


def test_a_nominal_column_is_ordered_by_the_others() -> None:
    age = np.repeat(np.arange(40), 10)
    shuffled = np.array([2, 0, 3, 1])[age // 10]
    codes, number = np.unique(np.stack([age, shuffled], axis=1), axis=0, return_counts=True)
    _, order = order_categories(codes, number, ordinal=(True, False))
    assert order.tolist() in ([2, 0, 3, 1], [1, 3, 0, 2])


def test_one_column_and_constant_columns() -> None:
    column = np.array([[0, 0], [0, 1], [0, 2]])
    number = np.array([5, 3, 2])
    found = class_chances(column, number, ordinal=(False, False))
    assert found.by_copula == pytest.approx([0.5, 0.3, 0.2])
    nothing = class_chances(np.array([[0, 0]]), np.array([7]), ordinal=(False, False))
    assert nothing.by_copula.tolist() == [1.0]


def test_the_chance_never_falls_with_the_cell_size() -> None:
    found = fit(people(400), 8_000)
    chances = [found.chance_below(size) for size in range(1, 40)]
    assert chances[0] == 0
    assert chances == sorted(chances)
    limit = limit_smallest(found.chance_below, most=8_000)
    for size in range(2, 40):
        accepted = accepts_maximum(found.chance_below(size), smallest=1, cell_size=size)
        assert accepted == (1 / limit <= 1 / size) == (found.chance_below(size) <= LARGEST_CHANCE)


def test_a_fit_is_the_same_after_a_rest_and_for_columns_in_another_order() -> None:
    rows = people(300)
    found = fit(rows, 6_000)
    assert CopulaFit.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    turned = fit(rows[:, ::-1], 6_000, (False, False, True))
    assert turned.main.unique == pytest.approx(found.main.unique, rel=0.05)


def test_everybody_sampled_is_exact() -> None:
    rows = people(300)
    found = fit(rows, 300)
    _, sizes = np.unique(rows, axis=0, return_counts=True)
    assert found.unique == pytest.approx((sizes == 1).sum())
    assert found.main.average == pytest.approx(len(sizes) / 300)
    assert found.small_classes(5).classes[1] == pytest.approx((sizes < 5).sum())


def test_records_by_their_chance_of_being_unique() -> None:
    found = fit(people(400), 8_000)
    histogram = found.unique_histogram()
    assert sum(number for *_, number in histogram) == 400
    assert [low for low, _, _ in histogram[1:]] == [high for _, high, _ in histogram[:-1]]


@given(st.floats(0.001, 0.999), st.floats(0, 3000))
def test_poisson_quantiles(share: float, mean: float) -> None:
    from scipy.stats import poisson

    assert poisson_quantile(share, mean) == int(poisson.ppf(share, mean)) if mean else True


def test_many_values_of_one_record_and_none_of_two_are_taken_as_rarer() -> None:
    common, rare = np.repeat(np.arange(4), 100), np.arange(4, 20)
    counts = np.bincount(np.concatenate([common, rare]))
    ratio = singleton_ratio(counts, margin_shares(counts))
    assert ratio == pytest.approx(2 / 17 / 416 / margin_shares(counts).seen[-1])
    assert singleton_ratio(np.array([100, 100, 1]), margin_shares(np.array([100, 100, 1]))) == 1
    assert singleton_ratio(np.array([5, 7]), margin_shares(np.array([5, 7]))) == 1
    rows = np.concatenate([common, rare])[:, None]
    found = fit(np.hstack([rows, rows % 2]), 41_600, (False, False))
    assert [model.name for model in found.models] == ["c5", "c10", "c_all", "i10", "r10"]
    small = found.small_classes(5).classes
    assert small[-1] > small[1]
    assert found.chance_below(5) > 0.05


def test_the_fifth_fit_is_left_out_where_it_would_be_the_same() -> None:
    rng = np.random.default_rng(1)
    found = fit(rng.integers(0, 3, (300, 3)), 6_000)
    assert [model.name for model in found.models] == ["c5", "c10", "c_all", "i10"]
