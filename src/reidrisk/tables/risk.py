"""Measure the risk of a table: equivalence classes in the engine, reasoning here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.collapse import collapse
from reidrisk.engine.table import Table, open_table
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.stats.disclosure.limits import SecretLimits
from reidrisk.tables.events import EventKnowledge
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.measure import Asked, TableMeasure, measure
from reidrisk.tables.rare import RareCodes
from reidrisk.tables.result import Adversary, TableRisk, subgroups
from reidrisk.tables.sampling import Sampling


def table_risk(  # noqa: PLR0913 - the data, what is measured against, and what else is told
    table: Any,
    schema: Schema,
    *,
    threshold: Threshold | None = None,
    population: Any = None,
    rare: RareCodes | None = None,
    by: Sequence[str] = (),
    drivers: bool = True,
    sampling: Sampling | None = None,
    adversary: Adversary = "prosecutor",
    secrets: SecretLimits | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    special: int | None = None,
    previous: Any = None,
    events: EventKnowledge | None = None,
) -> TableRisk:
    """The risk that records of a table are matched with the right person.

    `table` and `population` are files, folders, database tables or data frames. Records with a
    code of the list `rare` are counted beside the verdict. `by` names columns whose subgroups are
    told apart. With `drivers` the result also tells what each column adds and which columns
    single people out. `sampling` says how the table was drawn from a population that is not at
    hand: its classes are then estimated. `adversary` says whose risk decides. `secrets` limits what
    classes may tell of the schema's sensitive columns; `hierarchies` say how far their values are apart.
    `special` counts records that sets of up to so many columns single out. `previous` is another release
    of the same data, coded alike: classes that differ by few records give those away. `events` says what the
    adversary knows of the events of a person, in a table of many rows a person.
    """
    threshold = threshold or Threshold.from_cell_size(5, "cell size of five, the default")
    _several(by)
    _known_adversary(adversary, population=population, sampling=sampling)
    _secret_columns(schema, secrets)
    if events is not None:
        events.check(schema)
    asked = Asked(
        population=population,
        rare=rare,
        drivers=drivers,
        sampling=sampling,
        secrets=secrets,
        special=special,
        previous=previous,
        events=events,
        secret_hierarchies=hierarchies or {},
    )
    with open_table(table) as opened:
        records = records_of(opened, schema, (*by, *asked.columns(schema)))
        measured = measure(opened, records, schema, asked=asked)
        found = subgroups(records, schema.quasi, by, cell_size=threshold.cell_size)
    risk = measured.risk(threshold)
    named = (("by", list(by)),) if by else ()
    return replace(risk, subgroups=found, inputs=(*risk.inputs, *named), adversary=adversary)


def measure_table(table: Any, schema: Schema, *, asked: Asked | None = None) -> TableMeasure:
    """Count the classes once; `TableMeasure.risk` then tells the risk under any threshold."""
    with open_table(table) as opened:
        return measure_opened(opened, schema, asked or Asked())


def measure_opened(opened: Table, schema: Schema, asked: Asked) -> TableMeasure:
    """The same for a table that is open."""
    return measure(opened, records_of(opened, schema, asked.columns(schema)), schema, asked=asked)


def records_of(table: Table, schema: Schema, by: Sequence[str]) -> Table:
    """One record a unit of analysis."""
    for column in (*schema.columns, *by):
        if column not in table.columns:
            raise UnknownColumn.among(column, table.columns, source=table.source)
    if schema.unit is None:
        return table
    kept = dict.fromkeys((*schema.quasi, *by))
    return collapse(table, schema.unit, kept, dict(schema.reduce))


def _several(by: Sequence[str]) -> None:
    if isinstance(by, str):
        raise InvalidSetting("by takes several column names, not one text.", hint=f'Write by=["{by}"].')


def _secret_columns(schema: Schema, secrets: SecretLimits | None) -> None:
    if secrets is not None and secrets.asks and not schema.sensitive:
        raise InvalidSetting(
            "Limits on what is told of secrets need a sensitive column.", hint="Name it with --sensitive."
        )


def _known_adversary(adversary: str, *, population: Any, sampling: Sampling | None) -> None:
    if adversary not in get_args(Adversary):
        raise InvalidSetting.among("The adversary", adversary, get_args(Adversary))
    if adversary == "journalist" and population is None and sampling is None:
        raise InvalidSetting(
            "The journalist risk needs a population, or to know how the table was drawn from it.",
            hint="Give --population, --sampling-fraction, --population-size or --weights.",
        )
