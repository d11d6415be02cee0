"""The roles of the columns of a table, derived columns, and what is done to direct identifiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from reidrisk.errors import InvalidSetting

Treatment = Literal["drop", "pseudonym", "number", "keep"]
"""Left out; replaced by a keyed pseudonym; by 1, 2, 3 in order of appearance; or kept on purpose."""
TREATMENTS: tuple[str, ...] = get_args(Treatment)


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


Reduction = Literal["first", "min", "max", "set"]
"""How a quasi-identifier that varies within a unit becomes one value."""


@dataclass(frozen=True, slots=True)
class Schema:
    """Columns that name a person, that single one out in combination, and that are secret."""

    quasi: tuple[str, ...]
    """Columns that an intruder may know."""
    direct: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    unit: str | None = None
    """The column that says which rows are one person or visit; None if every row is a record."""
    reduce: Mapping[str, Reduction] = field(default_factory=dict)
    """For columns that vary within a unit: the rule that makes them one value."""

    def __post_init__(self) -> None:
        for name in ("quasi", "direct", "sensitive"):
            object.__setattr__(self, name, _names(getattr(self, name), name))
        object.__setattr__(self, "reduce", MappingProxyType(dict(self.reduce)))
        if not self.quasi:
            raise InvalidSetting(
                "A schema names at least one quasi-identifier.", hint="Which columns may an intruder know?"
            )
        times = Counter([*self.quasi, *self.direct, *self.sensitive])
        twice = sorted(name for name, number in times.items() if number > 1)
        if twice:
            raise InvalidSetting(
                f"A column has one role: {', '.join(twice)} has two.",
                hint="Name it once, in its strictest role.",
            )
        for column, rule in self.reduce.items():
            if column not in (*self.quasi, *self.sensitive):
                raise InvalidSetting.among(
                    "A rule of reduction is for a quasi-identifier or a sensitive column, which",
                    column,
                    (*self.quasi, *self.sensitive),
                )
            if rule not in get_args(Reduction):
                raise InvalidSetting.among(f"The rule for {column!r}", rule, get_args(Reduction))

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that is named."""
        unit = () if self.unit is None else (self.unit,)
        return (*self.direct, *self.quasi, *self.sensitive, *unit)


def _names(given: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(given, str):
        raise InvalidSetting(
            f"{what} takes several column names, not one text.", hint=f'Write {what}=["{given}"].'
        )
    return tuple(given)
