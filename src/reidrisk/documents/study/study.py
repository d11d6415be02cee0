"""A trial: its participants' data, the documents that tell of them, and the rules for what is released."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, get_args

from reidrisk.context.qualitative import QualitativeRisk
from reidrisk.core.schema import Roles
from reidrisk.core.threshold import Threshold
from reidrisk.documents.formats import document_paths
from reidrisk.documents.study.data import StudyData, load_data
from reidrisk.documents.study.recall import RecallFigures
from reidrisk.documents.study.schema import (
    SUBJECT,
    StudySchema,
    TextTreatment,
    event_columns,
    is_dropped,
    is_event_detail,
    is_text,
    proposed_schema,
)
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

if TYPE_CHECKING:
    from reidrisk.documents.study.released import Released

LEAST_DAYS, MOST_DAYS = 14, 3650
SectionRule = Literal["leave_out", "redact", "replace", "keep"]
SECTION_RULES: tuple[SectionRule, ...] = get_args(SectionRule)


@dataclass(frozen=True, slots=True)
class ReleaseRules:
    """What stands in the released data instead; the same rules replace values in documents."""

    key: Path | None = None
    """Key file for new ids and date offsets; created if it does not exist."""
    recode: tuple[str, ...] = ()
    """Ids that get another value of the same form, never a real one."""
    shift_days: int | None = None
    """Dates of a participant move by one number of days, at most so many forward or back."""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    levels: Mapping[str, str | int] = field(default_factory=dict)
    """The level to which each of these variables is generalized, by name."""

    def __post_init__(self) -> None:
        for name in ("hierarchies", "levels"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        object.__setattr__(self, "recode", tuple(self.recode))
        if (self.recode or self.shift_days is not None) and self.key is None:
            raise InvalidSetting(
                "New ids and shifted dates need a key.", hint="Name a file: key: study.key; it is made."
            )
        if self.shift_days is not None and not LEAST_DAYS <= self.shift_days <= MOST_DAYS:
            raise InvalidSetting(
                f"Dates are shifted by {LEAST_DAYS} to {MOST_DAYS:,} days at most, not {self.shift_days}.",
                hint="Usual is a year: shift: {days: 365}.",
            )
        for name in self.levels:
            if name not in self.hierarchies:
                raise InvalidSetting.among(
                    "A level is for a variable with a hierarchy, which", name, self.hierarchies
                )
        missing = [name for name in self.hierarchies if name not in self.levels]
        if missing:
            raise InvalidSetting(
                f"No level is named for {', '.join(missing)}.", hint="Write levels: {AGE: 5 years}."
            )


@dataclass(frozen=True, slots=True)
class ReleasedTables:
    """The data that were released, made elsewhere, and who became whom."""

    tables: Mapping[str, Path]
    link: Path
    """A table with two columns: the id of a participant and the released one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", MappingProxyType({k: Path(v) for k, v in self.tables.items()}))


Deidentified = ReleaseRules | ReleasedTables


def section_rule(rules: Mapping[str, str], section: str | None, *, otherwise: str) -> str:
    """The rule for a section: its own, or that of the nearest section that holds it.

    >>> section_rule({"16": "redact", "16.2": "leave_out"}, "16.2.7", otherwise="replace")
    'leave_out'
    """
    number = section or ""
    while number:
        if number in rules:
            return rules[number]
        number = number.rpartition(".")[0]
    return otherwise


