"""An attack on a population: the columns and bins of the population that an attacker can use."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.reference_lists import POPULATION_LIMIT, RESTRICTED
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.population.fields import KNOWN, ZIP5, Birth, Fields, same_field
from reidrisk.population.people import BELOW_STATE, Codes, Population
from reidrisk.stats.arrays import Ints

HIDDEN = "000"
SETS = ("limited", "safe", "general", "voter")
"""Names of predefined sets of fields, for suggestions when a field is misspelled."""


@dataclass(frozen=True, slots=True)
class Attack:
    """The columns that distinguish people, and the number of bins within each combination."""

    columns: tuple[str, ...]
    """Columns of the population, areas first; an area comes with the larger areas that contain it."""
    birth: Birth | None
    zip3: tuple[str, str] | None
    """The column of ZIP codes, and the rule for merging small areas."""
    slots: float
    """Number of combinations of the fields that the population does not contain."""

    def areas_hidden(self, population: Population) -> Attack:
        """The same attack without any geography."""
        kept = tuple(name for name in self.columns if name not in population.areas)
        return Attack(kept, self.birth, None, self.slots)


def attack(population: Population, fields: Fields, *, across: bool = False) -> Attack:
    """Find the columns of a population that match the fields; missing ones are refused.

    Unless `across` is set, the attacker knows the state; see `known_areas`.
    """
    if fields.birth is not None and population.ages is None:
        raise InvalidSetting(
            f"{population.source} has no ages, but the policy releases the {fields.birth} of birth.",
            hint="Give counts by age, with age_lo and age_hi, or leave birth out.",
        )
    names = [_column(population, name) for name in fields.columns]
    known = () if across else known_areas(population)
    told = {area for name in names if name in population.areas for area in _lies_in(population, name)}
    areas = [area for area in population.areas if area in {*known, *told}]
    rest = [name for name in names if name in population.fields]
    zip3 = None if fields.zip3 is None else (_zip_column(population), fields.zip3)
    slots = float(prod(fields.spread.values()))
    return Attack(tuple(dict.fromkeys([*areas, *rest])), fields.birth, zip3, slots)


def check_fields(population: Population, fields: Fields) -> None:
    """Refuse fields that the population does not contain."""
    attack(population, fields)


def check_columns(population: Population, fields: Fields) -> None:
    """Refuse areas and categories that the population does not have: a typo would look like low risk."""
    for name in fields.columns:
        _column(population, name)


def named_as(population: Population, fields: Fields) -> Fields:
    """Translate to the population's column names, such as sex for gender; other names are kept."""
    return replace(fields, columns=tuple(_meant(population, name) or name for name in fields.columns))


def with_coarser(population: Population, fields: Fields, *, across: bool = False) -> Fields:
    """Translate to the population's column names, and add the larger areas that contain each area.

    A list with tracts also reveals counties. Areas that every attacker knows are left out; names that the
    population does not have are kept.
    """
    names = named_as(population, fields).columns
    known = () if across else known_areas(population)
    told = [
        part
        for name in names
        for part in (_lies_in(population, name) if name in population.areas else (name,))
    ]
    return replace(fields, columns=tuple(name for name in told if name not in known))


def without_coarser(population: Population, fields: Fields) -> Fields:
    """Leave out areas that contain another area of the list."""
    areas = [name for name in fields.columns if name in population.areas]
    implied = {part for name in areas for part in _lies_in(population, name)[:-1]}
    return replace(fields, columns=tuple(name for name in fields.columns if name not in implied))


def known_areas(population: Population) -> tuple[str, ...]:
    """Areas that every attacker knows: the state and larger areas, or without states the largest area.

    An area smaller than a state is never assumed to be known, because Safe Harbor releases none.
    """
    known = "state" if "state" in population.areas else next(iter(population.areas), None)
    if known is None or known in BELOW_STATE:
        return ()
    upper = population.areas[: population.areas.index(known) + 1]
    return tuple(name for name in upper if name not in BELOW_STATE)


