"""Synthetic hospital visits: dates, patients and ages.

The counts are from Can J Hosp Pharm 2009;62(4):307-319: prescriptions dispensed by the pharmacy of one
medium-sized children's hospital in Ottawa. Everything else is drawn from general knowledge about children in
hospital; each table in this package cites the source of its numbers. "Our own" marks a number that we chose
as plausible without a source. No number was chosen by looking at class sizes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reidrisk.demo.prescriptions.illnesses import frequencies, illnesses, seasons
from reidrisk.stats.arrays import Bools, Floats, Ints

PRESCRIPTIONS = 94_100
VISITS = 10_364
PATIENTS = 6_970
FIRST_DAY = np.datetime64("2007-01-01")
LAST_DAY = np.datetime64("2008-06-30")
DAYS = int((LAST_DAY - FIRST_DAY).astype(np.int64)) + 1
"""Days of admission are counted from the first day of the window, 0 to DAYS - 1."""
YEAR = 365.25


_FIRST_YEAR = (
    *((0, 1, 3.0), (1, 2, 1.6), (2, 4, 1.4), (4, 7, 1.2), (7, 14, 1.4), (14, 28, 1.9)),
    *((28, 60, 3.6), (60, 90, 2.4), (90, 182, 4.2), (182, 365, 4.8)),
)
"""First day, last day, and percentage of patients.

A quarter are under one year: the whole list matches the quartiles 1, 5 and 12 years of 624 stays at
children's hospitals (pediatrics.aappublications.org, table 122851). One in ten comes as a newborn: a
hospital with a neonatal unit but without births receives them sick, in the first days (our own).
"""
_LATER_YEARS = (
    *(9.5, 7.0, 5.5, 4.5),
    *(4.2, 3.7, 3.4, 3.2, 3.1),
    *(3.1, 3.2, 3.4, 3.6, 3.9),
    *(4.4, 4.6, 3.7),
    *(0.4, 0.1),
)
"""Percentage of patients in each year of life from the second: falling to age nine, rising again in
adolescence, and a few patients past their 18th birthday (the shape is that of hospital statistics of
children, such as HCUP Statistical Briefs 118 and 299; the numbers are our own)."""

BANDS = (0, 28, 365, round(5 * YEAR), round(10 * YEAR), round(15 * YEAR))
"""First day of the age bands used for illnesses: newborn, infant, 1-4, 5-9, 10-14, 15 on."""
_BOYS = np.array([0.55, 0.55, 0.57, 0.57, 0.52, 0.45])
"""Share of boys in each band. Of US hospital discharges in 1996, girls were 43 % at 1-4 and 5-9 years
and 48 % at 10-14 (pediatrics.aappublications.org, table 62695). Its 70 % girls at 15-17 are mostly
childbirth, which a children's hospital does not have; self-harm and eating disorders remain. That band and
the first two are our own. About 54 % in total, as is usual in children's hospitals."""


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
    """Usual weight: 3.4 kg plus half a kilogram per month, then 2 (age + 4), then three times the age plus 7.

    These are rules of thumb from resuscitation courses (APLS), used to check doses.

    >>> kilograms(np.array([0, 3653, 6000])).round().tolist()
    [3.0, 28.0, 56.0]
    """
    years = ages / YEAR
    return np.where(years < 1, 3.4 + 6 * years, np.where(years < 10.5, 2 * (years + 4), 3 * years + 7))


Days = NDArray[np.datetime64]

_MONTHS = np.array([1.15, 1.15, 1.12, 1.02, 1.0, 0.95, 0.85, 0.82, 0.95, 1.0, 1.05, 1.05])
"""From January. Respiratory viruses fill children's wards in winter, and planned operations pause in
July and August, as every hospital knows; the numbers are our own."""
_WEEKDAYS = np.array([1.12, 1.15, 1.13, 1.1, 1.0, 0.72, 0.78])
"""From Monday. Emergencies come every day, planned admissions from Monday to Friday (our own)."""


def admission_weights() -> Floats:
    """Probability of an admission on each day of the window; the sum is 1."""
    days = FIRST_DAY + np.arange(DAYS)
    weight = _MONTHS[_month(days)] * _WEEKDAYS[_weekday(days)]
    return np.asarray(weight / weight.sum(), dtype=np.float64)


def time_of_year(days: Ints) -> Floats:
    """Months since the beginning of the year, with fractions, for days of the window."""
    dates = FIRST_DAY + days
    passed = (dates - dates.astype("datetime64[Y]").astype("datetime64[D]")).astype(np.int64)
    return np.asarray(passed / (365.25 / 12), dtype=np.float64)


def _month(days: Days) -> Ints:
    return days.astype("datetime64[M]").astype(np.int64) % 12


def _weekday(days: Days) -> Ints:
    return (days.astype(np.int64) + 3) % 7  # January 1, 1970 was a Thursday


