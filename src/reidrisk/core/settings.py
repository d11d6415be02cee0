"""Settings: how one is declared, and the types of their values.

A setting is declared once. From the declaration follow its option on the command line (`cli/settings.py`),
its key in YAML files, its entry in a form (and so in the JSON Schema and on the reference page), and what a
result records. Each type checks a value, names file and line of an error, and has a JSON Schema.
"""

from __future__ import annotations

import difflib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from reidrisk.core.spec import Spec, number, whole
from reidrisk.errors import InvalidSetting

if TYPE_CHECKING:
    from reidrisk.core.place import SettingPlace

JsonSchema = dict[str, Any]
LAST_YEAR = 2999
"""Later dates are refused, so that the next review has a date, too."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting, declared once for the command line, YAML files, forms and results."""

    name: str
    """The name in YAML files, in Python and in results."""
    kind: SettingType
    """What the setting accepts, with its range."""
    help: str
    """What it means, in whole sentences.

    The names of settings are in backquotes. The command line shows the option of another setting instead, and
    `metavar` instead of the name of this setting, which means its value.
    """
    default: Any = None
    default_text: str = field(default="", kw_only=True)
    """The default in words, if the value does not explain itself."""
    option: str = field(default="", kw_only=True)
    """The option on the command line, if its name is not that of the setting."""
    metavar: str = field(default="", kw_only=True)
    """What the option takes, in capital letters."""
    repeated: bool = field(default=False, kw_only=True)
    """Whether the option is repeated for several values."""
    former: str = field(default="", kw_only=True)
    """The former name, which options and files may still use."""
    reads: str = field(default="", kw_only=True)
    """`path`, `file`, `folder`, `table` or `name`, if it names what is read and must exist."""

    @property
    def shown_default(self) -> str:
        """The default as people read it; empty if there is none."""
        if self.default_text or self.default is None:
            return self.default_text
        return str(self.default).lower() if isinstance(self.default, bool) else str(self.default)

    @property
    def entry(self) -> Entry:
        """The setting in a form."""
        shown = f"  [{self.shown_default}]" if self.shown_default else ""
        return Entry(self.kind, f"{self.help}{shown}")

    @property
    def meaning(self) -> str:
        """The first sentence of the help as a phrase, for tables of settings."""
        first = re.split(r"(?<=\w)\.(?:\s|$)", self.help.replace("`", ""))[0]
        return f"{first[:1].lower()}{first[1:]}"

    def read(self, value: Any, place: str) -> Any:
        """Return the value of a YAML file; refuse one of another type, with its place."""
        return read_value(self.kind, value, place)

    def check(self, value: Any) -> None:
        """Refuse a word that is not a choice, and a number outside the range; a number may be None."""
        if isinstance(self.kind, Choice) and value not in self.kind.words:
            raise InvalidSetting.among(f"The setting {self.name}", str(value), self.kind.words)
        numeric = self.kind if isinstance(self.kind, NumberSetting | WholeNumber) else None
        if numeric and value is not None and not numeric.includes(value):
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            hint = f"Give a {numeric.takes}. {numeric.example}".rstrip()
            raise InvalidSetting(f"The setting {self.name} cannot be {shown}.", hint=hint)


def form_entries(settings: Iterable[Setting]) -> dict[str, Entry]:
    """Return the entries of a form, by name; a former name is the name of a second entry."""
    found = {}
    for one in settings:
        found[one.name] = one.entry
        if one.former:
            found[one.former] = Entry(one.kind, f"The former name of `{one.name}`.")
    return found


def read_settings(spec: Spec, settings: Iterable[Setting]) -> dict[str, Any]:
    """Return the values of a YAML file, by name; settings that the file does not have are absent."""
    given = [one for one in settings if one.name in spec.content]
    return {one.name: one.read(spec.content[one.name], spec.at(one.name)) for one in given}


def check_settings(settings: Iterable[Setting], holder: Any) -> None:
    """Check the values that an object holds under the names of settings."""
    for one in settings:
        one.check(getattr(holder, one.name))


def record_settings(settings: Iterable[Setting], holder: Any) -> dict[str, Any]:
    """Return the values that an object holds under the names of settings, as JSON types."""
    return {one.name: _as_json(getattr(holder, one.name)) for one in settings}


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


class SettingType(ABC):
    """What a setting accepts."""

    @abstractmethod
    def check(self, value: Any, place: SettingPlace) -> None:
        """Refuse a value of another type, with its place."""

    @abstractmethod
    def json_schema(self) -> JsonSchema:
        """The type as a JSON Schema, for editors."""

    @property
    @abstractmethod
    def takes(self) -> str:
        """What the setting takes, in words."""