def path_to(population: Population, area: str) -> tuple[str, ...]:
    """An area and the larger areas that contain it, largest first; ZIP areas are nested in states only."""
    zips = {*ZIP5, "zip3"}
    coarser = population.areas[: population.areas.index(area)]
    if area in zips:
        return (*(name for name in known_areas(population) if name in coarser), area)
    return (*(name for name in coarser if name not in zips), area)


def group_columns(population: Population, attack: Attack) -> list[NDArray[np.integer]]:
    """The columns that distinguish people, as whole numbers of 0 or more."""
    found: list[NDArray[np.integer]] = [population.codes[name] for name in attack.columns]
    if attack.zip3 is not None:
        found.append(_zip3_codes(population, *attack.zip3))
    if attack.birth is not None and population.ages is not None:
        found.append(band_keys(population.ages.first, population.ages.years))
    return found


def band_keys(first: NDArray[np.int16], years: NDArray[np.int16]) -> Ints:
    """One number for each age band."""
    return first.astype(np.int64) * 2**9 + years


def zip3_areas(population: Population, column: str, rule: str) -> dict[str, int]:
    """The three-digit area of each prefix after merging; merged areas are 000."""
    prefixes = sorted({_prefix(label, column) for label in population.labels[column]})
    hidden = _hidden(population, column, rule)
    joined = {prefix: HIDDEN if prefix in hidden else prefix for prefix in prefixes}
    place = {area: code for code, area in enumerate(sorted({HIDDEN, *joined.values()}))}
    return {HIDDEN: place[HIDDEN]} | {prefix: place[area] for prefix, area in joined.items()}


def _prefix(label: str, column: str) -> str:
    return label.zfill(5)[:3] if column in ZIP5 else label.zfill(3)


def _hidden(population: Population, column: str, rule: str) -> frozenset[str]:
    if rule == "none":
        return frozenset()
    if rule in RESTRICTED:
        return RESTRICTED[rule]
    labels = population.labels[column]
    people = np.bincount(population.codes[column], weights=population.counts, minlength=len(labels))
    total: dict[str, float] = {}
    for label, number in zip(labels, people.tolist(), strict=True):
        prefix = _prefix(label, column)
        total[prefix] = total.get(prefix, 0) + number
    return frozenset(prefix for prefix, number in total.items() if number <= POPULATION_LIMIT)


def _zip3_codes(population: Population, column: str, rule: str) -> Codes:
    area = zip3_areas(population, column, rule)
    codes = [area[_prefix(label, column)] for label in population.labels[column]]
    return np.array(codes, dtype=np.int32)[population.codes[column]]


def _meant(population: Population, name: str) -> str | None:
    """The column with this name, or with a synonym."""
    columns = (*population.areas, *population.fields)
    return name if name in columns else next((own for own in columns if same_field(name, [own])), None)


def _column(population: Population, name: str) -> str:
    meant = _meant(population, name)
    if meant is not None:
        return meant
    columns = (*population.areas, *population.fields)
    near = difflib.get_close_matches(name, [*columns, *KNOWN, *SETS], n=1, cutoff=0.7)
    has = ", ".join([*population.areas, *population.fields, *(KNOWN[:3] if population.ages else ())])
    raise UnknownColumn(
        f"{population.source} has no field {name!r}, so its risk cannot be measured.",
        hint=f"{f'Did you mean {near[0]!r}? ' if near else ''}It has: {has}. Leave other fields out.",
    )


def _zip_column(population: Population) -> str:
    for name in (*ZIP5, "zip3"):
        if name in population.areas:
            return name
    raise UnknownColumn(
        f"{population.source} has no ZIP codes.",
        hint=f"Its areas are: {', '.join(population.areas) or 'none'}. Leave zip3 out.",
    )


def _lies_in(population: Population, area: str) -> tuple[str, ...]:
    """Areas that are revealed together with one: the areas that contain it; for a ZIP area, only itself."""
    return (area,) if area in {*ZIP5, "zip3"} else path_to(population, area)
