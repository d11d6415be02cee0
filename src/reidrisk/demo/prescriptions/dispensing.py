"""Synthetic prescriptions of each visit: drugs, doses, days."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from reidrisk.demo.prescriptions.illnesses import illnesses
from reidrisk.demo.prescriptions.visits import BANDS, PRESCRIPTIONS, Visits, band_of, kilograms
from reidrisk.stats.arrays import Bools, Floats, Ints

FOR_EVERYONE = "any"
"""The group of drugs that any child in hospital may get."""
DOSES_A_DAY = {"once": 1, "prn": 3, "qd": 1, "bid": 2, "tid": 3, "qid": 4, "q4h": 6}


@dataclass(frozen=True, slots=True)
class Drug:
    """One line of the formulary."""

    name: str
    groups: tuple[str, ...]
    use: float
    """Relative frequency among the drugs of its groups."""
    by_weight: float
    """Dose per kilogram; 0 if the dose is fixed."""
    most: float
    """The largest dose, or the fixed dose."""
    unit: str
    route: str
    schedule: str
    price: float
    """Canadian dollars per dose."""
    from_band: int
    """The youngest age band that gets it."""


_TABLE = """
acetaminophen              any,operation     12  15     650  mg    PO   q4h  0.12 0
ibuprofen                  any,operation      5  10     400  mg    PO   qid  0.15 1
morphine                   any,operation      4  0.1     10  mg    IV   q4h  1.10 0
dimenhydrinate             any                3  1       50  mg    IV   prn  0.60 2
lorazepam                  nerves,mind        3  0.05     2  mg    PO   prn  0.20 2
potassium_chloride         any,fluid          3  1       40  mmol  IV   qd   0.90 0
dextrose_5%_saline         any,fluid          5  20    1000  mL    IV   tid  2.10 0
ranitidine                 any,gut            3  1       50  mg    IV   tid  0.95 0
oral_rehydration_solution  fluid              3  10     250  mL    PO   qid  0.80 1
cefazolin                  operation          6  25    1000  mg    IV   tid  2.40 0
codeine                    operation          3  0.5     30  mg    PO   prn  0.18 2
ketorolac                  operation          2  0.5     30  mg    IV   qid  2.90 3
ondansetron                operation,cancer   4  0.1      8  mg    IV   tid  4.80 2
bupivacaine                operation          1  1      100  mg    EPI  once 6.20 1
ampicillin                 antibiotic         6  50    2000  mg    IV   qid  1.90 0
gentamicin                 antibiotic         4  2.5    120  mg    IV   tid  1.60 0
cefotaxime                 antibiotic         3  50    2000  mg    IV   tid  5.30 0
cefuroxime                 antibiotic         3  50    1500  mg    IV   tid  4.70 2
ceftriaxone                antibiotic         3  50    2000  mg    IV   qd   8.90 2
vancomycin                 antibiotic         2  15    1000  mg    IV   qid  7.40 0
clindamycin                antibiotic         2  10     600  mg    IV   tid  5.10 1
metronidazole              antibiotic         2  10     500  mg    IV   tid  1.70 2
amoxicillin                antibiotic         3  15     500  mg    PO   tid  0.35 1
azithromycin               antibiotic         1  10     500  mg    PO   qd   2.60 2
cotrimoxazole              cancer             2  2.5    160  mg    PO   bid  0.30 1
caffeine                   neonatal           6  5       20  mg    PO   qd   1.40 0
vitamin_D                  neonatal,lungs     5  0      400  units PO   qd   0.10 0
ferrous_sulfate            neonatal           2  3       60  mg    PO   qd   0.14 0
phytonadione               neonatal           2  0        1  mg    IM   once 2.20 0
surfactant                 neonatal           1  100    400  mg    ETT  once 690  0
breast_milk_fortifier      neonatal           2  0        1  g     PO   qid  1.20 0
salbutamol                 breathing,lungs    9  0      2.5  mg    NEB  q4h  0.55 0
ipratropium                breathing          4  0     0.25  mg    NEB  qid  0.85 1
fluticasone                breathing          3  0      125  mcg   INH  bid  0.95 2
prednisolone               breathing          4  1       50  mg    PO   qd   0.60 1
dexamethasone              breathing,cancer   3  0.3     10  mg    PO   qd   0.50 1
epinephrine                breathing          3  0      2.5  mg    NEB  prn  3.40 1
tobramycin                 lungs              4  10     500  mg    IV   qd   6.90 0
ceftazidime                lungs              4  50    2000  mg    IV   tid  9.20 0
pancrelipase               lungs              5  0        3  caps  PO   tid  1.05 0
dornase_alfa               lungs              2  0      2.5  mg    NEB  qd   38.0 2
lactulose                  gut                2  0.5     30  mL    PO   bid  0.25 1
polyethylene_glycol        gut                3  0.7     17  g     PO   qd   0.55 1
domperidone                gut                2  0.2     10  mg    PO   qid  0.22 0
omeprazole                 gut,immune         3  1       20  mg    PO   qd   0.75 1
phenytoin                  nerves             3  2.5    150  mg    PO   bid  0.45 0
phenobarbital              nerves,neonatal    2  2.5     90  mg    PO   bid  0.20 0
valproic_acid              nerves             3  10     500  mg    PO   tid  0.40 2
levetiracetam              nerves             2  10    1000  mg    PO   bid  1.80 1
carbamazepine              nerves             2  5      200  mg    PO   tid  0.25 2
baclofen                   nerves             2  0.3     20  mg    PO   tid  0.30 2
vincristine                cancer             2  0.05     2  mg    IV   once 31.0 1
methotrexate               cancer             2  0.7     25  mg    PO   once 2.70 2
mercaptopurine             cancer             2  1.5     75  mg    PO   qd   3.10 2
filgrastim                 cancer             1  5      300  mcg   SC   qd  170.0 2
fluoxetine                 mind               5  0       20  mg    PO   qd   0.70 3
risperidone                mind               3  0      0.5  mg    PO   bid  0.55 3
olanzapine                 mind               2  0        5  mg    PO   qd   2.10 4
melatonin                  mind               3  0        3  mg    PO   qd   0.30 3
multivitamin               mind,gut           3  0        1  tab   PO   qd   0.08 2
furosemide                 heart              5  1       40  mg    IV   bid  0.70 0
spironolactone             heart              3  1       25  mg    PO   bid  0.25 0
captopril                  heart              2  0.3     25  mg    PO   tid  0.20 0
digoxin                    heart              1  4      250  mcg   PO   bid  0.35 0
dopamine                   heart              1  10     400  mg    IV   qd   4.50 0
insulin_regular            sugar              6  0.1     20  units SC   qid  0.90 1
insulin_NPH                sugar              4  0.2     30  units SC   bid  0.90 1
prednisone                 immune             4  1       60  mg    PO   qd   0.15 2
methylprednisolone         immune             2  10    1000  mg    IV   qd   14.0 2
infliximab                 immune             1  5      300  mg    IV   once 960  2
cyclosporine               immune             2  2.5    150  mg    PO   bid  2.60 2
albumin_25%                immune             1  4      100  mL    IV   qd   36.0 2
hydroxyurea                blood              2  15     500  mg    PO   qd   1.10 2
folic_acid                 blood              4  0        1  mg    PO   qd   0.05 2
silver_sulfadiazine        skin               3  0        1  appl  TOP  bid  1.30 1
mupirocin                  skin               3  0        1  appl  TOP  tid  0.60 0
acetylcysteine             poison             4  50    5000  mg    IV   q4h  9.70 2
activated_charcoal         poison             2  1       50  g     PO   once 7.50 2
"""
"""Name, groups, use, dose per kilogram, largest dose, unit, route, schedule, price, youngest band.

