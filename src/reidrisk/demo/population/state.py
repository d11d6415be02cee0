"""The population of the synthetic state as a table of counts."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.files import whole_file
from reidrisk.demo.population.ages import BANDS, ages_and_sexes
from reidrisk.demo.population.counties import COUNTIES, RACES, County
from reidrisk.stats.arrays import Ints

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
