"""Variables computed from others, released in their stead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from reidrisk.errors import InvalidSetting

Span = Literal["days", "weeks", "months", "years"]


@dataclass(frozen=True, slots=True)
class Derived:
    """The time between two dates: a length of stay, an age at admission."""

    name: str
    start: str
    """The column with the earlier date."""
    end: str
    """The column with the later date."""
    unit: Span = "days"
    """Whole units that have passed."""

    def __post_init__(self) -> None:
        if self.unit not in get_args(Span):
            raise InvalidSetting.among(f"The unit of {self.name!r}", self.unit, get_args(Span))
        if len({self.name, self.start, self.end}) < 3:
            raise InvalidSetting(
                f"The derived variable {self.name!r} needs two columns and a name of its own.",
                hint="For example: length_of_stay from admission_date to discharge_date.",
            )
