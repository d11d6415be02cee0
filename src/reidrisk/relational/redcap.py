"""Projects of REDCap: the data dictionary makes the rules of the profile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from reidrisk.engine.linked import TableColumn
from reidrisk.errors import BadData
from reidrisk.relational.profile import DictionaryRule, Profile, ProfileRule, profile_named

if TYPE_CHECKING:
    from reidrisk.relational.database import Database

NAME, FORM, TYPE = "variable / field name", "form name", "field type"
VALIDATION, FLAG = "text validation type or show slider number", "identifier?"
COMPLETE = "_complete"


@dataclass(frozen=True, slots=True)
class RedcapField:
    """A row of the data dictionary."""

    name: str
    form: str
    type: str
    validation: str
    is_flagged: bool

    def fits(self, rule: DictionaryRule) -> bool:
        """Whether a rule is about such fields."""
        return (
            (not rule.flagged or self.is_flagged)
            and _any(rule.name, self.name)
            and _any(rule.type, self.type)
            and _any(rule.validation, self.validation)
        )


def _any(patterns: tuple[str, ...], text: str) -> bool:
    return not patterns or any(fnmatchcase(text.lower(), one) for one in patterns)


def is_redcap(database: Database) -> bool:
    """Whether one of the tables is a data dictionary."""
    return _dictionary(database) is not None


def _dictionary(database: Database) -> str | None:
    return next((table for table, names in database.names.items() if NAME in names and TYPE in names), None)


def redcap_profile(database: Database) -> Profile:
    """The profile with a rule for every field of the dictionary; the first field names the record."""
    own = profile_named("redcap")
    table = _dictionary(database)
    if table is None:
        raise BadData(
            f"{database.place} has no data dictionary of REDCap.",
            hint="Export the dictionary (CSV) into the folder of the data.",
        )
    fields = list(_fields(database, table))
    if not fields:
        raise BadData(
            f"{database.place}: the data dictionary of REDCap names no fields.", hint="Export it again."
        )
    data = _data(database, fields[0].name, table)
    record = TableColumn(data, fields[0].name)
    rules = (
        ProfileRule((str(record).lower(),), "person key", "person", "the first field of the dictionary"),
        *own.rules,
        *_rules(own, data, fields),
    )
    others = tuple(name for name in database.names if name != data)
    kept = ProfileRule(others, "data dictionary", "keep", "ours: there is no person in it")
    quasi = tuple(
        f"{data}.{field.name}"
        for field in fields
        if any(rule.role == "quasi-identifier" and field.fits(rule) for rule in own.dictionary)
        and database.has(TableColumn(data, field.name))
    )
    return replace(own, person=(record,), keys={}, rules=rules, keep=kept, quasi=quasi)


def _data(database: Database, record: str, dictionary: str) -> str:
    found = [
        name for name in database.names if name != dictionary and database.has(TableColumn(name, record))
    ]
    if not found:
        raise BadData(
            f"No table has the field {record!r}, which names the record.", hint="Export the data (CSV) raw."
        )
    return max(found, key=lambda name: len(database.names[name]))


def _fields(database: Database, table: str) -> Iterator[RedcapField]:
    opened = database.tables.tables[table]
    places = {name.lower(): at for at, name in enumerate(opened.columns)}

    def text(row: tuple[str | None, ...], name: str) -> str:
        at = places.get(name)
        return (row[at] or "").strip() if at is not None else ""

    for row in opened.rows.texts():
        yield RedcapField(
            name=text(row, NAME),
            form=text(row, FORM),
            type=text(row, TYPE).lower(),
            validation=text(row, VALIDATION).lower(),
            is_flagged=text(row, FLAG).lower() == "y",
        )


def _rules(own: Profile, data: str, fields: list[RedcapField]) -> Iterator[ProfileRule]:
    for field in fields[1:]:
        rule = next((one for one in own.dictionary if field.fits(one)), None)
        if rule is not None:
            names = (f"{data}.{field.name}".lower(), f"{data}.{field.name}___*".lower())
            yield ProfileRule(names, rule.role, rule.treatment, rule.source)
    forms = dict.fromkeys(field.form for field in fields)
    complete = tuple(f"{data}.{form}{COMPLETE}".lower() for form in forms)
    stamps = tuple(f"{data}.{form}_timestamp".lower() for form in forms)
    yield ProfileRule(complete, "none", "keep", "whether a form is complete")
    yield ProfileRule(stamps, "date", "drop", "ours: when a survey was filled in")
