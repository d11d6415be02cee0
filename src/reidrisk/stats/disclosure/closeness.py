"""t-closeness: how far the values of a class are from those of the whole table (Li et al. 2007,
doi:10.1109/ICDE.2007.367856). The earth mover's distance, from 0 to 1, with three ground distances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.disclosure.classes import SensitiveClasses


def equal_t(classes: SensitiveClasses) -> Floats:
    """By class: all values are equally far from each other."""
    overall = classes.overall[classes.value]
    apart = classes.added(np.abs(classes.share - overall) - overall)
    return np.clip((apart + 1) / 2, 0.0, 1.0)


def ordered_t(classes: SensitiveClasses) -> Floats:
    """By class: values are as far from each other as their places in the order.

    Nothing changes between two values that a class has but the share of the whole table, which grows: the
    sum of distances is taken at once for all places between.
    """
    values = classes.overall.size
    if values == 1:
        return np.zeros(classes.size.size)
    whole = np.cumsum(classes.overall)
    sums = np.concatenate([[0.0], np.cumsum(whole)])
    first = np.zeros(classes.of.size, dtype=np.bool_)
    first[classes.starts] = True
    running = np.cumsum(classes.share)
    running -= (running - classes.share)[classes.starts][classes.of]
    begin = classes.value
    end = np.append(begin[1:], values)
    end[np.append(first[1:], True)] = values
    turn = np.clip(np.searchsorted(whole, running, side="right"), begin, end)
    below = running * (turn - begin) - (sums[turn] - sums[begin])
    above = (sums[end] - sums[turn]) - running * (end - turn)
    apart = classes.added(below + above) + sums[classes.value[classes.starts]]
    return np.asarray(np.clip(apart / (values - 1), 0.0, 1.0))


def hierarchical_t(classes: SensitiveClasses, levels: Sequence[Ints]) -> Floats:
    """By class: values are as far from each other as the level that joins them is high.

    `levels` give the code of every value at each level of its hierarchy, the values themselves first. The
    distance of the paper is the mean, over all levels but one that joins everything, of the distance between
    equally far values.
    """
    apart = [level for level in levels if level.size and int(level.max()) > int(level.min())]
    if not apart:
        return np.zeros(classes.size.size)
    total = np.zeros(classes.size.size)
    for level in apart:
        total += equal_t(classes.joined(level - int(level.min())))
    return np.asarray(total / len(apart))
