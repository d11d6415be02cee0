"""Steps that need a key: shifting dates and replacing identifiers by pseudonyms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from reidrisk.engine.dates import count_partial, is_iso_text, shifted_text, with_dates
from reidrisk.engine.pseudonyms import arm, pseudonym
from reidrisk.engine.replacing import (
    distinct_of,
    is_moment,
    known_columns,
    numbers_of,
    values_of,
    with_expressions,
)
from reidrisk.engine.table import Table
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.stats.arrays import Bools
from reidrisk.tables.transform.step import StepInputs, StepResult

MOST = 36_525
"""Largest shift in days, in either direction."""
MANY = 11
"""Smallest number of people for which the size of shifts is shown: fewer could reveal a person's shift."""


@dataclass(frozen=True, slots=True)
class ShiftDates:
    """Shift the dates of each person by a number of days that depends on the key."""

    kind: ClassVar[str] = "shift_dates"

    dates: tuple[str, ...]
    person: str
    """The column that identifies the person."""
    days: int = 365
    """Largest shift in either direction; never 0."""
    keep_weekday: bool = False
    """Whether to shift by whole weeks."""
    release: str = ""
    """Name of the release; another release has other shifts."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dates", tuple(self.dates))
        if not self.dates or not (7 if self.keep_weekday else 1) <= self.days <= MOST:
            raise InvalidSetting(
                "A date shift needs columns of dates, and 1 to 36,525 days (at least 7 for whole weeks).",
                hint="For example days: 365.",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the step reads."""
        return (*self.dates, self.person)

    @property
    def changes(self) -> tuple[str, ...]:
        """The columns of dates."""
        return self.dates

    def apply(self, table: Table, work: StepInputs) -> StepResult:
        """Shift by key, release and person; the dates of rows without a person are suppressed."""
        names = known_columns(table, self.dates)
        [person] = known_columns(table, [self.person])
        table = with_dates(table, names)
        for name in names:
            if not (is_moment(table, name) or is_iso_text(table, name)):
                raise BadData(
                    f"Column {name!r} does not contain dates: its type is {table.types[name]}.",
                    hint="Write its values as dates, such as 2007-03-14, or give --date-format.",
                )
        arm(table.session, work.require_key("A date shift"))
        shift = self._shift(f"r{table.columns.index(person)}")
        made = {name: _shifted_sql(table, name, shift) for name in names}
        weeks = " by whole weeks" if self.keep_weekday else ""
        text = (
            f"{', '.join(names)} shifted{weeks}, up to {self.days} days, by the same number of days "
            f"for all dates of one {person}"
        )
        done = with_expressions(table, made, note="dates shifted")
        partial = {name: number for name in names if (number := count_partial(table, name))}
        figures = {"days": self.days, "columns": list(names), **_check_shifts(table, done, names, person)}
        if partial:
            text += f"; {_partial_text(partial)}"
            figures["partial_dates"] = partial
        return StepResult(done, text, figures)

    def _shift(self, person: str) -> str:
        """Return SQL for a number of days other than 0."""
        unit = 7 if self.keep_weekday else 1
        steps = self.days // unit
        hashed = f"left({pseudonym(f'shift/{self.release}', person)}, 13)"
        place = f"(CAST('0x' || {hashed} AS BIGINT) % {2 * steps} - {steps})"
        return f"CAST({unit} * (CASE WHEN {place} < 0 THEN {place} ELSE {place} + 1 END) AS INTEGER)"


def _check_shifts(before: Table, after: Table, names: tuple[str, ...], person: str) -> dict[str, Any]:
    """Check the shifted dates: one shift per person, its size, and suppressed dates."""
    dates, shift = numbers_of(before, names), numbers_of(after, names)
    shift = np.round(shift - dates, 6)
    people, values = values_of(before, person)
    of, known = np.broadcast_to(people[:, None], shift.shape), ~np.isnan(shift)
    low, high = np.full(len(values), np.inf), np.full(len(values), -np.inf)
    np.minimum.at(low, of[known], shift[known])
    np.maximum.at(high, of[known], shift[known])
    moved = high[np.isfinite(high)]
    rows = [
        {
            "column": name,
            "share_changed": _share(shift[known[:, at], at] != 0),
            "dates_lost": int((~np.isnan(dates[:, at]) & np.isnan(shift[:, at])).sum()),
        }
        for at, name in enumerate(names)
    ]
    return {
        "intervals_kept": bool((low == high)[np.isfinite(high)].all()),
        "people": moved.size,
        "mean_shift": float(np.abs(moved).mean()) if moved.size >= MANY else None,
        "largest_shift": float(np.abs(moved).max()) if moved.size >= MANY else None,
        "by_column": rows,
    }


def _share(changed: Bools) -> float | None:
    return float(changed.mean()) if changed.size else None


def _partial_text(partial: Mapping[str, int]) -> str:
    listed = ", ".join(f"{number:,} of {name}" for name, number in partial.items())
    return f"dates without a day ({listed}) were shifted from the middle of their month or year"


def _shifted_sql(table: Table, name: str, shift: str) -> str:
    column = f"r{table.columns.index(name)}"
    if not is_moment(table, name):
        return shifted_text(f"CAST({column} AS VARCHAR)", shift)
    return f"{column} + {shift}" if table.types[name] == "DATE" else f"{column} + to_days({shift})"


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """Replace values by pseudonyms: HMAC-SHA256 of the release, the column and the value."""

    kind: ClassVar[str] = "pseudonyms"

    columns: tuple[str, ...]
    release: str
    """Name of the release; the same key and release give the same pseudonyms."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns or not self.release:
            raise InvalidSetting(
                "Pseudonyms need columns and the name of the release.", hint="For example release: study-1."
            )

    @property
    def changes(self) -> tuple[str, ...]:
        """Empty: every value has one pseudonym, which represents it."""
        return ()

    def apply(self, table: Table, work: StepInputs) -> StepResult:
        """Give equal values of one column equal pseudonyms; missing values stay missing."""
        names = known_columns(table, self.columns)
        arm(table.session, work.require_key("A pseudonym"))
        made = {name: pseudonym(f"{self.release}/{name}", f"r{table.columns.index(name)}") for name in names}
        text = f"{', '.join(names)} replaced by pseudonyms of the release {self.release!r}"
        done = with_expressions(table, made, note="pseudonyms")
        rows = [
            {"column": name, "distinct_before": distinct_of(table, name), "distinct": distinct_of(done, name)}
            for name in names
        ]
        return StepResult(done, text, {"release": self.release, "columns": list(names), "by_column": rows})
