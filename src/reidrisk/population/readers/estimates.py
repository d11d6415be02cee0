"""Read the annual population estimates of the US Census Bureau, vintage by vintage.

File layouts CO-EST00INT-ALLDATA and CC-EST20xx-ALLDATA of the Population Estimates Program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.population.census import SEXES
from reidrisk.population.gather import CountRows, SourceBands, gather_counts, refuse_beyond
from reidrisk.population.people import Population
from reidrisk.population.readers.downloads import CensusSheet, refuse_misfits, whole_number

NAME = re.compile(r"cc-est(20\d\d)(int)?-alldata", re.IGNORECASE)
OPEN_AGE = 85


@dataclass(frozen=True, slots=True)
class Vintage:
    """A family of files with the same layout."""

    years: Mapping[str, int] = field(repr=False)
    """The code YEAR by its meaning: 2003 (July 1), 2000-census or 2000-base (April 1)."""
    total: int
    """The code AGEGRP for all ages."""
    ages: Mapping[int, tuple[int, int | None]] = field(repr=False)
    """Youngest and oldest age by code AGEGRP; None if open."""

    def code(self, wanted: int | str) -> int:
        """The code of a year."""
        if str(wanted) not in self.years:
            raise InvalidSetting.among("The year of these estimates", str(wanted), self.years)
        return self.years[str(wanted)]

    def day(self, code: int) -> str:
        """A description of a code."""
        name = next((name for name, own in self.years.items() if own == code), None)
        if name is None:
            return f"estimates with the code of year {code}"
        year, _, kind = name.partition("-")
        words = {
            "": "estimates of July 1",
            "census": "census of April 1",
            "base": "estimates base of April 1",
        }
        return f"{words.get(kind, 'estimates of April 1')}, {year}"


def _five_years(first_code: int, start: int) -> dict[int, tuple[int, int | None]]:
    bands: dict[int, tuple[int, int | None]] = {
        code: (age, age + 4) for code, age in enumerate(range(start, OPEN_AGE, 5), start=first_code)
    }
    return bands | {max(bands) + 1: (OPEN_AGE, None)}


def _july(first: int, last: int, code: int) -> dict[str, int]:
    return {str(year): code + year - first for year in range(first, last + 1)}


INTERCENSAL_2000 = Vintage(
    {"2000-base": 1, **_july(2000, 2009, 2), "2010-census": 12, "2010": 13},
    total=99,
    ages={0: (0, 0), 1: (1, 4), **_five_years(2, 5)},
)
"""co-est00int-alldata: age 0 is separate from 1 to 4, and the code 99 is for all ages."""


def vintage_of(file_name: str, place: str, *, has_99: bool) -> Vintage:
    """Find the vintage by file name, the only place that says what year 3 is.

    The code 99 occurs in one family only.
    """
    if has_99:
        return INTERCENSAL_2000
    found = NAME.search(file_name)
    if not found:
        raise BadData(
            f"{place}: the year codes can only be interpreted with the Bureau's own file name.",
            hint="Use the file name as downloaded, such as cc-est2019-alldata-39.csv.",
        )
    last = int(found[1])
    return Vintage(_years(last, intercensal=bool(found[2])), total=0, ages=_five_years(1, 0))


def _years(last: int, *, intercensal: bool) -> dict[str, int]:
    if intercensal:
        return {"2010-base": 1, **_july(2010, 2019, 2), "2020-census": 12}
    if last > 2020:
        return {"2020-base": 1, **_july(2020, last, 2)}
    decade = 2000 if last < 2010 else 2010
    known = {f"{decade}-census": 1, f"{decade}-base": 2, **_july(decade, min(last, 2019), 3)}
    return known | ({"2020-april": 13, "2020": 14} if last == 2020 else {})


KEYS = ("STATE", "COUNTY", "YEAR", "AGEGRP", "TOT_POP", "TOT_MALE", "TOT_FEMALE")
RACES = {
    "WA": "white",
    "BA": "black",
    "IA": "american_indian",
    "AA": "asian",
    "NA": "pacific_islander",
    "TOM": "two_or_more",
}
"""Race by column prefix: each race alone, and two or more; these files do not use some other race."""
ORIGINS = {"NH": "no", "H": "yes"}
SEX_ENDS = ("MALE", "FEMALE")
FIELDS = ("sex", "race", "hispanic")


@dataclass(frozen=True, slots=True)
class CountColumn:
    """A column of counts."""

    name: str
    labels: tuple[str, ...]
    """Sex and, if requested, race and Hispanic origin."""


@dataclass(frozen=True, slots=True)
class CountyLine:
    """The counts of one county and age group."""

    state: str
    county: str
    group: int
    total: int
    counts: tuple[int, ...]


def is_estimates(sheet: CensusSheet) -> bool:
    """Whether the file has county estimates."""
    return set(KEYS) <= set(sheet.header)


def read_estimates(
    sheets: Sequence[CensusSheet],
    *,
    year: int | str | None,
    fields: Sequence[str] | None,
    open_band_years: int | None,
    source: str,
) -> Population:
    """Counties by sex, race and, if requested, Hispanic origin; the default year is the last one."""
    wanted = _fields(fields)
    columns = _columns(wanted)
    if open_band_years is None:
        raise InvalidSetting(
            f"{source}: the age band {OPEN_AGE} and over is open.",
            hint="Set the number of years of birth in this band: open_band_years "
            "(--open-band-years on the command line), for example 15.",
        )
    refuse_beyond(OPEN_AGE, open_band_years)
    vintages = {sheet: _vintage(sheet) for sheet in sheets}
    if len({tuple(vintage.years.items()) for vintage in vintages.values()}) > 1:
        raise BadData(f"{source} has files of more than one vintage.", hint="Read one vintage at a time.")
    vintage = next(iter(vintages.values()))
    code = vintage.code(year) if year is not None else max(_codes(sheets))
    lines = [line for sheet in sheets for line in _lines(sheet, code, columns)]
    people = _without_totals(lines, vintage, source)
    rows = _rows(people, vintage, columns, wanted, open_band_years)
    notes = (
        vintage.day(code),
        f"{OPEN_AGE} and over is counted as {plural(open_band_years, 'year')} of birth",
    )
    return gather_counts(rows, areas=("state", "county"), fields=wanted, source=source, notes=notes)


def _fields(given: Sequence[str] | None) -> tuple[str, ...]:
    if given is None:
        return FIELDS[:2]
    for name in given:
        if name not in FIELDS:
            raise InvalidSetting.among("A field of these estimates", name, FIELDS)
    return tuple(name for name in FIELDS if name in given)


def _columns(wanted: tuple[str, ...]) -> tuple[CountColumn, ...]:
    origins = ORIGINS if "hispanic" in wanted else {"": ""}
    races = RACES if "race" in wanted else {"": "TOT"} if "hispanic" not in wanted else {"": ""}
    found = []
    for start, origin in origins.items():
        for middle, race in races.items():
            for end, sex in zip(SEX_ENDS, SEXES, strict=True):
                name = f"{start}{middle or ('' if start else 'TOT')}_{end}"
                own = {"sex": sex, "race": race, "hispanic": origin}
                found.append(CountColumn(name, tuple(own[field] for field in wanted)))
    return tuple(found)


def _vintage(sheet: CensusSheet) -> Vintage:
    at = sheet.header.index("AGEGRP")
    has_99 = any(len(row) > at and row[at].strip() == "99" for row in sheet.rows())
    return vintage_of(sheet.name, sheet.place, has_99=has_99)


def _codes(sheets: Sequence[CensusSheet]) -> set[int]:
    found = {
        int(row[at])
        for sheet in sheets
        for at in (sheet.header.index("YEAR"),)
        for row in sheet.rows()
        if len(row) > at and row[at].strip().isdecimal()
    }
    if not found:
        raise BadData("The estimates have no year.", hint="Download the file again.")
    return found


def _lines(sheet: CensusSheet, year: int, columns: Sequence[CountColumn]) -> Iterator[CountyLine]:
    places = {name: at for at, name in enumerate(sheet.header)}
    missing = [column.name for column in columns if column.name not in places]
    if missing:
        raise BadData(
            f"{sheet.place} does not have the column {missing[0]}.",
            hint="Download the file that ends in alldata.",
        )
    misfits = 0
    for row in sheet.rows():
        if not any(row):
            continue
        if len(row) < len(sheet.header):
            raise BadData(f"{sheet.place} has a line that is too short.", hint="Download it again.")
        if row[places["YEAR"]].strip() != str(year):
            continue
        own = [whole_number(row[places[name]]) for name in ("AGEGRP", "TOT_POP")]
        counts = [whole_number(row[places[column.name]]) for column in columns]
        misfits += [*own, *counts].count(None)
        state = row[places["STATE"]].strip().zfill(2)
        county = state + row[places["COUNTY"]].strip().zfill(3)
        yield CountyLine(state, county, own[0] or 0, own[1] or 0, tuple(count or 0 for count in counts))
    refuse_misfits(misfits, sheet.place)


def _without_totals(lines: list[CountyLine], vintage: Vintage, source: str) -> list[CountyLine]:
    """The lines without totals, after checking that ages and columns add up to the totals."""
    odd = sum(sum(line.counts) != line.total for line in lines)
    apart = [line for line in lines if line.group != vintage.total]
    unknown = {line.group for line in apart} - set(vintage.ages)
    sums: dict[str, int] = {}
    for line in apart:
        sums[line.county] = sums.get(line.county, 0) + line.total
    totals = {line.county: line.total for line in lines if line.group == vintage.total}
    odd += sum(sums.get(county, 0) != total for county, total in totals.items())
    if odd or unknown or not totals:
        raise BadData(
            f"{source}: ages, sexes and races do not add up to the totals in {plural(odd, 'place')}, "
            f"or the age groups are not those of the Bureau.",
            hint="Download the files again and do not change them.",
        )
    return apart


def _rows(
    lines: list[CountyLine],
    vintage: Vintage,
    columns: Sequence[CountColumn],
    fields: tuple[str, ...],
    open_band_years: int,
) -> CountRows:
    counts = np.array([line.counts for line in lines], dtype=np.int64)
    labels: dict[str, tuple[str, ...]] = {}
    codes = {}
    for name, own in (("state", [line.state for line in lines]), ("county", [line.county for line in lines])):
        values, code = np.unique(np.array(own), return_inverse=True)
        labels[name] = tuple(map(str, values))
        codes[name] = np.repeat(code.astype(np.int32), len(columns))
    for at, name in enumerate(fields):
        own = [column.labels[at] for column in columns]
        labels[name] = tuple(dict.fromkeys(own))
        code = np.array([labels[name].index(label) for label in own], dtype=np.int32)
        codes[name] = np.tile(code, len(lines))
    bands = [vintage.ages[line.group] for line in lines]
    last = [first + open_band_years - 1 if end is None else end for first, end in bands]
    return CountRows(
        labels,
        codes,
        counts.reshape(-1),
        SourceBands(
            np.repeat(np.array([first for first, _ in bands], dtype=np.int64), len(columns)),
            np.repeat(np.array(last, dtype=np.int64), len(columns)),
            np.repeat(np.array([end is None for _, end in bands]), len(columns)),
        ),
        distinct="sex" in fields,
    )
