"""What is dispensed at each visit: how many prescriptions, which drugs, when, how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.demo.prescriptions.ages import BANDS, band_of, kilograms
from reidrisk.demo.prescriptions.drugs import DOSES_A_DAY, FOR_EVERYONE, drugs
from reidrisk.demo.prescriptions.illnesses import illnesses
from reidrisk.demo.prescriptions.study import PRESCRIPTIONS
from reidrisk.demo.prescriptions.visits import Visits
from reidrisk.stats.arrays import Bools, Floats, Ints

_WITH_STAY = 0.6
"""Prescriptions grow with this power of the days in hospital: the first day has most orders (ours)."""
_HABIT_SHAPE = 1.2
"""Shape of the gamma distribution by which visits of equal length differ (ours)."""
_COMMON = 0.5
"""Weight of a drug for everyone against one for the illness (ours)."""
_SUPPLY = (0.8, 0.12, 0.08)
"""Chance of one, two and three days supplied: hospitals dispense unit doses by the day, more before a
weekend (ours)."""


@dataclass(frozen=True, slots=True, eq=False)
class Dispensed:
    """One entry a prescription, in order of dispensing."""

    visit: Ints
    drug: Ints
    """Place in the formulary."""
    day: Ints
    """Days since the first day of the window."""
    dose: Floats
    days: Ints
    """Days supplied."""
    doses: Ints
    cost: Floats


def dispense(visits: Visits, *, rng: np.random.Generator) -> Dispensed:
    """All prescriptions of all visits, at least one each; the total is the published one."""
    habit = (visits.stay + 1) ** _WITH_STAY * rng.gamma(_HABIT_SHAPE, 1.0, visits.stay.size)
    more = rng.multinomial(PRESCRIPTIONS - habit.size, habit / habit.sum())
    visit = np.repeat(np.arange(habit.size), 1 + more)
    passed = (rng.random(visit.size) ** 1.3 * (visits.stay[visit] + 1)).astype(np.int64)
    order = np.lexsort((visit, visits.admitted[visit] + passed))
    visit, passed = visit[order], passed[order]
    drug = _choose(visits.illness[visit], band_of(visits.age)[visit], rng=rng)
    days = np.minimum(rng.choice(3, size=visit.size, p=_SUPPLY) + 1, visits.stay[visit] - passed + 1)
    daily = np.array([DOSES_A_DAY[each.schedule] for each in drugs()])[drug]
    once = np.array([each.schedule == "once" for each in drugs()])[drug]
    doses = np.where(once, 1, daily * days)
    price = np.array([each.price for each in drugs()])[drug]
    cost = np.round(price * doses * rng.uniform(0.9, 1.1, visit.size), 2)
    dose = _dose(drug, visits.age[visit])
    return Dispensed(visit, drug, visits.admitted[visit] + passed, dose, days, doses, cost)


def _choose(illness: Ints, band: Ints, *, rng: np.random.Generator) -> Ints:
    """A drug for each prescription, by illness and age."""
    use = np.array([each.use for each in drugs()])
    youngest = np.array([each.from_band for each in drugs()])
    drawn = np.zeros(illness.size, dtype=np.int64)
    for at, each in enumerate(illnesses()):
        weight = use * np.where(_of((FOR_EVERYONE,)), _COMMON, 0.0) + use * _of(each.drugs)
        for age in range(len(BANDS)):
            here = np.flatnonzero((illness == at) & (band == age))
            if here.size:
                allowed = np.where(youngest <= age, weight, 0.0)
                drawn[here] = rng.choice(use.size, size=here.size, p=allowed / allowed.sum())
    return drawn


def _of(groups: tuple[str, ...]) -> Bools:
    """Which drugs belong to any of the groups."""
    return np.array([not set(groups).isdisjoint(each.groups) for each in drugs()])


def _dose(drug: Ints, age: Ints) -> Floats:
    """By weight up to the largest dose, to two figures."""
    by_weight = np.array([each.by_weight for each in drugs()])[drug]
    most = np.array([each.most for each in drugs()])[drug]
    dose = np.where(by_weight > 0, np.minimum(by_weight * kilograms(age), most), most)
    step = 10.0 ** (np.floor(np.log10(dose)) - 1)
    rounded = np.round(np.round(dose / step) * step, 6)
    return np.asarray(np.minimum(rounded, most), dtype=np.float64)
