"""The table that goes out: recoded records, applied back to every row."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any

from reidrisk.engine.packages import needed
from reidrisk.engine.plans import REMOVED, ReleasePlan
from reidrisk.engine.spark.canonical import floats_last, hashed, row_hash, unit_hash
from reidrisk.engine.spark.jobs import Expression, Frame, collected, functions, sent, spark_errors
from reidrisk.engine.spark.recode import Draw, recoded
from reidrisk.engine.spark.types import FLOATS, of_labels
from reidrisk.errors import BadData, InvalidSetting

if TYPE_CHECKING:
    from reidrisk.engine.spark.table import SparkTable

BLOCK = 64
"""Bytes of a block of SHA-256 (RFC 2104)."""
LENGTH = 24
"""Hexadecimal digits kept of a pseudonym."""
SPELLED_ALIKE = ("text", "whole number", "date", "yes or no")
"""Kinds whose values all engines write as the same text."""
PART_BYTES, SMALL_PART_BYTES = 2**27, 2**23
"""Of the input, for each part of the output; small parts are made until every processor has one."""
SECRETS = ("salt", "inner", "outer")
BUCKETS = 200
"""Ranges in which units are counted side by side."""


@dataclass(frozen=True, slots=True)
class ReleasedColumn:
    """A column that goes out."""

    place: int
    name: str
    expression: Expression = field(repr=False)
    spark_type: Any = field(repr=False)
    is_numbered: bool = False


def released(table: SparkTable, records: SparkTable, plan: ReleasePlan, kept: ExitStack) -> Frame:
    """Every row as it goes out, in parts and in an order that follow from what is released."""
    fn = functions()
    rows = _with_secrets(_renamed(table), plan)
    rows = _with_recoded(table, rows, records, plan)
    outputs = _outputs(table, records, plan)
    made = [output.expression.alias(f"o{output.place}") for output in outputs]
    ready = rows.filter(fn.col("mask") != REMOVED).select(*made, "salt")
    said = [(fn.col(f"o{one.place}"), one.spark_type) for one in outputs if not one.is_numbered]
    numbered = [output.place for output in outputs if output.is_numbered]
    mixed = ready.withColumn("h", row_hash(said, fn.col("salt"))).drop("salt")
    if numbered:
        mixed = _kept(mixed, kept)
        mixed = _with_links(mixed, numbered) if len(numbered) > 1 else mixed
        for place in numbered:
            mixed = _numbered(mixed, place)
    number = parts_of(table)
    share = fn.conv(fn.substring("h", 1, 8), 16, 10).cast("long") * fn.lit(number)
    placed = mixed.repartitionById(number, fn.floor(share / fn.lit(2.0**32)).cast("int"))
    shown = [f"d{one.place}" if one.is_numbered else f"o{one.place}" for one in outputs]
    ordered = placed.sortWithinPartitions("h", *floats_last(said))
    return ordered.select(*shown).toDF(*(output.name for output in outputs))


def removed_rows(table: SparkTable, records: SparkTable, plan: ReleasePlan) -> int:
    """How many rows of the table belong to units that do not go out."""
    if plan.unit is None:
        raise InvalidSetting("No column tells the units.", hint="Name one.")
    fn = functions()
    with spark_errors(table.source):
        gone = _recoded_units(records, plan).filter(fn.col("mask") == REMOVED).select("n")
        rows = table.frame.select(table.column(plan.unit).alias("u"))
        return int(rows.join(gone, fn.col("u") == fn.col("n"), how="semi").count())


def parts_of(table: SparkTable) -> int:
    """How many parts the output has, by the size of the input."""
    processors = int(table.session.sparkContext.defaultParallelism)
    size = sum(one.size for one in table.inputs)
    if not size:
        return processors
    return max(1, ceil(size / PART_BYTES), min(processors, ceil(size / SMALL_PART_BYTES)))


def check_plan(table: SparkTable, plan: ReleasePlan) -> None:
    """Refuse what Spark cannot do as the embedded engine does."""
    if plan.order == "source":
        raise InvalidSetting(
            "Rows have no order on Spark, so that the order of the source needs the embedded engine.",
            hint="Choose the order random or content.",
        )
    for name, treatment in plan.treatments.items():
        if treatment != "pseudonym" or name not in table.columns:
            continue
        if not plan.key:
            raise InvalidSetting("A pseudonym needs a key.", hint="Name the file that holds it.")
        if table.kinds[name] not in SPELLED_ALIKE:
            raise BadData(
                f"Column {name!r} is a {table.kinds[name]}, which engines write each in their own way: its "
                "pseudonyms would differ.",
                hint="Convert the column to text, or number or drop it.",
            )


def _renamed(table: SparkTable) -> Frame:
    return table.frame.toDF(*(f"r{place}" for place in range(len(table.columns))))


def _with_secrets(rows: Frame, plan: ReleasePlan) -> Frame:
    """Salt and key as columns: in the plan itself they could be read in Spark's logs."""
    arrow, types = needed("pyarrow", extra="spark"), needed("pyspark.sql.types", extra="spark")
    key = plan.key or b""
    padded = (hashlib.sha256(key).digest() if len(key) > BLOCK else key).ljust(BLOCK, b"\0")
    pads = [bytes(byte ^ pad for byte in padded) for pad in (0x36, 0x5C)]
    columns = {"salt": (arrow.array([plan.salt]), types.StringType())}
    for name, pad in zip(SECRETS[1:], pads, strict=True):
        columns[name] = (arrow.array([pad], arrow.binary()), types.BinaryType())
    return rows.crossJoin(sent(rows.sparkSession, columns))


