"""Resources of FHIR, released as valid resources: ids and references by key, dates by one offset "
"per patient."""

from __future__ import annotations

import gzip
import hmac
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from reidrisk.core.reference_lists import RESTRICTED
from reidrisk.engine.linked import (
    ColumnLoss,
    ColumnPlan,
    TableColumn,
    TableRows,
    WrittenRelease,
    fhir_patient,
    fhir_resources,
)
from reidrisk.errors import BadData, InvalidSetting
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.plan import Treatment
from reidrisk.relational.profile import Profile, ProfileRule, profile_named
from reidrisk.resynthesis.dates.shift import person_offsets

DATE = re.compile(r"(\d{4})(-\d\d(-\d\d(T.*)?)?)?")
"""A year, a month, a day or a moment, as FHIR writes them."""
FULL = 10
"""Characters of a date with its day."""
CONDITIONAL = re.compile(r"(\w+)\?identifier=(.+)")
RELATIVE = re.compile(r"(?:.*/)?([A-Z]\w+)/([A-Za-z0-9.-]{1,64})(?:/_history/.*)?")
URN = re.compile(r"urn:uuid:(.+)")
LETTERS = 16
CENSUS = sorted(RESTRICTED)[-1]
US_CORE = "http://hl7.org/fhir/us/core/StructureDefinition/us-core-"
LEFT_OUT = {
    "gender": "patient.gender",
    "birth_date": "patient.birthdate",
    "state": "patient.address",
    "marital_status": "patient.maritalstatus",
    "deceased": "patient.deceased*",
    "race": f"{US_CORE}race",
    "ethnicity": f"{US_CORE}ethnicity",
}
"""By column of the table of patients: the path, or the URL of the extension, that settings may leave out."""
NOTHING: Any = object()
"""Stands for a value that goes."""


def entity_of(kind: str) -> str:
    """The name under which ids of a type of resource have their pseudonyms."""
    return "person" if kind == "Patient" else f"{kind.lower()}.id"


def new_id(key: bytes, kind: str, old: str) -> str:
    """The new id of a resource."""
    digest = hmac.new(key, f"relational/{entity_of(kind)}/0\0{old}".encode(), sha256).hexdigest()
    return digest[:LETTERS].upper()


def moved(text: str, days: int) -> str:
    """A date some days later, as exact as before; a time of day stays.

    >>> moved("2015-03", -20), moved("2015-03-15T10:30:00Z", 1), moved("2015", 3)
    ('2015-02', '2015-03-16T10:30:00Z', '2015')
    """
    middle = {4: "-06-30", 7: "-15"}.get(len(text), "")
    day = date.fromisoformat(text[:FULL] + middle) + timedelta(days)
    return day.isoformat()[: min(len(text), FULL)] + text[FULL:]


@dataclass(frozen=True, slots=True)
class FhirIndex:
    """Which resources there are, and by which identifiers others refer to them."""

    ids: frozenset[tuple[str, str]] = field(repr=False)
    by_identifier: Mapping[tuple[str, str], str] = field(repr=False)
    by_urn: Mapping[str, tuple[str, str]] = field(repr=False)
    latest: int
    """The latest year of any date."""

    @classmethod
    def of(cls, files: Mapping[str, str]) -> FhirIndex:
        """Read every resource once."""
        ids, named, urns, latest = set(), {}, {}, 0
        for path in files.values():
            for one in fhir_resources(path):
                kind, own = str(one.get("resourceType")), str(one.get("id"))
                ids.add((kind, own))
                urns[own] = (kind, own)
                for identifier in _identifiers(one):
                    named[kind, identifier] = own
                latest = max([latest, *(int(text[:4]) for text in dates_in(one))])
        return cls(frozenset(ids), named, urns, latest)

    def resolve(self, reference: Mapping[str, Any]) -> tuple[str, str] | None:
        """The type and id of the resource that is meant, if it is there."""
        text = reference.get("reference")
        if isinstance(text, str):
            conditional, urn, relative = (
                CONDITIONAL.fullmatch(text),
                URN.fullmatch(text),
                RELATIVE.fullmatch(text),
            )
            if conditional:
                own = self.by_identifier.get((conditional[1], conditional[2]))
                return None if own is None else (conditional[1], own)
            if urn:
                return self.by_urn.get(urn[1])
            if relative and (relative[1], relative[2]) in self.ids:
                return relative[1], relative[2]
        identifier = reference.get("identifier")
        if isinstance(identifier, Mapping):
            wanted = _identifier(identifier)
            return next(
                ((kind, own) for (kind, name), own in self.by_identifier.items() if name == wanted), None
            )
        return None


def _identifiers(one: Mapping[str, Any]) -> Iterator[str]:
    for identifier in one.get("identifier") or () if isinstance(one.get("identifier"), list) else ():
        if isinstance(identifier, Mapping):
            yield _identifier(identifier)


