"""l-diversity: the number of values in a class, counted in three ways.

Machanavajjhala et al. 2007, doi:10.1145/1217299.1217302. The larger the number, the less a class reveals.
"""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.disclosure.classes import SensitiveClasses


def distinct_l(classes: SensitiveClasses) -> Floats:
    """By class: number of distinct values.

    >>> distinct_l(SensitiveClasses.count_up(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([2, 1, 4])))
    array([2., 1.])
    """
    return classes.added(np.ones(classes.of.size))


def entropy_l(classes: SensitiveClasses) -> Floats:
    """By class: the number of equally frequent values that would have the same entropy."""
    return np.asarray(np.exp(classes.added(-classes.share * np.log(classes.share))))


def recursive_l(classes: SensitiveClasses, *, c: float) -> Floats:
    """By class: the largest l for which it is recursively (c, l)-diverse; 0 if there is none.

    The most frequent value is less than c times as frequent as all values from the l-th on together.
    """
    order = np.lexsort((-classes.count, classes.of))
    count = classes.count[order]
    before = np.cumsum(count) - count
    tail = classes.size[classes.of] - (before - before[classes.starts][classes.of])
    holds = count[classes.starts][classes.of] < c * tail
    return classes.added(holds.astype(np.float64))


def sure_share(classes: SensitiveClasses) -> Floats:
    """By class: the share of its most frequent value, the probability that the best guess is right."""
    return classes.largest(classes.share)
