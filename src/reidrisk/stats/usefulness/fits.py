"""Linear and logistic regression on distinct rows with weights."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit, ndtri, stdtrit

from reidrisk.stats.arrays import Floats
from reidrisk.stats.usefulness.products import products

STEPS = 50
ENDLESS = 12.0
"""A coefficient of a standardised column beyond this has no end: something separates the outcomes."""
RIDGE = 0.1
"""The penalty, less than what one record weighs, that is used only then."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Coefficients in the order of the design."""

    coefficients: Floats = field(repr=False)
    errors: Floats = field(repr=False)
    """Standard errors; NaN where the model has none."""
    freedom: float
    """Degrees of freedom; endless for a logistic model."""
    is_held: bool = False
    """Whether coefficients without an end had to be held by a penalty."""

    def reach(self, level: float) -> float:
        """Standard errors from the coefficient to an end of its interval."""
        half = (1 + level) / 2
        return float(ndtri(half) if np.isinf(self.freedom) else stdtrit(self.freedom, half))


def fit_linear(design: Floats, outcome: Floats, weights: Floats) -> Fit:
    """Least squares; weights are numbers of records."""
    cross = np.linalg.inv(products(design, weights))
    coefficients = cross @ (design.T @ (weights * outcome))
    freedom = float(weights.sum()) - design.shape[1]
    if freedom <= 0:
        return Fit(coefficients, np.full(coefficients.size, np.nan), np.inf)
    rest = float(weights @ (outcome - design @ coefficients) ** 2) / freedom
    return Fit(coefficients, np.sqrt(np.maximum(rest * np.diag(cross), 0.0)), freedom)


def fit_logistic(design: Floats, outcome: Floats, weights: Floats) -> Fit:
    """Greatest likelihood by reweighted least squares; a penalty only if the outcomes are separated."""
    share = float(np.clip((weights @ outcome) / weights.sum(), 1e-9, 1 - 1e-9))
    start = np.zeros(design.shape[1])
    start[0] = np.log(share / (1 - share))
    found = _newton(design, outcome, weights, start, ridge=0.0)
    if isinstance(found, Fit):
        return found
    held = _newton(design, outcome, weights, found, ridge=RIDGE)
    coefficients = held.coefficients if isinstance(held, Fit) else held
    return Fit(coefficients, np.full(coefficients.size, np.nan), np.inf, is_held=True)


def _newton(design: Floats, outcome: Floats, weights: Floats, at: Floats, *, ridge: float) -> Fit | Floats:
    """How far it came if coefficients run away; the intercept, which is first, is never penalised."""
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
            return Fit(at, np.sqrt(np.maximum(np.diag(np.linalg.inv(curve)), 0.0)), np.inf)
    return at


def _likelihood(design: Floats, outcome: Floats, weights: Floats, at: Floats, penalty: Floats) -> float:
    line = design @ at
    return float(weights @ (outcome * line - np.logaddexp(0.0, line)) - penalty @ at**2 / 2)
