"""Steps that need a key: shifting dates and replacing identifiers by pseudonyms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from reidrisk.engine.plans import DateShift
from reidrisk.engine.protocol import Table, known_columns
from reidrisk.engine.results import MOMENTS
from reidrisk.errors import BadData, InvalidSetting
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
        names = known_columns(self.dates, table.columns, source=table.source)
        [person] = known_columns([self.person], table.columns, source=table.source)
        table = table.dates.read(names)
        for name in names:
            if not (table.kinds[name] in MOMENTS or table.dates.is_iso(name)):
                raise BadData(
                    f"Column {name!r} does not contain dates: its values are of kind {table.kinds[name]!r}.",
                    hint="Write its values as dates, such as 2007-03-14, or give --date-format.",
                )
        shift = self._shift(work.require_key("A date shift"))
        weeks = " by whole weeks" if self.keep_weekday else ""
        text = (
            f"{', '.join(names)} shifted{weeks}, up to {self.days} days, by the same number of days "
            f"for all dates of one {person}"
        )
        done = table.edit.shifted_dates(names, person, shift, note="dates shifted")
        partial = {name: number for name in names if (number := table.dates.partial(name))}
        figures = {"days": self.days, "columns": list(names), **_check_shifts(table, done, names, person)}
        if partial:
            text += f"; {_partial_text(partial)}"
            figures["partial_dates"] = partial
        return StepResult(done, text, figures)

    def _shift(self, key: bytes) -> DateShift:
        unit = 7 if self.keep_weekday else 1
        return DateShift(key, f"shift/{self.release}", self.days // unit, unit)


def _check_shifts(before: Table, after: Table, names: tuple[str, ...], person: str) -> dict[str, Any]:
    """Check the shifted dates: one shift per person, its size, and suppressed dates."""
    number = before.search.distinct_values(person)
    low, high = np.full(number, np.inf), np.full(number, -np.inf)
    shifted, changed, lost = (np.zeros(len(names), dtype=np.int64) for _ in range(3))
    blocks = (
        before.rows.number_blocks(names),
        after.rows.number_blocks(names),
        before.rows.code_blocks(person),
    )
    for dates, moved_to, people in zip(*blocks, strict=True):
        shift = np.round(moved_to - dates, 6)
        of, known = np.broadcast_to(people[:, None], shift.shape), ~np.isnan(shift)
        np.minimum.at(low, of[known], shift[known])
        np.maximum.at(high, of[known], shift[known])
        shifted += known.sum(axis=0)
        changed += (known & (shift != 0)).sum(axis=0)
        lost += (~np.isnan(dates) & np.isnan(shift)).sum(axis=0)
    moved = high[np.isfinite(high)]
    rows = [
        {
            "column": name,
            "share_changed": float(changed[at] / shifted[at]) if shifted[at] else None,
            "dates_lost": int(lost[at]),
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


def _partial_text(partial: Mapping[str, int]) -> str:
    listed = ", ".join(f"{number:,} of {name}" for name, number in partial.items())
    return f"dates without a day ({listed}) were shifted from the middle of their month or year"


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
        names = known_columns(self.columns, table.columns, source=table.source)
        named = {name: f"{self.release}/{name}" for name in names}
        key = work.require_key("A pseudonym")
        text = f"{', '.join(names)} replaced by pseudonyms of the release {self.release!r}"
        done = table.edit.pseudonyms(named, key, note="pseudonyms")
        rows = [
            {
                "column": name,
                "distinct_before": table.search.distinct_values(name),
                "distinct": done.search.distinct_values(name),
            }
            for name in names
        ]
        return StepResult(done, text, {"release": self.release, "columns": list(names), "by_column": rows})
