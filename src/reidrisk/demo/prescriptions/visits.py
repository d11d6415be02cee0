"""The visits: how many each patient makes, when, for what and for how long."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.demo.prescriptions.ages import band_of, first_ages
from reidrisk.demo.prescriptions.illnesses import frequencies, illnesses, seasons
from reidrisk.demo.prescriptions.season import admission_weights, time_of_year
from reidrisk.demo.prescriptions.study import DAYS, PATIENTS, VISITS
from reidrisk.stats.arrays import Bools, Floats, Ints

_READMISSION_SHAPE = 0.2
"""Shape of the gamma distribution of how often a child comes back. With the published mean of 1.49
visits it leaves 78 % with one visit and 4 % with five or more; of 317,643 children in US children's
hospitals 78 % had no readmission within a year and 3 % four or more (JAMA 2011;305(7):682-690)."""
_CHRONIC_PULL = 2.0
"""A chronic illness is likelier by 1 + 2 n in a child who comes back n times. In the same publication
complex chronic conditions rise from 22 % of children who do not come back to 89 % of those who come
back four times or more; the form is ours."""
_SAME_AGAIN = 0.75
"""Chance that a chronic illness is the reason of the next visit too (ours)."""
_SHORTEST_COURSE = 90
"""Visits of one child lie within a course of so many days or more, at most the whole window (ours)."""
_LONGEST_STAY = 200
"""Days; the few longer ones are left out (ours)."""


@dataclass(frozen=True, slots=True, eq=False)
class Visits:
    """One entry a visit; those of a patient stand together, in order of time."""

    patient: Ints
    admitted: Ints
    """Days since the first day of the window."""
    stay: Ints
    """Days between admission and discharge; 0 is the same day."""
    age: Ints
    """Days at admission."""
    illness: Ints
    """Place in the list of illnesses."""

    @property
    def first(self) -> Bools:
        """Which visits are the first of their patient."""
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
    """At least one for each patient; the total is the published one."""
    pull = rng.gamma(_READMISSION_SHAPE, 1.0, PATIENTS)
    return 1 + rng.multinomial(VISITS - PATIENTS, pull / pull.sum())


def _admissions(counts: Ints, *, rng: np.random.Generator) -> Ints:
    """Days of admission, no two visits of a patient on one day."""
    weights = admission_weights()
    days = rng.choice(DAYS, size=counts.size, p=weights)
    return np.concatenate(
        [
            days[at : at + 1] if count == 1 else _course(int(count), weights, rng=rng)
            for at, count in enumerate(counts)
        ]
    )


def _course(visits: int, weights: Floats, *, rng: np.random.Generator) -> Ints:
    """Days within a stretch of the window; one that runs over the end goes on at the beginning.

    So no part of the window is left with fewer visits than its season has.
    """
    length = int(rng.integers(_SHORTEST_COURSE, DAYS + 1))
    days = (int(rng.integers(DAYS)) + np.arange(length)) % DAYS
    share = weights[days]
    return np.sort(days[rng.choice(length, size=visits, replace=False, p=share / share.sum())])


def _reasons(age: Ints, admitted: Ints, counts: Ints, *, rng: np.random.Generator) -> Ints:
    """The illness of each visit, by age, season and what the child had before."""
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
    """Lognormal, whole days; one that is too long for its room ends anywhere within it."""
    centre = np.log([each.stay for each in illnesses()])[illness]
    spread = np.array([each.spread for each in illnesses()])[illness]
    stay = np.exp(rng.normal(centre, spread)).astype(np.int64)
    within = (rng.random(illness.size) * (room + 1)).astype(np.int64)
    return np.minimum(np.where(stay > room, within, stay), _LONGEST_STAY)