def _with_recoded(table: SparkTable, rows: Frame, records: SparkTable, plan: ReleasePlan) -> Frame:
    """The rows with their new values l0, l1, … and `mask`."""
    fn = functions()
    if plan.unit is not None:
        units = _recoded_units(records, plan)
        labels = [f"l{place}" for place in range(len(plan.tuples.columns))]
        return rows.join(
            units.select("n", *labels, "mask"), fn.col(f"r{table.columns.index(plan.unit)}") == fn.col("n")
        )
    values = [fn.col(f"r{table.columns.index(name)}") for name in plan.tuples.columns]
    keyed = rows.select("*", *(value.alias(f"c{place}") for place, value in enumerate(values)))
    cells = [(fn.col(f"r{place}"), kind) for place, kind in enumerate(table.types)]
    draw = Draw(row_hash(cells, fn.col("salt")), tuple(floats_last(cells)))
    return recoded(keyed, plan, [table.type_of(name) for name in plan.tuples.columns], draw)


def _recoded_units(records: SparkTable, plan: ReleasePlan) -> Frame:
    """One row a unit `n`, with its new values and `mask`."""
    fn, unit = functions(), plan.unit or ""
    values = [records.column(name).alias(f"c{place}") for place, name in enumerate(plan.tuples.columns)]
    rows = _with_secrets(records.frame.select(records.column(unit).alias("n"), *values), plan)
    draw = Draw(unit_hash(fn.col("n"), records.type_of(unit), fn.col("salt")), (fn.col("n"),))
    return recoded(rows, plan, [records.type_of(name) for name in plan.tuples.columns], draw)


def _outputs(table: SparkTable, records: SparkTable, plan: ReleasePlan) -> list[ReleasedColumn]:
    """The columns that go out, in the order of the source."""
    fn, types = functions(), needed("pyspark.sql.types", extra="spark")
    outputs = []
    for place, name in enumerate(table.columns):
        treatment = plan.treatments.get(name, "keep")
        if name in plan.tuples.columns:
            outputs.append(_recoded_column(place, name, records, plan))
        elif treatment == "pseudonym":
            made = _pseudonym(name, fn.col(f"r{place}"))
            outputs.append(ReleasedColumn(place, name, made, types.StringType()))
        elif treatment != "drop":
            kind, numbered = table.types[place], treatment == "number"
            outputs.append(ReleasedColumn(place, name, fn.col(f"r{place}"), kind, is_numbered=numbered))
    return outputs


def _recoded_column(place: int, name: str, records: SparkTable, plan: ReleasePlan) -> ReleasedColumn:
    """A quasi-identifier, without the cells that are lost."""
    fn = functions()
    bit = plan.tuples.columns.index(name)
    kind = plan.kind_of(bit)
    spark_type = records.type_of(name) if kind is None else of_labels(kind)
    label = fn.col(f"l{bit}")
    if spark_type.typeName() in FLOATS:
        label = label + fn.lit(0.0).cast(spark_type)  # minus zero is zero, also when it is spelled
    stays = fn.shiftright(fn.col("mask"), bit).bitwiseAND(fn.lit(1)) == 0
    return ReleasedColumn(place, name, fn.when(stays, label), spark_type)


