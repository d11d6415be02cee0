"""A draft of the settings: keys with the evidence, roles and treatments of every column with the reason."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.result import Result
from reidrisk.core.yaml_file import yaml_value
from reidrisk.engine.linked import FoundLink, TableColumn
from reidrisk.errors import BadData
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.drafted_hierarchies import draft_hierarchies
from reidrisk.relational.plan import completed, config_for, profile_of
from reidrisk.relational.profile import FOLDER, NAMES, profile_named
from reidrisk.relational.redcap import is_redcap
from reidrisk.tables.column_kinds import ColumnKind
from reidrisk.tables.column_role import SAMPLE_ROWS, ColumnSuggestion, expressions, suggest_role
from reidrisk.tables.hierarchy.draft import DraftedHierarchy
from reidrisk.tables.hierarchy.hierarchy import hierarchies_from

TREATED = {"direct identifier": "drop", "text": "drop"}
"""Treatments by the role that a column seems to have; others stay."""
KNOWN = ("quasi-identifier", "sensitive")
"""Roles of columns by which somebody may know an event: a ward, and also a diagnosis or a drug."""
MOST_EVENT_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class SuggestedColumn:
    """What should become of a column, and why."""

    at: TableColumn
    role: str
    treatment: Any
    reason: str
    by_profile: bool = False
    """Whether a rule of the profile covers it."""


@dataclass(frozen=True)
class RelationalSuggestion(Result):
    """A draft of the settings of a relational release."""

    place: str
    profile: str | None
    config: RelationalConfig = field(repr=False)
    found: tuple[FoundLink, ...] = field(repr=False)
    columns: tuple[SuggestedColumn, ...] = field(repr=False)
    rows: tuple[tuple[str, int], ...] = ()
    hierarchies: tuple[DraftedHierarchy, ...] = field(default=(), repr=False)
    """How quasi-identifiers and events may be generalized, by attribute."""

    @property
    def acceptable(self) -> bool:
        """A draft is no verdict."""
        return True

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types."""
        return {
            "kind": "relational_suggestion",
            "version": own_version(),
            "acceptable": True,
            "settings": {"profile": self.profile},
            "seed": None,
            "versions": versions(),
            "database": self.place,
            "person": str(self.config.person),
            "tables": [{"table": name, "rows": rows} for name, rows in self.rows],
            "keys": [
                {
                    "child": str(child),
                    "parent": str(parent),
                    "values": None if (one := self.evidence(child)) is None else one.values,
                    "inside": None if one is None else one.inside,
                }
                for child, parent in self.config.keys.items()
            ],
            "columns": [
                {
                    "table": one.at.table,
                    "column": one.at.column,
                    "role": one.role,
                    "treatment": _text(one.treatment),
                    "reason": one.reason,
                }
                for one in self.columns
            ],
            "warnings": [],
            "undefined": {"seed": "Nothing here is drawn at random."},
        }

    def evidence(self, child: TableColumn) -> FoundLink | None:
        """What speaks for a key that was found by looking."""
        return next((one for one in self.found if one.link.child == child), None)

    def yaml(self, folder: str | Path) -> str:
        """The settings as a commented file."""
        return "\n".join(_lines(self, str(folder))) + "\n"


def suggest_database(database: Database, profile: str | None = None) -> RelationalSuggestion:
    """Draft the settings for tables: by a profile, and by looking where none says anything."""
    name = profile or recognized(database)
    found = database.tables.found_links() if name is None else ()
    config = config_for(database, name) if name is not None else _by_looking(database, found)
    roles = TableRoles(database)
    columns = () if name == "fhir" else tuple(_columns(database, config, roles))
    if name is None:
        quasi = tuple(
            str(one.at)
            for one in columns
            if one.role == "quasi-identifier" and one.at.table == config.person.table
        )
        config = config.changed(quasi=quasi, events=_events(database, config, columns))
    rows = tuple((table, database.tables.rows(table)) for table in database.names)
    treatments = {one.at: one.treatment for one in columns}
    hierarchies = tuple(draft_hierarchies(database, config, treatments, roles.kind))
    return RelationalSuggestion(database.place, name, config, found, columns, rows, hierarchies)


def config_for_search(database: Database, profile: str) -> RelationalConfig:
    """Settings that a profile alone gives, with the hierarchies of its draft for a search."""
    drafted = suggest_database(database, profile)
    content = {one.column: dict(one.settings) for one in drafted.hierarchies}
    rules = hierarchies_from(content, folder=Path(), place="The draft: ") if content else {}
    return drafted.config.changed(hierarchies={**rules, **drafted.config.hierarchies})


def recognized(database: Database) -> str | None:
    """The profile whose table of people is there."""
    if is_redcap(database):
        return "redcap"
    for name in dict.fromkeys(NAMES.values()):
        there = (FOLDER / f"{name}.yaml").exists()
        profile = profile_named(name) if there else None
        if profile is None or not all(map(database.has, profile.recognize)):
            continue
        if any(map(database.has, profile.person)):
            return name
    return None


def _by_looking(database: Database, found: tuple[FoundLink, ...]) -> RelationalConfig:
    """The key that most tables refer to is that of the person."""
    tables: dict[TableColumn, set[str]] = {}
    for one in found:
        tables.setdefault(one.link.parent, set()).add(one.link.child.table)
    if not tables:
        raise BadData(
            "No key was found that tables share.",
            hint="Write the settings by hand: person: TABLE.COLUMN and keys: {TABLE.COLUMN: TABLE.KEY}.",
        )
    person = max(tables, key=lambda at: (_reach(at, found), len(tables[at]), str(at)))
    keys = {one.link.child: one.link.parent for one in found}
    return completed(database, RelationalConfig(person=person, keys=keys))


