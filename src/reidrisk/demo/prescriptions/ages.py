"""How old children are when they come, and how many of them are boys."""

from __future__ import annotations

import numpy as np

from reidrisk.demo.prescriptions.study import YEAR
from reidrisk.stats.arrays import Bools, Floats, Ints

_FIRST_YEAR = (
    *((0, 1, 3.0), (1, 2, 1.6), (2, 4, 1.4), (4, 7, 1.2), (7, 14, 1.4), (14, 28, 1.9)),
    *((28, 60, 3.6), (60, 90, 2.4), (90, 182, 4.2), (182, 365, 4.8)),
)
"""Days from, to, and per cent of patients.

A quarter are under one year: the whole list has the quartiles 1, 5 and 12 years of 624 stays at
children's hospitals (pediatrics.aappublications.org, table 122851). One in ten comes as a newborn: a
hospital with a neonatal unit but no births of its own receives them sick, in the first days (ours).
"""
_LATER_YEARS = (
    *(9.5, 7.0, 5.5, 4.5),
    *(4.2, 3.7, 3.4, 3.2, 3.1),
    *(3.1, 3.2, 3.4, 3.6, 3.9),
    *(4.4, 4.6, 3.7),
    *(0.4, 0.1),
)
"""Per cent of patients in each year of life from the second: falling to the age of nine, rising again
in adolescence, and a few who stay with the hospital past their 18th birthday (the form is that of
hospital statistics of children, such as HCUP Statistical Briefs 118 and 299; the numbers ours)."""

BANDS = (0, 28, 365, round(5 * YEAR), round(10 * YEAR), round(15 * YEAR))
"""First day of the bands of age by which illnesses differ: newborn, infant, 1-4, 5-9, 10-14, 15 on."""
_BOYS = np.array([0.55, 0.55, 0.57, 0.57, 0.52, 0.45])
"""Share of boys in each band. Of US hospital discharges in 1996, girls were 43 % at 1-4 and 5-9 years
and 48 % at 10-14 (pediatrics.aappublications.org, table 62695). Its 70 % girls at 15-17 are mostly
childbirth, which a children's hospital has not; self-harm and eating disorders remain (ours), as do
the first two bands. About 54 % in all, as usual in children's hospitals."""


def first_ages(patients: int, *, rng: np.random.Generator) -> Ints:
    """Age in days of each patient at the first visit."""
    edges = [round(year * YEAR) for year in range(1, len(_LATER_YEARS) + 2)]
    later = zip(edges, edges[1:], _LATER_YEARS, strict=False)
    low, high, share = (np.array(column) for column in zip(*_FIRST_YEAR, *later, strict=True))
    drawn = rng.choice(share.size, size=patients, p=share / share.sum())
    return rng.integers(low[drawn], high[drawn]).astype(np.int64)


def band_of(ages: Ints) -> Ints:
    """The number of the band of each age in days."""
    return np.searchsorted(np.array(BANDS), ages, side="right").astype(np.int64) - 1


def boys(ages: Ints, *, rng: np.random.Generator) -> Bools:
    """Who is a boy, by age at the first visit."""
    return rng.random(ages.size) < _BOYS[band_of(ages)]


def kilograms(ages: Ints) -> Floats:
    """Usual weight: 3.4 kg and half a kilogram a month, then 2 (age + 4), then three times the age and 7.

    The rules of thumb of resuscitation courses (APLS), by which doses are checked.

    >>> kilograms(np.array([0, 3653, 6000])).round().tolist()
    [3.0, 28.0, 56.0]
    """
    years = ages / YEAR
    return np.where(years < 1, 3.4 + 6 * years, np.where(years < 10.5, 2 * (years + 4), 3 * years + 7))
