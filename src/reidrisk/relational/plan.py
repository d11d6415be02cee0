"""What becomes of every column of every table: settings first, then the profile; nothing is left open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reidrisk.core.countries import continent_of
from reidrisk.core.spec import Spec, whole
from reidrisk.engine.linked import (
    ColumnPlan,
    EntityPlan,
    Links,
    OrphanCount,
    TableColumn,
    TableLink,
)
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.relational.generalized import labels_of
from reidrisk.relational.profile import PERSON, Profile, fits, profile_named
from reidrisk.relational.redcap import redcap_profile
from reidrisk.relational.term_groups import grouped_terms
from reidrisk.resynthesis.cells import cell_cleaner

FEW = 5
"""People that a value needs to stay, if nothing else is said."""
SHORT = 40
"""Characters of the longest value that may be a code."""
PERSON_ENTITY = "person"
CLEANED = "identifiers that a detector finds replaced by labels"
GIVEN = "new value of the same form"
DATED = "date"
SIMPLE = ("keep", "drop", "blank", "person", "number", "date", "year", "key", "pseudonym", "deidentify")
MAPPINGS = (
    "pseudonym", "top", "birth_year", "rare", "round", "study_day", "by", "link", "twin", "continent",
    "body_mass",
)  # fmt: skip
CONTINENT = "continent"
WORDS = {
    "keep": "unchanged",
    "drop": "removed",
    "blank": "emptied",
    "person": "pseudonym of the person",
    "number": "numbered anew",
    "date": "moved, all dates of a person by the same number of days",
    "year": "cut to the year",
    "study_day": "counted again from released dates",
    "by_name": "by the name of the value",
    "twin": "follows from another column",
    "body_mass": "counted again from released height and weight",
}
SUFFIX = re.compile(r"(st|en|)dy$")


@dataclass(frozen=True, slots=True)
class Treatment:
    """What becomes of a column, why, and who said so."""

    at: TableColumn
    role: str
    plan: ColumnPlan
    source: str
    label: str = ""
    """What a define.xml calls it."""

    @property
    def words(self) -> str:
        """The treatment in words."""
        plan = self.plan
        other = "emptied" if plan.becomes is None else f"becomes {plan.becomes}"
        with_value = {
            "entity": f"pseudonym of {plan.entity}",
            "top": f"emptied above {plan.limit}" + (f", where {plan.above} says so" if plan.above else ""),
            "birth_year": f"not before {plan.limit}",
            "rare": f"{other} if fewer than {plan.limit} people have the value",
            "round": f"rounded to a multiple of {plan.limit}",
            "labels": _label_words(plan),
        }
        return {**WORDS, **with_value}[plan.action]


def _spelled_like(column: str, name: str) -> str:
    """The name of a new column in the letters of the one that it stands beside."""
    return name.upper() if column.isupper() else name.lower()


def _label_words(plan: ColumnPlan) -> str:
    if plan.becomes in (CLEANED, GIVEN):
        return plan.becomes
    words = "exact values" if plan.becomes is None else f"generalized to the level {plan.becomes}"
    if plan.renamed:
        words += f", released as {plan.renamed}"
    return f"{words}; rows with some values removed" if plan.removes else words


@dataclass(frozen=True, slots=True, eq=False)
class TreatmentPlan:
    """The treatments of all columns, and how the tables hang together."""

    treatments: Mapping[TableColumn, Treatment] = field(repr=False)
    links: Links
    keys: tuple[TableLink, ...]
    entities: tuple[EntityPlan, ...]

    @property
    def tables(self) -> dict[str, dict[str, ColumnPlan]]:
        """What becomes of the columns, by table; tables of which nothing is left are not released."""
        found: dict[str, dict[str, ColumnPlan]] = {}
        for at, one in self.treatments.items():
            found.setdefault(at.table, {})[at.column] = one.plan
        return {
            name: columns
            for name, columns in found.items()
            if any(plan.action != "drop" for plan in columns.values())
        }

    def acting(self, *actions: str) -> list[TableColumn]:
        """Columns with one of these treatments."""
        return [at for at, one in self.treatments.items() if one.plan.action in actions]


def completed(database: Database, config: RelationalConfig) -> RelationalConfig:
    """The settings with what the profile adds: keys, quasi-identifiers, events, attributes that are alike."""
    profile = profile_of(database, config)
    keys = {database.at(child): database.at(parent) for child, parent in config.keys.items()}
    if profile is not None:
        keys = {**_profile_keys(database, config, profile), **keys}
    elif not config.keys:
        found = database.tables.found_links()
        keys = {one.link.child: one.link.parent for one in found}
    same = dict(config.same)
    quasi, events = config.quasi, dict(config.events)
    if profile is not None:
        for name, patterns in profile.same.items():
            same.setdefault(
                name, tuple(at for at in database.columns() if any(fits(one, at) for one in patterns))
            )
        person = config.person.table.lower()
        quasi = quasi or tuple(
            name
            for name in profile.quasi
            if database.has(TableColumn.of(name)) and TableColumn.of(name).table == person
        )
        events = events or {
            name: columns for name, columns in profile.events.items() if name in database.names
        }
    config = _by_attribute(database, replace(config, keys=keys, same=same, quasi=quasi, events=events))
    groups = {**(profile.groups if profile is not None else {}), **config.groups}
    return replace(
        config,
        quasi=(*quasi, *_added_quasi(database, config, profile)),
        hierarchies={**config.hierarchies, **grouped_terms(database, config, groups)},
    )


def _by_attribute(database: Database, config: RelationalConfig) -> RelationalConfig:
    """The same settings, with hierarchies and levels by attribute, as the files spell their columns."""
    same = {one: tuple(database.at(at) for at in own if database.has(at)) for one, own in config.same.items()}
    config = replace(config, same=same)

    def name(given: str) -> str:
        at = TableColumn.of(given)
        return config.attribute_of(database.at(at)) if given not in same and database.has(at) else given

    return replace(
        config,
        hierarchies={name(one): rule for one, rule in config.hierarchies.items()},
        levels={name(one): level for one, level in config.levels.items()},
    )


def _added_quasi(database: Database, config: RelationalConfig, profile: Profile | None) -> Iterator[str]:
    """Columns that say which quasi-identifiers were above a limit: they are known like these."""
    there = {name.lower() for name in config.quasi}
    for name in config.quasi:
        at = TableColumn.of(name)
        if name in config.derive or not database.has(at):
            continue
        at = database.at(at)
        own = next((value for pattern, value in config.columns.items() if fits(pattern, at)), None)
        if own is None and profile is not None:
            rule = profile.rule_for(at, has_people=True)
            own = None if rule is None else rule.treatment
        above = own.get("above") if isinstance(own, Mapping) else None
        added = TableColumn(at.table, _spelled_like(at.column, str(above)))
        if above is not None and str(added).lower() not in there:
            yield str(added)


def config_for(database: Database, profile: str) -> RelationalConfig:
    """Settings that a profile alone gives."""
    own = own_profile(database, profile)
    person = next((at for at in own.person if database.has(at)), None)
    if person is None:
        listed = " or ".join(map(str, own.person))
        raise BadData(
            f"{database.place} has no table of people as {own.title} has it: {listed}.",
            hint="Choose another profile, or write the settings with `reidrisk relational suggest`.",
        )
    return completed(
        database, RelationalConfig(person=database.at(person), profile=profile, repeats=own.repeats)
    )


def profile_of(database: Database, config: RelationalConfig) -> Profile | None:
    """The profile of the settings, made for these tables."""
    return None if config.profile in (None, "none") else own_profile(database, str(config.profile))


def own_profile(database: Database, name: str) -> Profile:
    """A profile by its name; that of REDCap has rules from the data dictionary."""
    return redcap_profile(database) if name == "redcap" else profile_named(name)


def _profile_keys(
    database: Database, config: RelationalConfig, profile: Profile
) -> dict[TableColumn, TableColumn]:
    found: dict[TableColumn, TableColumn] = {}
    for at in database.columns():
        for pattern, to in profile.keys.items():
            parent = database.at(config.person) if to == PERSON else TableColumn.of(to)
            if fits(pattern, at) and database.has(parent) and database.at(parent) != at and at not in found:
                found[at] = database.at(parent)
    return found


def treatment_plan(database: Database, config: RelationalConfig) -> TreatmentPlan:
    """Decide about every column; refuse those that nobody accounted for."""
    maker = _Maker(database, config, profile_of(database, config), database.owners(config))
    return maker.plan()


@dataclass(eq=False)
class _Maker:
    database: Database
    config: RelationalConfig
    profile: Profile | None
    links: Links

    def plan(self) -> TreatmentPlan:
        self._check_names()
        found = {at: self._treatment(at) for at in self.database.columns()}
        missing = [str(at) for at, one in found.items() if one is None]
        if missing:
            shown = ", ".join(missing[:8]) + (", …" if len(missing) > 8 else "")
            raise InvalidSetting(
                f"Nobody accounted for {len(missing)} column{'s' if len(missing) > 1 else ''}: {shown}.",
                hint=f"Write what becomes of each: columns: {{{missing[0]}: drop}}. `reidrisk relational "
                "suggest` drafts it.",
            )
        treatments = {at: self._labeled(one) for at, one in found.items() if one is not None}
        treatments = self._without_people(self._linked(treatments))
        keys = tuple(link for link in self.database.links(self.config) if link.parent != self.links.person)
        return TreatmentPlan(treatments, self.links, keys, tuple(self._entities(treatments)))

    def _labeled(self, one: Treatment) -> Treatment:
        defined = self.database.definition.of(one.at)
        return one if defined is None else replace(one, label=defined.label)

    def _check_names(self) -> None:
        for pattern in self.config.columns:
            if not any(fits(pattern, at) for at in self.database.columns()):
                raise InvalidSetting(
                    f"columns names {pattern!r}, which no table has.",
                    hint="Write TABLE.COLUMN as the files spell them; * stands for any text.",
                )

    def _has_people(self, table: str) -> bool:
        return table == self.links.person.table or bool(self.links.owners.get(table))

    def _treatment(self, at: TableColumn) -> Treatment | None:
        attribute = self.config.attribute_of(at)
        if attribute in self.config.levels or at in self.config.removed:
            return self._generalized(at, attribute)
        own = next((value for name, value in self.config.columns.items() if fits(name, at)), None)
        if own is not None:
            return self._made(at, self._role(at), own, "settings")
        if at == self.links.person or at in self.config.given:
            return self._renamed(at)
        rule = None
        if self.profile is not None:
            rule = self.profile.rule_for(at, has_people=self._has_people(at.table))
        if rule is not None:
            return self._made(at, rule.role, rule.treatment, rule.source)
        return self._by_itself(at)

    def _by_itself(self, at: TableColumn) -> Treatment | None:
        """A column that nobody named, but that is a key or described as a date."""
        parent = self.config.keys.get(at)
        if parent is not None:
            how = "person" if parent == self.links.person else "key"
            return self._made(at, "key", how, "settings")
        defined = self.database.definition.of(at)
        if self.profile is not None and defined is not None and defined.is_date:
            return self._made(at, "date", "date", "define.xml: a date")
        return None

    def _renamed(self, at: TableColumn) -> Treatment:
        """The key of the person, or another id whose new values were made elsewhere."""
        if self.links.person in (at, self.config.keys.get(at)):
            return self._made(at, "person key", "person", "settings")
        plan = ColumnPlan("labels", labels=dict(self.config.given[at]), becomes=GIVEN)
        return Treatment(at, "direct identifier", plan, "settings")

    def _role(self, at: TableColumn) -> str:
        if str(at) in self.config.quasi:
            return "quasi-identifier"
        if at.column in self.config.events.get(at.table, ()):
            return "event"
        if str(at) in self.config.sensitive:
            return "sensitive attribute"
        if self.profile is not None:
            rule = self.profile.rule_for(at, has_people=self._has_people(at.table))
            return "none" if rule is None else rule.role
        return "none"

    def _generalized(self, at: TableColumn, attribute: str) -> Treatment:
        """All columns of an attribute get the labels of all its values."""
        removed = self.config.removed.get(at, frozenset())
        labels: dict[str, str | None] = {}
        level = self.config.levels.get(attribute)
        if level is not None:
            columns = self.config.same.get(attribute) or (at,)
            values = {
                value
                for one in columns
                if self.database.has(one)
                for value in self.database.tables.values(self.database.at(one))
            }
            labels.update(labels_of(self.config.hierarchies[attribute], values, level))
        labels.update(dict.fromkeys(removed))
        becomes = None if level is None else str(level)
        plan = ColumnPlan("labels", labels=labels, becomes=becomes, removes=bool(removed))
        return Treatment(at, self._role(at), plan, "settings")

    def _made(self, at: TableColumn, role: str, given: Any, source: str) -> Treatment:
        return Treatment(at, role, self._column_plan(at, given), source)

    def _column_plan(self, at: TableColumn, given: Any) -> ColumnPlan:
        place = f"The treatment of {at}"
        if isinstance(given, str):
            if given not in SIMPLE:
                raise InvalidSetting.among(place, given, (*SIMPLE, *MAPPINGS))
            return self._simple(at, given)
        spec = Spec.of(given, place=place)
        how = next((name for name in MAPPINGS if name in spec.content), None)
        if how is None:
            raise InvalidSetting.among(place, ", ".join(spec.content), (*SIMPLE, *MAPPINGS))
        spec.allow((how, "becomes", *(("above",) if how == "top" else ())))
        return self._with_value(at, how, spec)

    def _simple(self, at: TableColumn, how: str) -> ColumnPlan:
        if how in ("key", "pseudonym"):
            parent = self.config.keys.get(at) or self._absent_parent(at) or at
            if parent == self.links.person:
                return ColumnPlan("person")
            referred = parent != at or at in self.config.keys.values()
            if referred or how == "pseudonym":
                return ColumnPlan("entity", entity=str(parent).lower())
            return ColumnPlan("number")
        if how == "deidentify":
            return self._cleaned(at)
        return ColumnPlan(how)  # type: ignore[arg-type]

    def _cleaned(self, at: TableColumn) -> ColumnPlan:
        """Free text in which labels stand for the identifiers that a detector finds; dates are among them."""
        if self.database.tables.kind(at) != "text":
            raise InvalidSetting(f"{at} contains no text.", hint="Choose another treatment, such as keep.")
        texts = self.database.tables.values(at)
        cleaned = cell_cleaner()(texts).texts
        return ColumnPlan("labels", labels=dict(zip(texts, cleaned, strict=True)), becomes=CLEANED)

    def _absent_parent(self, at: TableColumn) -> TableColumn | None:
        """The key of a table that is not there, to which a column refers by the profile."""
        for pattern, to in self.profile.keys.items() if self.profile is not None else ():
            parent = TableColumn.of(to)
            if (
                to != PERSON
                and fits(pattern, at)
                and parent.table != at.table
                and not self.database.has(parent)
            ):
                return parent
        return None

    def _with_value(self, at: TableColumn, how: str, spec: Spec) -> ColumnPlan:
        value = spec.content[how]
        if how == "pseudonym":
            return ColumnPlan("entity", entity=str(value).replace("{column}", at.column.lower()))
        if how in ("by", "link", "twin", "study_day"):
            return self._following(at, how, str(value))
        if how == "continent":
            return self._continent(at, str(value))
        if how == "body_mass":
            return self._body_mass(at, value)
        limit, becomes = whole(value, spec.at(how)), spec.content.get("becomes")
        if how == "birth_year":
            dates = [one for one in self.database.columns() if self._is_moved(one)]
            latest = self.database.tables.latest_year(dates)
            return ColumnPlan("birth_year", limit=0 if latest is None else latest - limit - 1)
        above = self._added_above(at, limit, spec.content.get("above"))
        return ColumnPlan(
            how,  # type: ignore[arg-type]
            limit=limit,
            becomes=None if becomes is None else str(becomes),
            above=above,
        )

    def _added_above(self, at: TableColumn, limit: int, name: Any) -> str:
        """The name of a column that says which values were above the limit; empty if none was."""
        if name is None or self.database.has(TableColumn(at.table, str(name))):
            return ""
        if not self.database.tables.has_above(at, limit):
            return ""
        return _spelled_like(at.column, str(name))

    def _following(self, at: TableColumn, how: str, other: str) -> ColumnPlan:
        """What becomes of a column that another one explains."""
        if how == "study_day":
            return self._study_day(at, TableColumn.of(other))
        if how == "by":
            return self._by_name(at, other)
        if how == "twin":
            return self._twin(at, other)
        name = self.database.at(TableColumn(at.table, other)).column
        return ColumnPlan("by_name", name=name, otherwise="keep")

    def _is_moved(self, at: TableColumn) -> bool:
        """Whether a column has dates of people, by its settings or by the profile."""
        own = next((value for name, value in self.config.columns.items() if fits(name, at)), None)
        if own is None and self.profile is not None:
            rule = self.profile.rule_for(at, has_people=self._has_people(at.table))
            own = None if rule is None else rule.treatment
        return own == DATED and self._has_people(at.table)

    def _study_day(self, at: TableColumn, since: TableColumn) -> ColumnPlan:
        """Counted again where the date and the first day are there, else emptied."""
        stem = SUFFIX.sub(r"\1dt", at.column.lower())
        for name in (f"{stem}c", stem):
            day = TableColumn(at.table, name)
            if self.database.has(day) and self.database.has(since):
                return ColumnPlan(
                    "study_day", date=self.database.at(day).column, since=self.database.at(since)
                )
        return ColumnPlan("blank")

    def _by_name(self, at: TableColumn, name: str) -> ColumnPlan:
        """Values by their name: dates move, values that enough people have stay, others go."""
        column = self.database.at(TableColumn(at.table, name)).column
        rules: dict[str, ColumnPlan] = {}
        for one in self.database.tables.named_values(self.links, at, column):
            if one.dates == one.filled:
                rules[one.name] = ColumnPlan("date")
            elif one.fewest >= FEW and one.longest <= SHORT:
                rules[one.name] = ColumnPlan("keep")
            else:
                rules[one.name] = ColumnPlan("blank")
        return ColumnPlan("by_name", name=column, rules=rules)

    def _continent(self, at: TableColumn, name: str) -> ColumnPlan:
        """A country becomes its continent, in a column of another name; one that is not listed goes."""
        labels = {value: continent_of(value) for value in self.database.tables.values(at)}
        renamed = _spelled_like(at.column, name)
        return ColumnPlan("labels", labels=labels, becomes=CONTINENT, renamed=renamed)

    def _body_mass(self, at: TableColumn, names: Any) -> ColumnPlan:
        """Counted again where height and weight are released as numbers, else removed."""
        columns = [TableColumn(at.table, str(name)) for name in names]
        if len(columns) != 2 or not all(map(self.database.has, columns)):
            return ColumnPlan("drop")
        origins = [self._treatment(self.database.at(one)) for one in columns]
        if any(one is None or one.plan.action not in ("keep", "round") for one in origins):
            return ColumnPlan("drop")
        return ColumnPlan("body_mass", parts=tuple(self.database.at(one).column for one in columns))

    def _twin(self, at: TableColumn, name: str) -> ColumnPlan:
        """A column that follows from another: as that one is released."""
        stem = at.column.lower().rstrip("n") if name == "*" else name
        other = TableColumn(at.table, stem)
        if not self.database.has(other):
            return self._far_twin(stem)
        other = self.database.at(other)
        origin = self._treatment(other)
        if origin is None or origin.plan.action == "keep":
            return ColumnPlan("keep")
        if origin.plan.action in ("labels", "drop", "blank", "round"):
            return ColumnPlan("drop")
        return ColumnPlan("twin", name=other.column)

    def _far_twin(self, name: str) -> ColumnPlan:
        """Of a column in the table of people: removed if that one is not released as it is."""
        other = TableColumn(self.links.person.table, name)
        origin = self._treatment(self.database.at(other)) if self.database.has(other) else None
        return ColumnPlan("keep" if origin is None or origin.plan.action == "keep" else "drop")

    def _linked(self, treatments: dict[TableColumn, Treatment]) -> dict[TableColumn, Treatment]:
        """Columns whose name says which key they hold follow that key."""
        recoded = {at.column: one.plan for at, one in treatments.items() if one.plan.action == "entity"}
        found = dict(treatments)
        for at, one in treatments.items():
            if one.plan.action == "by_name" and one.plan.otherwise == "keep":
                names = self.database.tables.named_values(self.links, at, one.plan.name)
                rules = {name.name: recoded[name.name] for name in names if name.name in recoded}
                found[at] = replace(one, plan=replace(one.plan, rules=rules))
        return found

    def _without_people(self, treatments: dict[TableColumn, Treatment]) -> dict[TableColumn, Treatment]:
        """Refuse dates and pseudonyms of people in tables that lead to no person."""
        for at, one in treatments.items():
            needs = one.plan.action in ("date", "person", "study_day", "rare")
            if needs and not self._has_people(at.table):
                raise InvalidSetting(
                    f"{at} is treated as {one.role}, but no key leads from {at.table} to a person.",
                    hint=f"Write keys: {{{at.table}.COLUMN: {self.links.person}}}, or leave the column out.",
                )
        return treatments

    def _entities(self, treatments: Mapping[TableColumn, Treatment]) -> Iterator[EntityPlan]:
        person = self.links.person
        kind = self.database.tables.kind(person)
        given = self.config.given.get(person, {})
        yield EntityPlan(PERSON_ENTITY, person, (person,), bool(given) or kind != "whole number", given)
        names = dict.fromkeys(one.plan.entity for one in treatments.values() if one.plan.action == "entity")
        parents = {str(parent).lower(): parent for parent in self.config.keys.values()}
        for name in names:
            columns = tuple(at for at, one in treatments.items() if one.plan.entity == name)
            key = parents.get(name)
            if key is not None and (key not in treatments or treatments[key].plan.action != "entity"):
                key = None
            yield EntityPlan(name, key, columns, any(map(self._has_texts, columns)))

    def _has_texts(self, at: TableColumn) -> bool:
        """Whether a column has values that are not whole numbers; an empty one has no type of its own."""
        tables = self.database.tables
        return tables.kind(at) != "whole number" and tables.filled(at) > 0


def check_orphans(
    database: Database, plan: TreatmentPlan, config: RelationalConfig
) -> tuple[OrphanCount, ...]:
    """Count rows without a parent, and refuse them unless the settings say what becomes of them."""
    links = [
        link
        for link in database.links(config)
        if link.child.table in plan.tables and plan.treatments[link.child].plan.action in ("person", "entity")
    ]
    found = database.tables.orphans(links)
    for one in found:
        to_person = one.link.parent == plan.links.person
        lost = one.orphans + (one.missing if to_person else 0)
        if lost and config.orphans == "refuse":
            what = "without a person" if to_person else f"that name no row of {one.link.parent.table}"
            raise BadData(
                f"{one.link.child.table} has {lost:,} rows {what} ({one.link.child.column}).",
                hint="Say what becomes of them: --orphans drop leaves them out, --orphans detach empties the "
                "key. Rows without a person are always left out.",
            )
    return found
