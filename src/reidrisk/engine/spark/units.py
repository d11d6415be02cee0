"""From many rows a person to one record a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from reidrisk.core.wording import plural
from reidrisk.engine.duckdb.names import chosen
from reidrisk.engine.protocol import RULES, Rule
from reidrisk.engine.spark.jobs import Expression, functions, one_row, spark_errors
from reidrisk.errors import BadData, InvalidSetting

if TYPE_CHECKING:
    from reidrisk.engine.spark.table import SparkTable

ON_SPARK = ("min", "max")
"""Rules that need no order of rows and no spelling of values."""


def per_unit(
    table: SparkTable, unit: str, columns: Iterable[str], rules: Mapping[str, Rule] | None
) -> SparkTable:
    """One row a unit: the unit and its columns, which must not vary unless a rule reduces them."""
    fn, given = functions(), rules or {}
    names = [name for name in chosen(columns, table.columns, place=table.source) if name != unit]
    chosen([unit, *given], table.columns, place=table.source)
    _check_rules(given)
    missing, several = _looked_at(table, unit, [name for name in names if name not in given], blanks=True)
    _refuse_missing_units(table, unit, missing)
    _refuse_variation(table, unit, several)
    reduced = [
        (fn.min if given.get(name) == "min" else fn.max)(table.column(name)).alias(f"c{place}")
        for place, name in enumerate(names, start=1)
    ]
    grouped = table.frame.groupBy(table.column(unit).alias("c0"))
    records = grouped.agg(*reduced) if reduced else grouped.agg(fn.count("*").alias("n")).select("c0")
    return table.derived(records, (unit, *names), note=f"one record per unit: {unit}")


def varying(table: SparkTable, unit: str, columns: Iterable[str], *, blanks: bool) -> dict[str, int]:
    """In how many units each column has more than one value; with `blanks`, an empty cell is a value."""
    chosen([unit], table.columns, place=table.source)
    names = chosen(columns, table.columns, place=table.source)
    return _looked_at(table, unit, names, blanks=blanks)[1]


def _looked_at(
    table: SparkTable, unit: str, names: Sequence[str], *, blanks: bool
) -> tuple[int, dict[str, int]]:
    """In one pass: how many rows have no unit, and in how many units each column varies."""
    fn = functions()
    if not names:
        return table.nulls([unit])[unit], {}
    several = [
        _is_several(table.column(name), blanks=blanks).alias(f"v{place}") for place, name in enumerate(names)
    ]
    units = table.frame.groupBy(table.column(unit).alias("u")).agg(fn.count("*").alias("rows"), *several)
    without = fn.coalesce(fn.sum(fn.when(fn.col("u").isNull(), fn.col("rows"))), fn.lit(0)).alias("without")
    counts = (fn.count_if(fn.col(f"v{place}")).alias(f"n{place}") for place in range(len(names)))
    with spark_errors(table.source):
        missing, *found = one_row(units.select(without, *counts))
    return int(missing), {name: int(number) for name, number in zip(names, found, strict=True)}


def _is_several(column: Expression, *, blanks: bool) -> Expression:
    """Cheaper than counting distinct values: least equals greatest, and null all or none of the rows."""
    fn = functions()
    differs = ~fn.min(column).eqNullSafe(fn.max(column))
    if not blanks:
        return differs
    return differs | ((fn.count(column) != 0) & (fn.count(column) != fn.count("*")))


def _check_rules(given: Mapping[str, Rule]) -> None:
    for name, rule in given.items():
        if rule not in RULES:
            raise InvalidSetting.among(f"The rule of column {name!r}", rule, RULES)
        if rule not in ON_SPARK:
            raise InvalidSetting(
                f"The rule {rule!r} of column {name!r} needs the embedded engine: rows have no order "
                "on Spark, and engines spell sets each in their own way.",
                hint=f"Use {' or '.join(ON_SPARK)}, or leave out --master.",
            )


def _refuse_missing_units(table: SparkTable, unit: str, missing: int) -> None:
    if missing:
        raise BadData(
            f"{table.source}: {plural(missing, 'row')} without a value in the unit column {unit!r}.",
            hint="Give every row its unit, or remove the rows.",
        )


def _refuse_variation(table: SparkTable, unit: str, several: Mapping[str, int]) -> None:
    for name, units in several.items():
        if units:
            raise BadData(
                f"{table.source}: column {name!r} varies within {plural(units, 'unit')} of {unit!r}.",
                hint=f"Give a rule that reduces it to one value per unit ({', '.join(ON_SPARK)}), or another "
                "unit of analysis. Columns of events need the embedded engine.",
            )
