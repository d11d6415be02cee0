"""Measure the risk of a table: equivalence classes in the engine, reasoning here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.classes import class_sizes, count_rows, joined_sizes
from reidrisk.engine.collapse import collapse
from reidrisk.engine.table import Table, open_table
from reidrisk.engine.tuples import distinct_tuples
from reidrisk.errors import UnknownColumn
from reidrisk.stats.class_risk import AttackRisk, MatchedClasses, expected_matches, journalist, prosecutor
from reidrisk.stats.drivers import ColumnSet, smallest_singling_sets, without_each
from reidrisk.tables.result import Driver, TableRisk


def table_risk(
    table: Any,
    schema: Schema,
    *,
    threshold: Threshold | None = None,
    population: Any = None,
    drivers: bool = True,
) -> TableRisk:
    """The risk that records of a table are matched with the right person.

    `table` and `population` are files, folders, database tables or data frames. With `drivers`
    the result also tells what each column adds and which columns single people out.
    """
    threshold = threshold or Threshold.from_cell_size(5, "cell size of five, the default")
    with open_table(table) as opened:
        records = _records(opened, schema)
        sizes = ClassSizes(class_sizes(records, schema.quasi))
        against = _population_risk(records, population, schema, threshold)
        named = () if against is None else (("population", against.source),)
        without, singling = _drivers(records, schema, threshold, sizes.records) if drivers else ((), ())
        return TableRisk(
            sizes=sizes,
            schema=schema,
            threshold=threshold,
            prosecutor=_prosecutor(sizes, threshold),
            journalist=against.risk if against else None,
            expected_matches=against.matches if against else float(sizes.classes),
            without=without,
            singling_sets=singling,
            rows=count_rows(opened),
            inputs=(("table", opened.source), *named),
            notes=opened.notes,
        )


def _records(table: Table, schema: Schema) -> Table:
    """One record a unit of analysis."""
    for column in schema.columns:
        if column not in table.columns:
            raise UnknownColumn.among(column, table.columns, source=table.source)
    if schema.unit is None:
        return table
    return collapse(table, schema.unit, schema.quasi, dict(schema.reduce))


def _prosecutor(sizes: ClassSizes, threshold: Threshold) -> AttackRisk:
    size, number = np.array(sizes.counts).T
    return prosecutor(size, number, cell_size=threshold.cell_size)


@dataclass(frozen=True, slots=True)
class _Against:
    """What a population says of the records."""

    source: str
    """Its name without any password."""
    risk: AttackRisk
    matches: float


def _population_risk(
    records: Table, population: Any, schema: Schema, threshold: Threshold
) -> _Against | None:
    """Journalist risk and expected matches against a population; None without one."""
    if population is None:
        return None
    with open_table(population) as people:
        for column in schema.quasi:
            if column not in people.columns:
                raise UnknownColumn.among(column, people.columns, source=people.source)
        sample, whole, number = np.array(joined_sizes(records, people, schema.quasi)).T
        matched = MatchedClasses(sample, whole, number)
        risk = journalist(matched, cell_size=threshold.cell_size)
        return _Against(people.source, risk, expected_matches(matched))


def _drivers(
    records: Table, schema: Schema, threshold: Threshold, number: int
) -> tuple[tuple[Driver, ...], tuple[Driver, ...]]:
    tuples = distinct_tuples(records, schema.quasi)
    codes, counts = tuples.codes.astype(np.int64), tuples.counts

    def named(found: ColumnSet) -> Driver:
        names = tuple(schema.quasi[place] for place in found.columns)
        return Driver(names, found.unique_records / number, found.small_class_records / number)

    without = without_each(codes, counts, cell_size=threshold.cell_size)
    singling = smallest_singling_sets(codes, counts, cell_size=threshold.cell_size)
    return tuple(named(one) for one in without), tuple(named(one) for one in singling)
