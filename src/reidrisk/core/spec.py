"""Settings with the place where they stand, so that every complaint names it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class Spec:
    """A mapping of settings."""

    place: str
    """For messages, such as `rules.yaml: age.levels[1]`."""
    content: Mapping[str, Any]

    @classmethod
    def of(cls, settings: Any, *, place: str) -> Spec:
        """A mapping as it is; a name alone is a kind without settings, a list are the levels."""
        if isinstance(settings, str):
            return cls(place, {"kind": settings})
        if isinstance(settings, Sequence) and not isinstance(settings, bytes):
            return cls(place, {"levels": list(settings)})
        if not isinstance(settings, Mapping):
            raise InvalidSetting(
                f"{place} is no mapping of settings.",
                hint="Write for example kind: date and levels: [day, month].",
            )
        odd = [key for key in settings if not isinstance(key, str)]
        if odd:
            raise InvalidSetting(f"{place} has a setting whose name is no text.", hint="Put it in quotes.")
        return cls(place, dict(settings))

    def allow(self, known: Iterable[str]) -> None:
        """Refuse settings that nobody reads."""
        names = list(known)
        for key in self.content:
            if key not in names:
                near = difflib.get_close_matches(key, names, n=1)
                meant = f"Did you mean {near[0]!r}? " if near else ""
                raise InvalidSetting(
                    f"{self.place} has no setting {key!r}.", hint=f"{meant}Known are: {', '.join(names)}."
                )

    def at(self, key: str) -> str:
        """Where a setting stands."""
        return f"{self.place}.{key}"

    def need(self, key: str, *, hint: str) -> Any:
        """A setting that must be there."""
        if self.content.get(key) is None:
            raise InvalidSetting(f"{self.place} needs the setting {key!r}.", hint=hint)
        return self.content[key]

    def text(self, key: str, default: str) -> str:
        """A text."""
        found = self.content.get(key, default)
        if not isinstance(found, str):
            raise InvalidSetting(f"{self.at(key)} is no text.", hint="Put it in quotes.")
        return found

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        found = self.content.get(key, default)
        if not isinstance(found, bool):
            raise InvalidSetting(f"{self.at(key)} is neither true nor false.", hint="Write true or false.")
        return found

    def number(self, key: str) -> float | None:
        """A number, or None where it is not set."""
        found = self.content.get(key)
        return None if found is None else number(found, self.at(key))

    def level(self, key: str) -> str | int | None:
        """The name or the number of a level."""
        found = self.content.get(key)
        if found is None or isinstance(found, str):
            return found
        if isinstance(found, bool) or not isinstance(found, int):
            raise InvalidSetting(
                f"{self.at(key)} is neither a name nor a number of a level.",
                hint="Write the name of the level, such as month.",
            )
        return found

    def items(self, key: str, *, hint: str) -> list[tuple[str, Any]]:
        """The entries of a list that must not be empty, each with its place."""
        found = self.need(key, hint=hint)
        if not isinstance(found, list | tuple) or not found:
            raise InvalidSetting(f"{self.at(key)} is no list, or an empty one.", hint=hint)
        return [(f"{self.at(key)}[{at}]", entry) for at, entry in enumerate(found)]


def number(given: Any, place: str) -> float:
    """A number that is one."""
    if isinstance(given, bool) or not isinstance(given, Real) or not abs(float(given)) < float("inf"):
        raise InvalidSetting(f"{place} is no number.", hint="Write it with digits, without a unit.")
    return float(given)


def positive(given: Any, place: str) -> float:
    """A number above 0."""
    found = number(given, place)
    if found <= 0:
        raise InvalidSetting(f"{place} is not above 0.", hint="Write a number greater than 0.")
    return found


def whole(given: Any, place: str, *, least: int = 1) -> int:
    """A whole number of at least so much."""
    if isinstance(given, bool) or not isinstance(given, int) or given < least:
        raise InvalidSetting(
            f"{place} is no whole number of {least} or more.", hint=f"Write {least} or more."
        )
    return given
