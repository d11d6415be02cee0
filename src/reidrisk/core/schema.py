"""The roles of table columns, derived columns, and treatments of direct identifiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from reidrisk.errors import InvalidSetting

Treatment = Literal["drop", "pseudonym", "number", "keep"]
"""Drop the column, replace values by a keyed pseudonym or by 1, 2, 3 in order of appearance, or keep it."""
TREATMENTS: tuple[str, ...] = get_args(Treatment)
TextTreatment = Literal["drop", "deidentify", "keep"]
"""Drop a column of free text, replace the identifiers that the detector finds in it, or keep it."""
TEXT_TREATMENTS: tuple[str, ...] = get_args(TextTreatment)


Span = Literal["days", "weeks", "months", "years"]


@dataclass(frozen=True, slots=True)
class Derived:
    """A column with the time between two dates, such as a length of stay or an age at admission."""

    name: str
    start: str
    """The column with the earlier date."""
    end: str
    """The column with the later date."""
    unit: Span = "days"
    """The result is the number of complete units."""

    def __post_init__(self) -> None:
        if self.unit not in get_args(Span):
            raise InvalidSetting.among(f"The unit of {self.name!r}", self.unit, get_args(Span))
        if len({self.name, self.start, self.end}) < 3:
            raise InvalidSetting(
                f"The derived variable {self.name!r} needs two different columns and a new name.",
                hint="For example: length_of_stay from admission_date to discharge_date.",
            )


Reduction = Literal["first", "min", "max", "set"]
"""How several values within a unit are reduced to one."""


@dataclass(frozen=True, slots=True)
class Schema:
    """Which columns are direct identifiers, quasi-identifiers and sensitive attributes.

    >>> Schema(quasi=["age", "sex"], direct=["name"], sensitive=["diagnosis"]).columns
    ('name', 'age', 'sex', 'diagnosis')
    """

    quasi: tuple[str, ...]
    """Columns that an intruder may know."""
    direct: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    unit: str | None = None
    """The column that identifies the person or visit of a row; None if every row is a record."""
    reduce: Mapping[str, Reduction] = field(default_factory=dict)
    """For columns that vary within a unit: the rule that reduces them to one value."""
    text: Mapping[str, TextTreatment] = field(default_factory=dict)
    """Columns of free text, each with what happens to it; a list means that all are dropped."""
    other: Mapping[str, str] = field(default_factory=dict)
    """Items that leave without being measured, each with the reason why they may."""

    def __post_init__(self) -> None:
        for name in ("quasi", "direct", "sensitive"):
            object.__setattr__(self, name, _names(getattr(self, name), name))
        object.__setattr__(self, "reduce", MappingProxyType(dict(self.reduce)))
        object.__setattr__(self, "text", MappingProxyType(text_treatments(self.text)))
        object.__setattr__(self, "other", MappingProxyType(dict(self.other)))
        if not self.quasi:
            raise InvalidSetting(
                "A schema needs at least one quasi-identifier.", hint="Which columns could an intruder know?"
            )
        treated = {*self.text, *self.direct}
        others = [name for name in self.other if name not in treated]
        times = Counter([*self.quasi, *self.direct, *self.sensitive, *self.text, *others])
        twice = sorted(name for name, number in times.items() if number > 1)
        if twice:
            raise InvalidSetting(
                f"A column can have only one role: {', '.join(twice)} has two.",
                hint="List it once, in its strictest role.",
            )
        self._check_reasons()
        for column, rule in self.reduce.items():
            if column not in (*self.quasi, *self.sensitive):
                raise InvalidSetting.among(
                    "The column of a reduction rule",
                    column,
                    (*self.quasi, *self.sensitive),
                )
            if rule not in get_args(Reduction):
                raise InvalidSetting.among(f"The rule for {column!r}", rule, get_args(Reduction))

    def _check_reasons(self) -> None:
        for item, reason in self.other.items():
            if not isinstance(reason, str) or not reason.strip():
                raise InvalidSetting(
                    f"{item!r} is accepted without a reason.",
                    hint=f'Say why it may leave without being measured: other: {{{item}: "the reason"}}.',
                )

    @classmethod
    def of(
        cls,
        given: Schema | Iterable[str] | None,
        *,
        quasi: Iterable[str] | None = None,
        direct: Iterable[str] = (),
        sensitive: Iterable[str] = (),
        unit: str | None = None,
    ) -> Schema:
        """Build from what a function was given: a schema, a list of quasi-identifiers, or columns by role.

        >>> Schema.of(["age", "sex"], sensitive=["diagnosis"]).sensitive
        ('diagnosis',)
        """
        if isinstance(given, Schema):
            if quasi is not None or direct or sensitive or unit is not None:
                raise InvalidSetting(
                    "A schema already names the columns of each role.",
                    hint="Give either a Schema, or quasi=, direct=, sensitive= and unit=.",
                )
            return given
        if given is not None and quasi is not None:
            raise InvalidSetting(
                "The quasi-identifiers are given twice.",
                hint='Write table_risk(data, ["age", "sex"]) or table_risk(data, quasi=["age", "sex"]).',
            )
        chosen = quasi if given is None else given
        if chosen is None:
            raise InvalidSetting(
                "Which columns could an intruder know?",
                hint='Name the quasi-identifiers: quasi=["age", "sex"]. suggest_roles(data) proposes some.',
            )
        return cls(listed(chosen, "quasi"), listed(direct, "direct"), listed(sensitive, "sensitive"), unit)

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that have a role; items that are only accepted need not be columns."""
        unit = () if self.unit is None else (self.unit,)
        return (*self.direct, *self.quasi, *self.sensitive, *self.text, *unit)


def text_treatments(given: Mapping[str, str] | Iterable[str]) -> dict[str, TextTreatment]:
    """Return columns of free text with their treatment; a list of columns means that they are dropped."""
    if isinstance(given, str):
        raise InvalidSetting(
            "text takes column names, not a single string.", hint=f'Write text={{"{given}": "drop"}}.'
        )
    found: dict[str, TextTreatment] = {}
    for column, treatment in (given if isinstance(given, Mapping) else dict.fromkeys(given, "drop")).items():
        chosen = next((known for known in get_args(TextTreatment) if known == treatment), None)
        if chosen is None:
            raise InvalidSetting.among(f"The treatment of {column!r}", str(treatment), TEXT_TREATMENTS)
        found[column] = chosen
    return found


Roles = Schema | Iterable[str]
"""A schema, or the quasi-identifiers alone."""


def listed(given: Iterable[str], what: str) -> tuple[str, ...]:
    """Column names in their order; frames may have numbers as names, which are read as text."""
    if isinstance(given, Mapping | set | frozenset):
        raise InvalidSetting(
            f"{what} takes a list of column names, not a {type(given).__name__}.",
            hint="The order of the columns matters: write them as a list.",
        )
    if not isinstance(given, Iterable):
        raise InvalidSetting(
            f"{what} takes a list of column names, not an object of type {type(given).__name__}.",
            hint=f'Write {what}=["age", "sex"].',
        )
    names = _names(given, what)
    return tuple(str(name) if isinstance(name, int) else name for name in names)


def _names(given: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(given, str):
        raise InvalidSetting(
            f"{what} takes a list of column names, not a single string.", hint=f'Write {what}=["{given}"].'
        )
    return tuple(given)