def _identifier(one: Mapping[str, Any]) -> str:
    return f"{one.get('system', '')}|{one.get('value', '')}"


def dates_in(value: Any, path: str = "") -> Iterator[str]:
    """All texts that are dates."""
    if isinstance(value, Mapping):
        for name, inside in value.items():
            yield from dates_in(inside, name)
    elif isinstance(value, list):
        for inside in value:
            yield from dates_in(inside, path)
    elif is_date(value):
        yield value


def is_date(value: Any) -> bool:
    """Whether a value is a text that FHIR would read as a date, and no bare number of four digits."""
    return isinstance(value, str) and len(value) > 4 and DATE.fullmatch(value) is not None


@dataclass(eq=False)
class FhirWriter:
    """Makes released resources from originals, and counts what became of each path."""

    profile: Profile
    index: FhirIndex
    key: bytes
    offsets: Mapping[str, int]
    """By patient: the days by which dates move."""
    filled: Counter[TableColumn] = field(default_factory=Counter)
    left: Counter[TableColumn] = field(default_factory=Counter)
    rules: dict[TableColumn, ProfileRule | None] = field(default_factory=dict)
    detached: Counter[str] = field(default_factory=Counter)
    _kind: str = ""
    _person: str | None = None

    def released(self, one: Mapping[str, Any]) -> dict[str, Any]:
        """A resource as it is released."""
        self._kind = str(one["resourceType"])
        self._person = str(one["id"]) if self._kind == "Patient" else fhir_patient(one)
        made = self._object(one, "")
        return {"resourceType": self._kind, "id": new_id(self.key, self._kind, str(one["id"])), **made}

    def _object(self, value: Mapping[str, Any], path: str) -> dict[str, Any]:
        found = {}
        for name, inside in value.items():
            here = f"{path}.{name}" if path else name
            if here in ("resourceType", "id"):
                continue
            made = self._value(inside, here)
            if made is not NOTHING:
                found[name] = made
        return found

    def _value(self, value: Any, path: str) -> Any:
        if path.rsplit(".", 1)[-1] in ("extension", "modifierExtension"):
            return self._extensions(value, path)
        rule = self._rule(path)
        if rule is not None and rule.treatment == "drop":
            self._count(value, path, NOTHING)
            return NOTHING
        if isinstance(value, list):
            made = [one for one in (self._value(inside, path) for inside in value) if one is not NOTHING]
            return made or NOTHING
        if isinstance(value, Mapping):
            whole = self._reference(value, path) if _is_reference(value) else self._object(value, path)
            return whole or NOTHING
        try:
            leaf = self._leaf(value, rule)
        except ValueError:
            raise BadData(
                f"{path} of a {self._kind} has a date that is not in the calendar.",
                hint="Correct the date in the resource, or leave the resource out.",
            ) from None
        self._count(value, path, leaf)
        return leaf

    def _rule(self, path: str) -> ProfileRule | None:
        at = TableColumn(self._kind.lower(), path)
        if at not in self.rules:
            self.rules[at] = self.profile.rule_for(at, has_people=True)
        return self.rules[at]

    def _leaf(self, value: Any, rule: ProfileRule | None) -> Any:
        how = None if rule is None else rule.treatment
        if isinstance(how, Mapping):
            return self._cut(str(value), how)
        if is_date(value) or how == "date":
            days = self.offsets.get(self._person or "")
            return NOTHING if days is None or not is_date(value) else moved(value, days)
        if isinstance(value, str):
            return value if how == "keep" else NOTHING
        return value

    def _cut(self, value: str, how: Mapping[str, Any]) -> Any:
        if "birth_year" in how:
            return f"{max(int(value[:4]), self.index.latest - int(how['birth_year']) - 1):04d}"
        if "pseudonym" in how:
            return new_id(self.key, f"{self._kind}.{how['pseudonym']}", value)
        three = value[: int(how["zip"])]
        return "000" if three in RESTRICTED[CENSUS] else three

    def _reference(self, value: Mapping[str, Any], path: str) -> Any:
        """A reference to the same resource under its new id; what it displays goes."""
        meant = self.index.resolve(value)
        at = TableColumn(self._kind.lower(), f"{path}.reference")
        self.filled[at] += 1
        if meant is None:
            self.detached[str(at)] += 1
            return NOTHING
        self.left[at] += 1
        return {"reference": f"{meant[0]}/{new_id(self.key, *meant)}"}

    def _extensions(self, value: Any, path: str) -> Any:
        """Extensions that the profile lists stay as they are."""
        at = TableColumn(self._kind.lower(), path)
        kept = [
            one for one in value if isinstance(one, Mapping) and one.get("url") in self.profile.extensions
        ]
        self.filled[at] += len(value)
        self.left[at] += len(kept)
        return kept or NOTHING

    def _count(self, value: Any, path: str, made: Any) -> None:
        at = TableColumn(self._kind.lower(), path)
        self.filled[at] += len(value) if isinstance(value, list) else 1
        self.left[at] += 0 if made is NOTHING else 1

    def treatments(self) -> tuple[Treatment, ...]:
        """What became of each path, and who says so."""
        return tuple(self._treatment(at) for at in sorted(self.filled, key=str))

    def _treatment(self, at: TableColumn) -> Treatment:
        rule = self.rules.get(at)
        if at.column.endswith(".reference"):
            return Treatment(
                at, "key", ColumnPlan("entity", entity="the resource that is meant"), "references follow"
            )
        if at.column.rsplit(".", 1)[-1] in ("extension", "modifierExtension"):
            return Treatment(
                at, "by url", ColumnPlan("by_name"), "us-core race, ethnicity and birth sex stay"
            )
        if rule is None:
            made = self.left[at] == self.filled[at]
            plan = ColumnPlan("date" if made else "drop")
            return Treatment(
                at, "date or number" if made else "none", plan, "by its form, or no rule: removed"
            )
        how = rule.treatment
        action = how if isinstance(how, str) else "year"
        return Treatment(at, rule.role, ColumnPlan(action if action != "key" else "entity"), rule.source)  # type: ignore[arg-type]


