"""Prosecutor, journalist and marketer risk from the sizes of equivalence classes.

The measures are those of El Emam et al. 2009 (Can J Hosp Pharm 62(4):307) and of Kniola 2016. The hospital
paper prints the overall risk as the minimum of 1 / f; it is the maximum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints

CURVE = (0.05, 0.09, 0.1, 0.2, 1 / 3, 0.5, 1.0)
"""The risks at which the cumulative share of records is reported."""


@dataclass(frozen=True, slots=True)
class AttackRisk:
    """The risk from one kind of adversary."""

    highest: float
    average: float
    share_above: float
    """Share of records whose class is smaller than the cell size."""


@dataclass(frozen=True, slots=True)
class MatchedClasses:
    """Classes of a data set with their size in the population, and the number of such classes."""

    sample: Ints
    population: Ints
    number: Ints

    def __post_init__(self) -> None:
        if np.any(self.population < self.sample):
            short = int(self.number[self.population < self.sample].sum())
            raise InvalidSetting(
                f"In {short} classes the population has fewer records than the data set drawn from it.",
                hint="The population must include everybody in the data set, coded in the same way.",
            )

    @property
    def records(self) -> int:
        """Number of records in the data set."""
        return int(self.sample @ self.number)


def prosecutor(sizes: Ints, number: Ints, *, cell_size: int) -> AttackRisk:
    """The adversary knows that the target is in the data: risk 1 / f.

    >>> risk = prosecutor(np.array([2, 3]), np.array([4, 1]), cell_size=3)
    >>> risk.highest, round(risk.average, 3), round(risk.share_above, 3)
    (0.5, 0.455, 0.727)
    """
    records = int(sizes @ number)
    below = int((sizes * number)[sizes < cell_size].sum())
    return AttackRisk(1 / int(sizes.min()), int(number.sum()) / records, below / records)


def journalist(matched: MatchedClasses, *, cell_size: int) -> AttackRisk:
    """The adversary knows that the target is in the population: risk 1 / F."""
    f, big, number = matched.sample, matched.population, matched.number
    by_class = float(number.sum() / (big @ number))
    below = int((f * number)[big < cell_size].sum())
    average = max(by_class, expected_matches(matched) / matched.records)
    return AttackRisk(1 / int(big.min()), average, below / matched.records)


def expected_matches(matched: MatchedClasses) -> float:
    """Expected number of records that a marketer who matches everybody gets right: the sum of f / F."""
    return float((matched.sample / matched.population) @ matched.number)


def risk_curve(sizes: Ints, number: Ints) -> list[tuple[float, float]]:
    """Share of records whose risk 1 / f is at most each of the usual values."""
    records, held = int(sizes @ number), sizes * number
    return [(risk, int(held[sizes * risk >= 1 - 1e-12].sum()) / records) for risk in CURVE]


def discernibility(sizes: Ints, number: Ints, *, cell_size: int = 1) -> int:
    """Sum of squared class sizes; records of classes below the cell size count as suppressed."""
    kept = sizes >= cell_size
    suppressed = int((sizes * number)[~kept].sum())
    return int((sizes[kept] ** 2) @ number[kept]) + int(sizes @ number) * suppressed
