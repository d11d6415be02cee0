"""Can a model tell released records from original ones? The propensity score mean squared error.

Woo, Reiter, Oganian and Karr 2009 (doi:10.29012/jpc.v1i1.568); its null distribution for logistic models:
Snoke, Raab, Nowok, Dibben and Slavkovic 2018 (doi:10.1111/rssa.12358).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import expit

from reidrisk.stats.arrays import Floats
from reidrisk.stats.usefulness.design import independent
from reidrisk.stats.usefulness.fits import fit_logistic


@dataclass(frozen=True, slots=True)
class Propensity:
    """The score and what chance would make of it."""

    pmse: float
    """0 if records cannot be told apart; at most c (1 - c), with c the share of released records."""
    parameters: int
    """Of the model, with its intercept."""
    share: float
    """Of released records among all."""
    records: float
    is_held: bool
    """Whether something tells all records apart, so that the model had to be held by a penalty."""

    @property
    def expected(self) -> float:
        """The mean if released records were drawn anew from the distribution of the original ones."""
        return (self.parameters - 1) * (1 - self.share) ** 2 * self.share / self.records

    @property
    def ratio(self) -> float | None:
        """How many times what chance alone would give; None if the model has no columns."""
        return self.pmse / self.expected if self.parameters > 1 else None

    @property
    def standardised(self) -> float | None:
        """Standard deviations above what chance would give."""
        if self.parameters <= 1:
            return None
        spread = sqrt(2 * (self.parameters - 1)) * (1 - self.share) ** 2 * self.share / self.records
        return (self.pmse - self.expected) / spread


def propensity(design: Floats, released: Floats, weights: Floats) -> Propensity:
    """Of records with an intercept first; `released` is 1 for released ones and 0 for original ones."""
    kept = independent(design, weights)
    fit = fit_logistic(design[:, kept], released, weights)
    records = float(weights.sum())
    share = float(weights @ released) / records
    score = expit(design[:, kept] @ fit.coefficients)
    pmse = float(weights @ (score - share) ** 2) / records
    return Propensity(pmse, int(np.count_nonzero(kept)), share, records, fit.is_held)
