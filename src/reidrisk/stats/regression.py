"""Linear and logistic regression: models with standard errors, and classifiers with a ridge penalty.

`fit_linear` and `fit_logistic` describe data: they work on distinct rows with weights and return coefficients
with standard errors. `dense_weights` and `sparse_weights` predict: they run a fixed number of steps on a
logistic likelihood with a ridge penalty, and return the weights of the features only. The two kinds cannot
share a loop: penalty, step rule and stopping rule differ, and so would the last digits of the results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import expit, ndtri, stdtrit

from reidrisk.stats.arrays import Bools, Floats

STEPS = 50
ENDLESS = 12.0
"""A coefficient of a standardized column beyond this is infinite: something separates the outcomes."""
RIDGE = 0.1
"""The penalty in that case only; less than the weight of one record."""
RATE = 1.0
"""Step size of `sparse_weights`."""


@dataclass(frozen=True, slots=True, eq=False)
class RegressionFit:
    """Coefficients in the order of the design."""

    coefficients: Floats = field(repr=False)
    errors: Floats = field(repr=False)
    """Standard errors; NaN where undefined."""
    freedom: float
    """Degrees of freedom; infinite for a logistic model."""
    is_held: bool = False
    """Whether some coefficients are infinite and are held at a bound or by the penalty."""

    def reach(self, level: float) -> float:
        """Distance from the coefficient to an end of its interval, in standard errors."""
        half = (1 + level) / 2
        return float(ndtri(half) if np.isinf(self.freedom) else stdtrit(self.freedom, half))


def fit_linear(design: Floats, outcome: Floats, weights: Floats) -> RegressionFit:
    """Least squares; weights are numbers of records."""
    from reidrisk.stats.usefulness.design import products  # needs numba, which the text commands do without

    cross = np.linalg.inv(products(design, weights))
    coefficients = cross @ (design.T @ (weights * outcome))
    freedom = float(weights.sum()) - design.shape[1]
    if freedom <= 0:
        return RegressionFit(coefficients, np.full(coefficients.size, np.nan), np.inf)
    rest = float(weights @ (outcome - design @ coefficients) ** 2) / freedom
    return RegressionFit(coefficients, np.sqrt(np.maximum(rest * np.diag(cross), 0.0)), freedom)


def fit_logistic(design: Floats, outcome: Floats, weights: Floats) -> RegressionFit:
    """Maximum likelihood by reweighted least squares; a penalty only if the outcomes are separated.

    If all records of a category have the same outcome, its coefficient is infinite. The other coefficients
    are then those of the remaining records, which is the limit of the likelihood.
    """
    found = _newton(design, outcome, weights, _start(design, outcome, weights), ridge=0.0)
    if isinstance(found, RegressionFit):
        return found
    return _without_endless(design, outcome, weights) or _fit_with_penalty(design, outcome, weights, found)


def _start(design: Floats, outcome: Floats, weights: Floats) -> Floats:
    """Start from the share of the outcome, regardless of the columns."""
    share = float(np.clip((weights @ outcome) / weights.sum(), 1e-9, 1 - 1e-9))
    start = np.zeros(design.shape[1])
    start[0] = np.log(share / (1 - share))
    return start


def _fit_with_penalty(design: Floats, outcome: Floats, weights: Floats, start: Floats) -> RegressionFit:
    """Fit with the penalty; there are no standard errors."""
    held = _newton(design, outcome, weights, start, ridge=RIDGE)
    coefficients = held.coefficients if isinstance(held, RegressionFit) else held
    return RegressionFit(coefficients, np.full(coefficients.size, np.nan), np.inf, is_held=True)


def _without_endless(design: Floats, outcome: Floats, weights: Floats) -> RegressionFit | None:
    """Set aside terms whose records all have one outcome, with these records; None if there are none."""
    from reidrisk.stats.usefulness.design import independent

    endless = np.zeros(design.shape[1])
    rows = np.ones(len(design), dtype=np.bool_)
    while (more := _one_outcome(design[rows], outcome[rows], endless == 0)).any():
        rows &= ~(design[:, more != 0] == 1).any(axis=1)
        endless += more
    if not endless.any() or not 0 < float(weights[rows] @ outcome[rows]) < float(weights[rows].sum()):
        return None
    left = np.flatnonzero(endless == 0)
    own = left[independent(design[np.ix_(rows, left)], weights[rows])]
    data = design[np.ix_(rows, own)], outcome[rows], weights[rows]
    found = _newton(*data, _start(*data), ridge=0.0)
    if not isinstance(found, RegressionFit):
        return None
    coefficients, errors = endless * ENDLESS, np.full(endless.size, np.nan)
    coefficients[own], errors[own] = found.coefficients, found.errors
    return RegressionFit(coefficients, errors, np.inf, is_held=True)


def _one_outcome(design: Floats, outcome: Floats, asked: Bools) -> Floats:
    """For each category: 1 if all its records have the outcome, -1 if none has it, else 0."""
    found = np.zeros(design.shape[1])
    for at in np.flatnonzero(asked)[1:]:  # the intercept, which is first, is not a category
        column = design[:, at]
        inside = column == 1
        if inside.any() and not column[~inside].any() and np.ptp(outcome[inside]) == 0:
            found[at] = 1.0 if outcome[inside][0] == 1 else -1.0
    return found


def _newton(
    design: Floats, outcome: Floats, weights: Floats, at: Floats, *, ridge: float
) -> RegressionFit | Floats:
    """Newton's method with step halving; returns the current coefficients if it does not converge.

    The intercept, which is first, is never penalized.
    """
    from reidrisk.stats.usefulness.design import products

    penalty = np.full(design.shape[1], ridge)
    penalty[0] = 0.0
    top = _likelihood(design, outcome, weights, at, penalty)
    rows = np.ascontiguousarray(design)
    for _ in range(STEPS):
        chance = expit(design @ at)
        curve = products(rows, weights * chance * (1 - chance)) + np.diag(penalty)
        slope = design.T @ (weights * (outcome - chance)) - penalty * at
        try:
            step = np.linalg.solve(curve, slope)
        except np.linalg.LinAlgError:
            return at
        size = 1.0
        while (new := _likelihood(design, outcome, weights, at + size * step, penalty)) < top - 1e-9:
            size /= 2
            if size < 1e-8:
                return at
        at, gain, top = at + size * step, new - top, new
        if not ridge and np.abs(at[1:]).max(initial=0.0) > ENDLESS:
            return at
        if gain < 1e-10 * (abs(top) + 1.0):
            return RegressionFit(at, np.sqrt(np.maximum(np.diag(np.linalg.inv(curve)), 0.0)), np.inf)
    return at


def _likelihood(design: Floats, outcome: Floats, weights: Floats, at: Floats, penalty: Floats) -> float:
    line = design @ at
    return float(weights @ (outcome * line - np.logaddexp(0.0, line)) - penalty @ at**2 / 2)


def dense_weights(features: Floats, labels: Bools, *, strength: float, steps: int) -> Floats:
    """Weights of a logistic classifier by Newton's method, with a ridge penalty of `strength`.

    The penalty applies to all features, a constant one included. No step changes a weight by more than 5.
    """
    wanted = labels.astype(float)
    size = features.shape[1]
    weights: Floats = np.zeros(size)
    for _ in range(steps):
        chances = expit(features @ weights)
        slope = features.T @ (chances - wanted) / wanted.size + strength * weights
        bend = (features * (chances * (1 - chances))[:, None]).T @ features / wanted.size
        step = np.linalg.solve(bend + strength * np.eye(size), slope)
        weights -= step * min(1.0, 5.0 / (float(np.abs(step).max()) + 1e-12))
    return weights


def sparse_weights(matrix: Any, labels: Bools, *, strength: float, steps: int) -> Floats:
    """Weights of a logistic classifier on sparse features, with a ridge penalty of `strength`.

    Gradient descent with a step size per feature (Duchi, Hazan and Singer 2011, AdaGrad).
    """
    wanted = labels.astype(float)
    weights: Floats = np.zeros(matrix.shape[1])
    squares = np.full(matrix.shape[1], 1e-12)
    turned = matrix.T.tocsr()
    for _ in range(steps):
        slope = turned @ (expit(matrix @ weights) - wanted) / wanted.size + strength * weights
        squares += slope * slope
        weights -= RATE * slope / np.sqrt(squares)
    return weights
