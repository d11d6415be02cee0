"""Prepare a table for the search: check its columns, apply steps and treatments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reidrisk.core.schema import Schema
from reidrisk.core.treatment import Treatment
from reidrisk.engine.classes import count_rows
from reidrisk.engine.collapse import collapse
from reidrisk.engine.derive import with_derived
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.errors import BadData, InvalidSetting, NothingToMeasure, UnknownColumn
from reidrisk.stats.suppress.table import MOST_COLUMNS
from reidrisk.tables.column_kinds import looks_direct
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.transform.applied import Applied, applied
from reidrisk.tables.transform.step import Work


def check_columns(columns: Sequence[str], schema: Schema, options: DeidentifyOptions, *, source: str) -> None:
    """Every column that is named exists, has one role, and nobody was forgotten."""
    made = {one.name for one in options.derived}
    events = () if options.events is None else options.events.columns
    wanted = [*schema.columns, *events, *(name for layout in options.layouts for name in layout.quasi)]
    for name in [*wanted, *options.treatments]:
        if name not in columns and name not in made:
            raise UnknownColumn.among(name, [*columns, *made], source=source)
    quasi = all_quasi(schema, options)
    if len(quasi) > MOST_COLUMNS:
        raise InvalidSetting(
            f"{len(quasi)} quasi-identifiers are more than the {MOST_COLUMNS} that can be searched.",
            hint="Choose those that an intruder can really know.",
        )
    _check_events(schema, options, quasi)
    for name in options.treatments:
        if name in quasi:
            raise InvalidSetting(
                f"{name!r} is a quasi-identifier, and treated as a direct identifier too.",
                hint="Name it in one of the two roles.",
            )
    said = {*wanted, *options.treatments, *_sources(options), *_pseudonyms(options)}
    _refuse_forgotten(columns, said, source)


def _check_events(schema: Schema, options: DeidentifyOptions, quasi: Sequence[str]) -> None:
    """Events stay events, and whose they are stays to be seen."""
    if options.events is None:
        return
    options.events.check(replace(schema, quasi=tuple(quasi), reduce={}))
    treated = [name for name in options.events.columns if name in options.treatments]
    if treated or options.treatments.get(schema.unit or "") == "drop":
        what = ", ".join(treated) or schema.unit
        raise InvalidSetting(
            f"{what} is treated as a direct identifier, but events need it.",
            hint="Without the column of people no rows are linked: measure them without --events then.",
        )
    _check_secrets_of_events(schema, options)
    hidden = [name for name in options.events.columns if name in _sources(options)]
    if hidden:
        raise InvalidSetting(
            f"A variable is derived from {', '.join(hidden)}, which would not go out then, but makes events.",
            hint="Leave the derived variable out: beside the events it would tell their dates.",
        )


def _check_secrets_of_events(schema: Schema, options: DeidentifyOptions) -> None:
    """What is left out of the rows of a person must not change the person's secret."""
    varying = [name for name in schema.sensitive if name in schema.reduce]
    if varying and options.max_event_suppression > 0:
        raise InvalidSetting(
            f"The secret {', '.join(varying)} varies within a person, and rows of events may be left out: "
            "what is told of it would no longer be what was counted.",
            hint="Leave no rows out (--max-event-suppression 0), or name a secret that is the same in all.",
        )


def _refuse_forgotten(columns: Sequence[str], said: set[str], source: str) -> None:
    forgotten = {name: words for name in columns if name not in said and (words := looks_direct(name))}
    if forgotten:
        listed = ", ".join(f"{name!r} ({words})" for name, words in forgotten.items())
        first = next(iter(forgotten))
        raise BadData(
            f"{source}: nothing is said about columns that seem to name people: {listed}.",
            hint=f"Say what happens to them: --direct {first}=drop, or {first}=keep if it names nobody.",
        )


def all_quasi(schema: Schema, options: DeidentifyOptions) -> tuple[str, ...]:
    """The quasi-identifiers of all layouts, each once."""
    if not options.layouts:
        return schema.quasi
    return tuple(dict.fromkeys(name for layout in options.layouts for name in layout.quasi))


def treatments_of(
    columns: Sequence[str], schema: Schema, options: DeidentifyOptions, quasi: Sequence[str]
) -> dict[str, Treatment]:
    """What is done to every column that is neither released as a quasi-identifier nor left alone.

    Variables of the layouts that were not chosen, and dates that a derived variable replaces, go.
    """
    found: dict[str, Treatment] = {}
    for name in columns:
        if name in quasi:
            continue
        if name in options.treatments:
            found[name] = options.treatments[name]
        elif name in {*schema.direct, *schema.quasi, *all_quasi(schema, options), *_sources(options)}:
            found[name] = "drop"
        elif name == schema.unit and name not in _pseudonyms(options):
            found[name] = "number"
    return found


def _pseudonyms(options: DeidentifyOptions) -> set[str]:
    """Columns that a transformation has made pseudonyms of."""
    return {name for one in options.steps if one.step.kind == "pseudonyms" for name in one.step.columns}


def _sources(options: DeidentifyOptions) -> set[str]:
    """Columns that derived variables are made from, and those variables themselves."""
    return {name for one in options.derived for name in (one.start, one.end, one.name)}


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A table that is open, and the distinct tuples of all its quasi-identifiers."""

    opened: Table
    """As read, with the types that were found."""
    table: Table
    """With derived variables; for a text file columns that nobody computes with as they are spelled."""
    records: Table
    """One row a unit of analysis."""
    tuples: DistinctTuples = field(repr=False)
    rows: int
    done: Applied | None = field(default=None, repr=False)
    """What was transformed before; None if nothing was."""


def prepare(
    opened: Table,
    schema: Schema,
    options: DeidentifyOptions,
    *,
    as_text: bool = True,
    seed: int = 7,
    measured: bool = True,
) -> Prepared:
    """Transform, derive, collapse and count; unless `measured`, without what transformations are worth.

    What goes to a text file `as_text` has columns that nobody computes with as the source spells them;
    files with types get the types that were found.
    """
    quasi = all_quasi(schema, options)
    made = {one.name for one in options.derived}
    sources = {name for one in options.derived for name in (one.start, one.end)}
    events = () if options.events is None else options.events.columns
    stepped = {name for one in options.steps for name in one.step.columns}
    known = (name for name in (*quasi, *events) if name not in made)
    typed = {*known, *sources, *_unit(schema), *stepped}
    stored = opened.as_stored(typed) if as_text else opened
    done = transformed(stored, options, seed, unit=schema.unit, measured=measured)
    table = with_derived(done.table if done else stored, options.derived)
    records = table
    if schema.unit is not None:
        rules: dict[str, Any] = {name: rule for name, rule in schema.reduce.items() if name in quasi}
        records = collapse(table, schema.unit, quasi, rules)
    tuples = distinct_tuples(records, quasi, recodable=True)
    if not len(tuples):
        raise NothingToMeasure(
            f"{opened.source} has no rows.", hint="Check the file, or the filter that made it."
        )
    rows = tuples.records if schema.unit is None else count_rows(table)
    return Prepared(opened, table, records, tuples, rows, done)


def transformed(
    table: Table, options: DeidentifyOptions, seed: int, *, unit: str | None = None, measured: bool = False
) -> Applied | None:
    """The table after the steps of the options; None if there are none."""
    if not options.steps:
        return None
    return applied(table, options.steps, Work.drawing(seed, options.key), unit=unit, measured=measured)


def _unit(schema: Schema) -> set[str]:
    return set() if schema.unit is None else {schema.unit}
