"""The tables of a study as they are released: written only if the verdict permits, with a codebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.files import new_folder
from reidrisk.core.inventory import NO_SIGN, Inventory, InventoryItem, Status
from reidrisk.core.result import Result
from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural
from reidrisk.documents.risk.known import StudyExposure, known_figures
from reidrisk.documents.risk.measure import measure_tables
from reidrisk.documents.risk.run import DEFAULT
from reidrisk.documents.risk.scenarios import class_reasons
from reidrisk.documents.risk.settings import DocumentSettings
from reidrisk.documents.study.released import Released, released_by
from reidrisk.documents.study.schema import is_dropped
from reidrisk.tables.inventory import STOPPING, SURE
from reidrisk.tables.suggest import suggest_roles

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study

CODEBOOK = "codebook.md"
REMOVED = "removed"
DIRECT = ("participant id", "direct identifier")
COVERED: Mapping[str, tuple[Status, str]] = {
    "participant id": ("unmeasured", "a direct identifier would leave as it is"),
    "direct identifier": ("unmeasured", "a direct identifier would leave as it is"),
    "text": ("unmeasured", "what people typed was not measured"),
    "event": ("measured", "counted as an event that may be known"),
    "quasi-identifier": ("measured", "counted in the classes"),
    "date": ("accepted", "shifted by another number of days for each participant, or counted as an event"),
    "other": ("accepted", NO_SIGN),
}
"""Whether the verdict covers a variable that is released, by its role."""


@dataclass(frozen=True, slots=True)
class ReleasedVariable:
    """A variable of a table, and what becomes of it."""

    table: str
    variable: str
    role: str
    treatment: str
    status: Status
    reason: str

    def item(self) -> InventoryItem:
        """As an item of the inventory."""
        name = f"{self.table}.{self.variable}"
        return InventoryItem(name, self.role, self.treatment, self.status, self.reason)


@dataclass(frozen=True)
class StudyTables(Result):
    """The tables of a study as they are released, their risk, and whether they may go out."""

    study: str
    participants: int
    exposure: StudyExposure = field(repr=False)
    threshold: Threshold
    settings: DocumentSettings
    variables: tuple[ReleasedVariable, ...]
    rows: tuple[tuple[str, int], ...]
    """Tables and how many rows each has."""

    @property
    def inventory(self) -> Inventory:
        """Every variable of every table."""
        return Inventory(tuple(one.item() for one in self.variables))

    @property
    def acceptable(self) -> bool:
        """Whether nobody is in a group that is too small, and nothing leaves unmeasured."""
        return self.exposure.accepts(self.threshold.cell_size) and self.inventory.is_complete

    @property
    def highest(self) -> float:
        """The risk that decides."""
        return self.exposure.highest

    def reasons(self) -> list[tuple[bool, str]]:
        """Whether each speaks for the tables, and what it says."""
        objections = [(False, one.text) for one in self.inventory.reasons()]
        return [*class_reasons(self.exposure, self.threshold), *objections]

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types; no value of a participant."""
        return {
            "kind": "document_tables",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": {"known": self.settings.known, "known_reason": self.settings.known_reason},
            "seed": None,
            "versions": versions(),
            "study": self.study,
            "reasons": [text for _, text in self.reasons()],
            "holds": [holds for holds, _ in self.reasons()],
            "warnings": self._warnings(),
            "threshold": {**asdict(self.threshold), "cell_size": self.threshold.cell_size},
            "participants": self.participants,
            "highest": self.highest,
            "known": known_figures(self.exposure, self.settings, self.threshold.cell_size),
            "tables": [{"table": name, "rows": rows} for name, rows in self.rows],
            "variables": [asdict(one) for one in self.variables],
            **self.inventory.to_dict(),
            "undefined": {"seed": "Nothing here is drawn at random; new values follow from the key."},
        }

    def _warnings(self) -> list[str]:
        reason = self.settings.known_reason
        return [] if reason is None else [f"Events of participants were not counted: {reason}."]

    def codebook(self) -> str:
        """What became of each variable, for those who get the tables; no figure of a small group is in it."""
        lines = [
            f"# Codebook of {self.study}",
            "",
            f"{plural(self.participants, 'participant')}. Audience: shared.",
        ]
        for name, _ in self.rows:
            lines += ["", f"## {name}", "", "| variable | role | treatment |", "| --- | --- | --- |"]
            own = (one for one in self.variables if one.table == name)
            lines += [f"| {one.variable} | {one.role} | {one.treatment} |" for one in own]
        return "\n".join(lines) + "\n"


