"""A population: people counted by area, age, sex and other fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownColumn
from reidrisk.stats.arrays import Ints

ABOVE = "nation country region division state province territory department prefecture canton".split()  # noqa: SIM905
BELOW_STATE = (  # noqa: SIM905
    "county district municipality commune place city zip3 zip5 zip zip_code zcta zcta5 fsa postcode "
    "postal_code tract block_group ward"
).split()
"""Areas that an attacker knows only if a policy releases them, even if they are the largest ones."""
AREAS = (*ABOVE, *BELOW_STATE, "area")
"""Column names that are recognized as areas if areas are not specified; roughly from large to small."""


def coarse_first(names: Sequence[str], values: Mapping[str, Sequence[str]]) -> list[str]:
    """Areas in a plausible order: areas within a state after it, and those with fewer values first.

    The number of values alone is not enough: county codes that restart at 001 in each state can be fewer
    than states.
    """
    return sorted(names, key=lambda name: (name in BELOW_STATE, len(values[name]), AREAS.index(name)))


Codes = NDArray[np.int32]
MOST_NAMED = 10
"""Number of chosen areas to list by name."""


@dataclass(frozen=True, slots=True, eq=False)
class AgeGroups:
    """The age band of each row."""

    first: NDArray[np.int16] = field(repr=False)
    """The youngest age of the band."""
    years: NDArray[np.int16] = field(repr=False)
    """Number of years of birth in the band; for an open band, the number that was chosen."""

    def __post_init__(self) -> None:
        if self.first.shape != self.years.shape or np.any(self.first < 0) or np.any(self.years < 1):
            raise BadData("An age band begins below 0 or has no years.", hint="Give age_lo and age_hi.")


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """Counts of people; one row for each combination of area, categories and age band that occurs."""

    areas: tuple[str, ...]
    """Names of the area columns, largest areas first, such as state and county."""
    fields: tuple[str, ...]
    """Names of the categories, such as sex and race."""
    labels: Mapping[str, tuple[str, ...]] = field(repr=False)
    """For each area column and category: the label of each code."""
    codes: Mapping[str, Codes] = field(repr=False)
    """For each area column and category: the code of every row."""
    counts: Ints = field(repr=False)
    ages: AgeGroups | None = field(default=None, repr=False)
    """None if ages are unknown."""
    source: str = "The population"
    modelled: str | None = None
    """How the counts were computed, if they are modelled; None if they are real counts."""
    notes: tuple[str, ...] = ()
    chosen: str | None = None
    """A description of the areas chosen from the source; None if all."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", MappingProxyType(dict(self.labels)))
        object.__setattr__(self, "codes", MappingProxyType(dict(self.codes)))
        names = (*self.areas, *self.fields)
        if len(set(names)) < len(names) or set(names) != set(self.labels) or set(names) != set(self.codes):
            raise InvalidSetting(
                f"{self.source}: areas, categories, labels and codes do not name the same columns.",
                hint="Give labels and codes for each area and category once.",
            )
        rows = len(self.counts)
        if any(len(code) != rows for code in self.codes.values()):
            raise InvalidSetting(
                f"{self.source}: some columns are shorter than others.", hint="Give one code per row."
            )
        if self.ages is not None and len(self.ages.first) != rows:
            raise InvalidSetting(f"{self.source}: not every row has an age band.", hint="Give one per row.")
        if np.any(self.counts < 0):
            raise BadData(f"{self.source}: a count is negative.", hint="Counts must be 0 or more.")
        if not rows or not self.people:
            raise NothingToMeasure(
                f"{self.source} has no people.", hint="Check the file, or the area chosen."
            )

    @property
    def people(self) -> int:
        """Total number of people."""
        return int(self.counts.sum())

    def of(self, area: str, wanted: Sequence[str]) -> Population:
        """The people of some areas, given by their labels."""
        if area not in self.areas:
            raise UnknownColumn.among(area, self.areas, source=self.source)
        places = {label: code for code, label in enumerate(self.labels[area])}
        for label in wanted:
            if label not in places:
                raise InvalidSetting.among(f"A value of {area} in {self.source}", label, list(places)[:60])
        inside = np.isin(self.codes[area], [places[label] for label in wanted])
        names = list(dict.fromkeys(wanted))
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        chosen = f"{area} {', '.join(names[:MOST_NAMED])}{more}"
        return replace(self.rows(inside), chosen=f"{self.chosen}; {chosen}" if self.chosen else chosen)

    def rows(self, inside: NDArray[np.bool_]) -> Population:
        """A selection of the rows."""
        ages = self.ages
        return replace(
            self,
            codes={name: code[inside] for name, code in self.codes.items()},
            counts=self.counts[inside],
            ages=None if ages is None else AgeGroups(ages.first[inside], ages.years[inside]),
        )
