from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from reidrisk.stats.arrays import Floats
from reidrisk.stats.regression import (
    ENDLESS,
    RIDGE,
    _likelihood,
    dense_weights,
    fit_linear,
    fit_logistic,
    sparse_weights,
)
from reidrisk.stats.usefulness.design import independent


def _data(rows: int = 300) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(4)
    design = np.column_stack([np.ones(rows), rng.normal(size=rows), rng.integers(0, 2, rows)])
    chance = 1 / (1 + np.exp(-(design @ [-0.5, 1.2, 0.7])))
    return design, (rng.random(rows) < chance).astype(float)


def _curvature(of: Callable[[Floats], float], at: Floats, step: float = 1e-3) -> Floats:
    """Second derivatives by finite differences."""
    found = np.empty((at.size, at.size))
    for one, two in np.ndindex(found.shape):
        ends = [
            (at + step * (x * np.eye(at.size)[one] + y * np.eye(at.size)[two]), x * y)
            for x in (1, -1)
            for y in (1, -1)
        ]
        found[one, two] = sum(sign * of(end) for end, sign in ends) / (4 * step**2)
    return found


def test_logistic_regression_is_where_the_likelihood_is_greatest() -> None:
    design, outcome = _data()

    def unlikelihood(at: Floats) -> float:
        line = design @ at
        return float(np.sum(np.logaddexp(0, line) - outcome * line))

    found = minimize(unlikelihood, np.zeros(3), method="BFGS", options={"gtol": 1e-8})
    fit = fit_logistic(design, outcome, np.ones(len(outcome)))
    assert fit.coefficients == pytest.approx(found.x, abs=1e-5)
    assert fit.errors == pytest.approx(
        np.sqrt(np.diag(np.linalg.inv(_curvature(unlikelihood, found.x)))), rel=1e-3
    )
    assert not fit.is_held


def test_the_log_odds_of_a_table_of_four_and_their_error() -> None:
    # Odds ratio (30 / 10) / (20 / 40) = 6; standard error sqrt(1/30 + 1/10 + 1/20 + 1/40).
    design = np.array([[1.0, 1], [1, 1], [1, 0], [1, 0]])
    fit = fit_logistic(design, np.array([1.0, 0, 1, 0]), np.array([30.0, 10, 20, 40]))
    assert fit.coefficients[1] == pytest.approx(np.log(6))
    assert fit.errors[1] == pytest.approx(np.sqrt(1 / 30 + 1 / 10 + 1 / 20 + 1 / 40))
    assert fit.reach(0.95) == pytest.approx(1.95996, abs=1e-5)


def test_linear_regression_agrees_with_least_squares_and_weights_are_records() -> None:
    design, _ = _data(50)
    outcome = design @ [1.0, 2.0, 3.0] + np.random.default_rng(1).normal(size=50)
    weights = np.random.default_rng(2).integers(1, 4, 50)
    fit = fit_linear(design, outcome, weights.astype(float))
    rows, repeated = np.repeat(design, weights, axis=0), np.repeat(outcome, weights)
    expected, rest, *_ = np.linalg.lstsq(rows, repeated)
    assert fit.coefficients == pytest.approx(expected)
    spread = rest[0] / (len(rows) - 3) * np.linalg.inv(rows.T @ rows)
    assert fit.errors == pytest.approx(np.sqrt(np.diag(spread)))
    assert fit.freedom == len(rows) - 3


def test_separated_outcomes_end_without_errors() -> None:
    design = np.column_stack([np.ones(20), np.repeat([0.0, 1.0], 10)])
    fit = fit_logistic(design, np.repeat([0.0, 1.0], 10), np.ones(20))
    assert fit.is_held
    assert np.isfinite(fit.coefficients).all()
    assert np.isnan(fit.errors).all()


@pytest.mark.parametrize("same", [0.0, 1.0])
def test_a_category_of_one_outcome_leaves_the_others_their_coefficients(same: float) -> None:
    design, outcome = _data()
    apart = np.arange(len(outcome)) < 12
    outcome = np.where(apart, same, outcome)
    fit = fit_logistic(np.column_stack([design, apart]), outcome, np.ones(len(outcome)))
    others = fit_logistic(design[~apart], outcome[~apart], np.ones(np.count_nonzero(~apart)))
    assert fit.is_held
    assert fit.coefficients[:3] == pytest.approx(others.coefficients)
    assert fit.errors[:3] == pytest.approx(others.errors)
    assert np.isnan(fit.errors[3])
    assert np.sign(fit.coefficients[3]) == (1 if same else -1)

    def unlikelihood(at: Floats) -> float:
        line = design @ at + np.where(apart, 40 * np.sign(same - 0.5), 0.0)
        return float(np.sum(np.logaddexp(0, line) - outcome * line))

    limit = minimize(unlikelihood, np.zeros(3), method="BFGS", options={"gtol": 1e-8})
    assert fit.coefficients[:3] == pytest.approx(limit.x, abs=1e-5), "the limit of the likelihood"


def test_columns_that_follow_from_others_are_left_out() -> None:
    one = np.arange(10.0)
    design = np.column_stack([np.ones(10), one, 2 * one + 3, np.zeros(10), one**2])
    assert independent(design, np.ones(10)).tolist() == [True, True, False, False, True]


def test_the_likelihood_and_its_penalty_by_hand() -> None:
    design, penalty = np.array([[1.0, 2.0], [1.0, 0.0]]), np.array([0.0, 0.5])
    found = _likelihood(design, np.array([1.0, 0.0]), np.array([3.0, 5.0]), np.array([0.0, 3.0]), penalty)
    expected = 3 * (6 - np.log(1 + np.exp(6))) - 5 * np.log(2) - 0.5 * 9 / 2
    assert found == pytest.approx(expected)


