"""Kinds of single settings: each checks a value, names the place of what is wrong, has a JSON Schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import date
from typing import Any

from reidrisk.core.place import Place
from reidrisk.core.spec import number, whole

Schema = dict[str, Any]
LAST_YEAR = 2999
"""So that the next review has a date too."""


class Field(ABC):
    """What a setting may be."""

    @abstractmethod
    def check(self, value: Any, place: Place) -> None:
        """Refuse what makes no sense, naming the place."""

    @abstractmethod
    def json_schema(self) -> Schema:
        """The same for an editor."""

    @property
    @abstractmethod
    def said(self) -> str:
        """What it takes, in words."""


@dataclass(frozen=True, slots=True)
class Text(Field):
    """A text that is not empty."""

    said: str = "text"

    def check(self, value: Any, place: Place) -> None:
        """A text."""
        if not isinstance(value, str) or not value.strip():
            raise place.wrong("is no text, or an empty one.", hint="Write a text; quotes if it is a number.")

    def json_schema(self) -> Schema:
        """A text."""
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True, slots=True)
class FileName(Text):
    """A path, relative to the release file."""

    said: str = "path"


@dataclass(frozen=True, slots=True)
class Choice(Field):
    """One of some words."""

    words: tuple[str, ...]

    def check(self, value: Any, place: Place) -> None:
        """One of them."""
        if value not in self.words or isinstance(value, bool):
            raise place.among(str(value), list(self.words))

    def json_schema(self) -> Schema:
        """One of them."""
        return {"enum": list(self.words)}

    @property
    def said(self) -> str:
        """The words."""
        return " or ".join(f"`{word}`" for word in self.words)


@dataclass(frozen=True, slots=True)
class Whole(Field):
    """A whole number."""

    least: int = 1
    most: int | None = None

    def check(self, value: Any, place: Place) -> None:
        """At least so much, and no more than makes sense."""
        found = whole(value, str(place), least=self.least)
        if self.most is not None and found > self.most:
            raise place.wrong(f"is more than {self.most:,}.", hint=f"Write {self.least} to {self.most}.")

    def json_schema(self) -> Schema:
        """Between the limits."""
        most = {} if self.most is None else {"maximum": self.most}
        return {"type": "integer", "minimum": self.least, **most}

    @property
    def said(self) -> str:
        """In words."""
        most = "or more" if self.most is None else f"to {self.most}"
        return f"whole number, {self.least} {most}"


@dataclass(frozen=True, slots=True)
class Number(Field):
    """A number between two others."""

    low: float | None = None
    high: float | None = None

    def check(self, value: Any, place: Place) -> None:
        """Within the limits."""
        found = number(value, str(place))
        low, high = self.low, self.high
        if (low is not None and found < low) or (high is not None and found > high):
            raise place.wrong(f"is not {self.said}.", hint="A share of 15 % is written 0.15.")

    def json_schema(self) -> Schema:
        """Within the limits."""
        ends = {"minimum": self.low, "maximum": self.high}
        return {"type": "number", **{name: end for name, end in ends.items() if end is not None}}

    @property
    def said(self) -> str:
        """In words."""
        if self.low is not None and self.high is not None:
            return f"number from {self.low:g} to {self.high:g}"
        return f"number, {self.low:g} or more" if self.low is not None else "number"


@dataclass(frozen=True, slots=True)
class Exactly(Field):
    """One number and no other."""

    number: int

    def check(self, value: Any, place: Place) -> None:
        """That number."""
        if value != self.number or isinstance(value, bool):
            raise place.wrong(f"is not {self.number}.", hint=f"This version reads form {self.number}.")

    def json_schema(self) -> Schema:
        """That number."""
        return {"const": self.number}

    @property
    def said(self) -> str:
        """The number."""
        return f"`{self.number}`"


@dataclass(frozen=True, slots=True)
class Flag(Field):
    """True or false."""

    said: str = "`true` or `false`"

    def check(self, value: Any, place: Place) -> None:
        """One of the two."""
        if not isinstance(value, bool):
            raise place.wrong("is neither true nor false.", hint="Write true or false.")

    def json_schema(self) -> Schema:
        """One of the two."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Day(Field):
    """A date."""

    said: str = "date, such as 2026-11-01"

    def check(self, value: Any, place: Place) -> None:
        """A day of the calendar."""
        try:
            found = value if type(value) is date else date.fromisoformat(value)
        except (TypeError, ValueError):
            raise place.wrong("is no date.", hint="Write it as 2026-11-01.") from None
        if found.year > LAST_YEAR:
            raise place.wrong("is a date of another millennium.", hint="Write it as 2026-11-01.")

    def json_schema(self) -> Schema:
        """As text."""
        return {"type": "string", "format": "date"}
