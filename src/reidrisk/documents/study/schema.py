"""What the variables of a trial mean: who, what singles out, when, and what happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from reidrisk.core.schema import Schema
from reidrisk.errors import InvalidSetting

TextTreatment = Literal["drop", "keep"]
TEXT_TREATMENTS: tuple[TextTreatment, ...] = get_args(TextTreatment)


@dataclass(frozen=True, slots=True)
class StudySchema:
    """Variables by their role; those of events belong to one table each."""

    quasi: tuple[str, ...]
    direct: tuple[str, ...] = ()
    """Besides the column that names a participant."""
    dates: tuple[str, ...] = ()
    """Dates of participants: in the data that are released they are shifted."""
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of tables with several rows a participant: terms and dates of what happened."""
    text: Mapping[str, TextTreatment] = field(default_factory=dict)
    """What people typed, in any table: dropped from the released data, or kept."""
    other: Mapping[str, str] = field(default_factory=dict)
    """Variables that are released although they are dropped by default, or hold text; and the reason."""

    def __post_init__(self) -> None:
        for name in ("quasi", "direct", "dates"):
            object.__setattr__(self, name, _names(getattr(self, name), name))
        events = {table: _names(columns, f"events.{table}") for table, columns in self.events.items()}
        object.__setattr__(self, "events", MappingProxyType(events))
        object.__setattr__(self, "text", MappingProxyType(dict(self.text)))
        object.__setattr__(self, "other", MappingProxyType(dict(self.other)))
        self._check_text()
        if not self.quasi:
            raise InvalidSetting(
                "A study names at least one quasi-identifier.", hint="Usual are AGE, SEX, RACE and COUNTRY."
            )
        twice = (set(self.quasi) & set(self.direct)) | (set(self.dates) & {*self.quasi, *self.direct})
        if twice:
            raise InvalidSetting(
                f"A variable has one role: {', '.join(sorted(twice))} has two.",
                hint="Name it once, in its strictest role.",
            )

    def _check_text(self) -> None:
        for name, treatment in self.text.items():
            if treatment not in TEXT_TREATMENTS:
                raise InvalidSetting.among(f"The treatment of the text {name}", treatment, TEXT_TREATMENTS)
        for name, reason in self.other.items():
            if not isinstance(reason, str) or not reason.strip():
                raise InvalidSetting(
                    f"{name} is released without a reason.", hint=f"Write other: {{{name}: REASON}}."
                )

    @classmethod
    def of(cls, given: StudySchema | Schema) -> StudySchema:
        """From the schema of a table too, which knows neither dates nor events."""
        return given if isinstance(given, StudySchema) else cls(given.quasi, direct=given.direct)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every variable of participants."""
        return (*self.direct, *self.quasi, *self.dates)


def _names(given: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(given, str):
        raise InvalidSetting(
            f"{what} takes several variables, not one text.", hint=f"Write {what}: [{given}]."
        )
    names = tuple(given)
    if not all(isinstance(name, str) for name in names):
        raise InvalidSetting(f"{what} names a variable that is no text.", hint="Put it in quotes.")
    return names
