"""How births are distributed over the year: evenly, by calendar, or from a file."""

from __future__ import annotations

import csv
from calendar import monthrange
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from math import fsum, isfinite
from pathlib import Path

import numpy as np

from reidrisk.core.wording import path_text
from reidrisk.errors import BadData, InvalidSetting, UnreadableFile
from reidrisk.population.fields import Birth
from reidrisk.population.settings import BY_CALENDAR, DAYS, EVEN
from reidrisk.stats.arrays import Floats
from reidrisk.stats.distinctness import distinct_people
from reidrisk.stats.quadrature import gauss_points

LEAP_YEAR = 2000
POINTS = 48
"""Number of points that replace the 366 days, if the error stays below the tolerance."""
TOLERANCE = 1e-7
PROBES = (100, 10_000, 1_000_000)
"""Group sizes on which the error is measured."""
_DAYS = tuple((month, day) for month in range(1, 13) for day in range(1, monthrange(LEAP_YEAR, month)[1] + 1))

Spread = tuple[tuple[float, float], ...]
"""Pairs of a share of the people and the number of bins per year with their probability."""


@dataclass(frozen=True, slots=True)
class BirthDates:
    """The probability of each day of the year, or an even distribution over a number of days."""

    name: str = EVEN
    days: int = DAYS.default
    """Days per year; not used if `chances` are given."""
    chances: tuple[float, ...] = field(default=(), repr=False)
    """The probability of each of 366 days from January 1; empty for an even distribution."""

    def __post_init__(self) -> None:
        DAYS.check(self.days)
        odd = any(not isfinite(chance) or chance < 0 for chance in self.chances)
        if self.chances and (
            len(self.chances) != len(_DAYS) or odd or not abs(fsum(self.chances) - 1) < 1e-9
        ):
            raise InvalidSetting("The chances of 366 days do not add up to 1.", hint="Give shares.")

    def spread(self, birth: Birth | None) -> Spread:
        """How people with the same year of birth are distributed over bins of a granularity.

        >>> BirthDates().spread("date")
        ((1.0, 365.0),)
        """
        if birth in (None, "year"):
            return ((1.0, 1.0),)
        if not self.chances:
            return ((1.0, 12.0 if birth == "month" else float(self.days)),)
        chances = self.chances if birth == "date" else self._months()
        return _condensed(chances)

    def _months(self) -> tuple[float, ...]:
        months: dict[int, list[float]] = {month: [] for month, _ in _DAYS}
        for (month, _), chance in zip(_DAYS, self.chances, strict=True):
            months[month].append(chance)
        return tuple(fsum(days) for days in months.values())


@cache
def _condensed(chances: tuple[float, ...]) -> Spread:
    """Merge days with the same probability, and replace all by a few points if that is as accurate."""
    tally = Counter(chance for chance in chances if chance > 0)
    each = np.array(sorted(tally))
    times = np.array([tally[chance] for chance in each.tolist()])
    every = _pairs(each, each * times)
    if len(every) <= POINTS:
        return every
    few = _pairs(*gauss_points(each, each * times, POINTS))
    return few if _as_good(few, every) else every


def _pairs(points: Floats, weights: Floats) -> Spread:
    return tuple(zip(weights.tolist(), (1 / points).tolist(), strict=True))


def _as_good(few: Spread, every: Spread) -> bool:
    """Whether a few points give the same figures as all days, for large groups too."""
    for people in PROBES:
        even = people / len(_DAYS)
        sizes = np.unique(np.ceil(even * np.geomspace(0.05, 20, 60)))
        found = []
        for spread in (few, every):
            weights, bins = np.array(spread).T
            found.append(weights @ distinct_people(sizes, people, np.maximum(bins, 1.0)[:, None]) / people)
        if np.abs(found[0] - found[1]).max() > TOLERANCE:
            return False
    return True


UNIFORM = BirthDates()


def leap_days() -> BirthDates:
    """All days are equally likely except February 29, which occurs in one year out of four."""
    weights = [1.0 if day == (2, 29) else 4.0 for day in _DAYS]
    return BirthDates(BY_CALENDAR, chances=tuple(weight / fsum(weights) for weight in weights))


def read_birth_dates(given: str | Path, *, days: int | None = None) -> BirthDates:
    """Read `uniform`, `leap`, or a CSV file with the columns month, day and births."""
    text = str(given)
    if text != EVEN and days is not None:
        raise InvalidSetting(
            "A number of days can only be given with evenly distributed births.",
            hint="Leave one of the two out.",
        )
    if text == EVEN:
        return BirthDates(days=DAYS.default if days is None else days)
    return leap_days() if text == BY_CALENDAR else _from_file(Path(text))


def _from_file(path: Path) -> BirthDates:
    place = path_text(path)
    hint = "Write the header month,day,births and one line per day, or month,births and twelve lines."
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise UnreadableFile(
            f"{place} cannot be read.", hint="Check the path, and save the file as UTF-8."
        ) from None
    try:
        daily = bool(rows) and "day" in rows[0]
        births = {(int(row["month"]), int(row["day"]) if daily else 0): float(row["births"]) for row in rows}
    except (KeyError, ValueError, TypeError):
        raise BadData(f"{place} is not a table of births by day or month.", hint=hint) from None
    wanted = set(_DAYS) - {(2, 29)} if daily else {(month, 0) for month in range(1, 13)}
    if len(births) < len(rows) or not wanted <= set(births) or set(births) - wanted - {(2, 29)}:
        raise BadData(f"{place} does not list every day or month of a year exactly once.", hint=hint)
    if any(not isfinite(number) or number < 0 for number in births.values()) or not sum(births.values()):
        raise BadData(f"{place} has negative numbers of births, or no births at all.", hint=hint)
    return BirthDates(place, chances=_chances(births, daily=daily))


def _chances(births: dict[tuple[int, int], float], *, daily: bool) -> tuple[float, ...]:
    """Spread monthly births evenly over the days; February 29 counts as a quarter of a day."""
    if daily:
        weights = [births.get(day, 0.0) for day in _DAYS]
    else:
        part = {day: 0.25 if day == (2, 29) else 1.0 for day in _DAYS}
        length = {month: fsum(part[day] for day in _DAYS if day[0] == month) for month in range(1, 13)}
        weights = [births[month, 0] * part[month, day] / length[month] for month, day in _DAYS]
    whole = fsum(weights)
    return tuple(weight / whole for weight in weights)
