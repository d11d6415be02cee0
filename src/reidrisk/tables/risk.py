"""Measure the risk of a table: equivalence classes in the engine, reasoning here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.classes import class_sizes, count_rows, joined_sizes
from reidrisk.engine.collapse import collapse
from reidrisk.engine.listed_codes import count_listed
from reidrisk.engine.table import Table, open_table
from reidrisk.engine.tuples import distinct_tuples
from reidrisk.errors import InvalidSetting, UnknownColumn
from reidrisk.stats.class_risk import AttackRisk, MatchedClasses, expected_matches, journalist, prosecutor
from reidrisk.stats.drivers import ColumnSet, smallest_singling_sets, without_each
from reidrisk.tables.rare import RareCodes, RareFound
from reidrisk.tables.result import Driver, TableRisk
from reidrisk.tables.subgroups import subgroups


def table_risk(  # noqa: PLR0913 - the data, what is measured against, and what else is told
    table: Any,
    schema: Schema,
    *,
    threshold: Threshold | None = None,
    population: Any = None,
    rare: RareCodes | None = None,
    by: Sequence[str] = (),
    drivers: bool = True,
) -> TableRisk:
    """The risk that records of a table are matched with the right person.

    `table` and `population` are files, folders, database tables or data frames. Records with a
    code of the list `rare` are counted beside the verdict. `by` names columns whose subgroups are
    told apart. With `drivers` the result also tells what each column adds and which columns
    single people out.
    """
    threshold = threshold or Threshold.from_cell_size(5, "cell size of five, the default")
    _several(by)
    with open_table(table) as opened:
        records = _records(opened, schema, by)
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
            rare=_rare(opened, schema, rare, sizes.records) if rare else None,
            subgroups=subgroups(records, schema.quasi, by, cell_size=threshold.cell_size),
            inputs=(("table", opened.source), *named, *_asked(rare, by)),
            notes=opened.notes,
        )


def _records(table: Table, schema: Schema, by: Sequence[str]) -> Table:
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


def _asked(rare: RareCodes | None, by: Sequence[str]) -> tuple[tuple[str, Any], ...]:
    """What was asked beyond the risk itself, for the settings of the result."""
    listed = (("rare", rare.source), ("rare_columns", list(rare.by_column()))) if rare else ()
    return (*listed, *((("by", list(by)),) if by else ()))


def _rare(table: Table, schema: Schema, rare: RareCodes, records: int) -> RareFound:
    """A unit counts once, however many of its rows hold a listed code."""
    found = count_listed(table, rare.by_column(), unit=schema.unit)
    columns = tuple((name, *numbers) for name, numbers in found.by_column.items())
    return RareFound(found.records, records, rare.listed, found.present, columns, rare.source)


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
