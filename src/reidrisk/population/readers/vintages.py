"""What the codes YEAR and AGEGRP mean in the Bureau's county estimates, which differs by file.

File layouts CO-EST00INT-ALLDATA and CC-EST20xx-ALLDATA of the Population Estimates Program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from reidrisk.errors import BadData, InvalidSetting

NAME = re.compile(r"cc-est(20\d\d)(int)?-alldata", re.IGNORECASE)
OPEN_AGE = 85


@dataclass(frozen=True, slots=True)
class Vintage:
    """One family of files."""

    years: Mapping[str, int] = field(repr=False)
    """The code YEAR by what it stands for: 2003 (July 1), 2000-census or 2000-base (April 1)."""
    total: int
    """The code AGEGRP of all ages."""
    ages: Mapping[int, tuple[int, int | None]] = field(repr=False)
    """Youngest and oldest age by the code AGEGRP; None is open."""

    def code(self, wanted: int | str) -> int:
        """The code of a year."""
        if str(wanted) not in self.years:
            raise InvalidSetting.among("The year of these estimates", str(wanted), self.years)
        return self.years[str(wanted)]

    def day(self, code: int) -> str:
        """What a code stands for, in words."""
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
"""co-est00int-alldata: age 0 apart from 1 to 4, and 99 for all ages."""


def vintage_of(file_name: str, place: str, *, has_99: bool) -> Vintage:
    """By the file's name, which alone tells what year 3 is; the code 99 occurs in one family only."""
    if has_99:
        return INTERCENSAL_2000
    found = NAME.search(file_name)
    if not found:
        raise BadData(
            f"{place}: only the Bureau's own file name tells what its codes of years mean.",
            hint="Name the file as it was downloaded, such as cc-est2019-alldata-39.csv.",
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