@dataclass(frozen=True)
class Study:
    """Where the data and documents of a trial lie, and what its variables mean."""

    ipd: Mapping[str, str | Path] | str | Path
    """Tables by name, that with one row a participant first; a path alone is that table."""
    schema: StudySchema | Roles | None = None
    """Roles of the variables, or the quasi-identifiers alone; None: proposed from their CDISC names."""
    _: KW_ONLY
    subject: str = SUBJECT
    """The column that names a participant in every table."""
    documents: str | Path | tuple[str | Path, ...] = ()
    """Files, folders or patterns."""
    name: str = "study"
    deidentified: Deidentified | None = None
    sections: Mapping[str, SectionRule] = field(default_factory=dict)
    """What is done to sections of a report, by ICH E3 number."""
    threshold: Threshold | None = None
    review: Path | None = None
    """Findings of which a sample was reviewed."""
    recall: RecallFigures | None = None
    """Figures of recall, where there is no reviewed sample."""
    qualitative: QualitativeRisk | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "sections", MappingProxyType(dict(self.sections)))
        tables = self.tables
        for table in () if self.schema is None else StudySchema.of(self.schema).events:
            if table not in tables:
                raise InvalidSetting.among("A table of events", table, tables)
        for section, rule in self.sections.items():
            if rule not in SECTION_RULES:
                raise InvalidSetting.among(f"The rule for section {section}", str(rule), SECTION_RULES)

    @property
    def tables(self) -> Mapping[str, Path]:
        """The files of the data by name, that with one row a participant first."""
        if isinstance(self.ipd, str | Path):
            return {Path(self.ipd).stem.lower(): Path(self.ipd)}
        if not self.ipd:
            raise InvalidSetting(
                "A study has at least one table.", hint="Name that with one row a participant, DM or ADSL."
            )
        return {name: Path(path) for name, path in self.ipd.items()}

    @property
    def participants(self) -> Path:
        """The table with one row a participant."""
        return next(iter(self.tables.values()))

    @cached_property
    def data(self) -> StudyData:
        """The tables, read once."""
        return load_data(self.tables, self.subject)

    @cached_property
    def roles(self) -> StudySchema:
        """The schema as given, checked against the tables, or as their CDISC names propose it."""
        columns = {name: table.columns for name, table in self.data.tables.items()}
        if self.schema is None:
            return proposed_schema(columns, self.subject)
        found = StudySchema.of(self.schema)
        first = self.data.participants
        _require((one for one in found.columns if one != self.subject), first.columns, first.name)
        for name, wanted in found.events.items():
            _require(wanted, columns[name], name)
        return found

    @cached_property
    def text(self) -> Mapping[str, TextTreatment]:
        """What people typed, by variable: as the schema says, and by its CDISC name dropped."""
        columns = {name for table in self.data.tables.values() for name in table.columns}
        named = {name for name in columns if is_text(name)} - set(self.roles.quasi)
        found: dict[str, TextTreatment] = dict.fromkeys(sorted(named - set(self.roles.other)), "drop")
        return found | dict(self.roles.text)

    @cached_property
    def dropped(self) -> frozenset[str]:
        """Variables that are not released by default; the schema's `other` names those that are all the same.

        Numbers of sites and laboratories may get new ones: what is recoded or has a hierarchy is released.
        """
        columns = {name for table in self.data.tables.values() for name in table.columns}
        texts = {name for name, treatment in self.text.items() if treatment == "drop"}
        named = {name for name in columns if is_dropped(name)} - set(self.roles.other)
        return frozenset(named | texts)

    @cached_property
    def events(self) -> Mapping[str, tuple[str, ...]]:
        """The variables of each table with several rows a participant that tell what happened, and when.

        Of tables that the schema does not name, those with CDISC names. Days of the study are dates in
        another form; groups and codes of a term tell what the term tells.
        """
        found = {}
        for name, table in list(self.data.tables.items())[1:]:
            columns = self.roles.events.get(name) or event_columns(table.columns, self.subject)
            more = (one for one in table.columns if is_event_detail(one) and columns)
            found[name] = tuple(dict.fromkeys((*columns, *more)))
        return {name: columns for name, columns in found.items() if columns}

    @property
    def is_proposed(self) -> bool:
        """Whether the roles of variables follow from their names alone."""
        return self.schema is None

    @cached_property
    def released(self) -> Released | None:
        """What stands in the released data instead of each value; None if nothing is said about it."""
        from reidrisk.documents.study.released import released_by

        return None if self.deidentified is None else released_by(self)

    def document_paths(self) -> tuple[Path, ...]:
        """The files that the study names, each once, in order."""
        given = (self.documents,) if isinstance(self.documents, str | Path) else self.documents
        return document_paths(given)


def _require(wanted: Iterable[str], columns: tuple[str, ...], table: str) -> None:
    for name in wanted:
        if name not in columns:
            raise UnknownColumn.among(name, columns, source=f"The table {table}")
