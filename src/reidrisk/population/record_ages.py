"""The age bands of a population that the records of a data set are in."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.attack import band_keys
from reidrisk.population.gather import OLDEST
from reidrisk.population.people import Population
from reidrisk.stats.arrays import Bools, Ints

BIRTH_COLUMNS = ("age", "year_of_birth", "date_of_birth")
OPEN_FROM = 80
"""A last band that begins at this age or above is taken to be open, as nobody stops counting there."""


def ages_of(values: NDArray[np.object_], column: str, year: int | None) -> Ints:
    """The age of each value of one of `BIRTH_COLUMNS`, in whole years; -1 if it cannot be told."""
    if column != "age" and year is None:
        raise InvalidSetting(
            f"The data set has {column} instead of an age, and nobody says when the population was counted.",
            hint="Name the year, such as 2000 (--counted-in on the command line), or give a column age.",
        )
    found = [_whole(value) if column == "age" else _since(value, year or 0) for value in values.tolist()]
    ages = np.array(found, dtype=np.int64)
    return np.where((ages >= 0) & (ages <= OLDEST), ages, -1)


def bands_of(ages: Ints, population: Population) -> tuple[Ints, Bools]:
    """The key of the age band of each age, -1 where there is none; and which are above the last band."""
    assert population.ages is not None  # noqa: S101 - an attack with birth has been refused without ages
    keys = np.unique(band_keys(population.ages.first, population.ages.years))
    first, years = keys // 2**9, keys % 2**9
    if np.any(first[1:] < first[:-1] + years[:-1]):
        raise BadData(
            f"{population.source} has other age bands in some groups than in others.",
            hint="A data set can be held against a population with the same bands in all groups.",
        )
    at = np.searchsorted(first, ages, side="right") - 1
    above = ages >= first[-1] + years[-1]
    older = above & (first[-1] >= OPEN_FROM)
    inside = (ages >= 0) & (at >= 0) & ((ages < first[at] + years[at]) | older)
    return np.where(inside, keys[at], -1), older


def _since(value: Any, year: int) -> int:
    """From a date, or from a text or number that begins with a year of four digits."""
    if isinstance(value, date):
        return year - value.year
    born = re.match(r"\s*(\d{4})(?!\d)", str(value))
    return year - int(born[1]) if born else -1


def _whole(value: Any) -> int:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return -1
    return int(number) if 0 <= number <= OLDEST else -1
