"""Some rows of a table on Spark, brought to the embedded engine: for what needs rows at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reidrisk.engine.duckdb.names import chosen
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.engine.packages import needed
from reidrisk.engine.results import ColumnProfile, TextSearch
from reidrisk.engine.spark.canonical import row_hash
from reidrisk.engine.spark.jobs import Expression, Frame, collected, functions, spark_errors
from reidrisk.engine.spark.types import FLOATS

if TYPE_CHECKING:
    from reidrisk.engine.spark.table import SparkTable

DIGITS, PARTS = 13, 2.0**52
"""Hexadecimal digits of a hash that a float holds exactly, and how many numbers they make."""


def drawn_rows(table: SparkTable, most: int, *, seed: int, unit: str | None = None) -> DuckTable:
    """All rows, or about so many: those that the embedded engine draws, in its order.

    With a unit, all rows of a unit are drawn or none. Without one, each content keeps its share of its rows.
    """
    rows = table.count()
    with spark_errors(table.source):
        if rows <= most:
            found = collected(table.frame, most=rows)
        else:
            share, salt = most / rows, str(seed)
            kept = (
                _shares_of_contents(table, share, salt)
                if unit is None
                else _whole_units(table, unit, share, salt)
            )
            found = _in_order(collected(kept, most=rows), table)
    made = open_embedded(found.rename_columns(list(table.columns)))
    note = () if rows <= most else (f"about {most:,} rows drawn",)
    return replace(made, source=table.source, notes=(*table.notes, *note))


def _in_order(found: Any, table: SparkTable) -> Any:
    """As the embedded engine orders them: by hash, then by the numbers that their text leaves open."""
    compute = needed("pyarrow.compute", extra="spark")
    floats = [f"c{place}" for place, kind in enumerate(table.types) if kind.typeName() in FLOATS]
    keys = [(name, "ascending") for name in ("h", *floats)]
    return found.take(compute.sort_indices(found, keys)).drop_columns("h")


def column_profiles(
    table: SparkTable, patterns: Mapping[str, TextSearch], *, sample_rows: int, only: Sequence[str] | None
) -> tuple[ColumnProfile, ...]:
    """Counts by Spark over all rows; patterns are sought in rows that are drawn."""
    names = chosen(only or table.columns, table.columns, place=table.source)
    rows, missing, distinct = table.count(), table.nulls(names), table.distinct(names)
    with _some_rows(table, sample_rows) as some:
        looked = some.profiles(patterns, sample_rows=sample_rows, only=names)
    return tuple(
        replace(
            one,
            rows=rows,
            missing=missing[one.name],
            distinct=distinct[one.name] - (missing[one.name] > 0),
        )
        for one in looked
    )


def _some_rows(table: SparkTable, most: int) -> DuckTable:
    """Rows to look at, without counting their contents unless a few of these fill the table."""
    rows = table.count()
    if rows <= most:
        return drawn_rows(table, most, seed=0)
    with spark_errors(table.source):
        kept = table.frame.filter(_chance(row_hash(_cells(table), functions().lit("0"))) < most / rows)
        number = kept.count()
        if not 0 < number <= 2 * most:
            return drawn_rows(table, most, seed=0)
        found = collected(kept, most=number)
    return replace(open_embedded(found.rename_columns(list(table.columns))), source=table.source)


def _cells(table: SparkTable) -> list[tuple[Expression, Any]]:
    return [(table.column(name), kind) for name, kind in zip(table.columns, table.types, strict=True)]


def _chance(digest: Expression) -> Expression:
    """The number in [0, 1) that the first 52 bits of a hash are."""
    fn = functions()
    return fn.conv(fn.substring(digest, 1, DIGITS), 16, 10).cast("double") / fn.lit(PARTS)


def _shares_of_contents(table: SparkTable, share: float, salt: str) -> Frame:
    """Of a content with n rows n times the share, rounded up or down by chance."""
    fn, own = functions(), table.frame.columns
    counted = table.frame.groupBy(*own).agg(fn.count(fn.lit(1)).alias("n"))
    hashed = counted.select(
        *own,
        (fn.col("n").cast("double") * fn.lit(share)).alias("x"),
        row_hash(_cells(table), fn.lit(salt)).alias("h"),
    )
    more = fn.when(_chance(fn.col("h")) < fn.col("x") - fn.floor("x"), 1).otherwise(0)
    copies = hashed.withColumn("n", (fn.floor("x") + more).cast("int")).filter("n > 0")
    numbers = fn.explode(fn.sequence(fn.lit(1), fn.col("n"))).alias("copy")
    return copies.select(*own, "h", numbers).drop("copy")


def _whole_units(table: SparkTable, unit: str, share: float, salt: str) -> Frame:
    fn = functions()
    drawn = _chance(row_hash([(table.column(unit), table.type_of(unit))], fn.lit(salt))) < fn.lit(share)
    return table.frame.filter(drawn).withColumn("h", row_hash(_cells(table), fn.lit(salt)))
