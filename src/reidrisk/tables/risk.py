"""Measure the risk of a table: the engine counts equivalence classes, this module reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.limits import Limits
from reidrisk.core.reading import TableReading
from reidrisk.core.schema import Roles, Schema, Treatment
from reidrisk.core.threshold import Threshold
from reidrisk.engine.opening import on_engine, open_table
from reidrisk.engine.protocol import Table
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.stats.disclosure.limits import SensitiveLimits
from reidrisk.tables.engine_choice import refuse_on_spark
from reidrisk.tables.inventory import ColumnUse
from reidrisk.tables.measure import MeasureSettings, TableMeasure, measure, with_needed_dates
from reidrisk.tables.rare import RareCodes
from reidrisk.tables.result import TableRisk, subgroups
from reidrisk.tables.settings import ADVERSARY, JOURNALIST_RULE, Adversary, JournalistRule

if TYPE_CHECKING:
    from reidrisk.tables.events import EventKnowledge
    from reidrisk.tables.hierarchy.hierarchy import Hierarchy
    from reidrisk.tables.sampling import Sampling


@on_engine
def table_risk(  # noqa: PLR0913 - the data, what to compare with, and what else to measure
    table: Any,
    schema: Roles | None = None,
    *,
    threshold: Threshold | None = None,
    quasi: Sequence[str] | None = None,
    direct: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    unit: str | None = None,
    population: Any = None,
    rare: RareCodes | None = None,
    by: Sequence[str] = (),
    drivers: bool = True,
    sampling: Sampling | None = None,
    adversary: Adversary = ADVERSARY.default,
    journalist_rule: JournalistRule = JOURNALIST_RULE.default,
    sensitive_limits: SensitiveLimits | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    special: int | None = None,
    previous: Any = None,
    events: EventKnowledge | None = None,
    secrets: SensitiveLimits | None = None,
    treatments: Mapping[str, Treatment] | None = None,
    reading: TableReading | None = None,
    record_chances: str | Path | None = None,
    limits: Limits | None = None,  # noqa: ARG001 - for the decorator
    engine: Any = None,  # noqa: ARG001 - for the decorator
) -> TableRisk:
    """Measure the risk that records of a table are matched with the right person.

    `table` and `population` are files, folders, database tables or data frames of pandas, Polars, Arrow or
    DuckDB. `schema` lists the quasi-identifiers, or is a `Schema`; instead of it, name the columns by role
    with `quasi`, `direct`, `sensitive` and `unit` (the column that identifies the person of a row). Records
    with a code in the list `rare` make the table not acceptable. `by` names columns whose subgroups are
    reported separately. With `drivers` the result also shows what each column adds and which columns single
    people out. `sampling` describes how the table was sampled from a population that is not available: its
    classes are then estimated. `adversary` decides whose risk counts; `journalist_rule` says whether the most
    exposed record or the average decides for a journalist. `sensitive_limits` limits what classes may reveal
    about the schema's sensitive columns (`secrets` is its former name); `hierarchies` define the distance
    between their values. `special` counts records that sets of up to this number of columns single out.
    `previous` is another release of the same data with the same coding: classes that differ by a few records
    reveal those. `events` describes what the adversary knows about a person's events, in a table with several
    rows per person. `treatments` states what happens to the schema's direct identifiers before the release;
    they are dropped by default. A column without a role that seems to identify people makes the table not
    acceptable. `reading` says how dates are written and which values mean missing. `record_chances` names a
    file for each record's chance of being unique in the population. `limits` says how much of the machine may
    be used. With `engine`, the URL of a Spark master or a SparkSession, Spark counts.

    >>> import pyarrow as pa
    >>> table = pa.table({"age": [34, 34, 51], "sex": ["F", "F", "M"]})
    >>> risk = table_risk(table, ["age", "sex"])
    >>> risk.acceptable, risk.prosecutor.highest, risk.sizes.smallest
    (False, 1.0, 1)
    >>> risk
    <TableRisk: Not acceptable; records: 3; highest risk: 1.0000; average risk: 0.6667>
    """
    Threshold.check(threshold)
    schema = Schema.of(schema, quasi=quasi, direct=direct, sensitive=sensitive, unit=unit)
    threshold = threshold or Threshold.from_cell_size(5, "cell size of five, the default")
    _several(by)
    _known_adversary(adversary, population=population, sampling=sampling)
    _known_rule(journalist_rule, adversary)
    if record_chances is not None:
        _check_record_chances(schema, sampling)
    caps = sensitive_limits or secrets
    _check_sensitive(schema, caps)
    if events is not None:
        events.check(schema)
    refuse_on_spark(
        {
            "events of people (--events)": events,
            "a list of rare codes (--rare)": rare,
            "groups (--by)": by,
            "survey weights (--weights)": sampling and sampling.weights,
            "limits on sensitive columns": caps,
            "the chances of single records (--record-chances)": record_chances,
        }
    )
    settings = MeasureSettings(
        population=population,
        rare=rare,
        drivers=drivers,
        sampling=sampling,
        sensitive_limits=caps,
        special=special,
        previous=previous,
        events=events,
        sensitive_hierarchies=hierarchies or {},
        use=ColumnUse(treatments=treatments or {}),
        record_chances=record_chances,
    )
    with open_table(table, reading=reading) as source:
        check_known(source, (*schema.columns, *by, *settings.columns(schema)))
        opened = with_needed_dates(source, schema, settings)
        records = records_of(opened, schema, (*by, *settings.columns(schema)))
        measured = measure(opened, records, schema, settings=settings)
        groups = subgroups(records, schema.quasi, by, cell_size=threshold.cell_size)
    risk = measured.risk(threshold)
    named = (("by", list(by)),) if by else ()
    return replace(
        risk,
        subgroups=groups,
        inputs=(*risk.inputs, *named),
        adversary=adversary,
        journalist_rule=journalist_rule,
    )


def measure_table(
    table: Any,
    schema: Schema,
    *,
    settings: MeasureSettings | None = None,
    reading: TableReading | None = None,
) -> TableMeasure:
    """Count the classes once; `TableMeasure.risk` then computes the risk under any threshold."""
    with open_table(table, reading=reading) as opened:
        return measure_opened(opened, schema, settings or MeasureSettings())


def measure_opened(opened: Table, schema: Schema, settings: MeasureSettings) -> TableMeasure:
    """Count the classes of an open table."""
    check_known(opened, (*schema.columns, *settings.columns(schema)))
    table = with_needed_dates(opened, schema, settings)
    return measure(table, records_of(table, schema, settings.columns(schema)), schema, settings=settings)


def records_of(table: Table, schema: Schema, by: Sequence[str]) -> Table:
    """Return one record per unit of analysis."""
    check_known(table, (*schema.columns, *by))
    if schema.unit is None:
        return table
    kept = dict.fromkeys((*schema.quasi, *by))
    return table.per_unit(schema.unit, kept, dict(schema.reduce))


def check_known(table: Table, names: Sequence[str]) -> None:
    """Refuse columns that the table does not have."""
    for column in names:
        if column not in table.columns:
            raise UnknownColumn.among(column, table.columns, source=table.source)


def _several(by: Sequence[str]) -> None:
    if isinstance(by, str):
        raise InvalidSetting("by takes several column names, not one text.", hint=f'Write by=["{by}"].')


def _check_sensitive(schema: Schema, limits: SensitiveLimits | None) -> None:
    if limits is not None and limits.asks and not schema.sensitive:
        raise InvalidSetting(
            "Limits on attribute disclosure need a sensitive column.", hint="Name it with --sensitive."
        )


def _known_adversary(adversary: str, *, population: Any, sampling: Sampling | None) -> None:
    ADVERSARY.check(adversary)
    if adversary == "journalist" and population is None and sampling is None:
        raise InvalidSetting(
            "The journalist risk needs a population, or how the table was sampled from it.",
            hint="Give --population, --sampling-fraction, --population-size or --weights.",
        )


def _known_rule(rule: str, adversary: str) -> None:
    JOURNALIST_RULE.check(rule)
    if rule != JOURNALIST_RULE.default and adversary != "journalist":
        raise InvalidSetting(
            "The average risk decides only against a journalist.", hint="Give --adversary journalist as well."
        )


def _check_record_chances(schema: Schema, sampling: Sampling | None) -> None:
    if sampling is None:
        raise InvalidSetting(
            "The chances of single records need to know how the table was sampled.",
            hint="Give --sampling-fraction, --population-size or --weights.",
        )
    if schema.unit is not None:
        raise InvalidSetting(
            "The chances of single records are given by row, but rows are combined by a unit.",
            hint="Leave out --record-chances, or make a table with one row per unit first.",
        )
