"""Read tables PCT12A to PCT12G of a decennial census: 2000, 2010 and 2020.

2020: the cells are PCT12A_001N to PCT12A_209N. data.census.gov adds annotations such as PCT12A_001NA,
which are skipped.

2000 and 2010: data.census.gov and the API of the Bureau call the cells PCT012A001 to PCT012A209. American
FactFinder, closed in 2020, called them VD01 to VD209 (2000) or D001 to D209 (2010), in files named after
the table, such as DEC_10_SF1_PCT12A_with_ann.csv, with GEO.id, GEO.id2 and GEO.display-label before them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reidrisk.errors import BadData
from reidrisk.population.census import RACES
from reidrisk.population.people import Population
from reidrisk.population.readers.downloads import CensusSheet, refuse_misfits, whole_number
from reidrisk.population.readers.pct12 import CELLS, FEMALES, MALES, CensusArea, RaceTable, one_population

DHC_CODES = re.compile(r"PCT12([A-O]?)_(\d{3})N")


def dhc_cell(column: str) -> tuple[str, int] | None:
    """The letter of the table and the number of the cell from 1 on; None for any other column.

    >>> dhc_cell("PCT12G_209N"), dhc_cell("PCT12G_209NA")
    (('G', 209), None)
    """
    code = DHC_CODES.fullmatch(column)
    return (code[1], int(code[2])) if code else None


SF1_CODES = re.compile(r"PCT012([A-O]?)(\d{3})")
FACTFINDER = re.compile(r"(?:HD01_)?(?:VD|D|S)(\d{2,3})")
NAMED = re.compile(r"PCT0?12([A-O]?)(?![0-9A-Z])", re.IGNORECASE)


def sf1_cell(column: str, file_name: str) -> tuple[str, int] | None:
    """The letter of the table and the number of the cell from 1 on; None for any other column.

    >>> sf1_cell("PCT012A002", "x.csv"), sf1_cell("D107", "DEC_10_SF1_PCT12C_with_ann.csv")
    (('A', 2), ('C', 107))
    """
    code = SF1_CODES.fullmatch(column)
    if code:
        return code[1], int(code[2])
    old, table = FACTFINDER.fullmatch(column), NAMED.search(file_name)
    return (table[1].upper(), int(old[1])) if old and table else None


GEOGRAPHY = ("GEO_ID", "GEO.id", "GEOID", "id")
Cells = dict[int, int]
"""The column of each cell, by cell number from 1."""


def cells_of(header: Sequence[str], file_name: str) -> dict[str, Cells]:
    """The columns of the cells, by the letter of each table in the header."""
    found: dict[str, Cells] = {}
    for at, column in enumerate(header):
        cell = dhc_cell(column) or sf1_cell(column, file_name)
        if cell is not None:
            found.setdefault(cell[0], {})[cell[1]] = at
    return {letter: cells for letter, cells in found.items() if len(cells) > 1}


def is_decennial(sheet: CensusSheet) -> bool:
    """Whether the file has a table of a decennial census."""
    return any(name in sheet.header for name in GEOGRAPHY) and bool(cells_of(sheet.header, sheet.name))


def read_decennial(sheets: Sequence[CensusSheet], *, open_band_years: int | None, source: str) -> Population:
    """Combine all tables of all files into one population."""
    tables: list[RaceTable] = []
    passed: set[str] = set()
    for sheet in sheets:
        for letter, cells in cells_of(sheet.header, sheet.name).items():
            if letter and letter not in RACES:
                passed.add(letter)
            else:
                tables.append(_table(sheet, letter, cells))
    notes = (f"tables {', '.join(sorted(passed))} count the same people again and are skipped",)
    return one_population(
        tables, open_band_years=open_band_years, source=source, notes=notes if passed else ()
    )


def _table(sheet: CensusSheet, letter: str, cells: Cells) -> RaceTable:
    if sorted(cells) != list(range(1, CELLS + 1)):
        raise BadData(
            f"{sheet.place}: table PCT12{letter} has {len(cells)} of its {CELLS} cells.",
            hint="Download the whole table.",
        )
    geography = next(at for at, name in enumerate(sheet.header) if name in GEOGRAPHY)
    columns = [cells[number] for number in range(1, CELLS + 1)]
    found: dict[CensusArea, NDArray[np.int64]] = {}
    misfits = 0
    for at, row in enumerate(sheet.rows()):
        place = CensusArea.of(row[geography]) if len(row) > max(columns) else None
        if place is None:
            _refuse_broken(row, columns, sheet, first=at == 0)
            continue
        if place in found:
            raise BadData(f"{sheet.place} has an area twice.", hint="Download it again.")
        numbers = [whole_number(row[column]) for column in columns]
        misfits += numbers.count(None)
        found[place] = np.array([number or 0 for number in numbers], dtype=np.int64)
    refuse_misfits(misfits, sheet.place)
    return RaceTable(letter, found, sheet.place)


def _refuse_broken(row: list[str], columns: list[int], sheet: CensusSheet, *, first: bool) -> None:
    """Refuse a row without an area, except the second line, which describes the columns."""
    if not any(cell.strip() for cell in row):
        return
    if not first or len(row) <= max(columns):
        raise BadData(
            f"{sheet.place} has a line that is too short or has no area identifier of the Bureau.",
            hint="Identifiers look like 0500000US39001. Download the file again and do not change it.",
        )
    words = {at: row[columns[at]].casefold() for at in (MALES, MALES + 1, FEMALES)}
    if "male" not in words[MALES] or "under 1 year" not in words[MALES + 1] or "female" not in words[FEMALES]:
        raise BadData(
            f"{sheet.place}: the columns are not those of table PCT12.",
            hint="Cell 2 is males, cell 3 males under 1 year, cell 106 females. Download PCT12A to PCT12G.",
        )
