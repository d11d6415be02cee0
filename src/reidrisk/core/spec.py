"""Settings with their location, so that every error message can name it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class Spec:
    """A mapping of settings and its location."""

    place: str
    """The location for messages, such as `rules.yaml: age.levels[1]`."""
    content: Mapping[str, Any]

    @classmethod
    def of(cls, settings: Any, *, place: str) -> Spec:
        """A mapping is taken unchanged; a string is a `kind` without settings; a list is the `levels`."""
        if isinstance(settings, str):
            return cls(place, {"kind": settings})
        if isinstance(settings, Sequence) and not isinstance(settings, bytes):
            return cls(place, {"levels": list(settings)})
        if not isinstance(settings, Mapping):
            raise InvalidSetting(
                f"{place} is not a mapping of settings.",
                hint="For example, write kind: date and levels: [day, month].",
            )
        odd = [key for key in settings if not isinstance(key, str)]
        if odd:
            raise InvalidSetting(f"{place} has a setting whose name is not text.", hint="Put it in quotes.")
        return cls(place, dict(settings))

    def allow(self, known: Iterable[str]) -> None:
        """Refuse unknown settings."""
        names = list(known)
        for key in self.content:
            if key not in names:
                near = difflib.get_close_matches(key, names, n=1)
                meant = f"Did you mean {near[0]!r}? " if near else ""
                raise InvalidSetting(
                    f"{self.place} has no setting {key!r}.",
                    hint=f"{meant}Known settings: {', '.join(names)}.",
                )

    def at(self, key: str) -> str:
        """The location of a setting."""
        return f"{self.place}.{key}"

    def need(self, key: str, *, hint: str) -> Any:
        """A required setting."""
        if self.content.get(key) is None:
            raise InvalidSetting(f"{self.place} needs the setting {key!r}.", hint=hint)
        return self.content[key]

    def text(self, key: str, default: str) -> str:
        """A text setting."""
        found = self.content.get(key, default)
        if not isinstance(found, str):
            raise InvalidSetting(f"{self.at(key)} is not text.", hint="Put it in quotes.")
        return found

    def flag(self, key: str, *, default: bool) -> bool:
        """A setting that is true or false."""
        found = self.content.get(key, default)
        if not isinstance(found, bool):
            raise InvalidSetting(f"{self.at(key)} is neither true nor false.", hint="Write true or false.")
        return found

    def number(self, key: str) -> float | None:
        """A number, or None if it is not set."""
        found = self.content.get(key)
        return None if found is None else number(found, self.at(key))

    def level(self, key: str) -> str | int | None:
        """The name or number of a level."""
        found = self.content.get(key)
        if found is None or isinstance(found, str):
            return found
        if isinstance(found, bool) or not isinstance(found, int):
            raise InvalidSetting(
                f"{self.at(key)} is neither the name nor the number of a level.",
                hint="Write the name of the level, such as month.",
            )
        return found

    def items(self, key: str, *, hint: str) -> list[tuple[str, Any]]:
        """The entries of a list that must not be empty, each with its location."""
        found = self.need(key, hint=hint)
        if not isinstance(found, list | tuple) or not found:
            raise InvalidSetting(f"{self.at(key)} is not a list, or it is empty.", hint=hint)
        return [(f"{self.at(key)}[{at}]", entry) for at, entry in enumerate(found)]


def number(given: Any, place: str) -> float:
    """Check that a value is a finite number."""
    if isinstance(given, bool) or not isinstance(given, Real) or not abs(float(given)) < float("inf"):
        raise InvalidSetting(f"{place} is not a number.", hint="Write it in digits, without a unit.")
    return float(given)


def positive(given: Any, place: str) -> float:
    """Check that a value is a number above 0."""
    found = number(given, place)
    if found <= 0:
        raise InvalidSetting(f"{place} is not above 0.", hint="Write a number greater than 0.")
    return found


def whole(given: Any, place: str, *, least: int = 1) -> int:
    """Check that a value is a whole number of at least `least`."""
    if isinstance(given, bool) or not isinstance(given, int) or given < least:
        raise InvalidSetting(
            f"{place} is not a whole number of {least} or more.", hint=f"Write {least} or more."
        )
    return given
