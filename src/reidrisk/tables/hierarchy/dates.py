"""Dates: days in weeks, or in months, quarters, half years, years and decades.

A date without a day, such as 2007-03, keeps its own text at the levels that need a day. From its month on it
is in the same group as the days of that month. A year alone begins with the level year in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
_DATE = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?|(?P<part>\d{4}(-\d\d)?)"
)
_REST = {4: "-01-01", 7: "-01", 10: ""}
"""What the first day of a year or month adds to its text."""
_NEEDS = {"day": 10, "week": 10, "month": 7, "quarter": 7, "half_year": 7, "year": 4, "decade": 4}
"""Number of characters of a date that a period needs: a day, a month or a year."""


@dataclass(frozen=True, slots=True)
class DateLevels:
    """The levels of dates, dates with times and texts such as 2007-03-14."""

    periods: tuple[str, ...]

    lists_missing = False

    def chain(self, values: ColumnValues) -> Chain:
        """Build the periods that contain the dates; a date with a time is more exact than a day."""
        days, places = np.unique(_days(values), return_inverse=True)
        partial = _partial(values.present)
        steps = [
            LevelLabels(period, _with_partial(_labels(days, period)[places], period, partial))
            for period in self.periods
        ]
        if "day" not in self.periods and not partial and not _timed(values.present):
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
        hint="Write dates as 2007-03-14, name their format with --date-format, or read the values as missing "
        "with --null VALUE.",
    )
    return (found - _EPOCH).astype("datetime64[D]")


def _ordinal(value: Any) -> int:
    """Return the number of the day, from 1 for January 1 of year 1; 0 if the value is not a date."""
    if isinstance(value, date):
        return value.toordinal()
    text = _written(value)
    try:
        return date.fromisoformat(f"{text}{_REST[len(text)]}").toordinal() if text else 0
    except ValueError:
        return 0


def _written(value: Any) -> str:
    """Return the date of an ISO 8601 text as it is written, without a time; a whole number is a year."""
    if type(value) not in (str, int):
        return ""
    match = _DATE.fullmatch(str(value).strip())
    return match["date"] or match["part"] if match else ""


def _partial(present: Objects) -> dict[int, str]:
    """Return the dates without a day, or without month and day, by position."""
    texts = ((at, _written(value)) for at, value in enumerate(present.tolist()))
    return {at: text for at, text in texts if 0 < len(text) < len("2007-03-14")}


def _with_partial(labels: Objects, period: str, partial: Mapping[int, str]) -> Objects:
    """Return the labels, with the text of a partial date where it does not say the period."""
    for at, text in partial.items():
        if len(text) < _NEEDS[period]:
            labels[at] = text
    return labels


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
