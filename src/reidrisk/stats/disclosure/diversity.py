"""l-diversity: how many values a class has, in three ways of counting (Machanavajjhala et al. 2007,
doi:10.1145/1217299.1217302). The larger, the less is given away."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.disclosure.classes import SensitiveClasses


def distinct_l(classes: SensitiveClasses) -> Floats:
    """By class: how many values it has.

    >>> distinct_l(SensitiveClasses.count_up(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([2, 1, 4])))
    array([2., 1.])
    """
    return classes.added(np.ones(classes.of.size))


def entropy_l(classes: SensitiveClasses) -> Floats:
    """By class: so many values of equal frequency would have the same entropy."""
    return np.asarray(np.exp(classes.added(-classes.share * np.log(classes.share))))


def recursive_l(classes: SensitiveClasses, *, c: float) -> Floats:
    """By class: the largest l for which it is recursively (c, l)-diverse; 0 if for none.

    The most frequent value occurs fewer than c times as often as all from the l-th most frequent on.
    """
    order = np.lexsort((-classes.count, classes.of))
    count = classes.count[order]
    before = np.cumsum(count) - count
    tail = classes.size[classes.of] - (before - before[classes.starts][classes.of])
    holds = count[classes.starts][classes.of] < c * tail
    return classes.added(holds.astype(np.float64))


def sure_share(classes: SensitiveClasses) -> Floats:
    """By class: the share of its most frequent value, which is the chance of the best guess."""
    return classes.largest(classes.share)
