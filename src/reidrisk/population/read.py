"""Read a population from any supported file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reidrisk.core.places import POSTGRES
from reidrisk.core.wording import path_text
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.population.gather import checked_years
from reidrisk.population.people import Population
from reidrisk.population.readers.decennial import is_decennial, read_decennial
from reidrisk.population.readers.downloads import CensusSheet, sheets_of
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
    """Read counts of people by area, categories and age.

    The source is a table in long form (area…, field…, age_lo, age_hi, n) of any kind that `table_risk`
    reads, or files of the US Census Bureau as downloaded, alone or in a folder or archive: tables PCT12A to
    PCT12G of 2000, 2010 and 2020, and the county estimates co-est00int-alldata and cc-est20xx-alldata.

    `areas` and `fields` name the columns of a long form; without them, areas are recognized by name, and
    all other columns are fields. `open_band_years` is the number of years of birth in an open band at the
    top. `year` selects one of the estimates in a file: 2005 for July 1, or 2000-base or 2010-census for
    April 1; the default is the last one.

    >>> import pyarrow as pa
    >>> table = {"county": ["A", "B"], "sex": ["F", "F"], "age": [40, 41], "n": [10, 20]}
    >>> people = read_population(pa.table(table))
    >>> people.areas, people.fields
    (('county',), ('sex',))
    """
    checked_years(open_band_years)
    sheets = _census_sheets(source)
    name = path_text(source) if isinstance(source, str | Path) else ""
    if not sheets:
        if year is not None:
            raise InvalidSetting(
                f"{name or 'The table'} is not a file of the Bureau's county estimates.",
                hint="Leave the year out: a file in long form has only one.",
            )
        return read_long(source, areas=areas, fields=fields, open_band_years=open_band_years, scan=scan)
    if areas is not None:
        raise InvalidSetting(
            f"{name}: areas cannot be chosen for files of the Census Bureau.", hint="Leave the areas out."
        )
    return _of_the_bureau(sheets, fields=fields, open_band_years=open_band_years, year=year, source=name)


def _of_the_bureau(
    sheets: tuple[CensusSheet, ...],
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
        raise BadData(f"{source} has both estimates and census tables.", hint="Put them in separate folders.")
    if year is not None or fields is not None:
        raise InvalidSetting(
            f"{source}: PCT12 tables are from one census, by sex and race.", hint="Leave year and fields out."
        )
    return read_decennial(sheets, open_band_years=open_band_years, source=source)


def _census_sheets(source: Any) -> tuple[CensusSheet, ...]:
    """The files of the Census Bureau at a path; empty if there are none."""
    if not isinstance(source, str | Path) or str(source).startswith(POSTGRES):
        return ()
    path = Path(source)
    try:
        packed = path.is_file() and path.suffix.lower() == ".zip"
        if not (path.is_dir() or packed or path.suffix.lower() in {".csv", ".txt"}) or not path.exists():
            return ()
        sheets = tuple(sheet for sheet in sheets_of(path) if is_estimates(sheet) or is_decennial(sheet))
    except OSError as error:
        raise UnreadableFile(
            f"{path_text(source)} cannot be read: {error.strerror}.", hint="Check that you may read it."
        ) from None
    if packed and not sheets:
        raise BadData(
            f"{path_text(source)} has no table of the Census Bureau that can be read.",
            hint="Unpack it and choose a file: tables PCT12A to PCT12G, county estimates, or long form.",
        )
    return sheets
