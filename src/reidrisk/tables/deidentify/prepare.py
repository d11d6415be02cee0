"""From a source to what is searched: derived variables, one record a unit, distinct tuples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reidrisk.core.schema import Schema
from reidrisk.engine.classes import count_rows
from reidrisk.engine.collapse import collapse
from reidrisk.engine.derive import with_derived
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.errors import NothingToMeasure
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.treatments import all_quasi
from reidrisk.tables.transform.applied import Applied, applied
from reidrisk.tables.transform.step import Work


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