_READMISSION_SHAPE = 0.2
"""Shape of the gamma distribution of the number of returns. With the published mean of 1.49 visits,
78 % have one visit and 4 % with five or more; of 317,643 children in US children's
hospitals 78 % had no readmission within a year and 3 % four or more (JAMA 2011;305(7):682-690)."""
_CHRONIC_PULL = 2.0
"""A chronic illness is 1 + 2 n times as likely in a child who comes back n times. In the same publication,
complex chronic conditions rise from 22 % of children who do not come back to 89 % of those who come
back four times or more; the formula is our own."""
_SAME_AGAIN = 0.75
"""Probability that a chronic illness is also the reason for the next visit (our own)."""
_SHORTEST_COURSE = 90
"""Visits of one child are within a period of at least this many days, at most the whole window (our own)."""
_LONGEST_STAY = 200
"""Longest stay in days; the few longer stays are left out (our own)."""


@dataclass(frozen=True, slots=True, eq=False)
class Visits:
    """Visits, one entry each, grouped by patient and in order of time."""

    patient: Ints
    admitted: Ints
    """Days since the first day of the window."""
    stay: Ints
    """Days between admission and discharge; 0 for the same day."""
    age: Ints
    """Age in days at admission."""
    illness: Ints
    """Index in the list of illnesses."""

    @property
    def first(self) -> Bools:
        """Whether each visit is the first of its patient."""
        return np.append(True, self.patient[1:] != self.patient[:-1])


def make_visits(*, rng: np.random.Generator) -> Visits:
    """All visits of all patients."""
    counts = _visits_each(rng=rng)
    patient = np.repeat(np.arange(PATIENTS), counts)
    admitted = _admissions(counts, rng=rng)
    first = np.append(0, np.cumsum(counts)[:-1])
    age = (first_ages(PATIENTS, rng=rng) - admitted[first])[patient] + admitted
    illness = _reasons(age, admitted, counts, rng=rng)
    return Visits(patient, admitted, _stays(illness, _room(patient, admitted), rng=rng), age, illness)


def _visits_each(*, rng: np.random.Generator) -> Ints:
    """Number of visits per patient, at least one; the total is as published."""
    pull = rng.gamma(_READMISSION_SHAPE, 1.0, PATIENTS)
    return 1 + rng.multinomial(VISITS - PATIENTS, pull / pull.sum())


def _admissions(counts: Ints, *, rng: np.random.Generator) -> Ints:
    """Days of admission; no patient has two visits on the same day."""
    weights = admission_weights()
    days = rng.choice(DAYS, size=counts.size, p=weights)
    return np.concatenate(
        [
            days[at : at + 1] if count == 1 else _course(int(count), weights, rng=rng)
            for at, count in enumerate(counts)
        ]
    )


def _course(visits: int, weights: Floats, *, rng: np.random.Generator) -> Ints:
    """Days within a part of the window; a part that passes the end continues at the beginning.

    This keeps the number of visits in each part of the window in line with the season.
    """
    length = int(rng.integers(_SHORTEST_COURSE, DAYS + 1))
    days = (int(rng.integers(DAYS)) + np.arange(length)) % DAYS
    share = weights[days]
    return np.sort(days[rng.choice(length, size=visits, replace=False, p=share / share.sum())])


def _reasons(age: Ints, admitted: Ints, counts: Ints, *, rng: np.random.Generator) -> Ints:
    """The illness of each visit, by age, season and earlier illnesses of the child."""
    chronic = np.array([illness.chronic for illness in illnesses()])
    weight = frequencies().T[band_of(age)] * seasons(time_of_year(admitted))
    weight *= np.where(chronic, 1 + _CHRONIC_PULL * (np.repeat(counts, counts) - 1)[:, None], 1.0)
    reach = weight.cumsum(axis=1)
    drawn: Ints = (reach < rng.random(age.size)[:, None] * reach[:, -1:]).sum(axis=1)
    again = rng.random(age.size) < _SAME_AGAIN
    begins = np.zeros(age.size, dtype=np.bool_)
    begins[np.append(0, np.cumsum(counts)[:-1])] = True
    for at in np.flatnonzero(~begins & again):
        if chronic[drawn[at - 1]]:
            drawn[at] = drawn[at - 1]
    return drawn


def _room(patient: Ints, admitted: Ints) -> Ints:
    """The longest stay that ends in the window and before the patient's next admission."""
    room = DAYS - 1 - admitted
    same = patient[1:] == patient[:-1]
    room[:-1][same] = (admitted[1:] - admitted[:-1] - 1)[same]
    return room


def _stays(illness: Ints, room: Ints, *, rng: np.random.Generator) -> Ints:
    """Lognormal stays in whole days; one that is too long gets a random length that fits."""
    centre = np.log([each.stay for each in illnesses()])[illness]
    spread = np.array([each.spread for each in illnesses()])[illness]
    stay = np.exp(rng.normal(centre, spread)).astype(np.int64)
    within = (rng.random(illness.size) * (room + 1)).astype(np.int64)
    return np.minimum(np.where(stay > room, within, stay), _LONGEST_STAY)
