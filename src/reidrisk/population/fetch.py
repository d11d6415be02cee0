"""The counties of a state by race, sex and age, from the Bureau's data interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.census import POSTAL, RACES, state_fips
from reidrisk.population.census_api import Answer, CensusApi, cache_folder
from reidrisk.population.people import Population
from reidrisk.population.readers.downloads import whole_number
from reidrisk.population.readers.pct12 import CELLS, Place, RaceTable, one_population

AT_ONCE = 50
"""Variables the interface gives in one answer."""


@dataclass(frozen=True, slots=True)
class Census:
    """Where the interface has tables PCT12A to PCT12G of one census."""

    dataset: str
    table: str
    """The name of a table, with {} for its letter."""
    cell: str
    """The name of a cell, with {0} for the letter and {1} for the number."""
    by_group: bool
    """Whether a whole table can be asked for by its name."""


CENSUSES = {
    2000: Census("2000/dec/sf1", "PCT012{}", "PCT012{0}{1:03d}", by_group=False),
    2010: Census("2010/dec/sf1", "PCT12{}", "PCT012{0}{1:03d}", by_group=False),
    2020: Census("2020/dec/dhc", "PCT12{}", "PCT12{0}_{1:03d}N", by_group=True),
}
Cells = dict[Place, NDArray[np.int64]]


def fetch_population(
    year: int,
    state: str,
    *,
    api: CensusApi | None = None,
    open_band_years: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Population:
    """Ask the Census Bureau for all counties of a state, by its postal or FIPS code.

    This uses the network. Answers are kept in the user's cache folder unless `api` says otherwise, so that
    a second call, or one after an interruption, asks only for what is missing.
    """
    if year not in CENSUSES:
        raise InvalidSetting.among("The year of a census", str(year), map(str, CENSUSES))
    fips = state_fips(state)
    census, interface = CENSUSES[year], api or CensusApi(cache=cache_folder())
    source = f"Census {year}, {POSTAL[fips]}, tables PCT12A to PCT12G ({interface.base_url})"
    tables = []
    for done, letter in enumerate(RACES, start=1):
        tables.append(_table(interface, census, letter, fips))
        if progress is not None:
            progress(done, len(RACES))
    try:
        return one_population(tables, open_band_years=open_band_years, source=source)
    except BadData:
        for letter in RACES:
            _forget(interface, census, letter, fips)
        raise


def _table(interface: CensusApi, census: Census, letter: str, fips: str) -> RaceTable:
    """One race; answers that make no sense are not kept."""
    answers = [
        (numbers, interface.ask(census.dataset, _question(wanted, fips)))
        for wanted, numbers in _questions(census, letter)
    ]
    try:
        return _taken(answers, census, letter, fips)
    except BadData:
        _forget(interface, census, letter, fips)
        raise


def _forget(interface: CensusApi, census: Census, letter: str, fips: str) -> None:
    for wanted, _ in _questions(census, letter):
        interface.forget(census.dataset, _question(wanted, fips))


def _question(wanted: str, fips: str) -> dict[str, str]:
    return {"get": wanted, "for": "county:*", "in": f"state:{fips}"}


def _taken(answers: list[tuple[range, Answer]], census: Census, letter: str, fips: str) -> RaceTable:
    found: Cells = {}
    for numbers, answer in answers:
        names = [census.cell.format(letter, number) for number in numbers]
        _take(found, answer, names, numbers, (fips, f"{census.dataset} {census.table.format(letter)}"))
    incomplete = sum(bool(np.any(row < 0)) for row in found.values())
    if incomplete or not found:
        raise BadData(
            f"{census.dataset}: the answers leave gaps in {incomplete} counties.", hint="Try again later."
        )
    return RaceTable(letter, found, f"{census.dataset} {census.table.format(letter)}")


def _questions(census: Census, letter: str) -> Iterator[tuple[str, range]]:
    if census.by_group:
        yield f"group({census.table.format(letter)})", range(1, CELLS + 1)
        return
    for first in range(1, CELLS + 1, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, CELLS + 1))
        yield ",".join(census.cell.format(letter, number) for number in numbers), numbers


def _take(found: Cells, answer: Answer, names: list[str], numbers: range, where: tuple[str, str]) -> None:
    """Put the cells of one answer in their places."""
    fips, place = where
    header = answer[0]
    missing = [name for name in (*names, "state", "county") if name not in header]
    if missing:
        raise BadData(
            f"{place}: the answer lacks {len(missing)} columns, such as {missing[0]}.",
            hint="The interface may have changed: download the tables from data.census.gov instead.",
        )
    columns = [header.index(name) for name in names]
    state, county = header.index("state"), header.index("county")
    for line in answer[1:]:
        if line[state] != fips:
            raise BadData(f"{place}: the answer is of another state.", hint="Empty the cache folder.")
        cells = [whole_number(str(line[column])) for column in columns]
        counts = [count for count in cells if count is not None]
        if len(counts) < len(columns):
            raise BadData(
                f"{place}: the answer has cells without a count.", hint="The Bureau gives none; try later."
            )
        row = found.setdefault(Place("050", f"{fips}{line[county]}"), np.full(CELLS, -1, dtype=np.int64))
        row[numbers.start - 1 : numbers.stop - 1] = counts
