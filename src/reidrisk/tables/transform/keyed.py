"""Steps that need a key: shifting dates and replacing identifiers by pseudonyms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

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
from reidrisk.tables.transform.step import Done, Work

MOST = 36_525
"""Days to either side."""
MANY = 11
"""People from which on the size of their shifts is told: of fewer it might be somebody's own."""


@dataclass(frozen=True, slots=True)
class ShiftDates:
    """A secret shift for each person."""

    kind: ClassVar[str] = "shift_dates"

    dates: tuple[str, ...]
    person: str
    """The column that tells whose dates they are."""
    days: int = 365
    """At most so many days to either side, and never none."""
    keep_weekday: bool = False
    """Whether only whole weeks are moved."""
    release: str = ""
    """Another release has other shifts."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dates", tuple(self.dates))
        if not self.dates or not (7 if self.keep_weekday else 1) <= self.days <= MOST:
            raise InvalidSetting(
                "A shift needs dates, and at least a day, whole weeks at least seven; at most a century.",
                hint="As days: 365.",
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that it reads."""
        return (*self.dates, self.person)

    @property
    def changes(self) -> tuple[str, ...]:
        """The dates."""
        return self.dates

    def apply(self, table: Table, work: Work) -> Done:
        """By key, release and person; rows without a person lose their dates."""
        names = known_columns(table, self.dates)
        [person] = known_columns(table, [self.person])
        for name in names:
            if not is_moment(table, name):
                raise BadData(
                    f"Column {name!r} holds no dates: it is {table.types[name]}.",
                    hint="Write its values as dates, such as 2007-03-14.",
                )
        arm(table.session, work.secret("A shift of dates"))
        shift = self._shift(f"r{table.columns.index(person)}")
        made = {name: _moved(table, name, shift) for name in names}
        week = " by whole weeks" if self.keep_weekday else ""
        text = (
            f"{', '.join(names)} moved{week}, up to {self.days} days, the same for all dates of one {person}"
        )
        done = with_expressions(table, made, note="dates moved")
        figures = {"days": self.days, "columns": list(names), **_checked(table, done, names, person)}
        return Done(done, text, figures)

    def _shift(self, person: str) -> str:
        """SQL of a number of days other than 0."""
        unit = 7 if self.keep_weekday else 1
        steps = self.days // unit
        hashed = f"left({pseudonym(f'shift/{self.release}', person)}, 13)"
        place = f"(CAST('0x' || {hashed} AS BIGINT) % {2 * steps} - {steps})"
        return f"CAST({unit} * (CASE WHEN {place} < 0 THEN {place} ELSE {place} + 1 END) AS INTEGER)"


def _checked(before: Table, after: Table, names: tuple[str, ...], person: str) -> dict[str, Any]:
    """What was done, from the dates themselves: one shift a person, how far, and what is gone."""
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


def _moved(table: Table, name: str, shift: str) -> str:
    column = f"r{table.columns.index(name)}"
    return f"{column} + {shift}" if table.types[name] == "DATE" else f"{column} + to_days({shift})"


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """HMAC-SHA256 of the release, the name of the pseudonym and the value."""

    kind: ClassVar[str] = "pseudonyms"

    columns: tuple[str, ...]
    release: str
    """Which release this is; the same key and release give the same pseudonyms again."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not self.columns or not self.release:
            raise InvalidSetting(
                "Pseudonyms need columns and the name of the release.", hint="For example release: study-1."
            )

    @property
    def changes(self) -> tuple[str, ...]:
        """None: every value has one pseudonym, which stands for it."""
        return ()

    def apply(self, table: Table, work: Work) -> Done:
        """Equal values of one column get equal pseudonyms; what is missing stays missing."""
        names = known_columns(table, self.columns)
        arm(table.session, work.secret("A pseudonym"))
        made = {name: pseudonym(f"{self.release}/{name}", f"r{table.columns.index(name)}") for name in names}
        text = f"{', '.join(names)} replaced by pseudonyms of the release {self.release!r}"
        done = with_expressions(table, made, note="pseudonyms")
        rows = [
            {"column": name, "distinct_before": distinct_of(table, name), "distinct": distinct_of(done, name)}
            for name in names
        ]
        return Done(done, text, {"release": self.release, "columns": list(names), "by_column": rows})