def _pseudonym(name: str, column: Expression) -> Expression:
    """HMAC-SHA256 of the column's name and the value; null stays null."""
    fn = functions()
    message = fn.encode(fn.concat(fn.lit(name + chr(0)), _as_text(column)), "UTF-8")
    inner = fn.unhex(fn.sha2(fn.concat(fn.col("inner"), message), 256))
    return fn.substring(fn.sha2(fn.concat(fn.col("outer"), inner), 256), 1, LENGTH)


def _as_text(column: Expression) -> Expression:
    return column.cast("string")


def _kept(rows: Frame, kept: ExitStack) -> Frame:
    """Computed once: numbers are made from all rows and then joined to them."""
    levels = needed("pyspark", extra="spark").StorageLevel
    stored = rows.persist(levels.DISK_ONLY)
    kept.callback(stored.unpersist)
    return stored


def _digest() -> Expression:
    """A number that follows from the rows of a unit, in whatever order they come."""
    fn = functions()
    return fn.sum(fn.conv(fn.substring("h", 1, 15), 16, 10).cast("decimal(20,0)")).cast("decimal(38,0)")


def _with_links(rows: Frame, places: Sequence[int]) -> Frame:
    """The hash of each row mixed with those of the units that it belongs to.

    A person and a visit: people with the same rows may have other visits, and are then told apart.
    """
    fn, own = functions(), rows
    for place in places:
        units = own.groupBy(fn.col(f"o{place}").alias(f"u{place}")).agg(_digest().alias(f"s{place}"))
        rows = rows.join(units, fn.col(f"o{place}").eqNullSafe(fn.col(f"u{place}")), how="left")
    every = [fn.col("h"), *(fn.col(f"s{place}").cast("string") for place in places)]
    mixed = rows.withColumn("h", hashed(fn.concat_ws(",", *every)))
    return mixed.drop(*(f"u{place}" for place in places), *(f"s{place}" for place in places))


def _numbered(rows: Frame, place: int) -> Frame:
    """A running number for the units of a column: the one with the least digest is number 1.

    Units are cut into ranges of the digest, so that no single worker has to count them all.
    """
    fn, window = functions(), needed("pyspark.sql.window", extra="spark").Window
    mine = fn.col(f"o{place}")
    units = rows.filter(mine.isNotNull()).groupBy(mine.alias(f"p{place}")).agg(_digest().alias("f"))
    ends = _ends(units, units.count())
    bucket = fn.lit(0)
    for end in ends:
        bucket = bucket + (fn.col("f").cast("double") > fn.lit(end)).cast("int")
    units = units.withColumn("b", bucket)
    # Units of one digest have the same rows, so that it does not matter which of them comes first.
    rank = fn.row_number().over(window.partitionBy("b").orderBy("f", f"p{place}"))
    numbers, before = units.select(f"p{place}", "b", rank.alias("rank")), fn.lit(0)
    if ends:
        sizes = dict(_pairs(units.groupBy("b").agg(fn.count("*").alias("n")), most=len(ends) + 1))
        numbers, before = numbers.join(_running(sizes, rows.sparkSession), "b"), fn.col("before")
    numbers = numbers.select(f"p{place}", (fn.col("rank") + before).cast("long").alias(f"d{place}"))
    return rows.join(numbers, mine == fn.col(f"p{place}"), how="left").drop(f"p{place}")


def _ends(units: Frame, number: int) -> list[float]:
    """Where the ranges end, for units that are many."""
    if number < BUCKETS * 1000:
        return []
    shares = [place / BUCKETS for place in range(1, BUCKETS)]
    digest = units.select(functions().col("f").cast("double").alias("f"))
    return sorted(set(digest.approxQuantile("f", shares, 0.002)))


def _pairs(frame: Frame, *, most: int) -> list[tuple[int, int]]:
    found = collected(frame, most=most)
    return sorted(zip(*(map(int, column.to_pylist()) for column in found.columns), strict=True))


def _running(sizes: dict[int, int], session: Any) -> Frame:
    """How many units come before each range."""
    arrow, types = needed("pyarrow", extra="spark"), needed("pyspark.sql.types", extra="spark")
    places, before, total = sorted(sizes), [], 0
    for place in places:
        before.append(total)
        total += sizes[place]
    numbers = {"b": arrow.array(places, arrow.int32()), "before": arrow.array(before, arrow.int64())}
    kinds = {"b": types.IntegerType(), "before": types.LongType()}
    return sent(session, {name: (array, kinds[name]) for name, array in numbers.items()})
