"""Age distributions, and the share of men at each age."""

from __future__ import annotations

import numpy as np

from reidrisk.demo.population.counties import County
from reidrisk.stats.arrays import Floats

OLDEST = 110
"""Everybody of this age or older is in one row."""
BANDS = (*((age, age) for age in range(100)), (100, 104), (105, 109), (OLDEST, OLDEST))
"""First and last age of each row: single years, then the bands of the 2000 census."""

_PER_CENT = (
    *(6.8, 7.3, 7.3, 7.2, 6.8, 6.8, 7.3, 8.0, 8.0, 7.2),
    *(6.3, 4.8, 3.8, 3.4, 3.1, 2.6, 1.8, 1.0, 0.40, 0.10),
    *(0.0166, 0.0012, 0.0002),
)
_MEN = (
    *(0.512, 0.512, 0.512, 0.514, 0.511, 0.506, 0.503, 0.499, 0.496, 0.492),
    *(0.489, 0.483, 0.476, 0.462, 0.441, 0.411, 0.372, 0.315, 0.254, 0.201),
    *(0.194, 0.17, 0.15),
)
"""Percentage of people, and the share of men among them, by five-year age band from 0; US Census Bureau,
national estimates of July 2000. The split above age 100, where the estimates end, is our own assumption."""

_YOUNGER = (-0.005, 0.012, 0.017, 0.006, 0.018, 0.026, 0.031)
"""How much younger each race is than the whole population: the share halves every 1 / x years. The median
ages of the 2000 census are 37.7 white, 30.2 black, 28.0 American Indian, 32.7 Asian, 27.5 Pacific Islander,
24.6 other, 22.7 two or more (Census 2000, Summary File 1); the shape is our own assumption."""
_COLLEGE = {18: 0.8, 19: 1.0, 20: 1.0, 21: 0.9, 22: 0.5, 23: 0.25, 24: 0.15, 25: 0.1, 26: 0.08, 27: 0.05}
_BARRACKS = {18: 0.4, 19: 0.9, 20: 1.0, 21: 1.0, 22: 0.9, 23: 0.7, 24: 0.5, 25: 0.4, 26: 0.3, 27: 0.2}
_SOLDIERS_MEN = 0.85
"""Ages of students and of people in barracks, by weight, and the share of men among them: the forces of 2000
had 15 % women (Department of Defense, Population Representation). The weights are our own assumption."""


def ages_and_sexes(county: County, race: int) -> Floats:
    """The share of each age band and sex, men first, among people of one race; the shares add up to 1."""
    share = _shares(county.older - _YOUNGER[race])
    men = np.interp([first for first, _ in BANDS], 5 * np.arange(len(_MEN)) + 2, _MEN)
    settled = np.column_stack([share * men, share * (1 - men)])
    college = _group(_COLLEGE, men=0.48)
    barracks = _group(_BARRACKS, men=_SOLDIERS_MEN)
    rest = 1 - county.students - county.soldiers
    return np.asarray(rest * settled + county.students * college + county.soldiers * barracks)


def _shares(tilt: float) -> Floats:
    """The share of each band, interpolated linearly between the midpoints of five-year bands."""
    middles, oldest = 5 * np.arange(len(_PER_CENT)) + 2, OLDEST + 5
    logs = np.interp(np.arange(oldest), middles, np.log(np.array(_PER_CENT) / 5))
    single = np.exp(logs) * 2 ** (tilt * (np.arange(oldest) - 35))
    share = np.array([single[first : last + 1].sum() for first, last in BANDS])
    return np.asarray(share / share.sum())


def _group(weights: dict[int, float], *, men: float) -> Floats:
    share = np.zeros((len(BANDS), 2))
    for age, weight in weights.items():
        share[age] = weight * men, weight * (1 - men)
    return np.asarray(share / share.sum())