def _reach(at: TableColumn, found: tuple[FoundLink, ...]) -> int:
    """Tables that lead to a key, directly or through others."""
    reached, grown = {at.table}, True
    while grown:
        new = {one.link.child.table for one in found if one.link.parent.table in reached} - reached
        reached, grown = reached | new, bool(new)
    return len(reached)


@dataclass(eq=False)
class TableRoles:
    """What the columns of each table seem to be; a table is looked at once, when it is asked for."""

    database: Database
    known: dict[str, dict[str, ColumnSuggestion]] = field(default_factory=dict)

    def of(self, at: TableColumn) -> ColumnSuggestion:
        """The role that a column seems to have."""
        if at.table not in self.known:
            profiles = self.database.tables.tables[at.table].profiles(expressions(), sample_rows=SAMPLE_ROWS)
            self.known[at.table] = {one.name: suggest_role(one) for one in profiles}
        return self.known[at.table][at.column]

    def kind(self, at: TableColumn) -> ColumnKind | None:
        """What a column seems to contain."""
        return self.of(at).kind


def _columns(database: Database, config: RelationalConfig, roles: TableRoles) -> Iterator[SuggestedColumn]:
    profile = profile_of(database, config)
    owners = database.owners(config)
    for table, opened in database.tables.tables.items():
        for column in opened.columns:
            at = TableColumn(table, column)
            has_people = table == owners.person.table or bool(owners.owners.get(table))
            rule = None if profile is None else profile.rule_for(at, has_people=has_people)
            if rule is not None:
                yield SuggestedColumn(at, rule.role, rule.treatment, rule.source, by_profile=True)
                continue
            yield _looked_at(database, config, at, roles.of(at), has_people=has_people)


def _looked_at(
    database: Database, config: RelationalConfig, at: TableColumn, role: ColumnSuggestion, *, has_people: bool
) -> SuggestedColumn:
    """A column that no profile knows."""
    parent = config.keys.get(at)
    if config.person in (at, parent):
        return SuggestedColumn(at, "person key", "person", "the key of the person")
    if parent is not None or at in config.keys.values():
        return SuggestedColumn(
            at, "key", "key", f"refers to {parent}" if parent else "other tables refer to it"
        )
    if database.tables.is_date(at):
        if has_people and role.kind is not None and role.kind.key == "date_of_birth":
            return SuggestedColumn(at, "quasi-identifier", "year", "a birth date is cut to the year")
        how = "date" if has_people else "keep"
        return SuggestedColumn(at, "date", how, "its values are dates")
    if role.role == "unit candidate":
        return SuggestedColumn(at, "key", {"pseudonym": at.column.lower()}, role.reason)
    return SuggestedColumn(at, role.role, TREATED.get(role.role, "keep"), role.reason)


def _events(
    database: Database, config: RelationalConfig, columns: tuple[SuggestedColumn, ...]
) -> dict[str, tuple[str, ...]]:
    """Of tables with several rows per person: columns that are neither keys nor removed, and a date."""
    owners = database.owners(config)
    found = {}
    for table in database.names:
        if table == config.person.table or not owners.owners.get(table):
            continue
        own = [one for one in columns if one.at.table == table]
        values = [one.at.column for one in own if one.role in KNOWN and one.treatment == "keep"]
        dates = [one.at.column for one in own if one.role == "date"]
        if values or dates:
            found[table] = (*values[:MOST_EVENT_COLUMNS], *dates[:1])
    return found


def _text(treatment: Any) -> str:
    return treatment if isinstance(treatment, str) else json.dumps(treatment)


def _lines(suggestion: RelationalSuggestion, folder: str) -> Iterator[str]:
    config = suggestion.config
    yield "# A draft: read and correct every line. Names are TABLE.COLUMN; * means any text."
    yield f"profile: {suggestion.profile or 'none'}"
    yield f"folder: {json.dumps(folder)}"
    yield f"person: {json.dumps(str(config.person))}"
    yield "orphans: refuse  # or drop, detach"
    yield "# Person-level quasi-identifiers: what an adversary may know about a person."
    yield f"quasi: {json.dumps(list(config.quasi))}"
    yield "# Events that an adversary may know, and how many of them."
    yield "events:" if config.events else "events: {}"
    for table, columns in config.events.items():
        yield f"  {table}: {json.dumps(list(columns))}"
    yield "known: {total: 2}"
    yield "dates: {offset: 365, know: intervals}"
    if config.repeats:
        yield "repeats: true  # the table has several rows per person"
    if suggestion.profile is None:
        yield from _key_lines(suggestion)
    yield from _column_lines(suggestion)
    if suggestion.hierarchies:
        yield "# How values may be generalized, if the risk must be limited; min_level is the finest level."
        yield "hierarchies:"
    for one in suggestion.hierarchies:
        yield f"  {json.dumps(one.column)}: {yaml_value(one.settings)}  # {one.remark}"


def _key_lines(suggestion: RelationalSuggestion) -> Iterator[str]:
    yield "keys:"
    for child, parent in suggestion.config.keys.items():
        one = suggestion.evidence(child)
        why = "" if one is None else f"  # {one.inside:,} of {one.values:,} values are there"
        yield f"  {json.dumps(str(child))}: {json.dumps(str(parent))}{why}"


def _column_lines(suggestion: RelationalSuggestion) -> Iterator[str]:
    """Columns that no rule of the profile covers; without a profile all of them."""
    own = [one for one in suggestion.columns if not one.by_profile]
    if not own:
        return
    yield "# What becomes of columns: keep, drop, blank, date, year, person, key, pseudonym, {rare: 5}, …"
    yield "columns:"
    for one in own:
        yield f"  {json.dumps(str(one.at))}: {_text(one.treatment)}  # {one.role}: {one.reason}"
