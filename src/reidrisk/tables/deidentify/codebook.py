"""The codebook: what was done to each column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reidrisk.core.schema import Schema, Treatment
from reidrisk.core.wording import plural
from reidrisk.engine.plans import ReleasePlan
from reidrisk.tables.column_kinds import looks_direct
from reidrisk.tables.deidentify.events import EventForm
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.prepare import PreparedTable
from reidrisk.tables.deidentify.reduced import ReducedColumn
from reidrisk.tables.deidentify.result import CodebookEntry

WORDS: dict[Treatment, str] = {
    "drop": "removed",
    "pseudonym": "replaced by a keyed pseudonym",
    "number": "replaced by consecutive numbers",
    "keep": "kept on purpose",
}


def codebook_entries(
    prepared: PreparedTable,
    schema: Schema,
    found: Releasable | None,
    release: ReleasePlan | None,
    events: EventForm | None = None,
    reduced: Sequence[ReducedColumn] = (),
) -> tuple[CodebookEntry, ...]:
    """Describe every column of the source and every derived variable; empty if nothing is released."""
    if found is None or release is None:
        return ()
    known = () if events is None else events.events.knowledge.columns
    entries = (
        _event(name, prepared, events)
        if events and name in known
        else _done(name, prepared, schema, found, release)
        for name in prepared.table.columns
    )
    overwritten = {one.column: one.done for one in reduced if one.people}
    return tuple(
        replace(one, treatment=f"{overwritten[one.column]}; then {one.treatment}")
        if one.column in overwritten
        else one
        for one in entries
    )


def _event(name: str, prepared: PreparedTable, events: EventForm) -> CodebookEntry:
    before = prepared.opened.kinds.get(name, prepared.table.kinds[name])
    return CodebookEntry(name, "event", events.describe(name), before, events.kind_of(name) or before)


def _done(
    name: str, prepared: PreparedTable, schema: Schema, found: Releasable, release: ReleasePlan
) -> CodebookEntry:
    before = prepared.opened.kinds.get(name, prepared.table.kinds[name])
    first = _transformed(name, found)
    now = prepared.table.kinds[name] if first else before
    quasi = found.problem.layout.quasi
    if name in quasi:
        role = "quasi-identifier" if name in prepared.opened.columns else "derived quasi-identifier"
        done = f"{first}{_generalized(found, quasi.index(name))}"
        if prepared.rare and (rare := prepared.rare.describe(name)):
            done = f"{rare}; then {done}"
        return CodebookEntry(name, role, done, before, _type(prepared, release, name, now))
    treatment = release.treatments.get(name)
    rare = prepared.rare.describe(name) if prepared.rare else None
    if treatment is None:
        done = f"{first}not changed further" if first else _unchanged(name, schema)
        done = f"{first}{rare}" if rare else done
        return CodebookEntry(name, _other(name, schema), done, before, now)
    after = {"drop": None, "pseudonym": "text", "number": "whole number", "keep": now}[treatment]
    return CodebookEntry(name, _role(name, prepared, schema), f"{first}{WORDS[treatment]}", before, after)


def _transformed(name: str, found: Releasable) -> str:
    """Return the steps that changed a column before the search, as the start of a sentence."""
    steps = [one.step for one in found.problem.options.steps]
    kinds = [
        step.kind
        for step in steps
        if name in step.changes or (step.kind == "pseudonyms" and name in step.columns)
    ]
    return f"{', '.join(kinds)}; then " if kinds else ""


def _generalized(found: Releasable, place: int) -> str:
    removed, records = found.suppressed.removed, found.problem.records
    suppressed = int(found.suppressed.by_column[place]) - removed
    numbers = {"suppressed": suppressed, "removed": removed}
    gone = [f"{plural(number, 'record')} of {records:,} {what}" for what, number in numbers.items() if number]
    return "; ".join([found.describe(place), *gone])


def _type(prepared: PreparedTable, release: ReleasePlan, name: str, before: str) -> str:
    """Return the released type; a set of a unit's values is a text."""
    written = release.kind_of(release.tuples.columns.index(name))
    if written is not None:
        return written
    return "text" if prepared.records.kinds[name] == "text" else before


def _unchanged(name: str, schema: Schema) -> str:
    if schema.text.get(name) == "deidentify":
        return "identifiers replaced by the detector"
    return f"unchanged; accepted: {schema.other[name]}" if name in schema.other else "unchanged"


def _other(name: str, schema: Schema) -> str:
    if name in schema.text:
        return "free text"
    return "sensitive" if name in schema.sensitive else "other"


def _role(name: str, prepared: PreparedTable, schema: Schema) -> str:
    if name == schema.unit:
        return "unit of analysis"
    if name in schema.text:
        return "free text"
    if name in prepared.tuples.columns or name not in prepared.opened.columns:
        return "quasi-identifier of another layout"
    return "direct identifier" if looks_direct(name) is not None else "replaced or removed"
