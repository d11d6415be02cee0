"""The settings of a relational release: `rel.yaml`, or a part of a release file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args

from reidrisk.core.spec import Spec, whole
from reidrisk.core.yaml_file import read_yaml
from reidrisk.engine.linked import PersonAttribute, PersonRule, TableColumn
from reidrisk.errors import InvalidSetting
from reidrisk.tables.hierarchy.hierarchy import Hierarchy, hierarchies_from, read_hierarchies

Orphans = Literal["refuse", "drop", "detach"]
ORPHANS: tuple[Orphans, ...] = get_args(Orphans)
OnParent = Literal["cascade", "detach"]
ON_PARENT: tuple[OnParent, ...] = get_args(OnParent)
Know = Literal["intervals", "days", "nothing"]
KNOW: tuple[Know, ...] = get_args(Know)
RULES: tuple[PersonRule, ...] = get_args(PersonRule)
PROFILES = ("omop", "cdisc", "sdtm", "adam", "fhir", "redcap", "none")
KEYS = (
    "profile", "folder", "tables", "person", "keys", "orphans", "quasi", "derive", "events", "sensitive",
    "known", "dates", "columns", "same", "hierarchies", "levels", "repeats", "deidentify", "on_parent",
    "key", "out", "groups",
)  # fmt: skip
MOST_DAYS = 36_525


@dataclass(frozen=True, slots=True)
class DateRule:
    """How the dates of a person move, and what the adversary knows of them."""

    offset: int | None = 365
    """Largest number of days in either direction; None leaves dates as they are."""
    anchor: date | None = None
    """The first date of each person becomes this day, instead of an offset by the key."""
    oldest: int | None = 89
    """Years: dates go that show a higher age of the person, because they are so long before the last one."""
    know: Know = "intervals"
    """Of the dates of events: their distances, the days themselves, or nothing."""
    reason: str = ""
    """Why dates stay as they are."""
    truncate: bool = False
    """Whether released dates go that are within the offset of the first or the last day of all data: they
    narrow the offset of the person for whoever knows on which days the data begin and end."""

    def __post_init__(self) -> None:
        if self.offset is not None and not 8 <= self.offset <= MOST_DAYS:
            raise InvalidSetting(
                f"The offset of dates cannot be {self.offset} days.",
                hint=f"Choose 8 to {MOST_DAYS:,} days; 365 is usual.",
            )
        if self.know not in KNOW:
            raise InvalidSetting.among("dates.know", str(self.know), KNOW)
        if self.moves and self.know == "days":
            raise InvalidSetting(
                "After an offset, days of the calendar tell an adversary nothing about a person.",
                hint="Write know: intervals.",
            )
        if self.truncate and self.offset is None:
            raise InvalidSetting(
                "Dates are truncated by the range of their offset, and there is none.",
                hint="Leave out truncate, or write offset: DAYS.",
            )

    @property
    def moves(self) -> bool:
        """Whether dates change."""
        return self.anchor is not None or self.offset is not None


@dataclass(frozen=True, slots=True)
class KnownNumbers:
    """How many events of a person the adversary knows, over all tables and at most from each."""

    total: int = 2
    by_table: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RelationalConfig:
    """What is released from linked tables about the same people."""

    person: TableColumn
    profile: str | None = None
    folder: Path | None = None
    tables: Mapping[str, str] = field(default_factory=dict)
    """Files by name of the table, if not all of a folder."""
    keys: Mapping[TableColumn, TableColumn] = field(default_factory=dict)
    """Columns and the keys that they refer to."""
    orphans: Orphans = "refuse"
    quasi: tuple[str, ...] = ()
    """Person-level quasi-identifiers: `table.column`, or the name of a derived one."""
    derive: Mapping[str, PersonAttribute] = field(default_factory=dict)
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sensitive: tuple[str, ...] = ()
    known: KnownNumbers = KnownNumbers()
    dates: DateRule = DateRule()
    columns: Mapping[str, Any] = field(default_factory=dict)
    """Treatments over those of the profile, by `table.column`; `*` stands for any text."""
    same: Mapping[str, tuple[TableColumn, ...]] = field(default_factory=dict)
    """Attributes that stand in several columns and are treated alike."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)
    """By attribute: a name of `same`, or `table.column`."""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By column of coded terms: columns of the same table with their groups, finest first. They are its
    levels, unless it has a hierarchy."""
    levels: Mapping[str, str | int] = field(default_factory=dict)
    """By attribute: the level of its hierarchy that is released."""
    removed: Mapping[TableColumn, frozenset[str]] = field(default_factory=dict, repr=False)
    """By column of events: values whose rows are not released, as the search chose them."""
    given: Mapping[TableColumn, Mapping[str, str]] = field(default_factory=dict, repr=False)
    """By column of ids: new values that were made elsewhere, such as ids of the same form."""
    repeats: bool = False
    """Whether the table of people has several rows per person."""
    deidentify: bool = True
    on_parent: OnParent = "cascade"
    key: Path | None = None
    out: Path | None = None

    def __post_init__(self) -> None:
        for what, given, known in (
            ("orphans", self.orphans, ORPHANS),
            ("on_parent", self.on_parent, ON_PARENT),
        ):
            if given not in known:
                raise InvalidSetting.among(what, str(given), known)
        if self.profile is not None and self.profile not in PROFILES:
            raise InvalidSetting.among("profile", str(self.profile), PROFILES)
        leveled = {name.lower() for name in (*self.hierarchies, *self.groups)}
        missing = [name for name in self.levels if name.lower() not in leveled]
        if missing:
            raise InvalidSetting(
                f"levels names {missing[0]!r}, which has no hierarchy.",
                hint="Write hierarchies: {NAME: ...} or groups: too, or leave the level out.",
            )

    def attribute_of(self, at: TableColumn) -> str:
        """The attribute that a column shows: a name of `same`, or its own."""
        named = (name for name, columns in self.same.items() if at in columns)
        return next(named, str(at))

    def attributes(self) -> tuple[PersonAttribute, ...]:
        """The person-level quasi-identifiers."""
        return tuple(
            self.derive[name] if name in self.derive else PersonAttribute(name, table_column(name, "quasi"))
            for name in self.quasi
        )

    def changed(self, **values: Any) -> RelationalConfig:
        """The same with other settings."""
        return replace(self, **values)


def table_column(text: Any, place: str) -> TableColumn:
    """Read `table.column`."""
    found = TableColumn.of(str(text))
    if not isinstance(text, str) or not found.table or not found.column:
        raise InvalidSetting(f"{place} names no column of a table.", hint="Write TABLE.COLUMN.")
    return found


def read_relational(path: str | Path) -> RelationalConfig:
    """Read rel.yaml; paths in it start from its folder."""
    file = Path(path)
    content = read_yaml(file)
    if not isinstance(content, Mapping):
        raise InvalidSetting(
            f"{file.name} is not a mapping of settings.", hint="Begin with person: TABLE.COLUMN."
        )
    return config_of(content, folder=file.parent, place=file.name)


def config_of(content: Mapping[str, Any], *, folder: Path, place: str) -> RelationalConfig:
    """The settings of a mapping; what is wrong is named by its place."""
    spec = Spec.of(content, place=place)
    spec.allow(KEYS)
    person = spec.need("person", hint="Write person: TABLE.COLUMN, such as person.person_id.")
    keys = _mapping(spec, "keys", hint="Write keys: {TABLE.COLUMN: TABLE.KEY}.")
    hierarchies = _hierarchies(spec, folder)
    return RelationalConfig(
        person=table_column(person, spec.at("person")),
        profile=None if spec.content.get("profile") is None else spec.text("profile", ""),
        folder=_path(spec, "folder", folder),
        tables={
            str(name): _place(file, folder)
            for name, file in _mapping(spec, "tables", hint="Write tables: {visits: visits.csv}.").items()
        },
        keys={
            table_column(child, spec.at("keys")): table_column(parent, f"{spec.at('keys')}.{child}")
            for child, parent in keys.items()
        },
        orphans=spec.text("orphans", "refuse"),  # type: ignore[arg-type]
        quasi=_names(spec.content.get("quasi"), spec.at("quasi")),
        derive=_derived(spec),
        events={
            str(table): _names(columns, f"{spec.at('events')}.{table}")
            for table, columns in _mapping(spec, "events", hint="Write events: {TABLE: [COLUMN]}.").items()
        },
        sensitive=_names(spec.content.get("sensitive"), spec.at("sensitive")),
        known=_known(spec),
        dates=_dates(spec),
        columns=_mapping(spec, "columns", hint="Write columns: {TABLE.COLUMN: drop}."),
        same={
            str(name): tuple(table_column(one, f"{spec.at('same')}.{name}") for one in _names(columns, name))
            for name, columns in _mapping(spec, "same", hint="Write same: {NAME: [TABLE.COLUMN]}.").items()
        },
        hierarchies=hierarchies,
        groups={
            str(table_column(name, spec.at("groups"))): _names(columns, f"{spec.at('groups')}.{name}")
            for name, columns in _mapping(spec, "groups", hint="Write groups: {TABLE.TERM: [GROUP]}.").items()
        },
        levels=_mapping(spec, "levels", hint="Write levels: {ATTRIBUTE: LEVEL}."),
        repeats=spec.flag("repeats", default=False),
        deidentify=spec.flag("deidentify", default=True),
        on_parent=spec.text("on_parent", "cascade"),  # type: ignore[arg-type]
        key=_path(spec, "key", folder),
        out=_path(spec, "out", folder),
    )


def _path(spec: Spec, key: str, folder: Path) -> Path | None:
    return None if spec.content.get(key) is None else folder / spec.text(key, "")


def _place(file: Any, folder: Path) -> str:
    text = str(file)
    return text if "://" in text else str(folder / text)


def _mapping(spec: Spec, key: str, *, hint: str) -> dict[str, Any]:
    given = spec.content.get(key)
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"{spec.at(key)} is not a mapping.", hint=hint)
    return {str(name): value for name, value in given.items()}


def _names(given: Any, place: str) -> tuple[str, ...]:
    if given is None:
        return ()
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InvalidSetting(f"{place} is not a list of names.", hint="Write [NAME, NAME].")
    if len(set(names)) < len(names):
        raise InvalidSetting(f"{place} has a name twice.", hint="Name each once.")
    return tuple(names)


def _derived(spec: Spec) -> dict[str, PersonAttribute]:
    hint = "Write derive: {NAME: {column: TABLE.COLUMN, rule: first}}."
    found = {}
    for name, given in _mapping(spec, "derive", hint=hint).items():
        one = Spec.of(given, place=f"{spec.at('derive')}.{name}")
        one.allow(("column", "rule", "since"))
        rule = one.text("rule", "value")
        if rule not in RULES:
            raise InvalidSetting.among(one.at("rule"), rule, RULES)
        since = one.content.get("since")
        found[name] = PersonAttribute(
            name,
            table_column(one.need("column", hint=hint), one.at("column")),
            rule,
            None if since is None else table_column(since, one.at("since")),
        )
    return found


def _known(spec: Spec) -> KnownNumbers:
    given = spec.content.get("known")
    if given is None:
        return KnownNumbers()
    if isinstance(given, int):
        return KnownNumbers(whole(given, spec.at("known"), least=0))
    numbers = {
        name: whole(value, f"{spec.at('known')}.{name}", least=0)
        for name, value in _mapping(spec, "known", hint="Write known: {total: 2}.").items()
    }
    total = numbers.pop("total", KnownNumbers().total)
    return KnownNumbers(total, numbers)


def _dates(spec: Spec) -> DateRule:
    given = spec.content.get("dates")
    if given is None:
        return DateRule()
    one = Spec.of(given, place=spec.at("dates"))
    one.allow(("offset", "anchor", "oldest", "know", "reason", "truncate"))
    oldest = whole(one.content.get("oldest", DateRule().oldest), one.at("oldest"), least=1)
    anchor, offset = one.content.get("anchor"), one.content.get("offset", 365)
    truncate = one.content.get("truncate", False)
    if not isinstance(truncate, bool):
        raise InvalidSetting(f"{one.at('truncate')} is not true or false.", hint="Write truncate: true.")
    if anchor is not None and not isinstance(anchor, date):
        raise InvalidSetting(f"{one.at('anchor')} is not a date.", hint="Write a day such as 2020-01-01.")
    if offset == "none":
        if not one.text("reason", "").strip():
            raise InvalidSetting(
                "Dates that stay as they are need a reason.",
                hint="Write dates: {offset: none, reason: TEXT}.",
            )
        know, reason = one.text("know", "days"), one.text("reason", "")
        return DateRule(None, None, oldest, know, reason, truncate)  # type: ignore[arg-type]
    days = None if anchor is not None else whole(offset, one.at("offset"))
    know = one.text("know", "intervals")
    return DateRule(days, anchor, oldest, know, truncate=truncate)  # type: ignore[arg-type]


def _hierarchies(spec: Spec, folder: Path) -> dict[str, Hierarchy]:
    given = spec.content.get("hierarchies")
    if given is None:
        return {}
    if isinstance(given, str):
        return dict(read_hierarchies(folder / given))
    return dict(hierarchies_from(given, folder=folder, place=f"{spec.at('hierarchies')}: "))
