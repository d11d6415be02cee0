"""Kinds of single settings: each checks a value, names the place of what is wrong, has a JSON Schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import date
from typing import Any

from reidrisk.assess.form.place import Place
from reidrisk.core.spec import number, whole

Schema = dict[str, Any]


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

    def check(self, value: Any, place: Place) -> None:
        """At least so much."""
        whole(value, str(place), least=self.least)

    def json_schema(self) -> Schema:
        """At least so much."""
        return {"type": "integer", "minimum": self.least}

    @property
    def said(self) -> str:
        """In words."""
        return f"whole number, {self.least} or more"


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
        if type(value) is date:
            return
        try:
            date.fromisoformat(value)
        except (TypeError, ValueError):
            raise place.wrong("is no date.", hint="Write it as 2026-11-01.") from None

    def json_schema(self) -> Schema:
        """As text."""
        return {"type": "string", "format": "date"}
