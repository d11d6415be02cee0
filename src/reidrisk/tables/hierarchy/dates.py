"""Dates: days in weeks, or in months, quarters, half years, years and decades."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.spec import Spec
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.levels import (
    Chain,
    ColumnValues,
    LevelLabels,
    Objects,
    label_each,
    refuse_values,
)

MONTHS = {"month": 1, "quarter": 3, "half_year": 6, "year": 12, "decade": 120}
"""Number of months in a period; each number divides the next."""
PERIODS = ("day", "week", *MONTHS)

Days = NDArray[np.datetime64]

_EPOCH = date(1970, 1, 1).toordinal()
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?")


@dataclass(frozen=True, slots=True)
class DateLevels:
    """The levels of dates, dates with times and texts such as 2007-03-14."""

    periods: tuple[str, ...]

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:
        """Build the periods that contain the dates; a date with a time is more exact than a day."""
        days, places = np.unique(_days(values), return_inverse=True)
        steps = [LevelLabels(period, _labels(days, period)[places]) for period in self.periods]
        if "day" not in self.periods and not _timed(values.present):
            return Chain(tuple(steps), "day")
        return Chain(tuple(steps))


def date_rule(spec: Spec) -> DateLevels:
    """Read periods that nest, finest first."""
    hint = "Write for example levels: [day, month, quarter, year]."
    given = spec.items("levels", hint=hint)
    for place, period in given:
        if not isinstance(period, str) or period not in PERIODS:
            raise InvalidSetting.among(f"{place}, a period of dates,", str(period), PERIODS)
    periods = tuple(period for _, period in given)
    longer = [period for period in periods if period in MONTHS]
    if "week" in periods and longer:
        raise InvalidSetting(
            f"{spec.at('levels')} has both week and {longer[0]}, but a week can lie in two of them.",
            hint="Go up by weeks only, as in [day, week], or leave week out, as in [day, month, year].",
        )
    if list(periods) != sorted(set(periods), key=PERIODS.index):
        raise InvalidSetting(
            f"{spec.at('levels')} does not go from short to long periods, each once.",
            hint=f"The order is: {', '.join(PERIODS)}.",
        )
    return DateLevels(periods)


def _days(values: ColumnValues) -> Days:
    found = np.array([_ordinal(value) for value in values.present.tolist()], dtype=np.int64)
    refuse_values(
        values,
        found == 0,
        "not in the form of a date",
        hint="Write dates as 2007-03-14, or give the column another kind of hierarchy.",
    )
    return (found - _EPOCH).astype("datetime64[D]")


def _ordinal(value: Any) -> int:
    """Return the number of the day, from 1 for January 1 of year 1; 0 if the value is not a date."""
    if isinstance(value, date):
        return value.toordinal()
    match = _DATE.fullmatch(value.strip()) if isinstance(value, str) else None
    try:
        return date.fromisoformat(match[1]).toordinal() if match else 0
    except ValueError:
        return 0


def _timed(present: Objects) -> bool:
    """Whether some value has a time as well as a date."""
    return any(
        len(value.strip()) > len("2007-03-14") if isinstance(value, str) else isinstance(value, datetime)
        for value in present.tolist()
    )


def _labels(days: Days, period: str) -> Objects:
    if period == "day":
        return label_each(days.astype(np.int64), lambda day: str(np.datetime64(day, "D")))
    if period == "week":
        # January 1, 1970 was a Thursday; weeks begin on Monday.
        return label_each((days.astype(np.int64) + 3) // 7, _week)
    months = days.astype("datetime64[M]").astype(np.int64) + 1970 * 12
    return label_each(months // MONTHS[period], lambda key: _months(key, period))


def _week(number: int) -> str:
    thursday: date = np.datetime64(number * 7, "D").astype(object)
    year, week, _ = thursday.isocalendar()
    return f"{year:04d}-W{week:02d}"


def _months(key: int, period: str) -> str:
    year, part = divmod(key * MONTHS[period], 12)
    if period == "month":
        return f"{year:04d}-{part + 1:02d}"
    if period == "quarter":
        return f"{year:04d}-Q{part // 3 + 1}"
    if period == "half_year":
        return f"{year:04d}-H{part // 6 + 1}"
    if period == "year":
        return f"{year:04d}"
    return f"{year:04d}-{year + 9:04d}"