def test_with_the_penalty_the_slope_is_zero() -> None:
    """Outcomes that a threshold of a number separates; the intercept has no penalty."""
    design = np.column_stack([np.ones(8), np.arange(8.0) - 3])
    outcome, weights = np.repeat([0.0, 1.0], 4), np.array([1.0, 2, 1, 1, 1, 3, 1, 1])
    fit = fit_logistic(design, outcome, weights)
    chance = 1 / (1 + np.exp(-(design @ fit.coefficients)))
    slope = design.T @ (weights * (outcome - chance))
    assert slope == pytest.approx([0.0, RIDGE * fit.coefficients[1]], abs=1e-4)
    assert (fit.is_held, fit.freedom) == (True, np.inf)


def test_a_column_of_one_outcome_is_set_aside_with_its_records() -> None:
    """Two categories have one outcome each; the odds of the rest are those of a table of four."""
    design = np.array([[1.0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]])
    outcome, weights = np.array([1.0, 0, 1, 0, 1, 0]), np.array([20.0, 40, 30, 10, 7, 9])
    fit = fit_logistic(design, outcome, weights)
    assert fit.coefficients[:2] == pytest.approx([np.log(0.5), np.log(6)])
    assert fit.errors[1] == pytest.approx(np.sqrt(1 / 30 + 1 / 10 + 1 / 20 + 1 / 40))
    assert fit.coefficients[2:].tolist() == [ENDLESS, -ENDLESS]
    assert np.isnan(fit.errors[2:]).all()
    assert fit.is_held


def test_a_line_through_as_many_points_as_coefficients_has_no_errors() -> None:
    fit = fit_linear(np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([3.0, 7.0]), np.ones(2))
    assert fit.coefficients == pytest.approx([3, 2])
    assert np.isnan(fit.errors).all()
    assert fit.freedom == np.inf
    more = fit_linear(np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([3.0, 7.0]), np.array([1.0, 2.0]))
    assert more.freedom == 1
    assert more.errors == pytest.approx([0, 0], abs=1e-6)
    assert more.reach(0.95) == pytest.approx(12.7062, abs=1e-4)  # t with one degree of freedom


FEATURES = np.array([[1.0, 0, 2], [1, 1, 0], [1, 0, 1], [1, 2, 0], [1, 1, 1], [1, 0, 0]])
LABELS = np.array([True, False, True, False, True, False])


def ridge_slope(weights: Floats, strength: float) -> Floats:
    """Of the mean unlikelihood with its penalty, by finite differences."""

    def unlikelihood(at: Floats) -> float:
        line = FEATURES @ at
        return float(np.mean(np.logaddexp(0, line) - LABELS * line)) + strength * float(at @ at) / 2

    steps = 1e-5 * np.eye(len(weights))
    return np.array([(unlikelihood(weights + step) - unlikelihood(weights - step)) / 2e-5 for step in steps])


@pytest.mark.parametrize("strength", [0.01, 0.3])
def test_classifiers_end_where_the_penalized_likelihood_is_greatest(strength: float) -> None:
    dense = dense_weights(FEATURES, LABELS, strength=strength, steps=12)
    assert ridge_slope(dense, strength) == pytest.approx(np.zeros(3), abs=1e-8)
    sparse = sparse_weights(csr_matrix(FEATURES), LABELS, strength=strength, steps=800)
    assert sparse == pytest.approx(dense, abs=1e-3)


def test_first_steps_of_classifiers() -> None:
    """From 0 the chances are 1/2: Newton's step by hand, never beyond 5; AdaGrad's has the size 1."""
    slope = FEATURES.T @ (0.5 - LABELS) / 6
    step = np.linalg.solve(FEATURES.T @ FEATURES / 24 + 0.1 * np.eye(3), slope)
    assert dense_weights(FEATURES, LABELS, strength=0.1, steps=1) == pytest.approx(-step)
    tiny = FEATURES[:, 1:] / 1000
    found = dense_weights(tiny, LABELS, strength=1e-9, steps=1)
    assert np.abs(found).max() == pytest.approx(5, rel=1e-9)
    assert found[0] < 0 < found[1]
    first = sparse_weights(csr_matrix(FEATURES[:, 1:]), LABELS, strength=0.1, steps=1)
    assert first == pytest.approx([-1, 1], abs=1e-6)
    assert dense_weights(FEATURES, LABELS, strength=0.1, steps=0).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("far", [5.0, 10.0, 100.0, 1000.0])
def test_steps_that_go_too_far_are_halved(far: float) -> None:
    """An outcome that is rare but for one far value: the first step overshoots by far.

    At the maximum of the likelihood, the scores of both coefficients are zero.
    """
    design = np.column_stack([np.ones(6), np.repeat([0.0, 1.0, far], 2)])
    outcome, weights = np.tile([1.0, 0.0], 3), np.array([1.0, 1000, 2, 1000, 3, 1])
    fit = fit_logistic(design, outcome, weights)
    assert not fit.is_held
    chance = 1 / (1 + np.exp(-(design @ fit.coefficients)))
    score = design.T @ (weights * (outcome - chance))
    assert score == pytest.approx(np.zeros(2), abs=1e-3)
    curve = design.T @ ((weights * chance * (1 - chance))[:, None] * design)
    assert fit.errors == pytest.approx(np.sqrt(np.diag(np.linalg.inv(curve))), rel=1e-3)
