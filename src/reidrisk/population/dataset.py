"""A data set held against the population that its people come from: how many of each group it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.engine.table import Table, open_table
from reidrisk.engine.tuples import distinct_tuples
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn
from reidrisk.population.attack import Attack, band_keys, zip3_areas
from reidrisk.population.fields import ZIP5
from reidrisk.population.measure import AtRisk, Grouped
from reidrisk.population.people import Population
from reidrisk.stats.arrays import Ints

BIRTH_COLUMNS = ("age", "year_of_birth", "date_of_birth")
Values = NDArray[np.object_]


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """The distinct combinations of the fields of a data set, and how many records have each."""

    source: str
    columns: Mapping[str, tuple[Values, Ints]] = field(repr=False)
    """For each column its values, and which of them each combination has."""
    counts: Ints = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """How many records there are."""
        return int(self.counts.sum())

    def of(self, inside: NDArray[np.bool_]) -> Records:
        """Only some of the combinations."""
        kept = {name: (values, codes[inside]) for name, (values, codes) in self.columns.items()}
        return replace(self, columns=kept, counts=self.counts[inside])


def read_records(
    source: Any, population: Population, attacks: Sequence[Attack], by: Sequence[str]
) -> Records:
    """Count the combinations of the fields that attacks use; names are those of the population."""
    areas = [*(name for attack in attacks for name in attack.columns), *by]
    with open_table(source) as table:
        alone = [name for name in population.areas if only_one(population, name)]
        areas = [name for name in areas if name in table.columns or name not in alone]
        names = [_present(table, name) for name in areas]
        for attack in attacks:
            if attack.zip3 is not None:
                names.append("zip3" if "zip3" in table.columns else _present(table, attack.zip3[0]))
            if attack.birth is not None:
                names.append(_birth_column(table))
        names = list(dict.fromkeys(names)) or [table.columns[0]]
        tuples = distinct_tuples(table, names)
        columns = {
            name: (values, tuples.codes[:, at].astype(np.int64))
            for at, (name, values) in enumerate(zip(names, tuples.values, strict=True))
        }
        return Records(table.source, columns, tuples.counts.astype(np.int64), table.notes)


def groups_of(
    records: Records, population: Population, found: Grouped, attack: Attack, *, counted_in: int | None
) -> Ints:
    """The group of the population that each combination is in; -1 if in none."""
    columns = [area_codes(records, population, name) for name in attack.columns]
    if attack.zip3 is not None:
        columns.append(_zip3_codes(records, population, *attack.zip3))
    if attack.birth is not None:
        columns.append(_bands(records, population, counted_in))
    return found.groups.find(columns) if columns else np.zeros(len(records.counts), dtype=np.int64)


def refuse_lost(records: Records, population: Population, lost: NDArray[np.bool_]) -> None:
    """Every record must be of somebody in the population."""
    number = int(records.counts[lost].sum())
    if number:
        raise BadData(
            f"{records.source}: {plural(number, 'record')} in no group of {population.source}.",
            hint="Write areas and categories as the population does, ages in years; leave out others.",
        )


def more_than_people(risk: AtRisk, found: Grouped) -> int:
    """How many groups have more records than people."""
    records = np.bincount(risk.group, weights=risk.people, minlength=len(found.people))
    return int((records > found.people).sum())


def _called(name: str) -> tuple[str, ...]:
    """The names under which a data set may have a column."""
    return {"sex": ("sex", "gender"), "gender": ("gender", "sex")}.get(
        name, (name, *ZIP5) if name in ZIP5 else (name,)
    )


def only_one(population: Population, area: str) -> bool:
    """Whether everybody lives in the same area."""
    codes = population.codes[area]
    return bool(np.all(codes == codes[0]))


def _present(table: Table, name: str) -> str:
    for other in _called(name):
        if other in table.columns:
            return other
    raise UnknownColumn.among(name, table.columns, source=table.source)


def _birth_column(table: Table) -> str:
    for name in BIRTH_COLUMNS:
        if name in table.columns:
            return name
    raise UnknownColumn(
        f"{table.source} has no age.", hint=f"Name a column {', '.join(BIRTH_COLUMNS[:-1])} or date_of_birth."
    )


def area_codes(records: Records, population: Population, name: str) -> Ints:
    """The population's code of an area or category for each combination; -1 if it knows none."""
    if name not in records.columns and name in population.areas and only_one(population, name):
        return np.full(len(records.counts), population.codes[name][0], dtype=np.int64)
    alike = next(other for other in _called(name) if other in records.columns)
    values, codes = records.columns[alike]
    place = {label: code for code, label in enumerate(population.labels[name])}
    width = max((len(label) for label in place if label.isdecimal()), default=0)
    found = [_place(value, place, width) for value in values.tolist()]
    return np.array(found, dtype=np.int64)[codes]


def _place(value: Any, place: Mapping[str, int], width: int) -> int:
    """A number may have lost the zeros that its label begins with."""
    text = str(value).strip()
    if text not in place and isinstance(value, int):
        text = text.zfill(width)
    return place.get(text, -1)


def _zip3_codes(records: Records, population: Population, column: str, rule: str) -> Ints:
    area = zip3_areas(population, column, rule)
    name = next(other for other in ("zip3", *ZIP5) if other in records.columns)
    values, codes = records.columns[name]
    digits = 3 if name == "zip3" else 5
    found = [area.get(str(value).strip().zfill(digits)[:3], -1) for value in values.tolist()]
    return np.array(found, dtype=np.int64)[codes]


def _bands(records: Records, population: Population, year: int | None) -> Ints:
    """The key of the age band of each combination; -1 where there is none."""
    assert population.ages is not None  # noqa: S101 - an attack with birth has been refused without ages
    name = next(other for other in BIRTH_COLUMNS if other in records.columns)
    values, codes = records.columns[name]
    ages = np.array([_age(value, name, year) for value in values.tolist()], dtype=np.int64)
    keys = np.unique(band_keys(population.ages.first, population.ages.years))
    first, years = keys // 2**9, keys % 2**9
    if np.any(first[1:] < first[:-1] + years[:-1]):
        raise BadData(
            f"{population.source} has other age bands in some groups than in others.",
            hint="A data set can be held against a population with the same bands in all groups.",
        )
    at = np.searchsorted(first, ages, side="right") - 1
    inside = (ages >= 0) & (at >= 0) & ((ages < first[at] + years[at]) | (at == len(first) - 1))
    return np.where(inside, keys[at], -1)[codes]


def _age(value: Any, name: str, year: int | None) -> int:
    """In whole years; -1 if it cannot be told."""
    if name == "age":
        return _whole(value)
    if year is None:
        raise InvalidSetting(
            f"The data set has {name} instead of an age, and nobody says when the population was counted.",
            hint="Name the year, such as 2000 (--counted-in on the command line), or give a column age.",
        )
    born = value.year if isinstance(value, date) else _whole(str(value).strip()[:4])
    return year - born if born > 0 else -1


def _whole(value: Any) -> int:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return -1
    return int(number) if number == number and number >= 0 else -1  # noqa: PLR0124 - no number