def release_tables(
    study: Study | str | Path,
    out: str | Path,
    *,
    threshold: Threshold | None = None,
    settings: DocumentSettings | None = None,
) -> StudyTables:
    """Write the released tables of a study and their codebook into a new folder, if the risk is acceptable.

    Every participant counts, on all quasi-identifiers and on the events that an adversary may know. If the
    result is not acceptable, nothing is written.
    """
    if isinstance(study, str | Path):
        from reidrisk.documents.study.read import read_study

        study = read_study(study)
    new_folder(out)
    released = released_by(study)
    settings = settings or DocumentSettings()
    result = StudyTables(
        study=study.name,
        participants=len(study.data),
        exposure=measure_tables(study, settings),
        threshold=threshold or study.threshold or DEFAULT,
        settings=settings,
        variables=tuple(_variables(study, released, settings)),
        rows=tuple((name, sum(1 for _ in released.rows(name, ()))) for name in released.tables),
    )
    if result.acceptable:
        released.write_tables(out, {CODEBOOK: result.codebook()})
    return result


def _variables(study: Study, released: Released, settings: DocumentSettings) -> Iterator[ReleasedVariable]:
    for name, table in study.data.tables.items():
        if name not in released.tables:
            continue
        suggested = {one.name: one for one in suggest_roles(table.path).columns}
        for variable in dict.fromkeys((*table.columns, *released.tables[name])):
            one = _variable(study, released, (name, variable), settings)
            guess = suggested.get(variable)
            if guess and one.reason == NO_SIGN and guess.confidence in SURE and guess.role in STOPPING:
                reason = f"nobody mentioned it, and {guess.reason}"
                one = replace(one, role=STOPPING[guess.role], status="unmeasured", reason=reason)
            yield one


def _variable(
    study: Study, released: Released, place: tuple[str, str], settings: DocumentSettings
) -> ReleasedVariable:
    """One variable; whether the verdict covers it, and why."""
    table, variable = place
    role = _role(study, table, variable)
    status: Status = "removed"
    done, reason = REMOVED, "not released"
    if variable in released.tables[table]:
        done = released.treatment(variable)
        if variable in study.roles.other:
            status, reason = "accepted", study.roles.other[variable]
        elif role in DIRECT and not _has_originals(study, released, table, variable):
            reason = "replaced by a value that means nothing outside the data"
        elif role == "event" and settings.known_reason is not None:
            status, reason = "accepted", settings.known_reason
        else:
            status, reason = COVERED[role]
    return ReleasedVariable(table, variable, role, done, status, reason)


def _role(study: Study, table: str, variable: str) -> str:
    roles = study.roles
    if variable == study.subject:
        return "participant id"
    if variable in study.text:
        return "text"
    if variable in roles.direct or is_dropped(variable):
        return "direct identifier"
    if variable in roles.quasi:
        return "quasi-identifier"
    if variable in study.events.get(table, ()):
        return "event"
    return "date" if variable in roles.dates else "other"


def _has_originals(study: Study, released: Released, table: str, variable: str) -> bool:
    """Whether a released value is one that a participant really has."""
    known = study.data.all_of(variable)
    return any(row[0] in known for _, row in released.rows(table, (variable,)) if row[0] is not None)