@dataclass(frozen=True, slots=True)
class TextSetting(SettingType):
    """A text that is not empty."""

    takes: str = "text"

    def check(self, value: Any, place: SettingPlace) -> None:
        """Refuse anything but a text."""
        if not isinstance(value, str) or not value.strip():
            raise place.wrong(
                "is not a text, or is empty.", hint="Write a text; put it in quotes if it is a number."
            )

    def json_schema(self) -> JsonSchema:
        """A string."""
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True, slots=True)
class FileName(TextSetting):
    """A path, relative to the release file."""

    takes: str = "path"


@dataclass(frozen=True, slots=True)
class Choice(SettingType):
    """One of several words."""

    words: tuple[str, ...]

    def check(self, value: Any, place: SettingPlace) -> None:
        """Refuse other words."""
        if value not in self.words or isinstance(value, bool):
            raise place.among(str(value), list(self.words))

    def json_schema(self) -> JsonSchema:
        """An enumeration."""
        return {"enum": list(self.words)}

    @property
    def takes(self) -> str:
        """The words."""
        return " or ".join(f"`{word}`" for word in self.words)


@dataclass(frozen=True, slots=True)
class WholeNumber(SettingType):
    """A whole number."""

    least: int = 1
    most: int | None = None
    example: ClassVar[str] = ""

    def check(self, value: Any, place: SettingPlace) -> None:
        """Refuse anything but a whole number within the limits."""
        found = whole(value, str(place), least=self.least)
        if self.most is not None and found > self.most:
            raise place.wrong(f"is more than {self.most:,}.", hint=f"Write {self.least} to {self.most}.")

    def includes(self, value: float) -> bool:
        """Whether a number is whole and within the limits."""
        if isinstance(value, bool) or not isfinite(value) or value != int(value):
            return False
        return value >= self.least and (self.most is None or value <= self.most)

    def json_schema(self) -> JsonSchema:
        """An integer within the limits."""
        most = {} if self.most is None else {"maximum": self.most}
        return {"type": "integer", "minimum": self.least, **most}

    @property
    def takes(self) -> str:
        """The limits in words."""
        most = "or more" if self.most is None else f"to {_grouped(self.most)}"
        return f"whole number, {_grouped(self.least)} {most}"


def _grouped(number: int) -> str:
    """Write large numbers with commas; four digits may be a year."""
    return str(number) if number < 10_000 else f"{number:,}"


@dataclass(frozen=True, slots=True)
class NumberSetting(SettingType):
    """A number within limits."""

    low: float | None = None
    high: float | None = None
    above: bool = False
    """Whether the number must be greater than `low`."""
    below: bool = False
    """Whether the number must be less than `high`."""

    def check(self, value: Any, place: SettingPlace) -> None:
        """Refuse anything but a number within the limits."""
        if not self.includes(number(value, str(place))):
            raise place.wrong(
                f"is not a {self.takes}.",
                hint=self.example if self.below else "Write a share of 15 % as 0.15.",
            )

    def includes(self, value: float) -> bool:
        """Whether a number is finite and within the limits."""
        low, high = self.low, self.high
        enough = low is None or (value > low if self.above else value >= low)
        little = high is None or (value < high if self.below else value <= high)
        return isfinite(value) and enough and little

    @property
    def example(self) -> str:
        """How to write a percentage, for a share; otherwise empty."""
        if self.high != 1:
            return ""
        return "Write 95 % as 0.95." if self.below else "Write 15 % as 0.15."

    def json_schema(self) -> JsonSchema:
        """A number within the limits."""
        least, most = (
            "exclusiveMinimum" if self.above else "minimum",
            "exclusiveMaximum" if self.below else "maximum",
        )
        ends = {least: self.low, most: self.high}
        return {"type": "number", **{name: end for name, end in ends.items() if end is not None}}

    @property
    def takes(self) -> str:
        """The limits in words."""
        low, high = (None if end is None else f"{end:g}" for end in (self.low, self.high))
        if low is None:
            return "number"
        if self.above:
            return f"number above {low}" if high is None else f"number above {low}, up to {high}"
        if high is None:
            return f"number, {low} or more"
        return f"number from {low} to {'less than ' if self.below else ''}{high}"


