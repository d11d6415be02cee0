"""A data set of people from a population: its records, and how many people each one could be."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownColumn
from reidrisk.population.attack import Attack, band_keys, zip3_areas
from reidrisk.population.fields import ZIP5
from reidrisk.population.gather import OLDEST
from reidrisk.population.measure import AtRisk, AttackGroups
from reidrisk.population.people import Population
from reidrisk.population.voters import state_names
from reidrisk.stats.arrays import Bools, Ints

BIRTH_COLUMNS = ("age", "year_of_birth", "date_of_birth")
OPEN_FROM = 80
"""A last age band that begins at this age or later is treated as open-ended."""


def ages_of(values: NDArray[np.object_], column: str, year: int | None) -> Ints:
    """The age in whole years for each value of one of `BIRTH_COLUMNS`; -1 if unknown."""
    if column != "age" and year is None:
        raise InvalidSetting(
            f"The data set has {column} instead of an age, but the year of the population counts is missing.",
            hint="Give the year, such as 2000 (--counted-in on the command line), or add a column age.",
        )
    found = [_whole(value) if column == "age" else _since(value, year or 0) for value in values.tolist()]
    ages = np.array(found, dtype=np.int64)
    return np.where((ages >= 0) & (ages <= OLDEST), ages, -1)


def bands_of(ages: Ints, population: Population) -> tuple[Ints, Bools]:
    """The key of the age band of each age, -1 if there is none, and whether it is above the last band."""
    assert population.ages is not None  # noqa: S101 - an attack with birth has been refused without ages
    keys = np.unique(band_keys(population.ages.first, population.ages.years))
    first, years = keys // 2**9, keys % 2**9
    if np.any(first[1:] < first[:-1] + years[:-1]):
        raise BadData(
            f"The age bands of {population.source} differ between groups.",
            hint="To compare a data set with a population, all groups must have the same age bands.",
        )
    at = np.searchsorted(first, ages, side="right") - 1
    above = ages >= first[-1] + years[-1]
    older = above & (first[-1] >= OPEN_FROM)
    inside = (ages >= 0) & (at >= 0) & ((ages < first[at] + years[at]) | older)
    return np.where(inside, keys[at], -1), older


def _since(value: Any, year: int) -> int:
    """Age from a date, or from a text or number that begins with a four-digit year."""
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


Values = NDArray[np.object_]


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """The distinct combinations of field values in a data set, and the number of records with each."""

    source: str
    columns: Mapping[str, tuple[Values, Ints]] = field(repr=False)
    """For each column: its values, and the index of the value of each combination."""
    counts: Ints = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """Number of records."""
        return int(self.counts.sum())

    def of(self, inside: NDArray[np.bool_]) -> Records:
        """A selection of the combinations."""
        kept = {name: (values, codes[inside]) for name, (values, codes) in self.columns.items()}
        return replace(self, columns=kept, counts=self.counts[inside])


def read_records(
    source: Any, population: Population, attacks: Sequence[Attack], by: Sequence[str]
) -> Records:
    """Count the combinations of the fields that attacks use, under the population's column names."""
    areas = [*(name for attack in attacks for name in attack.columns), *by]
    with open_table(source) as table:
        own = {name.strip().casefold(): name for name in reversed(table.columns)}
        alone = [name for name in population.areas if only_one(population, name)]
        areas = [name for name in areas if name in own or name not in alone]
        names = [_present(own, name, table) for name in areas]
        for attack in attacks:
            if attack.zip3 is not None:
                names.append("zip3" if "zip3" in own else _present(own, attack.zip3[0], table))
            if attack.birth is not None:
                names.append(_birth_column(own, table))
        names = list(dict.fromkeys(names)) or [next(iter(own))]
        tuples = table.tuples([own[name] for name in names])
        columns = {
            name: (values, tuples.codes[:, at].astype(np.int64))
            for at, (name, values) in enumerate(zip(names, tuples.values, strict=True))
        }
        if not len(tuples):
            raise NothingToMeasure(f"{table.source} has no records.", hint="Check the file.")
        notes = tuple(note for note in table.notes if note.startswith("column "))
        return Records(table.source, columns, tuples.counts.astype(np.int64), notes)


def groups_of(
    records: Records, population: Population, found: AttackGroups, attack: Attack, *, counted_in: int | None
) -> Ints:
    """The population group of each combination; records without a group are refused."""
    columns = {name: area_codes(records, population, name) for name in attack.columns}
    if attack.zip3 is not None:
        columns["zip"] = _zip3_codes(records, population, *attack.zip3)
    if attack.birth is not None:
        columns["age"] = bands_of(_ages(records, counted_in), population)[0]
    if not columns:
        return np.zeros(len(records.counts), dtype=np.int64)
    groups = found.groups.find(list(columns.values()))
    refuse_lost(records, population, groups < 0, columns)
    return groups


