"""Limits on what the classes of a table may reveal about a sensitive column.

t-closeness is the distance between the values of a class and those of the whole table (Li et al. 2007,
doi:10.1109/ICDE.2007.367856): the earth mover's distance, from 0 to 1, with three ground distances.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.settings import check_settings
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.disclosure.classes import SensitiveClasses
from reidrisk.stats.disclosure.diversity import distinct_l, entropy_l, recursive_l
from reidrisk.stats.disclosure.likeness import basic_beta, enhanced_beta, present_delta
from reidrisk.stats.disclosure.settings import (
    BETA,
    DELTA,
    DISTANCE,
    DIVERSITY,
    LIKENESS,
    SENSITIVE_SETTINGS,
    C,
    Distance,
    Diversity,
    L,
    Likeness,
    T,
)


@dataclass(frozen=True, slots=True)
class SensitiveLimits:
    """Limits on what a class may reveal about a sensitive column; None means no limit."""

    l: float | None = L.default  # noqa: E741 - the name in the literature
    """Least number of values in a class."""
    t: float | None = T.default
    """Greatest distance between a class and the whole table."""
    beta: float | None = BETA.default
    """Greatest relative gain of a value."""
    delta: float | None = DELTA.default
    """Greatest change of a value's share, in doublings or halvings."""
    diversity: Diversity = DIVERSITY.default
    """How the values of a class are counted for l."""
    c: float = C.default
    """For recursive diversity: how much more frequent the most frequent value may be."""
    distance: Distance = DISTANCE.default
    """Distance of values for t; `auto` uses the order of numbers and dates, else equal distances."""
    likeness: Likeness = LIKENESS.default
    """The form of beta."""

    def __post_init__(self) -> None:
        check_settings(SENSITIVE_SETTINGS, self)

    @property
    def asks(self) -> bool:
        """Whether anything is limited."""
        return any(getattr(self, name) is not None for name in CRITERIA)

    def to_dict(self) -> dict[str, Any]:
        """The limits as JSON types."""
        return asdict(self)

    def figures(self, classes: SensitiveClasses, levels: Sequence[Ints] = ()) -> dict[str, Floats]:
        """By criterion and class; `levels` for a hierarchical distance. `auto` is not allowed here."""
        return {name: figure(self, name, classes, levels) for name in CRITERIA}

    def kept(self, classes: SensitiveClasses, levels: Sequence[Ints] = ()) -> NDArray[np.bool_]:
        """Whether each class is within all limits."""
        held = np.ones(classes.size.size, dtype=np.bool_)
        for name in self.named():
            held &= within(name, getattr(self, name), figure(self, name, classes, levels))
        return held

    def named(self) -> Iterator[str]:
        """The criteria that are limited."""
        return (name for name in CRITERIA if getattr(self, name) is not None)


SecretLimits = SensitiveLimits
"""The former name of `SensitiveLimits`."""


CRITERIA = ("l", "t", "beta", "delta")


def within(name: str, limit: float, figures: Floats) -> NDArray[np.bool_]:
    """Whether figures are within a limit: a minimum for l, a maximum for all others."""
    if name == "l":
        return np.asarray(figures >= limit * (1 - CLOSE))
    return np.asarray(figures <= limit * (1 + CLOSE) + CLOSE)


def figure(limits: SensitiveLimits, name: str, classes: SensitiveClasses, levels: Sequence[Ints]) -> Floats:
    """The figure of one criterion for every class."""
    if name == "l":
        if limits.diversity == "recursive":
            return recursive_l(classes, c=limits.c)
        return distinct_l(classes) if limits.diversity == "distinct" else entropy_l(classes)
    if name == "t":
        if limits.distance == "hierarchical":
            return hierarchical_t(classes, levels)
        return ordered_t(classes) if limits.distance == "ordered" else equal_t(classes)
    if name == "beta":
        return basic_beta(classes) if limits.likeness == "basic" else enhanced_beta(classes)
    return present_delta(classes)


def equal_t(classes: SensitiveClasses) -> Floats:
    """By class: t if all values are equally far from each other."""
    overall = classes.overall[classes.value]
    apart = classes.added(np.abs(classes.share - overall) - overall)
    return np.clip((apart + 1) / 2, 0.0, 1.0)


def ordered_t(classes: SensitiveClasses) -> Floats:
    """By class: t if the distance of two values is the difference of their ranks.

    Between two values of a class, only the cumulative share of the whole table changes, so that the sum of
    distances over all ranks between them is computed at once.
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
    """By class: t if the distance of two values is the height of the level that merges them.

    `levels` has the code of every value at each level of its hierarchy, starting with the values themselves.
    The distance of the paper is the mean of `equal_t` over all levels, except one that merges everything.
    """
    apart = [level for level in levels if level.size and int(level.max()) > int(level.min())]
    if not apart:
        return np.zeros(classes.size.size)
    total = np.zeros(classes.size.size)
    for level in apart:
        total += equal_t(classes.joined(level))
    return np.asarray(total / len(apart))


CLOSE = 1e-9
"""Tolerance: a limit that is missed only in the last digits counts as met."""
