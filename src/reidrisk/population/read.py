"""`read_population`: whatever the file is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reidrisk.core.wording import path_text
from reidrisk.engine.readers.postgres import SCHEMES
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.population.gather import checked_years
from reidrisk.population.people import Population
from reidrisk.population.readers.decennial import is_decennial, read_decennial
from reidrisk.population.readers.downloads import Sheet, sheets_of
from reidrisk.population.readers.estimates import is_estimates, read_estimates
from reidrisk.population.readers.long import read_long


def read_population(
    source: Any,
    *,
    areas: Sequence[str] | None = None,
    fields: Sequence[str] | None = None,
    open_band_years: int | None = None,
    year: int | str | None = None,
    scan: ScanSettings | None = None,
) -> Population:
    """Counts of people by area, categories and age.

    Long form (area…, field…, age_lo, age_hi, n) of any kind that `table_risk` reads, or the US Census
    Bureau's files as downloaded, in a folder or archive or alone: PCT12A to PCT12G of 2000, 2010 and 2020,
    and the county estimates co-est00int-alldata and cc-est20xx-alldata.

    `areas` and `fields` name the columns of a long form; without them areas are recognised by their names,
    and all other columns are fields. `open_band_years` says over how many years of birth the people of an
    open band at the top spread. `year` chooses among the estimates of one file: 2005 for July 1, or
    2000-base, 2010-census for April 1; the last one if not said.
    """
    checked_years(open_band_years)
    sheets = _census_sheets(source)
    name = path_text(source) if isinstance(source, str | Path) else ""
    if not sheets:
        if year is not None:
            raise InvalidSetting(
                f"{name or 'The table'} is no file of the Bureau's county estimates.",
                hint="Leave the year out: in long form a file holds one.",
            )
        return read_long(source, areas=areas, fields=fields, open_band_years=open_band_years, scan=scan)
    if areas is not None:
        raise InvalidSetting(
            f"{name}: the areas of the Bureau's files are known.", hint="Leave the areas out."
        )
    return _of_the_bureau(sheets, fields=fields, open_band_years=open_band_years, year=year, source=name)


def _of_the_bureau(
    sheets: tuple[Sheet, ...],
    *,
    fields: Sequence[str] | None,
    open_band_years: int | None,
    year: int | str | None,
    source: str,
) -> Population:
    if all(map(is_estimates, sheets)):
        return read_estimates(
            sheets, year=year, fields=fields, open_band_years=open_band_years, source=source
        )
    if not all(map(is_decennial, sheets)):
        raise BadData(
            f"{source} holds estimates beside tables of a census.", hint="Put them in folders of their own."
        )
    if year is not None or fields is not None:
        raise InvalidSetting(
            f"{source}: tables PCT12 are of one census, by sex and race.", hint="Leave year and fields out."
        )
    return read_decennial(sheets, open_band_years=open_band_years, source=source)


def _census_sheets(source: Any) -> tuple[Sheet, ...]:
    """The Bureau's files that a path means; none if it means anything else."""
    if not isinstance(source, str | Path) or str(source).startswith(SCHEMES):
        return ()
    path = Path(source)
    try:
        packed = path.is_file() and path.suffix.lower() == ".zip"
        if not (path.is_dir() or packed or path.suffix.lower() in {".csv", ".txt"}) or not path.exists():
            return ()
        sheets = tuple(sheet for sheet in sheets_of(path) if is_estimates(sheet) or is_decennial(sheet))
    except OSError as error:
        raise UnreadableFile(
            f"{path_text(source)} cannot be read: {error.strerror}.", hint="Check your right to read it."
        ) from None
    if packed and not sheets:
        raise BadData(
            f"{path_text(source)} holds no table of the Census Bureau that is known here.",
            hint="Unpack it and name the file: tables PCT12A to PCT12G, county estimates, or long form.",
        )
    return sheets
