"""What was done to each column, in words."""

from __future__ import annotations

from reidrisk.core.schema import Schema
from reidrisk.core.treatment import Treatment
from reidrisk.core.wording import plural
from reidrisk.engine.release import ReleasePlan
from reidrisk.tables.column_kinds import looks_direct
from reidrisk.tables.deidentify.events import EventForm
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.prepare import Prepared
from reidrisk.tables.deidentify.result import ColumnDone

WORDS: dict[Treatment, str] = {
    "drop": "left out",
    "pseudonym": "replaced by a keyed pseudonym",
    "number": "replaced by running numbers in order of appearance",
    "keep": "kept on purpose",
}
NUMBER, TEXT = "BIGINT", "VARCHAR"


def columns_done(
    prepared: Prepared,
    schema: Schema,
    found: Releasable | None,
    release: ReleasePlan | None,
    events: EventForm | None = None,
) -> tuple[ColumnDone, ...]:
    """Every column of the source and every derived variable; nothing if nothing is released."""
    if found is None or release is None:
        return ()
    known = () if events is None else events.events.knowledge.columns
    return tuple(
        _event(name, prepared, events)
        if events and name in known
        else _done(name, prepared, schema, found, release)
        for name in prepared.table.columns
    )


def _event(name: str, prepared: Prepared, events: EventForm) -> ColumnDone:
    before = prepared.opened.types.get(name, prepared.table.types[name])
    return ColumnDone(name, "event", events.said(name), before, events.type_of(name) or before)


def _done(
    name: str, prepared: Prepared, schema: Schema, found: Releasable, release: ReleasePlan
) -> ColumnDone:
    before = prepared.opened.types.get(name, prepared.table.types[name])
    first = _transformed(name, found)
    now = prepared.table.types[name] if first else before
    quasi = found.problem.layout.quasi
    if name in quasi:
        role = "quasi-identifier" if name in prepared.opened.columns else "derived quasi-identifier"
        done = f"{first}{_generalized(found, quasi.index(name))}"
        return ColumnDone(name, role, done, before, _type(prepared, release, name, now))
    treatment = release.treatments.get(name)
    if treatment is None:
        done = f"{first}left so" if first else "left as it is"
        return ColumnDone(name, _other(name, schema), done, before, now)
    after = {"drop": None, "pseudonym": TEXT, "number": NUMBER, "keep": now}[treatment]
    return ColumnDone(name, _role(name, prepared, schema), f"{first}{WORDS[treatment]}", before, after)


def _transformed(name: str, found: Releasable) -> str:
    """The steps that changed a column before the search, to be followed by what came after."""
    steps = [one.step for one in found.problem.options.steps]
    kinds = [
        step.kind
        for step in steps
        if name in step.changes or (step.kind == "pseudonyms" and name in step.columns)
    ]
    return f"{', '.join(kinds)}; then " if kinds else ""


def _generalized(found: Releasable, place: int) -> str:
    lost = int(found.lost.by_column[place])
    gone = f"; {plural(lost, 'record')} of {found.problem.records:,} without it" if lost else ""
    return f"{found.said(place)}{gone}"


def _type(prepared: Prepared, release: ReleasePlan, name: str, before: str) -> str:
    """The type that goes out; the set of a unit's values is a text."""
    written = release.type_of(release.tuples.columns.index(name))
    if written is not None:
        return written
    return TEXT if prepared.records.types[name] == TEXT else before


def _other(name: str, schema: Schema) -> str:
    return "sensitive" if name in schema.sensitive else "other"


def _role(name: str, prepared: Prepared, schema: Schema) -> str:
    if name == schema.unit:
        return "unit of analysis"
    if name in prepared.tuples.columns or name not in prepared.opened.columns:
        return "quasi-identifier of another layout"
    return "direct identifier" if looks_direct(name) is not None else "named for treatment"
