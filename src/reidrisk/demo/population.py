"""A synthetic state with twelve counties, and the ten people of a published figure.

"Our own" marks numbers that we chose as plausible without a source. No number was chosen by looking at risks.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.file_set import together
from reidrisk.core.files import whole_file, write_text
from reidrisk.stats.arrays import Floats, Ints

RACES = ("white", "black", "american_indian", "asian", "pacific_islander", "other", "two_or_more")
"""The seven categories of the 2000 census: one race alone, or two or more."""


@dataclass(frozen=True, slots=True)
class County:
    """A county of the synthetic state."""

    name: str
    people: int
    races: tuple[float, ...]
    """Percentage of its people, in the order of `RACES`."""
    older: float = 0.0
    """How much older its people are: the relative share doubles every 1 / older years."""
    students: float = 0.0
    """Share of its people who are college students."""
    soldiers: float = 0.0
    """Share of its people who live in barracks."""


COUNTIES = (
    County("Harbour", 842_000, (61.0, 24.0, 0.4, 6.0, 0.1, 6.0, 2.5), older=-0.004),
    County("Northgate", 318_000, (83.0, 6.0, 0.2, 7.0, 0.0, 1.8, 2.0), older=-0.002),
    County("Millbrook", 187_000, (78.0, 13.0, 0.3, 2.0, 0.0, 4.7, 2.0)),
    County("College", 96_000, (80.0, 7.0, 0.3, 8.0, 0.1, 2.2, 2.4), older=-0.004, students=0.24),
    County("Fort Mercer", 71_000, (63.0, 24.0, 0.9, 3.0, 0.6, 4.5, 4.0), older=-0.008, soldiers=0.14),
    County("Lakeshore", 64_000, (93.5, 3.0, 0.2, 1.0, 0.0, 1.0, 1.3), older=0.016),
    County("Orchard", 52_000, (66.0, 1.0, 0.9, 1.0, 0.1, 28.0, 3.0), older=-0.004),
    County("Coalfield", 38_000, (97.0, 1.4, 0.2, 0.3, 0.0, 0.3, 0.8), older=0.004),
    County("Prairie", 21_500, (96.5, 0.5, 0.6, 0.4, 0.0, 1.0, 1.0), older=0.006),
    County("Red Mesa", 13_200, (31.0, 0.3, 65.0, 0.3, 0.1, 0.8, 2.5), older=-0.008),
    County("High Plains", 6_400, (96.0, 0.3, 0.8, 0.3, 0.0, 1.8, 0.8), older=0.010),
    County("Basin", 1_900, (97.5, 0.1, 0.7, 0.2, 0.0, 0.8, 0.7), older=0.012),
)
"""A port, its suburb, an industrial town, a university, a base, a lake where people retire, orchards with
farm workers, mines, wheat, a reservation, ranches, and a county with fewer people than a village. Half of
the state lives in one county (in Delaware and Nevada it is more). Numbers and shares are our own, modeled on
real counties of each kind."""


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


STATE = "Demo"
COLUMNS = ("state", "county", "sex", "race", "age_lo", "age_hi", "n")
SEXES = ("M", "F")


def population_counts(*, seed: int = 7) -> dict[str, NDArray[Any]]:
    """Generate the people of twelve counties by sex, race and age; the same seed gives the same people.

    Each person is drawn independently: the race from the shares of the county, age and sex from those of
    the race, adjusted for the special features of the county.

    >>> counts = population_counts()
    >>> int(counts["n"].sum()), len(set(counts["county"]))
    (1711000, 12)
    """
    rng = np.random.default_rng(seed)
    found = [(county.name, *row) for county in COUNTIES for row in _rows(county, rng=rng)]
    county, race, sex, first, last, people = (np.array(column) for column in zip(*found, strict=True))
    state = np.full(county.size, STATE)
    columns = (state, county, sex, race, first, last, people)
    return dict(zip(COLUMNS, columns, strict=True))


def write_population(path: str | Path, *, seed: int = 7) -> None:
    """Write the counts as CSV in long form, completely or not at all."""
    counts = population_counts(seed=seed)
    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(counts)
        writer.writerows(zip(*(column.tolist() for column in counts.values()), strict=True))


def _rows(county: County, *, rng: np.random.Generator) -> list[tuple[str, str, int, int, int]]:
    """Race, sex, first and last age and number of people, for combinations that occur."""
    share = np.array(county.races)
    of_race: Ints = rng.multinomial(county.people, share / share.sum())
    rows = []
    for race, people in enumerate(of_race.tolist()):
        drawn = rng.multinomial(people, ages_and_sexes(county, race).ravel()).reshape(len(BANDS), 2)
        rows += [
            (RACES[race], sex, *BANDS[band], int(drawn[band, column]))
            for column, sex in enumerate(SEXES)
            for band in np.flatnonzero(drawn[:, column]).tolist()
        ]
    return rows


YEAR = 2009
"""The year in which the paper of `write_figure_one` was written; ages are those in this year."""
PEOPLE = {("F", 1953): 2, ("M", 1953): 1, ("F", 1955): 1, ("M", 1955): 2, ("F", 1956): 1, ("M", 1956): 1,
          ("F", 1957): 1, ("M", 1957): 1}  # fmt: skip
"""The voter list by sex and year of birth; it includes everybody."""
RECORDS = (("F", 1953), ("M", 1953), ("F", 1953), ("M", 1955), ("M", 1955))
"""The released data set, without its diagnoses."""


def write_figure_one(folder: str | Path) -> None:
    """Write `people.csv`, counts in long form, and `released.csv`, one record per row, to a folder.

    They are those of figure 1 of Benitez and Malin 2010 (doi:10.1136/jamia.2009.000026).
    """
    people = [f"{sex},{YEAR - born},{YEAR - born},{number}" for (sex, born), number in PEOPLE.items()]
    records = [f"{sex},{born}" for sex, born in RECORDS]
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with together():
        write_text(target / "people.csv", "\n".join(["sex,age_lo,age_hi,n", *people]) + "\n")
        write_text(target / "released.csv", "\n".join(["sex,year_of_birth", *records]) + "\n")
