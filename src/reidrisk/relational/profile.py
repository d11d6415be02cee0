"""Profiles: what a standard says about its tables and columns, as data with the source of each rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from reidrisk.core.spec import Spec
from reidrisk.core.yaml_file import read_yaml
from reidrisk.engine.linked import TableColumn
from reidrisk.errors import InvalidSetting

FOLDER = Path(__file__).parent / "data" / "profiles"
NAMES = {
    "omop": "omop",
    "cdisc": "cdisc",
    "sdtm": "cdisc",
    "adam": "cdisc",
    "fhir": "fhir",
    "redcap": "redcap",
}
"""Profiles by the names that users give."""
PERSON = "PERSON"
"""Stands for the key of the table of people."""


@dataclass(frozen=True, slots=True)
class ProfileRule:
    """What becomes of the columns that a pattern fits."""

    columns: tuple[str, ...]
    role: str
    treatment: Any
    source: str
    only_with_people: bool = False
    """Whether the rule is for tables with people only."""

    def fits(self, at: TableColumn) -> bool:
        """Whether a pattern fits a column; upper and lower case are the same."""
        return any(fits(pattern, at) for pattern in self.columns)


@dataclass(frozen=True, slots=True)
class DictionaryRule:
    """What becomes of fields of a data dictionary, by what it says about them."""

    role: str
    treatment: Any
    source: str
    flagged: bool = False
    """Whether the rule is for fields that are flagged as identifiers."""
    name: tuple[str, ...] = ()
    type: tuple[str, ...] = ()
    validation: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """A standard: its keys, quasi-identifiers, events and rules."""

    name: str
    title: str
    person: tuple[TableColumn, ...]
    """The key of the table of people; the first that is there counts."""
    keys: Mapping[str, str]
    """Patterns of columns, and the keys that they refer to."""
    rules: tuple[ProfileRule, ...]
    keep: ProfileRule | None = None
    """Tables without people that stay as they are."""
    drop: ProfileRule | None = None
    """Tables that are not released."""
    quasi: tuple[str, ...] = ()
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    same: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By column of coded terms: columns of the same table with their groups, finest first."""
    recognize: tuple[TableColumn, ...] = ()
    """Columns that tables of the standard have, besides the key of the person."""
    dictionary: tuple[DictionaryRule, ...] = ()
    """Rules for the fields of a data dictionary, in order."""
    repeats: bool = False
    """Whether the table of people has several rows per person."""
    extensions: frozenset[str] = frozenset()
    """Extensions of FHIR that stay, by their URLs."""

    def rule_for(self, at: TableColumn, *, has_people: bool) -> ProfileRule | None:
        """The first rule that fits a column."""
        for whole in (self.keep, self.drop):
            if whole is not None and at.table.lower() in whole.columns:
                return whole
        fitting = (rule for rule in self.rules if rule.fits(at) and (has_people or not rule.only_with_people))
        return next(fitting, None)


def fits(pattern: str, at: TableColumn) -> bool:
    """Whether `table.column` with * and ? fits a column.

    >>> fits("*.*DTC", TableColumn("ae", "AESTDTC"))
    True
    """
    table, _, column = pattern.lower().partition(".")
    return fnmatchcase(at.table.lower(), table) and fnmatchcase(at.column.lower(), column)


@cache
def profile_named(name: str) -> Profile:
    """A profile that comes with the program."""
    if name not in NAMES:
        raise InvalidSetting.among("The profile", name, NAMES)
    path = FOLDER / f"{NAMES[name]}.yaml"
    return _profile(yaml.safe_load(path.read_text(encoding="utf-8")), path.name)


def read_profile(path: str | Path) -> Profile:
    """A profile of your own."""
    file = Path(path)
    return _profile(read_yaml(file), file.name)


def profile_text(name: str) -> str:
    """The profile as it is written, to be shown and edited."""
    if name not in NAMES:
        raise InvalidSetting.among("The profile", name, NAMES)
    return (FOLDER / f"{NAMES[name]}.yaml").read_text(encoding="utf-8")


def _profile(content: Any, place: str) -> Profile:
    spec = Spec.of(content, place=place)
    spec.allow(
        (
            "name",
            "title",
            "person",
            "keys",
            "tables",
            "quasi",
            "events",
            "same",
            "groups",
            "recognize",
            "rules",
            "extensions",
            "dictionary",
            "repeats",
        )
    )
    hint = "Compare with a profile that comes with the program."
    people = spec.need("person", hint=hint)
    tables = Spec.of(spec.content.get("tables") or {}, place=spec.at("tables"))
    return Profile(
        name=spec.text("name", place),
        title=spec.text("title", place),
        person=tuple(TableColumn.of(one) for one in ([people] if isinstance(people, str) else people)),
        keys={str(child): str(parent) for child, parent in (spec.content.get("keys") or {}).items()},
        rules=tuple(_rule(rule, where) for where, rule in spec.items("rules", hint=hint)),
        keep=_tables(tables, "keep"),
        drop=_tables(tables, "drop"),
        quasi=tuple(spec.content.get("quasi") or ()),
        events={table: tuple(names) for table, names in (spec.content.get("events") or {}).items()},
        groups={name: tuple(columns) for name, columns in (spec.content.get("groups") or {}).items()},
        dictionary=tuple(_field_rule(one) for one in spec.content.get("dictionary") or ()),
        repeats=spec.flag("repeats", default=False),
        extensions=frozenset(spec.content.get("extensions") or ()),
        recognize=tuple(TableColumn.of(one) for one in spec.content.get("recognize") or ()),
        same={name: tuple(columns) for name, columns in (spec.content.get("same") or {}).items()},
    )


def _rule(given: Any, place: str) -> ProfileRule:
    spec = Spec.of(given, place=place)
    spec.allow(("columns", "role", "treatment", "source", "only_with_people"))
    for key in ("columns", "role", "treatment", "source"):
        spec.need(key, hint="A rule has columns, role, treatment and source.")
    return ProfileRule(
        tuple(str(one).lower() for one in spec.content["columns"]),
        spec.text("role", ""),
        spec.content["treatment"],
        spec.text("source", ""),
        spec.flag("only_with_people", default=False),
    )


def _field_rule(given: Mapping[str, Any]) -> DictionaryRule:
    patterns = {name: tuple(given.get(name) or ()) for name in ("name", "type", "validation")}
    return DictionaryRule(
        str(given["role"]),
        given["treatment"],
        str(given["source"]),
        flagged=bool(given.get("flagged", False)),
        **patterns,
    )


def _tables(spec: Spec, how: str) -> ProfileRule | None:
    if spec.content.get(how) is None:
        return None
    one = Spec.of(spec.content[how], place=spec.at(how))
    names = tuple(str(name).lower() for name in one.need("names", hint="Write names: [TABLE]."))
    return ProfileRule(names, one.text("role", "none"), how, one.text("source", ""))
