"""Sample uniques that are population uniques, by a log-linear model (Skinner and Shlomo 2008)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats


@dataclass(frozen=True, slots=True)
class ExpectedMatches:
    """Over the records that are unique in the sample."""

    population_uniques: float
    """tau 1: how many are unique in the population too."""
    correct_matches: float
    """tau 2: how many an adversary matches correctly who picks one of the population class."""


def expected_matches(means: Floats, fraction: float) -> ExpectedMatches:
    """From the fitted sample means of the cells that hold one record.

    The people of such a cell who were not sampled are Poisson with mean mu (1 - pi) / pi. Without the
    division by pi, as one public program has it, the answer is many times too high.
    """
    if not 0 < fraction <= 1 or np.any(means <= 0):
        raise InvalidSetting(
            f"A sampling fraction of {fraction} and the fitted means do not go together.",
            hint="The fraction is above 0 and at most 1, every fitted mean of a record's cell above 0.",
        )
    others = means * (1 - fraction) / fraction
    share = np.where(others > 0, -np.expm1(-others) / np.where(others > 0, others, 1), 1.0)
    return ExpectedMatches(float(np.exp(-others).sum()), float(share.sum()))
