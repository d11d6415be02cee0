"""The text of a cell and the hash of a row, as every engine writes them.

Texts stand for themselves, whole numbers for their digits, times for microseconds since 1970 in UTC. A number
with a fraction is its whole part and the fraction in units of 2^-52, which is exact in every engine; engines
spell such numbers each in a way of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reidrisk.engine.spark.jobs import Expression, functions
from reidrisk.engine.spark.types import FLOATS, kind_of

NOTHING, BETWEEN, INSIDE = chr(30), chr(31), chr(29)
"""For an empty cell, between the cells of a row, and inside a number."""
BIG, PARTS = 2.0**62, 2.0**52
DIGITS = 32
"""Hexadecimal digits kept of a hash: 128 bits, so that two different rows never share them."""


def cell_text(column: Expression, spark_type: Any) -> Expression:
    """The text of a cell; never null."""
    fn = functions()
    return fn.coalesce(_text(column, spark_type), fn.lit(NOTHING))


def _text(column: Expression, spark_type: Any) -> Expression:
    fn = functions()
    if spark_type.typeName() in FLOATS:
        return _of_float(column)
    if kind_of(spark_type) == "time":
        return fn.unix_micros(column.cast("timestamp")).cast("string")
    if kind_of(spark_type) == "date":
        return fn.ltrim(column.cast("string"), fn.lit("+"))  # Spark's sign of years after 9999
    return column.cast("string")


def _of_float(column: Expression) -> Expression:
    fn = functions()
    x = column.cast("double") + fn.lit(0.0)
    is_big = fn.abs(x) >= fn.lit(BIG)
    small = fn.when(fn.isnan(x) | is_big, fn.lit(0.0)).otherwise(x)
    whole = small.cast("long")
    part = ((small - whole.cast("double")) * fn.lit(PARTS)).cast("long")
    said = fn.concat_ws(INSIDE, whole.cast("string"), part.cast("string"))
    named = fn.when(fn.isnan(x), fn.lit("nan")).when(is_big, fn.lit("big")).otherwise(said)
    return fn.when(column.isNotNull(), named)


def row_hash(cells: Sequence[tuple[Expression, Any]], salt: Expression) -> Expression:
    """SHA-256 of the salt, the cells and the lengths of texts, so that no two rows are written alike."""
    fn = functions()
    texts = [cell_text(column, kind) for column, kind in cells]
    lengths = [
        fn.coalesce(fn.octet_length(column).cast("string"), fn.lit(""))
        for column, kind in cells
        if kind_of(kind) == "text"
    ]
    return hashed(fn.concat_ws(BETWEEN, salt, *texts, *lengths))


def unit_hash(unit: Expression, spark_type: Any, salt: Expression) -> Expression:
    """SHA-256 of the salt and the unit."""
    fn = functions()
    return hashed(fn.concat_ws(BETWEEN, salt, cell_text(unit, spark_type)))


def hashed(text: Expression) -> Expression:
    """The digits that are kept of a text's SHA-256."""
    fn = functions()
    return fn.substring(fn.sha2(text, 256), 1, DIGITS)


def floats_last(cells: Sequence[tuple[Expression, Any]]) -> list[Expression]:
    """The order among rows of one hash, which differ at most in numbers that their text leaves open."""
    return [
        (column + functions().lit(0.0)).asc_nulls_last()
        for column, kind in cells
        if kind.typeName() in FLOATS
    ]
