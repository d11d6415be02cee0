"""Some rows of a table on Spark, brought to the embedded engine: for what needs rows at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reidrisk.engine.duckdb.names import chosen
from reidrisk.engine.duckdb.table import DuckTable, open_embedded
from reidrisk.engine.results import ColumnProfile, TextSearch
from reidrisk.engine.spark.canonical import row_hash
from reidrisk.engine.spark.jobs import Frame, collected, functions, spark_errors

if TYPE_CHECKING:
    from reidrisk.engine.spark.table import SparkTable

DIGITS = 15
"""Hexadecimal digits of a hash that a number of 64 bits holds."""


def drawn_rows(table: SparkTable, most: int, *, seed: int) -> DuckTable:
    """All rows, or about so many: the same for the same seed and content.

    Equal rows have the same hash. Where these are too many, each content keeps its share of them.
    """
    rows = table.count()
    with spark_errors(table.source):
        kept = table.frame if rows <= most else _below(table, most / rows, seed)
        number = rows if rows <= most else kept.count()
        if number > 2 * most:
            kept, number = _thinned(table.frame, most / rows), 2 * rows
        found = collected(kept, most=number)
    made = open_embedded(found.rename_columns(list(table.columns)))
    note = () if rows <= most else (f"about {most:,} rows drawn",)
    return replace(made, source=table.source, notes=(*table.notes, *note))


def column_profiles(
    table: SparkTable, patterns: Mapping[str, TextSearch], *, sample_rows: int, only: Sequence[str] | None
) -> tuple[ColumnProfile, ...]:
    """Counts by Spark over all rows; patterns are sought in rows that are drawn."""
    names = chosen(only or table.columns, table.columns, place=table.source)
    rows, missing, distinct = table.count(), table.nulls(names), table.distinct(names)
    with drawn_rows(table, sample_rows, seed=0) as some:
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


def _below(table: SparkTable, share: float, seed: int) -> Frame:
    fn = functions()
    cells = [(table.column(name), kind) for name, kind in zip(table.columns, table.types, strict=True)]
    digits = fn.substring(row_hash(cells, fn.lit(str(seed))), 1, DIGITS)
    return table.frame.filter(fn.conv(digits, 16, 10).cast("long") < fn.lit(int(share * 16**DIGITS)))


def _thinned(rows: Frame, share: float) -> Frame:
    """Of each content its share, and one at least."""
    fn = functions()
    counted = rows.groupBy(*rows.columns).agg(fn.count(fn.lit(1)).alias("n"))
    copies = fn.greatest(fn.lit(1), fn.floor(fn.col("n") * fn.lit(share)).cast("int"))
    return counted.select(*rows.columns, fn.explode(fn.sequence(fn.lit(1), copies)).alias("n")).drop("n")
