"""When children are admitted: by month and by day of the week."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reidrisk.demo.prescriptions.study import DAYS, FIRST_DAY
from reidrisk.stats.arrays import Floats, Ints

Days = NDArray[np.datetime64]

_MONTHS = np.array([1.15, 1.15, 1.12, 1.02, 1.0, 0.95, 0.85, 0.82, 0.95, 1.0, 1.05, 1.05])
"""January first. Respiratory viruses fill children's wards in winter, and planned operations pause in
July and August: known to every hospital; the numbers ours."""
_WEEKDAYS = np.array([1.12, 1.15, 1.13, 1.1, 1.0, 0.72, 0.78])
"""Monday first. Emergencies come every day, planned admissions from Monday to Friday (ours)."""


def admission_weights() -> Floats:
    """How likely an admission is on each day of the window; they add to 1."""
    days = FIRST_DAY + np.arange(DAYS)
    weight = _MONTHS[_month(days)] * _WEEKDAYS[_weekday(days)]
    return np.asarray(weight / weight.sum(), dtype=np.float64)


def time_of_year(days: Ints) -> Floats:
    """Months since the beginning of the year, with fractions, for days of the window."""
    dates = FIRST_DAY + days
    passed = (dates - dates.astype("datetime64[Y]").astype("datetime64[D]")).astype(np.int64)
    return np.asarray(passed / (365.25 / 12), dtype=np.float64)


def _month(days: Days) -> Ints:
    return days.astype("datetime64[M]").astype(np.int64) % 12


def _weekday(days: Days) -> Ints:
    return (days.astype(np.int64) + 3) % 7  # the first of January 1970 was a Thursday
