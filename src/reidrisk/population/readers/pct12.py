"""Tables PCT12A to PCT12G of the decennial census: sex by single years of age, one table per race.

A table has 209 cells: everybody; males, then males under 1, 1 to 99, 100 to 104, 105 to 109, and 110 and
over; then the same for females (technical documentation of Summary File 1, 2000 and 2010, and of the
Demographic and Housing Characteristics File, 2020).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.errors import BadData
from reidrisk.population.census import RACES, SEXES
from reidrisk.population.gather import refuse_beyond
from reidrisk.population.people import AgeGroups, Population
from reidrisk.stats.arrays import Ints

CELLS = 209
AGES = 103
"""Age bands per sex: 100 single years, two bands of five years, and the open band."""
MALES, FEMALES = 1, 105
"""Positions of the two totals, from 0; the cells of each sex follow its total."""
OPEN_AGE, OPEN_YEARS = 110, 1
"""The published study counts 110 and over as one year of birth."""
GEO_ID = re.compile(r"(\d{3})\w{2}\w{2}US(\w*)")
LEVELS = {
    "010": (),
    "040": (("state", 2),),
    "050": (("state", 2), ("county", 5)),
    "140": (("state", 2), ("county", 5), ("tract", 11)),
    "150": (("state", 2), ("county", 5), ("tract", 11), ("block_group", 12)),
    "860": (("zip3", 3), ("zip5", 5)),
}
"""By summary level, largest areas first: the area columns and how many digits of the code each has."""


@dataclass(frozen=True, slots=True)
class CensusArea:
    """A census area with its summary level."""

    level: str
    code: str

    @classmethod
    def of(cls, geo_id: str) -> CensusArea | None:
        """Read an identifier such as 0500000US39001; None for any other text."""
        found = GEO_ID.fullmatch(geo_id.strip())
        return cls(found[1], found[2]) if found else None

    @property
    def areas(self) -> tuple[str, ...]:
        """The label of the area in each area column of its level."""
        return tuple(self.code[:digits] for _, digits in LEVELS[self.level])


@dataclass(frozen=True, slots=True, eq=False)
class RaceTable:
    """A table with 209 cells for each area."""

    letter: str
    """A to G; empty for PCT12 itself, which counts everybody."""
    cells: Mapping[CensusArea, NDArray[np.int64]] = field(repr=False)
    place: str
    """File name for messages."""

    def __post_init__(self) -> None:
        odd = 0
        for row in self.cells.values():
            males, females = row[MALES + 1 : FEMALES].sum(), row[FEMALES + 1 :].sum()
            odd += (row[0], row[MALES], row[FEMALES]) != (males + females, males, females)
        if odd:
            raise BadData(
                f"{self.place}: ages do not add up to the totals in {plural(odd, 'area')}.",
                hint=f"Table PCT12{self.letter} has {CELLS} cells in the Bureau's order; "
                "download it again and do not change it.",
            )


def one_population(
    tables: list[RaceTable], *, open_band_years: int | None, source: str, notes: tuple[str, ...] = ()
) -> Population:
    """Combine the tables into one population; each race occurs once for each area of the finest level."""
    level, told = _finest(tables, source)
    by_letter = _by_letter(tables, level)
    letters = _complete(by_letter, source)
    places = sorted(set().union(*(by_letter[letter] for letter in letters)), key=lambda place: place.code)
    _refuse_holes(by_letter, letters, places, source)
    counts = np.array([[by_letter[letter][place] for place in places] for letter in letters])
    by_sex = np.stack([counts[:, :, MALES + 1 : FEMALES], counts[:, :, FEMALES + 1 :]], axis=2)
    years = OPEN_YEARS if open_band_years is None else open_band_years
    refuse_beyond(OPEN_AGE, years)
    told += (f"110 and over is counted as {plural(years, 'year')} of birth",)
    return _of_cube(by_sex, letters, places, years, source=source, notes=(*notes, *told))


def _of_cube(
    cube: Ints,
    letters: list[str],
    places: list[CensusArea],
    years: int,
    *,
    source: str,
    notes: tuple[str, ...],
) -> Population:
    """A population from an array with the axes race, area, sex and age."""
    area, race, sex, age = np.nonzero(cube.transpose(1, 0, 2, 3))
    names = [name for name, _ in LEVELS[places[0].level]]
    labels: dict[str, tuple[str, ...]] = {}
    codes: dict[str, NDArray[np.int32]] = {}
    for at, name in enumerate(names):
        own = np.array([place.areas[at] for place in places])
        values, code = np.unique(own, return_inverse=True)
        labels[name], codes[name] = tuple(map(str, values)), code.astype(np.int32)[area]
    labels["sex"], codes["sex"] = SEXES, sex.astype(np.int32)
    if letters != [""]:
        labels["race"] = tuple(RACES[letter] for letter in letters)
        codes["race"] = race.astype(np.int32)
    first = np.concatenate((np.arange(100), [100, 105, 110])).astype(np.int16)
    width = np.concatenate((np.ones(100), [5, 5, years])).astype(np.int16)
    return Population(
        areas=tuple(names),
        fields=tuple(name for name in labels if name not in names),
        labels=labels,
        codes=codes,
        counts=cube[race, area, sex, age],
        ages=AgeGroups(first[age], width[age]),
        source=source,
        notes=notes,
    )


def _finest(tables: list[RaceTable], source: str) -> tuple[str, tuple[str, ...]]:
    """Read only the finest level; state totals next to counties would count people twice."""
    found = {place.level for table in tables for place in table.cells}
    if not found:
        raise BadData(f"{source} has no areas.", hint="Download the table again, with areas chosen.")
    unknown = sorted(found - set(LEVELS))
    if unknown:
        raise BadData(
            f"{source} has areas of summary level {', '.join(unknown)}, which cannot be read.",
            hint="Download it for states, counties, tracts, block groups or ZIP code tabulation areas.",
        )
    order = list(LEVELS)
    level = max(found, key=order.index)
    if len(found) == 1:
        return level, ()
    if level == "860":
        raise BadData(
            f"{source} mixes ZIP code areas with other areas.", hint="Download the table for only one kind."
        )
    return level, (f"areas of {len(found)} levels were found; the finest, {level}, is counted",)


def _by_letter(tables: list[RaceTable], level: str) -> dict[str, dict[CensusArea, NDArray[np.int64]]]:
    found: dict[str, dict[CensusArea, NDArray[np.int64]]] = {}
    for table in tables:
        own = found.setdefault(table.letter, {})
        for place, row in table.cells.items():
            if place.level == level and place in own:
                raise BadData(
                    f"{table.place}: table PCT12{table.letter} has an area twice.",
                    hint="Keep one file per table and area.",
                )
            if place.level == level:
                own[place] = row
    return found


def _complete(by_letter: Mapping[str, object], source: str) -> list[str]:
    """The tables of the seven races, or the table of everybody alone."""
    letters = [letter for letter in RACES if letter in by_letter]
    if letters == list(RACES):
        return letters
    if not letters and "" in by_letter:
        return [""]
    missing = ", ".join(f"PCT12{letter}" for letter in RACES if letter not in by_letter)
    raise BadData(
        f"{source} does not have the tables {missing}.",
        hint="Put the files of PCT12A to PCT12G, one for each race, in one folder or archive.",
    )


def _refuse_holes(
    by_letter: Mapping[str, Mapping[CensusArea, object]],
    letters: list[str],
    places: list[CensusArea],
    source: str,
) -> None:
    holes = sum(place not in by_letter[letter] for letter in letters for place in places)
    if holes:
        raise BadData(
            f"{source}: {plural(holes, 'pair')} of area and table missing.",
            hint="Download all seven tables for the same areas.",
        )
