"""Limits on what the classes of a table may reveal about a sensitive column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.settings import check_settings
from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.disclosure.classes import SensitiveClasses
from reidrisk.stats.disclosure.closeness import equal_t, hierarchical_t, ordered_t
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

CLOSE = 1e-9
"""Tolerance: a limit that is missed only in the last digits counts as met."""


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
