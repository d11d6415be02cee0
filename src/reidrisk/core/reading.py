"""How a table is read: the format of its dates, its missing values, and how a text file is written."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from reidrisk.core.spec import Spec
from reidrisk.errors import InvalidSetting

DIRECTIVES = re.compile(r"%-?(.)")
KNOWN = frozenset("YymdbBjHIMSfpaA%")
"""What may follow a percent sign in the format of a date."""
DAY = (frozenset("d"), frozenset("mbB"))
TAB = ("tab", "\\t", "\t")
TEXT_ONLY = ("encoding", "delimiter", "decimal")
"""Settings that only a text file has."""
NAMES = ("date_format", *TEXT_ONLY, "null")
"""All settings, as in YAML files."""


@dataclass(frozen=True, slots=True)
class TableReading:
    """What you know about the cells of a table; whatever is not given is detected, and nothing is guessed."""

    date_format: str | Mapping[str, str] | None = None
    """Such as "%d.%m.%Y": of all dates, or by column."""
    encoding: str | None = None
    """Of a text file: any encoding that Python knows."""
    delimiter: str | None = None
    """Of a text file: one character, or "tab"."""
    decimal: str | None = None
    """Of a text file: what separates the decimals of a number, a point or a comma."""
    null: tuple[str, ...] = ()
    """Cells with one of these texts are read as missing."""
    is_lenient: bool = field(default=False, kw_only=True)
    """For a table that is only compared with: whatever does not fit it is not applied to it."""

    def __post_init__(self) -> None:
        if isinstance(self.date_format, Mapping):
            object.__setattr__(self, "date_format", MappingProxyType(dict(self.date_format)))
        object.__setattr__(self, "null", (self.null,) if isinstance(self.null, str) else tuple(self.null))
        object.__setattr__(self, "delimiter", "\t" if self.delimiter in TAB else self.delimiter)
        for form in self.formats.values():
            check_format(form)
        self._check_text_file()

    @property
    def formats(self) -> Mapping[str, str]:
        """The formats of dates by column; that of all columns has the empty name."""
        if self.date_format is None:
            return {}
        return {"": self.date_format} if isinstance(self.date_format, str) else self.date_format

    @property
    def general_format(self) -> str | None:
        """The format of all dates, if one was given."""
        return self.date_format if isinstance(self.date_format, str) else None

    @property
    def text_only(self) -> tuple[str, ...]:
        """The given settings that only a text file has."""
        return tuple(name for name in TEXT_ONLY if getattr(self, name) is not None)

    def for_other(self) -> TableReading:
        """How to read a table that this one is compared with: it may be written in another way."""
        return replace(self, delimiter=None, is_lenient=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings that were given, as JSON types."""
        form = self.date_format
        given = {
            "date_format": dict(form) if isinstance(form, Mapping) else form,
            **{name: getattr(self, name) for name in TEXT_ONLY},
            "null": list(self.null) or None,
        }
        return {name: value for name, value in given.items() if value is not None}

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> TableReading | None:
        """Build from settings by name, as in a file; None if none of them is given."""
        found = {name: given[name] for name in NAMES if given.get(name)}
        return cls(**found) if found else None

    def _check_text_file(self) -> None:
        if self.delimiter is not None and len(self.delimiter) != 1:
            raise InvalidSetting(
                "A delimiter is one character.", hint="Write , or ; or | or tab, or leave it out."
            )
        if self.decimal not in (None, ".", ","):
            raise InvalidSetting("The decimal separator is a point or a comma.", hint="Write . or a comma.")
        if self.decimal == "," == self.delimiter:
            raise InvalidSetting(
                "A comma cannot separate both decimals and fields.", hint="Give another delimiter, such as ;."
            )
        if self.encoding is not None:
            check_encoding(self.encoding)


def read_reading(spec: Spec) -> dict[str, Any]:
    """Return the settings that a YAML file gives, by name; every error names the place."""
    found = {name: spec.content[name] for name in NAMES if spec.content.get(name) is not None}
    for name, value in found.items():
        several = list(value) if isinstance(value, list) and name == "null" else [value]
        if isinstance(value, Mapping) and name == "date_format":
            several = [*value, *value.values()]
        if not all(isinstance(one, str) for one in several):
            raise InvalidSetting(f"{spec.at(name)} is not a text.", hint="Put it in quotes.")
    try:
        TableReading.of(found)
    except InvalidSetting as error:
        raise InvalidSetting(f"{spec.place}: {error.problem}", hint=error.hint) from None
    return found


def check_encoding(name: str) -> None:
    """Refuse an encoding that Python does not know."""
    try:
        codecs.lookup(name)
    except LookupError:
        raise InvalidSetting(
            f"There is no encoding {name!r}.", hint="Common ones are utf-8, utf-16, latin-1 and cp1252."
        ) from None


def check_format(form: str) -> None:
    """Refuse a format that does not say where year, month and day are."""
    found = DIRECTIVES.findall(form) if isinstance(form, str) else []
    hint = "Write year, month and day, such as %d.%m.%Y, %m/%d/%Y or %d%b%Y."
    odd = sorted(set(found) - KNOWN)
    if odd:
        raise InvalidSetting(f"The date format {form!r} has an unknown part: %{odd[0]}.", hint=hint)
    has_day = "j" in found or all(part & set(found) for part in DAY)
    if not has_day or not {"Y", "y"} & set(found):
        raise InvalidSetting(f"The date format {form!r} does not give year, month and day.", hint=hint)
