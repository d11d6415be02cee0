"""Settings made of settings: lists, tables, alternatives, groups with names."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reidrisk.assess.form.fields import Field, Schema
from reidrisk.core.place import Place
from reidrisk.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class ListOf(Field):
    """Several of the same."""

    of: Field
    least: int = 1

    def check(self, value: Any, place: Place) -> None:
        """Each of them."""
        if not isinstance(value, list) or len(value) < self.least:
            raise place.wrong("is no list, or an empty one.", hint="Write [one, two], or a line for each.")
        for at, entry in enumerate(value):
            self.of.check(entry, place.at(at))

    def json_schema(self) -> Schema:
        """Each of them."""
        return {"type": "array", "items": self.of.json_schema(), "minItems": self.least}

    @property
    def said(self) -> str:
        """In words."""
        return f"list of: {self.of.said}"


@dataclass(frozen=True, slots=True)
class TableOf(Field):
    """Any names, each with a value of the same kind."""

    of: Field

    def check(self, value: Any, place: Place) -> None:
        """Each of them."""
        if not isinstance(value, Mapping) or any(not isinstance(name, str | int) for name in value):
            raise place.wrong("is no mapping of names.", hint="Write a line NAME: value for each.")
        for name, entry in value.items():
            self.of.check(entry, place.at(str(name)))

    def json_schema(self) -> Schema:
        """Each of them."""
        return {"type": "object", "additionalProperties": self.of.json_schema()}

    @property
    def said(self) -> str:
        """In words."""
        return f"names, each with: {self.of.said}"


@dataclass(frozen=True, slots=True)
class Anything(Field):
    """What another reader checks, in its own words."""

    said: str

    def check(self, value: Any, place: Place) -> None:
        """Nothing is checked here."""

    def json_schema(self) -> Schema:
        """Anything."""
        return {}


@dataclass(frozen=True, slots=True)
class AnyOf(Field):
    """One of several kinds."""

    kinds: tuple[Field, ...]

    def check(self, value: Any, place: Place) -> None:
        """As any of them; the kind that was probably meant complains."""
        complaints = []
        for kind in self.kinds:
            try:
                kind.check(value, place)
            except InvalidSetting as error:
                complaints.append((kind, error))
            else:
                return
        looks = ListOf if isinstance(value, list) else TableOf if isinstance(value, Mapping) else None
        meant = [error for kind, error in complaints if looks and isinstance(kind, looks)]
        raise meant[0] if meant else place.wrong("is nothing of what it may be.", hint=f"Write {self.said}.")

    def json_schema(self) -> Schema:
        """As any of them."""
        return {"anyOf": [kind.json_schema() for kind in self.kinds]}

    @property
    def said(self) -> str:
        """In words."""
        return "; or ".join(kind.said for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class Entry:
    """A named setting of a group."""

    kind: Field
    about: str
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Group(Field):
    """Settings with names of their own."""

    entries: Mapping[str, Entry]
    about: str = ""
    said: str = field(default="settings", kw_only=True)

    def check(self, value: Any, place: Place) -> None:
        """No unknown name, none missing, each as it should be."""
        if not isinstance(value, Mapping):
            raise place.wrong("is no mapping of settings.", hint=f"Known are: {', '.join(self.entries)}.")
        for name in value:
            if name not in self.entries:
                raise _unknown(str(name), place, list(self.entries))
        for name, entry in self.entries.items():
            if entry.needed and value.get(name) is None:
                raise place.wrong(f"needs the setting {name!r}.", hint=f"{name}: {entry.about}")
        for name, given in value.items():
            if given is not None:
                self.entries[name].kind.check(given, place.at(name))

    def json_schema(self) -> Schema:
        """With the meaning of every setting."""
        properties = {
            name: {"description": entry.about, **entry.kind.json_schema()}
            for name, entry in self.entries.items()
        }
        needed = [name for name, entry in self.entries.items() if entry.needed]
        found: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**found, "required": needed} if needed else found


def _unknown(name: str, place: Place, known: list[str]) -> InvalidSetting:
    near = difflib.get_close_matches(name, known, n=1)
    meant = f"Did you mean {near[0]!r}? " if near else ""
    where, owner = place.at(name).file_and_line, place.name or "a release file"
    return InvalidSetting(
        f"{where}: {owner} has no setting {name!r}.", hint=f"{meant}Known are: {', '.join(known)}."
    )
