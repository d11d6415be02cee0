"""Do documents of the same group leak alike, although nobody named clusters? A permutation test."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats, Ints

PERMUTATIONS = 1999
SIGNIFICANT = 0.01


def likeness_of_groups(risks: Floats, group: Ints, *, rng: np.random.Generator) -> float:
    """p-value of the hypothesis that leaks do not depend on the group of a document.

    The statistic is the sum over groups of the squared sum of observed risks; it is compared with its values
    after random permutations of the risks.

    >>> risks, group = np.repeat([1.0, 0.0], [10, 90]), np.repeat(np.arange(10), 10)
    >>> likeness_of_groups(risks, group, rng=np.random.default_rng(7))
    0.0005
    """
    values = risks[risks > 0]
    if values.size < 2 or (values.size == risks.size and np.ptp(values) == 0):
        return 1.0
    groups = int(group.max()) + 1
    observed = _statistic(group[risks > 0], values, groups)
    as_much = 0
    for _ in range(PERMUTATIONS):
        places = rng.choice(group.size, values.size, replace=False)
        as_much += _statistic(group[places], values, groups) >= observed * (1 - 1e-12)
    return (1 + as_much) / (PERMUTATIONS + 1)


def _statistic(group: Ints, values: Floats, groups: int) -> float:
    sums = np.bincount(group, weights=values, minlength=groups)
    return float(sums @ sums)