def older_than_all(records: Records, population: Population, counted_in: int | None) -> int:
    """Number of records above the last age band, which are counted in it."""
    older = bands_of(_ages(records, counted_in), population)[1]
    return int(records.counts[older].sum())


def refuse_lost(
    records: Records,
    population: Population,
    lost: NDArray[np.bool_],
    columns: Mapping[str, Ints] | None = None,
) -> None:
    """Refuse records that match nobody in the population; `columns` are checked for the cause."""
    number = int(records.counts[lost].sum())
    if number:
        misfits = {name: int(records.counts[codes < 0].sum()) for name, codes in (columns or {}).items()}
        told = ", ".join(f"{name} {misfit:,}" for name, misfit in misfits.items() if misfit)
        raise BadData(
            f"{records.source}: {plural(number, 'record')} without a matching group in {population.source}"
            f"{f' (empty or unknown there: {told})' if told else ''}.",
            hint="Write areas and categories as in the population, and ages in years. Remove other records.",
        )


def more_than_people(risk: AtRisk, found: AttackGroups) -> int:
    """Number of groups with more records than people."""
    records = np.bincount(risk.group, weights=risk.people, minlength=len(found.people))
    return int((records > found.people).sum())


def _called(name: str) -> tuple[str, ...]:
    """The names that a data set may use for a column."""
    return {"sex": ("sex", "gender"), "gender": ("gender", "sex")}.get(
        name, (name, *ZIP5) if name in ZIP5 else (name,)
    )


def only_one(population: Population, area: str) -> bool:
    """Whether everybody lives in the same area."""
    codes = population.codes[area]
    return bool(np.all(codes == codes[0]))


def _present(own: Mapping[str, str], name: str, table: Table) -> str:
    for other in _called(name):
        if other in own:
            return other
    raise UnknownColumn.among(name, table.columns, source=table.source)


def _birth_column(own: Mapping[str, str], table: Table) -> str:
    for name in BIRTH_COLUMNS:
        if name in own:
            return name
    raise UnknownColumn(
        f"{table.source} has no age.", hint=f"Name a column {', '.join(BIRTH_COLUMNS[:-1])} or date_of_birth."
    )


def area_codes(records: Records, population: Population, name: str) -> Ints:
    """The population's code of an area or category for each combination; -1 if it has none."""
    if name not in records.columns and name in population.areas and only_one(population, name):
        return np.full(len(records.counts), population.codes[name][0], dtype=np.int64)
    alike = next(other for other in _called(name) if other in records.columns)
    values, codes = records.columns[alike]
    place = {label: code for code, label in enumerate(population.labels[name])}
    width = max((len(label) for label in place if label.isdecimal()), default=0)
    found = [_place(value, place, width, state=name == "state") for value in values.tolist()]
    return np.array(found, dtype=np.int64)[codes]


def _place(value: Any, place: Mapping[str, int], width: int, *, state: bool) -> int:
    """The code of a label; numbers may have lost leading zeros, and states have several names."""
    text = _text(value)
    forms = (text, *((text.zfill(width),) if _is_whole(value) else ()), *(state_names(text) if state else ()))
    return next((place[form] for form in forms if form in place), -1)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def _text(value: Any) -> str:
    """A value as text; a number column with missing values holds 1001.0 for 1001."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()


def _zip3_codes(records: Records, population: Population, column: str, rule: str) -> Ints:
    area = zip3_areas(population, column, rule)
    name = next(other for other in ("zip3", *ZIP5) if other in records.columns)
    values, codes = records.columns[name]
    digits = 3 if name == "zip3" else 5
    found = [area.get(_prefix(_text(value).zfill(digits), digits), -1) for value in values.tolist()]
    return np.array(found, dtype=np.int64)[codes]


def _prefix(text: str, digits: int) -> str:
    """The first three digits of a ZIP code with three, five or nine digits; empty for anything else."""
    whole = r"\d{3}" if digits == 3 else r"\d{5}(-?\d{4})?"
    return text[:3] if re.fullmatch(whole, text) else ""


def _ages(records: Records, year: int | None) -> Ints:
    """The age of each combination."""
    name = next(other for other in BIRTH_COLUMNS if other in records.columns)
    values, codes = records.columns[name]
    return ages_of(values, name, year)[codes]