Drugs and doses are as in pediatric formularies of 2007; uses and prices are our own. For the demo only: do
not use this table for treatment.
"""


@cache
def drugs() -> tuple[Drug, ...]:
    """The formulary."""
    return tuple(_drug(line.split()) for line in _TABLE.strip().splitlines())


def _drug(words: list[str]) -> Drug:
    name, groups, use, by_weight, most, unit, route, schedule, price, band = words
    return Drug(
        name.replace("_", " "),
        tuple(groups.split(",")),
        float(use),
        float(by_weight),
        float(most),
        unit,
        route,
        schedule,
        float(price),
        int(band),
    )


_WITH_STAY = 0.6
"""Prescriptions grow with this power of the length of stay: the first day has most orders (our own)."""
_HABIT_SHAPE = 1.2
"""Shape of the gamma distribution of differences between visits of equal length (our own)."""
_COMMON = 0.5
"""Weight of a general drug relative to one for the illness (our own)."""
_SUPPLY = (0.8, 0.12, 0.08)
"""Probability of one, two and three days of supply: hospitals dispense by the day, and more before a
weekend (our own)."""


@dataclass(frozen=True, slots=True, eq=False)
class Prescriptions:
    """Prescriptions, one entry each, in order of dispensing."""

    visit: Ints
    drug: Ints
    """Index in the formulary."""
    day: Ints
    """Days since the first day of the window."""
    dose: Floats
    days: Ints
    """Days of supply."""
    doses: Ints
    cost: Floats


def dispense(visits: Visits, *, rng: np.random.Generator) -> Prescriptions:
    """All prescriptions of all visits, at least one per visit; the total is as published."""
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
    return Prescriptions(visit, drug, visits.admitted[visit] + passed, dose, days, doses, cost)


def _choose(illness: Ints, band: Ints, *, rng: np.random.Generator) -> Ints:
    """Choose a drug for each prescription by illness and age."""
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
    """The dose by body weight, up to the largest dose, rounded to two digits."""
    by_weight = np.array([each.by_weight for each in drugs()])[drug]
    most = np.array([each.most for each in drugs()])[drug]
    dose = np.where(by_weight > 0, np.minimum(by_weight * kilograms(age), most), most)
    step = 10.0 ** (np.floor(np.log10(dose)) - 1)
    rounded = np.round(np.round(dose / step) * step, 6)
    return np.asarray(np.minimum(rounded, most), dtype=np.float64)
