"""Linked tables de-identified as one thing, written together or not at all, and proved."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

from reidrisk.core.about import own_version, versions
from reidrisk.core.files import new_folder, whole_path, write_text
from reidrisk.core.result import Result
from reidrisk.core.wording import path_text, plural
from reidrisk.engine.linked import (
    ColumnLoss,
    EntityPlan,
    LinkedPlan,
    OrphanCount,
    TableColumn,
    WrittenRelease,
)
from reidrisk.engine.opening import written_rows
from reidrisk.errors import FailedCheck, InvalidSetting
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import TREATMENT, Database
from reidrisk.relational.plan import Treatment, TreatmentPlan, check_orphans, completed, treatment_plan
from reidrisk.relational.shown_offsets import refuse_true_dates, true_years
from reidrisk.relational.verify import RelationalProof, prove
from reidrisk.resynthesis.dates.shift import person_offsets
from reidrisk.stats.arrays import Bools, Ints

EPOCH = date(1970, 1, 1)
DIGITS = 9
"""Of a loss, after the point."""


@dataclass(frozen=True)
class RelationalRelease(Result):
    """Linked tables as they were released: treatment and loss per variable, and the proof."""

    place: str
    config: RelationalConfig = field(repr=False)
    people: int
    left_out: int
    treatments: tuple[Treatment, ...] = field(repr=False)
    written: WrittenRelease = field(repr=False)
    orphans: tuple[OrphanCount, ...] = field(repr=False)
    proof: RelationalProof = field(repr=False)
    seconds: Mapping[str, float] = field(default_factory=dict, repr=False)
    labels: Mapping[TableColumn, str] = field(default_factory=dict, repr=False)
    """What the files say about their variables."""
    remaining: tuple[str, ...] = ()
    """What true years still tell about offsets."""
    folder: Path = field(default=Path(), repr=False)
    """Where the tables are."""

    @property
    def acceptable(self) -> bool:
        """Whether everything that was promised holds in the written files."""
        return self.proof.acceptable

    def to_dict(self) -> dict[str, Any]:
        """Everything a report needs, as JSON types; no value of a person."""
        return {
            "kind": "relational_release",
            "version": own_version(),
            "acceptable": self.acceptable,
            "settings": settings_of(self.config),
            "seed": None,
            "versions": versions(),
            "database": self.place,
            "people": self.people,
            "people_left_out": self.left_out,
            "tables": [asdict(one) for one in self.written.rows],
            "variables": self._variables(),
            "keys": [
                {"child": str(child), "parent": str(parent)} for child, parent in self.config.keys.items()
            ],
            "orphans": [
                {
                    "child": str(one.link.child),
                    "parent": str(one.link.parent),
                    "rows": one.filled,
                    "orphans": one.orphans,
                    "without_key": one.missing,
                }
                for one in self.orphans
                if one.orphans or (one.missing and one.link.parent == self.config.person)
            ],
            "proof": self.proof.to_dict(),
            "warnings": self._warnings(),
            "undefined": {"seed": "Nothing here is drawn at random; new values follow from the key."},
        }

    def _released_names(self) -> tuple[str, ...]:
        """The names of the released tables; resources of FHIR are not tables."""
        return () if self.config.profile == "fhir" else tuple(self.written.files)

    def _released_rows(self, name: str | None) -> Any:
        """The rows of a written file, if a released table is named."""
        return (
            written_rows(self.folder / self.written.files[name]) if name in self._released_names() else None
        )

    def _variables(self) -> list[dict[str, Any]]:
        losses = {(one.table, one.column): one for one in self.written.losses}
        rows = []
        for one in self.treatments:
            loss = losses.get((one.at.table, one.at.column))
            rows.append(
                {
                    "table": one.at.table,
                    "variable": one.at.column,
                    "label": one.label or self.labels.get(one.at) or None,
                    "role": one.role,
                    "treatment": one.words,
                    "source": one.source,
                    "filled": None if loss is None else loss.filled,
                    "left": 0 if loss is None else loss.left,
                    "loss": None if loss is None else _loss(loss),
                }
            )
        return rows

    def _warnings(self) -> list[str]:
        lost = [one for one in self.orphans if one.orphans]
        if not lost:
            return [*self.remaining, *self.proof.warnings()]
        how = "left out" if self.config.orphans == "drop" else "emptied their key"
        total = sum(one.orphans for one in lost)
        return [
            f"{plural(total, 'row')} named a parent that is not there: the release {how}, or left "
            "them out if "
            "they belong to nobody.",
            *self.remaining,
            *self.proof.warnings(),
        ]


def _loss(one: ColumnLoss) -> float | None:
    """Share of what a variable told that is gone: of its values, or of its bits if it was made coarser."""
    if not one.filled:
        return None
    if one.entropy and one.entropy_left is not None:
        return max(0.0, round(1 - one.entropy_left / one.entropy, DIGITS))
    return round(1 - one.left / one.filled, DIGITS)


def settings_of(config: RelationalConfig) -> dict[str, Any]:
    """The settings as JSON types."""
    dates = config.dates
    return {
        "profile": config.profile,
        "person": str(config.person),
        "repeats": config.repeats,
        "orphans": config.orphans,
        "on_parent": config.on_parent,
        "dates": {
            "offset": dates.offset,
            "anchor": None if dates.anchor is None else dates.anchor.isoformat(),
            "oldest": dates.oldest,
            "know": dates.know,
            "truncate": dates.truncate,
        },
        "quasi": list(config.quasi),
        "events": {table: list(columns) for table, columns in config.events.items()},
        "sensitive": list(config.sensitive),
        "known": {"total": config.known.total, **config.known.by_table},
        "levels": dict(config.levels),
    }


def release_database(  # noqa: PLR0913 - the tables and the folder, then what else is in it
    database: Database,
    config: RelationalConfig,
    out: str | Path,
    *,
    key: bytes,
    left_out: Bools | None = None,
    notes: Mapping[str, str] | None = None,
    check: Callable[[Path], None] | None = None,
    promised: Mapping[str, Any] | None = None,
) -> RelationalRelease:
    """Write all tables into a new folder, all or none, and prove on the written files what was promised.

    `left_out` marks people, in the order of their keys as texts, who are in no released table. `notes` are
    texts beside the tables, by file name, instead of the file that says what became of each column. `check`
    looks at the written folder before it appears; an error that it raises leaves nothing behind.
    `promised` is the cell size and the number of known events for which rows and levels were chosen.
    """
    new_folder(out)
    started = perf_counter()
    config = completed(database, config)
    if config.profile == "fhir":
        return _release_resources(database, config, out, key, check)
    plan = treatment_plan(database, config)
    database.tables.refuse_unreadable_dates(plan.acting("date"))
    refuse_true_dates(database, config, plan)
    orphans = check_orphans(database, plan, config)
    keys = database.tables.person_keys(plan.links.person, repeats=config.repeats)
    if left_out is not None and len(left_out) != len(keys):
        raise InvalidSetting("left_out has not one entry per person.", hint="Make it from the same database.")
    linked = _linked(plan, config, keys, key, left_out)
    planned = perf_counter()
    with whole_path(out, folder=True) as part:
        written = database.tables.write(linked, part)
        database.tables.refuse_changed()
        content = _treatment(plan, config, written, database.definition.keys)
        content |= {} if promised is None else {"promised": dict(promised)}
        for name, text in ({TREATMENT: _as_text(content)} if notes is None else notes).items():
            write_text(part / name, text)
        done = perf_counter()
        if check is not None:
            check(part)
        given = config.given.get(plan.links.person)
        proof = _proved(part, database, content, key, out=out, given=given, offsets=linked.offsets)
    return RelationalRelease(
        place=database.place,
        config=config,
        people=len(keys),
        left_out=0 if left_out is None else int(left_out.sum()),
        treatments=tuple(plan.treatments.values()),
        written=written,
        orphans=orphans,
        proof=proof,
        seconds={
            "planning": planned - started,
            "writing": done - planned,
            "proof": perf_counter() - done,
        },
        labels=database.tables.labels,
        remaining=tuple(true_years(config, plan)),
        folder=Path(out),
    )


def _release_resources(
    database: Database,
    config: RelationalConfig,
    out: str | Path,
    key: bytes,
    check: Callable[[Path], None] | None,
) -> RelationalRelease:
    """Resources of FHIR are trees: they are written as such, and the tables are only read."""
    from reidrisk.relational.fhir import write_fhir

    started = perf_counter()
    keys = database.tables.person_keys(database.at(config.person))
    with whole_path(out, folder=True) as part:
        written, writer = write_fhir(database.tables.paths, part, config, keys, key)
        database.tables.refuse_changed()
        links = database.owners(config)
        entity = EntityPlan("person", links.person, (links.person,), is_text=True)
        plan = TreatmentPlan({one.at: one for one in writer.treatments()}, links, (), (entity,))
        content = _treatment(plan, config, written, database.definition.keys)
        write_text(part / TREATMENT, _as_text(content))
        done = perf_counter()
        if check is not None:
            check(part)
        proof = _proved(part, database, content, key, out=out)
    seconds = {"writing": done - started, "proof": perf_counter() - done}
    treatments = tuple(plan.treatments.values())
    return RelationalRelease(database.place, config, len(keys), 0, treatments, written, (), proof, seconds)


def _proved(  # noqa: PLR0913 - what was written, and what was promised
    part: Path,
    database: Database,
    content: Mapping[str, Any],
    key: bytes,
    *,
    out: str | Path,
    given: Mapping[str, str] | None = None,
    offsets: Ints | None = None,
) -> RelationalProof:
    """The proof of a folder that will be called `out`; what does not hold leaves nothing behind."""
    proof = replace(
        prove(part, database, content, key=key, given=given, offsets=offsets), place=path_text(out)
    )
    if not proof.acceptable:
        raise FailedCheck(
            f"The written tables do not keep what was promised: {proof.failed()}. Nothing was written.",
            hint="A column that is kept may contain ids: leave it out. Otherwise please report this with the "
            "settings, not with the data.",
        )
    return proof


def _linked(
    plan: TreatmentPlan, config: RelationalConfig, keys: list[str], key: bytes, left_out: Bools | None
) -> LinkedPlan:
    dates = config.dates
    moves = bool(plan.acting("date", "by_name"))
    offsets = person_offsets(keys, key, dates.offset) if moves and dates.offset is not None else None
    return LinkedPlan(
        links=plan.links,
        keys=plan.keys,
        tables=plan.tables,
        entities=plan.entities,
        key=key,
        offsets=offsets,
        anchor=None if dates.anchor is None else (dates.anchor - EPOCH).days,
        orphans=config.orphans,
        on_parent=config.on_parent,
        left_out=left_out,
        oldest=dates.oldest,
        truncate=dates.offset if dates.truncate else None,
    )


def _treatment(
    plan: TreatmentPlan,
    config: RelationalConfig,
    written: WrittenRelease,
    declared: Mapping[str, tuple[str, ...]],
) -> dict[str, Any]:
    """What recipients and `verify` need to know; no value of a person, and no count that the files lack."""
    return {
        "kind": "relational_treatment",
        "version": own_version(),
        **settings_of(config),
        "tables": dict(written.files),
        "keys": {str(child): str(parent) for child, parent in config.keys.items()},
        "unique": {table: list(names) for table, names in declared.items()},
        "same": {name: [str(at) for at in columns] for name, columns in config.same.items()},
        "derive": {
            name: {
                "column": str(one.column),
                "rule": one.rule,
                **({} if one.since is None else {"since": str(one.since)}),
            }
            for name, one in config.derive.items()
        },
        "columns": [
            {
                "table": at.table,
                "column": at.column,
                "role": one.role,
                "action": one.plan.action,
                "treatment": one.words,
                "entity": one.plan.entity or None,
                "name": one.plan.name or None,
                "parts": list(one.plan.parts) or None,
                "released_as": one.plan.renamed or None,
                "above": {"column": one.plan.above, "limit": one.plan.limit} if one.plan.above else None,
                "label": one.label or None,
                "source": one.source,
            }
            for at, one in plan.treatments.items()
        ],
        "entities": [
            {
                "name": one.name,
                "key": None if one.key is None else str(one.key),
                "columns": [str(at) for at in one.columns],
                "is_text": one.is_text,
                "attempt": written.attempts.get(one.name, 0),
            }
            for one in plan.entities
        ],
    }


def _as_text(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
