from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import minimize

from reidrisk.stats.arrays import Floats
from reidrisk.stats.regression import fit_linear, fit_logistic
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
