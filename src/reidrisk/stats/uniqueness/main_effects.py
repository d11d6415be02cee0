"""The log-linear model of independent columns without its table: the means are products of margins."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Ints
from reidrisk.stats.uniqueness.skinner_shlomo import ExpectedMatches, expected_matches


def independent_matches(codes: Ints, number: Ints, fraction: float) -> ExpectedMatches:
    """Of distinct tuples, one row each, that hold `number` records; however many cells there could be.

    >>> found = independent_matches(np.array([[0, 0], [0, 1], [1, 0]]), np.array([1, 1, 2]), 1.0)
    >>> found.population_uniques
    2.0
    """
    records, unique = float(number.sum()), number == 1
    means = np.full(int(unique.sum()), records)
    for column in codes.T:
        margin = np.bincount(column, weights=number)
        means *= margin[column[unique]] / records
    return expected_matches(means, fraction)