def fhir_profile(config: RelationalConfig) -> Profile:
    """The profile of FHIR, and what the settings leave out of patients; others are refused."""
    own, gone = profile_named("fhir"), []
    for name, how in config.columns.items():
        table, _, column = name.lower().partition(".")
        if table != "patient" or column not in LEFT_OUT or how != "drop":
            raise InvalidSetting(
                f"columns: {{{name}: …}} is not possible for resources of FHIR.",
                hint=f"Write drop for columns of patient: {', '.join(LEFT_OUT)}. Everything else is released "
                "as the profile says.",
            )
        gone.append(LEFT_OUT[column])
    if config.levels:
        raise InvalidSetting(
            "levels: is not possible for resources of FHIR, whose values cannot be generalized.",
            hint="Leave columns of patient out with columns: {patient.COLUMN: drop}.",
        )
    rule = ProfileRule(tuple(gone), "quasi-identifier", "drop", "settings")
    return replace(own, rules=(rule, *own.rules), extensions=own.extensions - set(gone))


def _is_reference(value: Mapping[str, Any]) -> bool:
    known = {"reference", "type", "identifier", "display", "extension", "id"}
    return set(value) <= known and ("reference" in value or isinstance(value.get("identifier"), Mapping))


def write_fhir(
    files: Mapping[str, str], folder: Path, config: RelationalConfig, people: list[str], key: bytes
) -> tuple[WrittenRelease, FhirWriter]:
    """Write every resource of people who are there, in an order that reveals nothing."""
    days = config.dates.offset
    if days is None:
        raise InvalidSetting(
            "Dates of FHIR move by an offset per patient.",
            hint="Write dates: {offset: 365}, without an anchor.",
        )
    offsets = dict(zip(people, person_offsets(people, key, days).tolist(), strict=True))
    writer = FhirWriter(fhir_profile(config), FhirIndex.of(files), key, offsets)
    rows, names = [], {}
    for table, path in files.items():
        before = nobody = 0
        lines: list[str] = []
        for one in fhir_resources(path):
            before += 1
            person = fhir_patient(one)
            if person is not None and person not in offsets:
                nobody += 1
                continue
            lines.append(json.dumps(writer.released(one), ensure_ascii=False))
        lines.sort(key=lambda line: hmac.new(key, f"{table}\0{line}".encode(), sha256).digest())
        names[table] = Path(path).name
        _write(folder / names[table], lines)
        rows.append(TableRows(table, before, len(lines), nobody, 0))
    if nobody_refused := sum(one.nobody for one in rows):
        _refuse(config, nobody_refused, "are about a patient who is not there")
    if lost := sum(writer.detached.values()):
        _refuse(config, lost, "refer to a resource that is not there")
    losses = tuple(
        ColumnLoss(at.table, at.column, writer.filled[at], writer.left[at])
        for at in sorted(writer.filled, key=str)
    )
    return WrittenRelease(tuple(rows), losses, names, {}), writer


def _refuse(config: RelationalConfig, number: int, what: str) -> None:
    if config.orphans == "refuse":
        raise BadData(
            f"{number:,} resources or references {what}.",
            hint="Say what becomes of them: --orphans detach removes the references.",
        )


def _write(path: Path, lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines).encode()
    if path.name.endswith(".gz"):
        text = gzip.compress(text, mtime=0)
    path.write_bytes(text)
