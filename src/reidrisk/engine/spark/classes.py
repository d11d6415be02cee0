"""Equivalence classes and distinct tuples: Spark counts, small results leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.engine.budget import room_for_tuples
from reidrisk.engine.duckdb.names import chosen
from reidrisk.engine.packages import needed
from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import JoinedSizes, Sizes, Table
from reidrisk.engine.spark.jobs import Frame, collected, functions, one_row, spark_errors
from reidrisk.errors import BadData, InvalidSetting

if TYPE_CHECKING:
    from reidrisk.engine.spark.table import SparkTable

MOST_SIZES = 10_000_000
"""Different sizes of classes."""
MOST_TUPLES = 50_000_000
"""Distinct tuples that the driver takes."""
PER_JOB = 2_000_000
"""Tuples that come to the driver at a time; Spark limits what one job may send."""
FAMILIES = {"whole number": "number", "date": "time"}


def counted(table: SparkTable, names: Sequence[str]) -> Frame:
    """The classes as columns k0, k1, … and their size."""
    fn = functions()
    keys = [table.column(name).alias(f"k{place}") for place, name in enumerate(names)]
    groups = [f"k{place}" for place in range(len(names))]
    return table.frame.select(*keys).groupBy(*groups).agg(fn.count(fn.lit(1)).alias("size"))


def count_each(table: SparkTable, columns: Iterable[str], *, what: str) -> dict[str, int]:
    """Empty cells or distinct values, column by column."""
    fn = functions()
    names = chosen(columns, table.columns, place=table.source)
    made = []
    for name in names:
        empty = fn.count_if(table.column(name).isNull())
        several = fn.count_distinct(table.column(name)) + (empty > 0).cast("long")
        made.append(empty if what == "nulls" else several)
    with spark_errors(table.source):
        found = one_row(table.frame.select(*(one.alias(f"n{place}") for place, one in enumerate(made))))
    return {name: int(number) for name, number in zip(names, found, strict=True)}


def class_sizes(table: SparkTable, columns: Iterable[str]) -> Sizes:
    """Pairs (size of class, number of such classes), smallest first; null is a value."""
    names = chosen(columns, table.columns, place=table.source)
    tally = counted(table, names).groupBy("size").agg(functions().count("*").alias("classes"))
    with spark_errors(table.source):
        return tuple((size, classes) for size, classes in _numbers(tally))


def joined_sizes(table: SparkTable, population: Table, columns: Iterable[str]) -> JoinedSizes:
    """Triples (size here, size in the population or 0, number of such classes)."""
    with spark_errors(table.source):
        both = _in_both(table, population, columns).filter("here > 0")
        return tuple(_triples(both.groupBy("here", "there")))


def changed_sizes(table: SparkTable, other: Table, columns: Iterable[str]) -> JoinedSizes:
    """Triples (size here, size there, number of such classes); classes of either are there."""
    with spark_errors(table.source):
        return tuple(_triples(_in_both(table, other, columns).groupBy("here", "there")))


def _in_both(table: SparkTable, other: Table, columns: Iterable[str]) -> Frame:
    """The classes of two tables with their sizes, counted in one pass over the rows of both."""
    fn = functions()
    names = chosen(columns, table.columns, place=table.source)
    keys = [f"k{place}" for place in range(len(names))]
    sides = []
    for own, sizes in ((table, (1, 0)), (comparable(table, other, names), (0, 1))):
        values = [own.column(name).alias(key) for name, key in zip(names, keys, strict=True)]
        marks = [fn.lit(size).alias(side) for size, side in zip(sizes, ("here", "there"), strict=True)]
        sides.append(own.frame.select(*values, *marks))
    rows = sides[0].union(sides[1])
    return rows.groupBy(*keys).agg(fn.sum("here").alias("here"), fn.sum("there").alias("there"))


def smallest(table: SparkTable, columns: Sequence[str], unit: str | None) -> int | None:
    """Records, or units, in the smallest class; None without rows."""
    fn = functions()
    names = chosen([*columns, *([unit] if unit else [])], table.columns, place=table.source)[: len(columns)]
    keys = [table.column(name).alias(f"k{place}") for place, name in enumerate(names)]
    mine = fn.lit(1) if unit is None else table.column(unit)
    rows = table.frame.select(*keys, mine.alias("u"))
    size = fn.count("u") if unit is None else fn.count_distinct("u")
    classes = rows.groupBy(*(f"k{place}" for place in range(len(names)))).agg(size.alias("size"))
    with spark_errors(table.source):
        [found] = one_row(classes.agg(fn.min("size")))
    return None if found is None else int(found)


def comparable(table: SparkTable, other: Table, names: Sequence[str]) -> SparkTable:
    """The other table, if it is on Spark too and its columns hold the same kinds."""
    from reidrisk.engine.spark.table import SparkTable

    if not isinstance(other, SparkTable):
        raise InvalidSetting(
            f"{other.source} is not on Spark, but {table.source} is.", hint="Open both with the same engine."
        )
    chosen(names, other.columns, place=other.source)
    for name in names:
        ours, theirs = table.kinds[name], other.kinds[name]
        if FAMILIES.get(ours, ours) != FAMILIES.get(theirs, theirs):
            raise BadData(
                f"Column {name!r} is a {ours} in {table.source} but a {theirs} in {other.source}.",
                hint="Give the column the same type in both.",
            )
    return other


def distinct_tuples(table: SparkTable, columns: Iterable[str]) -> DistinctTuples:
    """Counted on Spark; only the tuples reach the driver, where they are numbered."""
    names = chosen(columns, table.columns, place=table.source)
    kept = counted(table, names).persist()
    try:
        with spark_errors(table.source), ExitStack() as stack:
            number = kept.count()
            _refuse_many(number, table.source)
            room = stack.enter_context(room_for_tuples(number, names, source=table.source))
            found = _in_slices(kept, number)
            coded = [
                _coded(found.column(at), f"{table.source}: column {name!r}") for at, name in enumerate(names)
            ]
            tuples = _sorted_tuples(names, coded, found.column("size").to_numpy().astype(np.int64))
            room.keep_for(tuples, left=tuples.codes.nbytes + tuples.counts.nbytes)
    finally:
        kept.unpersist()
    return tuples


def _sorted_tuples(
    names: tuple[str, ...],
    coded: Sequence[tuple[NDArray[np.object_], NDArray[np.int32]]],
    counts: NDArray[np.int64],
) -> DistinctTuples:
    codes = np.empty((len(counts), len(names)), dtype=np.int32, order="F")
    for place, (_, code) in enumerate(coded):
        codes[:, place] = code
    order = np.lexsort(codes.T[::-1])
    sorted_codes = np.asfortranarray(codes[order])
    return DistinctTuples(names, tuple(values for values, _ in coded), sorted_codes, counts[order])


def _refuse_many(number: int, place: str) -> None:
    if number > MOST_TUPLES:
        raise BadData(
            f"{place} has {plural(number, 'distinct tuple')}; the driver takes {MOST_TUPLES:,}.",
            hint="Choose fewer quasi-identifiers, or make the finest of them coarser first. "
            "`table risk --no-drivers` does not need them.",
        )


def _in_slices(kept: Frame, number: int) -> Any:
    fn, arrow = functions(), needed("pyarrow", extra="spark")
    slices = -(-number // PER_JOB)
    if slices <= 1:
        return collected(kept, most=number)
    place = fn.pmod(fn.xxhash64(*kept.columns), fn.lit(slices))
    return arrow.concat_tables(collected(kept.filter(place == one), most=number) for one in range(slices))


def _coded(column: Any, place: str) -> tuple[NDArray[np.object_], NDArray[np.int32]]:
    """The distinct values in order, None last, and the place of each row's value among them.

    Texts are ordered by their bytes; NaN is greater than every number.
    """
    arrow, compute = needed("pyarrow", extra="spark"), needed("pyarrow.compute", extra="spark")
    if arrow.types.is_timestamp(column.type):
        column = column.cast(arrow.timestamp("us"))
    encoded = column.combine_chunks().dictionary_encode()
    if isinstance(encoded, arrow.ChunkedArray):
        encoded = encoded.combine_chunks()
    order = compute.array_sort_indices(encoded.dictionary)
    try:
        ordered = encoded.dictionary.take(order).to_pylist()
    except (OverflowError, ValueError):
        ordered = None
    if ordered is None:
        raise BadData(f"{place} has a date outside the years 1 to 9999.", hint="Correct or remove the value.")
    rank = np.empty(len(ordered) + 1, dtype=np.int32)
    rank[order.to_numpy()] = np.arange(len(ordered), dtype=np.int32)
    rank[-1] = len(ordered)
    codes = rank[encoded.indices.fill_null(len(ordered)).to_numpy()]
    if encoded.indices.null_count:
        ordered.append(None)
    values = np.empty(len(ordered), dtype=np.object_)
    values[:] = ordered
    return values, codes


def _triples(groups: Any) -> list[tuple[int, int, int]]:
    return [
        (here, there, classes)
        for here, there, classes in _numbers(groups.agg(functions().count("*").alias("classes")))
    ]


def _numbers(frame: Frame) -> list[tuple[int, ...]]:
    """Few rows of whole numbers, in order."""
    found = collected(frame, most=MOST_SIZES)
    return sorted(zip(*(map(int, column.to_pylist()) for column in found.columns), strict=True))
