"""Suggest the role of each column of a table. A person decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from reidrisk.core.about import own_version, versions
from reidrisk.core.limits import Limits, limited
from reidrisk.core.reading import TEXT_ONLY, TableReading
from reidrisk.core.reason import Reason, holds, texts
from reidrisk.core.result import Result
from reidrisk.core.shell import shell_words
from reidrisk.core.wording import plural
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.errors import InvalidSetting
from reidrisk.tables.column_kinds import kind_of_name
from reidrisk.tables.column_role import SAMPLE_ROWS, ColumnSuggestion, expressions, suggest_role
from reidrisk.tables.hipaa import HipaaCheck, check_opened

if TYPE_CHECKING:
    from reidrisk.tables.draft import TableDraft

EVERYTHING = "everything"
KNOWN_EVENTS = 1
"""Events of a person that an intruder knows, in a draft."""


@dataclass(frozen=True, slots=True)
class KnownColumn:
    """Why an intruder knows a kind of column, and the source of that claim."""

    why: str
    source: str


@dataclass(frozen=True, slots=True)
class Intruder:
    """One kind of intruder."""

    name: str
    says: str
    source: str
    knows: Mapping[str, KnownColumn]
    """By kind of column; `everything` means all of them."""

    def knowledge_of(self, kind: str | None) -> KnownColumn | None:
        """Return why the intruder knows such a column; None if the intruder does not."""
        return self.knows.get(EVERYTHING) or self.knows.get(kind or "")


def intruder(name: str) -> Intruder:
    """Return an intruder by name."""
    known = intruders()
    if name not in known:
        raise InvalidSetting.among("A scenario", name, known)
    return known[name]


@lru_cache(maxsize=1)
def intruders() -> Mapping[str, Intruder]:
    """Return all intruders by name."""
    text = files("reidrisk.tables").joinpath("data/intruders.yaml").read_text(encoding="utf-8")
    entries = yaml.safe_load(text)
    sources = entries.pop("sources")
    return {
        name: Intruder(
            name,
            entry["says"],
            sources[entry["source"]],
            {kind: KnownColumn(one["why"], sources[one["source"]]) for kind, one in entry["knows"].items()},
        )
        for name, entry in entries.items()
    }


A_PERSON_DECIDES = (
    "These suggestions come from names, patterns and numbers of distinct values. A person who knows the data "
    "and its possible intruders must decide on every column."
)
SURE = ("certain", "likely")


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """The column that shows which rows belong to one person or visit."""

    column: str
    units: int
    varying: tuple[str, ...]
    """Quasi-identifiers that vary within a unit and need a rule."""


@dataclass(frozen=True)
class Suggestion(Result):
    """Suggested roles for the columns of a table, each with its reason. Nothing is decided."""

    _main_table = "columns"
    columns: tuple[ColumnSuggestion, ...]
    quasi: tuple[str, ...]
    """The quasi-identifiers in the suggested next command."""
    intruder: Intruder | None
    unit: UnitChoice | None
    hipaa: HipaaCheck
    rows: int
    source: str
    is_frame: bool = False
    notes: tuple[str, ...] = ()
    reading: TableReading = field(default_factory=TableReading)
    """How the table was read, which the next command repeats."""
    draft: TableDraft | None = None
    """Roles and hierarchies with which the table can be de-identified, if requested."""
    hierarchies_file: str | None = None
    """Where the drafted hierarchies were written."""

    @property
    def acceptable(self) -> bool:
        """Whether no column seems to be a direct identifier; says nothing about the risk of the others."""
        return not self.of_role("direct identifier")

    @property
    def ambiguous_dates(self) -> Mapping[str, tuple[str, ...]]:
        """Columns of dates that can be read in several ways, with the formats of these ways."""
        return {one.name: one.ambiguous_dates for one in self.columns if one.ambiguous_dates}

    def of_role(self, role: str) -> tuple[str, ...]:
        """Return the columns with a suggested role."""
        return tuple(column.name for column in self.columns if column.role == role)

    @property
    def next_step(self) -> str | None:
        """The next command, or the call for a data frame; None without a quasi-identifier."""
        if self.draft is not None and self.hierarchies_file is not None:
            return _deidentify_command(self.source, self.draft, self.hierarchies_file)
        if not self.quasi:
            return None
        return self._call() if self.is_frame or any("," in name for name in self.quasi) else self._command()

    def to_dict(self) -> dict[str, Any]:
        """Return everything a report needs, as JSON types."""
        return {
            "kind": "table_suggestion",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {
                "table": self.source,
                "scenario": self.intruder.name if self.intruder else None,
                "patterns_sought_in": self._sample(),
                "read_as": list(self.notes),
            },
            "seed": None,
            "versions": versions(),
            "reasons": texts(self._reasons()),
            "holds": holds(self._reasons()),
            "rows": self.rows,
            "columns": [column.to_dict() for column in self.columns],
            "scenario": self._scenario(),
            "quasi": list(self.quasi),
            "to_consider": list(self._to_consider()),
            "unit": self._unit(),
            "hipaa": self.hipaa.to_dict(),
            "ambiguous_dates": [
                {"column": name, "formats": list(formats)} for name, formats in self.ambiguous_dates.items()
            ],
            "hierarchies": None if self.draft is None else self.draft.settings,
            "hierarchies_file": self.hierarchies_file,
            "next_step": self.next_step,
            "notes": list(self.notes),
        }

    def _sample(self) -> str:
        if self.rows <= SAMPLE_ROWS:
            return "all rows"
        return f"the first {SAMPLE_ROWS:,} rows; distinct values and empty cells were counted in all"

    def _reasons(self) -> tuple[Reason, ...]:
        direct = self.of_role("direct identifier")
        named = (
            f"{plural(len(direct), 'column')} may identify people directly; remove or replace by a code: "
            f"{', '.join(direct)}."
            if direct
            else "No column seems to identify people directly."
        )
        return Reason(named, not direct), Reason(A_PERSON_DECIDES, holds=True)

    def _to_consider(self) -> tuple[str, ...]:
        """Possible quasi-identifiers that are not in the suggested command."""
        return tuple(name for name in self.of_role("quasi-identifier") if name not in self.quasi)

    def _scenario(self) -> dict[str, Any] | None:
        if self.intruder is None:
            return None
        quasi = [column for column in self.columns if column.role == "quasi-identifier"]
        knowledge = [
            (column, self.intruder.knowledge_of(column.kind.key if column.kind else None)) for column in quasi
        ]
        known = [
            {"column": column.name, "why": it.why, "source": it.source} for column, it in knowledge if it
        ]
        unknown = [column.name for column, it in knowledge if not it]
        return {
            "name": self.intruder.name,
            "says": self.intruder.says,
            "source": self.intruder.source,
            "quasi": known,
            "left_out": unknown,
        }

    def _unit(self) -> dict[str, Any] | None:
        if self.unit is None:
            return None
        return {"column": self.unit.column, "units": self.unit.units, "varying": list(self.unit.varying)}

    def _command(self) -> str:
        quasi, events, rules = self._within_unit()
        words = ["reidrisk", "table", "risk", self.source, "--quasi", ",".join(quasi)]
        if self.unit:
            words += ["--unit", self.unit.column]
        if events:
            words += ["--events", ",".join(events)]
        for name, rule in rules.items():
            words += ["--reduce", f"{name}={rule}"]
        words += _reading_words(self.reading)
        dropped = [f"{name}=drop" for name in self._dropped() if not {",", "="} & set(name)]
        return shell_words([*words, *(["--direct", ",".join(dropped)] if dropped else [])])

    def _dropped(self) -> list[str]:
        """Direct identifiers, which would leave with the table if nobody said what becomes of them."""
        own = None if self.unit is None else self.unit.column
        return [name for name in self.of_role("direct identifier") if name != own]

    def _call(self) -> str:
        quasi, events, rules = self._within_unit()
        unit = f", unit={self.unit.column!r}" if self.unit else ""
        unit += f", reduce={rules!r}" if rules else ""
        unit += f", direct={self._dropped()!r}" if self._dropped() else ""
        known = f", events=rr.EventKnowledge({list(events)!r})" if events else ""
        table = "table" if self.is_frame else repr(self.source)
        said = ", ".join(f"{name}={value!r}" for name, value in self.reading.to_dict().items())
        reading = f", reading=rr.TableReading({said})" if said else ""
        return f"rr.table_risk({table}, rr.Schema(quasi={list(quasi)!r}{unit}){known}{reading})"

    def _within_unit(self) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, str]]:
        """Quasi-identifiers, columns of events, and rules for columns that vary within a unit.

        What varies is an event, unless no quasi-identifier would be left.
        """
        varying = self.unit.varying if self.unit else ()
        static = tuple(name for name in self.quasi if name not in varying)
        return (static, varying, {}) if static else (self.quasi, (), dict.fromkeys(varying, "set"))


def _reading_words(reading: TableReading) -> list[str]:
    """How the table is read, as options."""
    said = reading.to_dict()
    words = [word for name in TEXT_ONLY if name in said for word in (f"--{name}", said[name])]
    for column, form in reading.formats.items():
        words += ["--date-format", f"{column}={form}" if column else form]
    return [*words, *(word for value in reading.null for word in ("--null", value))]


def _deidentify_command(source: str, draft: TableDraft, hierarchies: str) -> str:
    """The command that de-identifies a table by a draft; a release file if names do not fit an option."""
    names = (*draft.columns, *draft.sensitive)
    if any("," in name or "=" in name or name != name.strip() for name in names):
        return shell_words(["reidrisk", "init", source, "--out", "release.yaml"])
    out = f"{Path(source).name.split('.')[0]}-released.csv"
    words = ["reidrisk", "table", "deidentify", source, "--quasi", ",".join(draft.quasi)]
    if draft.unit:
        words += ["--unit", draft.unit]
    for name, rule in draft.reduce.items():
        words += ["--reduce", f"{name}={rule}"]
    if draft.events:
        words += ["--events", ",".join(draft.events), "--known", str(KNOWN_EVENTS)]
    for option, columns in (("--direct", draft.dropped), ("--text", draft.text)):
        if columns:
            words += [option, ",".join(f"{name}=drop" for name in columns)]
    if draft.sensitive:
        words += ["--sensitive", ",".join(draft.sensitive)]
    words += ["--method", draft.method] if draft.method else []
    words += _reading_words(draft.reading)
    return shell_words([*words, "--hierarchies", hierarchies, "--out", out])


UNITS = ("person", "visit", "record")
"""Possible units of analysis, best first."""
TRAITS = ("sex", "date_of_birth", "year_of_birth", "ethnicity")
"""Kinds of columns that do not vary within a person."""


@limited
def suggest_roles(
    table: Any,
    *,
    scenario: str | None = None,
    reading: TableReading | None = None,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
) -> Suggestion:
    """Suggest a role for each column of a table, with how certain it is and why.

    `scenario` is an intruder (neighbour, acquaintance, registry, insider): the quasi-identifiers
    are then the columns that this intruder may know. The result ends with the next command to
    type. A person must decide. `reading` says how dates are written and which values mean missing.
    `limits` says how much of the machine may be used.

    >>> import pyarrow as pa
    >>> table = pa.table({"patient_name": ["Ann Lee", "Bo Ray"], "sex": ["F", "M"], "age": [34, 51]})
    >>> found = suggest_roles(table)
    >>> found.of_role("direct identifier"), found.quasi
    (('patient_name',), ('sex', 'age'))
    """
    known_to = intruder(scenario) if scenario is not None else None
    with open_table(table, reading=reading) as opened:
        profiles = opened.profiles(expressions(), sample_rows=SAMPLE_ROWS)
        columns = _with_ambiguous_dates(opened, [suggest_role(profile) for profile in profiles])
        quasi = _quasi(columns, known_to)
        rows = opened.count()
        return Suggestion(
            columns=columns,
            quasi=quasi,
            intruder=known_to,
            unit=_unit(opened, columns, quasi, rows),
            hipaa=check_opened(opened, columns),
            rows=rows,
            source=opened.source,
            is_frame=not isinstance(table, str | Path),
            notes=opened.notes,
            reading=reading or TableReading(),
        )


def _with_ambiguous_dates(table: Table, columns: Sequence[ColumnSuggestion]) -> tuple[ColumnSuggestion, ...]:
    """Add the ways to read a column of dates, if there are several."""
    texts = [one.name for one in columns if one.profile.share("date") > 0]
    found = table.dates.ambiguous(texts)
    return tuple(_with_readings(one, found[one.name]) if one.name in found else one for one in columns)


def _with_readings(column: ColumnSuggestion, formats: tuple[str, ...]) -> ColumnSuggestion:
    reason = f"{column.reason}; its dates can be read as {' or '.join(formats)}: give --date-format"
    return replace(column, reason=reason, ambiguous_dates=formats)


def _quasi(columns: Sequence[ColumnSuggestion], known_to: Intruder | None) -> tuple[str, ...]:
    """Return columns that the intruder knows, or else certain and likely ones, or else possible ones."""
    found = [column for column in columns if column.role == "quasi-identifier"]
    if known_to is not None:
        return tuple(
            column.name for column in found if known_to.knowledge_of(column.kind.key if column.kind else None)
        )
    sure = tuple(column.name for column in found if column.confidence in SURE)
    return sure or tuple(column.name for column in found)


def _unit(
    table: Table, columns: Sequence[ColumnSuggestion], quasi: Sequence[str], rows: int
) -> UnitChoice | None:
    """Return the best column that several rows share, by its name; None if rows are separate people."""
    shared = [one for one in columns if one.profile.missing == 0 and one.profile.distinct < rows]
    named = [one for one in shared if one.unit and kind_of_name(one.name)]
    named.sort(key=lambda one: UNITS.index(one.unit or "record"))
    if not named or named[0].unit != "person":
        named = [*_coded_people(table, shared, columns), *named]
    if not named:
        return None
    best = named[0]
    varying = table.varying(best.name, quasi) if quasi else {}
    return UnitChoice(best.name, best.profile.distinct, tuple(name for name in quasi if varying.get(name)))


def _coded_people(
    table: Table, shared: Sequence[ColumnSuggestion], columns: Sequence[ColumnSuggestion]
) -> list[ColumnSuggestion]:
    """Return columns of long numbers that are people: sex, birth and ethnicity are constant within each."""
    coded = [one for one in shared if one.kind is not None and one.kind.key == "coded_number"]
    traits = [one.name for one in columns if one.kind is not None and one.kind.key in TRAITS]
    if not traits:
        return []
    coded.sort(key=lambda one: one.profile.distinct)
    return [one for one in coded if not any(table.varying(one.name, traits).values())]
