"""How well a model predicts, and how well it distinguishes original from released records.

The propensity score mean squared error: Woo, Reiter, Oganian and Karr 2009 (doi:10.29012/jpc.v1i1.568); its
null distribution for logistic models: Snoke, Raab, Nowok, Dibben and Slavkovic 2018 (doi:10.1111/rssa.12358).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import expit

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.regression import fit_linear, fit_logistic
from reidrisk.stats.usefulness.design import independent


@dataclass(frozen=True, slots=True)
class Propensity:
    """The propensity score and its value under chance alone."""

    pmse: float
    """0 if records cannot be distinguished; at most c (1 - c), with c the share of released records."""
    parameters: int
    """Number of parameters of the model, with its intercept."""
    share: float
    """Share of released records among all."""
    records: float
    is_held: bool
    """Whether something separates all records, so that the model needed a penalty."""

    @property
    def expected(self) -> float:
        """The mean if released records were drawn from the distribution of the original ones."""
        return (self.parameters - 1) * (1 - self.share) ** 2 * self.share / self.records

    @property
    def ratio(self) -> float | None:
        """Ratio to the value under chance alone; None if the model has no columns."""
        return self.pmse / self.expected if self.parameters > 1 else None

    @property
    def standardised(self) -> float | None:
        """Standard deviations above the value under chance alone."""
        if self.parameters <= 1:
            return None
        spread = sqrt(2 * (self.parameters - 1)) * (1 - self.share) ** 2 * self.share / self.records
        return (self.pmse - self.expected) / spread


def propensity(design: Floats, released: Floats, weights: Floats) -> Propensity:
    """Fit to records with an intercept first; `released` is 1 for released and 0 for original records."""
    kept = independent(design, weights)
    fit = fit_logistic(design[:, kept], released, weights)
    records = float(weights.sum())
    share = float(weights @ released) / records
    score = expit(design[:, kept] @ fit.coefficients)
    pmse = float(weights @ (score - share) ** 2) / records
    return Propensity(pmse, int(np.count_nonzero(kept)), share, records, fit.is_held)


def r_squared(outcome: Floats, predicted: Floats, weights: Floats) -> float | None:
    """R squared: 1 for perfect predictions, 0 if the mean does as well, below 0 if the mean does better."""
    mean = np.average(outcome, weights=weights)
    spread = float(weights @ (outcome - mean) ** 2)
    return 1 - float(weights @ (outcome - predicted) ** 2) / spread if spread > 0 else None


def auc(outcome: Floats, score: Floats, weights: Floats) -> float | None:
    """AUC: the probability that a record with the outcome scores higher than one without; ties count half.

    >>> auc(np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.1, 0.4, 0.35, 0.8]), np.ones(4))
    0.75
    """
    _, place = np.unique(score, return_inverse=True)
    yes = np.bincount(place, weights=weights * outcome)
    no = np.bincount(place, weights=weights * (1 - outcome))
    pairs = float(yes.sum() * no.sum())
    return float(yes @ (np.cumsum(no) - no / 2)) / pairs if pairs > 0 else None


def score_model(
    train: tuple[Floats, Floats, Floats], test: tuple[Floats, Floats, Floats], *, is_linear: bool
) -> float | None:
    """The score of a model that is fitted to one set of design, outcome and weights, on another set."""
    design, outcome, weights = train
    other, truth, numbers = test
    if not is_linear and not 0 < float(weights @ outcome) < float(weights.sum()):
        return None
    kept = independent(design, weights)
    fit = (fit_linear if is_linear else fit_logistic)(design[:, kept], outcome, weights)
    line = other[:, kept] @ fit.coefficients
    return r_squared(truth, line, numbers) if is_linear else auc(truth, expit(line), numbers)


def cross_validate(data: tuple[Floats, Floats, Floats], folds: Ints, *, is_linear: bool) -> float | None:
    """The mean score over folds, each predicted from the others; None if none can be predicted."""
    design, outcome, weights = data
    found = []
    for fold in np.unique(folds):
        out = folds == fold
        train, test = ((design[rows], outcome[rows], weights[rows]) for rows in (~out, out))
        score = score_model(train, test, is_linear=is_linear)
        if score is not None:
            found.append(score)
    return float(np.mean(found)) if found else None