@dataclass(frozen=True, slots=True)
class FixedNumber(SettingType):
    """One number and no other."""

    number: int

    def check(self, value: Any, place: SettingPlace) -> None:
        """Refuse every other number."""
        if value != self.number or isinstance(value, bool):
            raise place.wrong(f"is not {self.number}.", hint=f"This version reads form {self.number}.")

    def json_schema(self) -> JsonSchema:
        """A constant."""
        return {"const": self.number}

    @property
    def takes(self) -> str:
        """The number."""
        return f"`{self.number}`"


@dataclass(frozen=True, slots=True)
class YesNo(SettingType):
    """True or false."""

    takes: str = "`true` or `false`"

    def check(self, value: Any, place: SettingPlace) -> None:
        """Refuse anything but true and false."""
        if not isinstance(value, bool):
            raise place.wrong("is neither true nor false.", hint="Write true or false.")

    def json_schema(self) -> JsonSchema:
        """A boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class DateSetting(SettingType):
    """A date."""

    takes: str = "date, such as 2026-11-01"

    def check(self, value: Any, place: SettingPlace) -> None:
        """Refuse anything but a date of this millennium."""
        try:
            found = value if type(value) is date else date.fromisoformat(value)
        except (TypeError, ValueError):
            raise place.wrong("is not a date.", hint="Write it as 2026-11-01.") from None
        if found.year > LAST_YEAR:
            raise place.wrong("is too far in the future.", hint="Write it as 2026-11-01.")

    def json_schema(self) -> JsonSchema:
        """A string with a date."""
        return {"type": "string", "format": "date"}


@dataclass(frozen=True, slots=True)
class ListOf(SettingType):
    """A list of values of one type."""

    of: SettingType
    least: int = 1

    def check(self, value: Any, place: SettingPlace) -> None:
        """Check every value."""
        problem = ""
        if not isinstance(value, list):
            problem = "is not a list."
        elif len(value) < self.least:
            problem = f"has fewer than {self.least} values." if value else "is empty."
        if problem:
            raise place.wrong(problem, hint="Write [one, two], or one value per line.")
        for at, entry in enumerate(value):
            self.of.check(entry, place.at(at))

    def json_schema(self) -> JsonSchema:
        """An array."""
        return {"type": "array", "items": self.of.json_schema(), "minItems": self.least}

    @property
    def takes(self) -> str:
        """The type of the values in words."""
        return f"list of: {self.of.takes}"


@dataclass(frozen=True, slots=True)
class MappingOf(SettingType):
    """Any names, each with a value of one type."""

    of: SettingType

    def check(self, value: Any, place: SettingPlace) -> None:
        """Check every value."""
        if not isinstance(value, Mapping) or any(not isinstance(name, str | int) for name in value):
            raise place.wrong("is not a mapping of names.", hint="Write NAME: value, one per line.")
        for name, entry in value.items():
            self.of.check(entry, place.at(str(name)))

    def json_schema(self) -> JsonSchema:
        """An object."""
        return {"type": "object", "additionalProperties": self.of.json_schema()}

    @property
    def takes(self) -> str:
        """The type of the values in words."""
        return f"names, each with: {self.of.takes}"


@dataclass(frozen=True, slots=True)
class AnyValue(SettingType):
    """A value that another reader checks."""

    takes: str

    def check(self, value: Any, place: SettingPlace) -> None:
        """Accept everything."""

    def json_schema(self) -> JsonSchema:
        """Anything."""
        return {}


@dataclass(frozen=True, slots=True)
class AnyOf(SettingType):
    """One of several types."""

    kinds: tuple[SettingType, ...]

    def check(self, value: Any, place: SettingPlace) -> None:
        """Try every type; the error is that of the type that was probably meant."""
        errors = []
        for kind in self.kinds:
            try:
                kind.check(value, place)
            except InvalidSetting as error:
                errors.append((kind, error))
            else:
                return
        shape = ListOf if isinstance(value, list) else MappingOf if isinstance(value, Mapping) else None
        meant = [error for kind, error in errors if shape and isinstance(kind, shape)]
        raise (
            meant[0] if meant else place.wrong("has a value of the wrong type.", hint=f"Write {self.takes}.")
        )

    def json_schema(self) -> JsonSchema:
        """Any of the types."""
        return {"anyOf": [kind.json_schema() for kind in self.kinds]}

    @property
    def takes(self) -> str:
        """All types in words."""
        return "; or ".join(kind.takes for kind in self.kinds)


@dataclass(frozen=True, slots=True)
class Entry:
    """A named setting of a group."""

    kind: SettingType
    about: str
    """What the setting means; a default value is in square brackets at the end."""
    needed: bool = False


@dataclass(frozen=True, slots=True)
class SettingGroup(SettingType):
    """Settings with fixed names."""

    entries: Mapping[str, Entry]
    title: str = field(default="", kw_only=True)
    """The heading of its section on the reference page; none for a group without a section."""
    about: str = field(default="", kw_only=True)
    """The text below the heading."""
    takes: str = field(default="settings", kw_only=True)

    def check(self, value: Any, place: SettingPlace) -> None:
        """Refuse unknown and missing names, then check every value."""
        if not isinstance(value, Mapping):
            raise place.wrong(
                "is not a mapping of settings.", hint=f"Known settings: {', '.join(self.entries)}."
            )
        for name in value:
            if name not in self.entries:
                raise _unknown_setting(str(name), place, list(self.entries))
        for name, entry in self.entries.items():
            if entry.needed and value.get(name) is None:
                raise place.wrong(f"needs the setting {name!r}.", hint=f"{name}: {entry.about}")
        for name, given in value.items():
            if given is not None:
                self.entries[name].kind.check(given, place.at(name))

    def json_schema(self) -> JsonSchema:
        """An object, with the meaning of every setting."""
        properties = {
            name: {"description": entry.about, **entry.kind.json_schema()}
            for name, entry in self.entries.items()
        }
        needed = [name for name, entry in self.entries.items() if entry.needed]
        found: JsonSchema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**found, "required": needed} if needed else found

    def sections(self) -> Iterator[SettingGroup]:
        """This group, and the groups inside it that have a section of their own."""
        yield self
        for entry in self.entries.values():
            if isinstance(entry.kind, SettingGroup) and entry.kind.title:
                yield from entry.kind.sections()


def _unknown_setting(name: str, place: SettingPlace, known: list[str]) -> InvalidSetting:
    near = difflib.get_close_matches(name, known, n=1)
    meant = f"Did you mean {near[0]!r}? " if near else ""
    where, owner = place.at(name).file_and_line, place.name or "a release file"
    return InvalidSetting(
        f"{where}: {owner} has no setting {name!r}.", hint=f"{meant}Known settings: {', '.join(known)}."
    )


SHARE = NumberSetting(0, 1)
ABOVE_ZERO = NumberSetting(0, above=True)
COLUMNS = ListOf(TextSetting("column"))
PART_NAME = Entry(TextSetting(), "The unique name of the part: letters, digits, - and _.", needed=True)


def read_value(kind: SettingType, value: Any, place: str) -> Any:
    """Return a value of a plain type from a YAML file; refuse others, with their place."""
    match kind:
        case Choice() | TextSetting():
            return _text(value, place)
        case YesNo():
            return _flag(value, place)
        case WholeNumber():
            return _whole(kind, value, place)
        case NumberSetting():
            return _number(kind, value, place)
        case ListOf():
            return _columns(value, place)
        case MappingOf():
            return {name: read_value(kind.of, entry, at) for name, at, entry in named_entries(value, place)}
    raise TypeError(f"{place}: a value of this type needs a reader of its own.")


def named_entries(value: Any, place: str) -> list[tuple[str, str, Any]]:
    """Return name, place and content of each entry of a mapping."""
    if not isinstance(value, Mapping) or any(not isinstance(name, str) for name in value):
        raise InvalidSetting(f"{place} is not a mapping of names.", hint="Write a line for each name.")
    return [(name, f"{place}.{name}", entry) for name, entry in value.items()]


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise InvalidSetting(f"{place} is not text.", hint="Put it in quotes.")
    return value


def _flag(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidSetting(f"{place} is neither true nor false.", hint="Write true or false.")
    return value


def _whole(kind: WholeNumber, value: Any, place: str) -> int:
    found = whole(value, place, least=kind.least)
    if kind.most is not None and found > kind.most:
        raise InvalidSetting(f"{place} is more than {kind.most}.", hint=f"Write {kind.least} to {kind.most}.")
    return found


def _number(kind: NumberSetting, value: Any, place: str) -> float:
    found = number(value, place)
    if not kind.includes(found):
        hint = kind.example or f"Write a {kind.takes}."
        raise InvalidSetting(f"{place} is not a {kind.takes}.", hint=hint)
    return found


def _columns(value: Any, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or any(not isinstance(entry, str) for entry in value):
        raise InvalidSetting(f"{place} is not a list of column names.", hint="Write [sex, age, region].")
    return tuple(value)
