"""Generalize and blank: what the search decided on distinct tuples, done to the records.

Every step is a join with a small frame that all workers have. Which records of one generalized tuple lose
cells, where not all of them do, follows from a hash of their keys or contents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add, and_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.engine.packages import needed
from reidrisk.engine.plans import DistinctTuples, RankedBlanks, Recode, ReleasePlan, TupleKeys, TupleRecode
from reidrisk.engine.spark.jobs import Expression, Frame, collected, functions, sent
from reidrisk.engine.spark.types import arrow_array, label_array, of_labels

APART = -2
"""In the place of the mask of a tuple whose records do not all have the same one."""
MANY = 1_000_000
"""Records of a class up to which one worker ranks them all."""
FIRST = 15
"""Hexadecimal digits of a hash that a number of 64 bits holds."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The order in which the records of one tuple are ranked."""

    by: Expression = field(repr=False)
    then: tuple[Expression, ...] = field(default=(), repr=False)


def recoded(rows: Frame, plan: ReleasePlan, types: Sequence[Any], draw: Draw) -> Frame:
    """The rows (values c0, c1, … of these types) with their new values l0, l1, … and `mask`."""
    if plan.by_tuple is not None:
        return _by_tuple(rows, plan.tuples, plan.by_tuple, types)
    fn, some = functions(), len(plan.blanks.masks) > 0
    for place, recode in enumerate(plan.recodes):
        if recode.only is not None:
            rows = rows.withColumns({f"g{place}": fn.lit(0), f"l{place}": fn.lit(recode.only)})
            continue
        if some or recode.labels is not None:
            rows = _looked_up(rows, place, plan.tuples.values[place], types[place], recode)
        if recode.labels is None:
            rows = rows.withColumn(f"l{place}", fn.col(f"c{place}"))
    if not some:
        return rows.withColumn("mask", fn.lit(0).cast("long"))
    return _masked(rows, plan, draw)


def _looked_up(
    rows: Frame, place: int, values: NDArray[np.object_], spark_type: Any, recode: Recode
) -> Frame:
    """The rows with the code g and, where it changes, the label l of one column."""
    columns = {
        f"v{place}": (arrow_array(list(values), spark_type), spark_type),
        f"g{place}": _integers(recode.codes),
    }
    if recode.labels is not None:
        columns[f"l{place}"] = (label_array(list(recode.labels), recode.kind), of_labels(recode.kind))
    return _joined(rows, place, columns)


def _joined(rows: Frame, place: int, columns: dict[str, tuple[Any, Any]]) -> Frame:
    """Null matches null, and NaN matches NaN."""
    fn = functions()
    same = fn.col(f"c{place}").eqNullSafe(fn.col(f"v{place}"))
    return rows.join(sent(rows.sparkSession, columns), same).drop(f"v{place}")


def _masked(rows: Frame, plan: ReleasePlan, draw: Draw) -> Frame:
    fn = functions()
    together, apart = plan.blanks.with_constants(plan.recodes).divided()
    keys = TupleKeys(tuple(int(recode.codes.max(initial=0)) + 1 for recode in plan.recodes))
    rows = _with_key(rows, keys)
    firsts = apart.first == 1
    codes = np.concatenate([together.codes, apart.codes[firsts]])
    masks = np.concatenate([together.masks, np.full(int(firsts.sum()), APART, dtype=np.int64)])
    named = _key_frame(rows, keys, codes, {"tmask": masks})
    rows = rows.join(named, _same(keys), how="left").drop(*keys.columns("t"))
    plain = rows.withColumn("mask", fn.coalesce(fn.col("tmask"), fn.lit(0).cast("long"))).drop("tmask")
    if not len(apart.masks):
        return plain
    ranked = _ranked(plain.filter(fn.col("mask") == APART), keys, plan, apart, draw)
    return plain.filter(fn.col("mask") != APART).unionByName(ranked)


def _ranked(rows: Frame, keys: TupleKeys, plan: ReleasePlan, apart: RankedBlanks, draw: Draw) -> Frame:
    """The mask of every record of the tuples whose records differ."""
    fn, window = functions(), needed("pyspark.sql.window", extra="spark").Window
    drawn = rows.drop("mask").withColumn("drawn", draw.by)
    drawn, late = _divided_by_limit(drawn, keys, _limits(plan, keys, apart))
    order = window.partitionBy(*keys.columns("g")).orderBy("drawn", *draw.then)
    ranked = drawn.withColumn("rank", fn.row_number().over(order).cast("long")).drop("drawn")
    ranges = {"mask": apart.masks, "first": apart.first, "last": apart.last}
    named = _key_frame(rows, keys, apart.codes, ranges)
    within = _same(keys) & fn.col("rank").between(fn.col("first"), fn.col("last"))
    joined = ranked.join(named, within, how="left").drop(*keys.columns("t"), "rank", "first", "last")
    masked = joined.withColumn("mask", fn.coalesce(fn.col("mask"), fn.lit(0).cast("long")))
    return masked if late is None else masked.unionByName(late)


@dataclass(frozen=True, slots=True, eq=False)
class DrawLimits:
    """In large classes: hashes above a limit belong to records that surely lose nothing."""

    keys: NDArray[np.int64]
    wanted: NDArray[np.int64]
    """Records that the draw is about, which are those with the least hashes."""
    below: NDArray[np.int64]
    """The limit of the first digits of a hash."""

    def some(self, which: NDArray[np.bool_]) -> DrawLimits:
        """Those of some classes."""
        return DrawLimits(self.keys[which], self.wanted[which], self.below[which])


def _limits(plan: ReleasePlan, keys: TupleKeys, apart: RankedBlanks) -> DrawLimits:
    """Of classes too large to be ranked by one worker, from which few records are drawn."""
    if not keys.packed:
        nothing = np.zeros(0, dtype=np.int64)
        return DrawLimits(nothing, nothing, nothing)
    named, place = np.unique(keys.arrays(apart.codes, "t")["tkey"], return_inverse=True)
    wanted = np.zeros(len(named), dtype=np.int64)
    np.maximum.at(wanted, place, apart.last)
    general = [
        np.zeros(len(plan.tuples), dtype=np.int32) if one.only is not None else one.codes[codes]
        for one, codes in zip(plan.recodes, plan.tuples.codes.T, strict=True)
    ]
    own = keys.arrays(np.stack(general, axis=1), "t")["tkey"]
    at = np.minimum(np.searchsorted(named, own), len(named) - 1)
    size = np.bincount(at, plan.tuples.counts * (named[at] == own), len(named))
    share = np.minimum(1.0, (wanted + 6 * np.sqrt(wanted) + 10) / np.maximum(size, 1))
    large = (size > MANY) & (share < 0.5)
    return DrawLimits(named, wanted, (share * 16.0**FIRST).astype(np.int64)).some(large)


def _divided_by_limit(drawn: Frame, keys: TupleKeys, limits: DrawLimits) -> tuple[Frame, Frame | None]:
    """Records to be ranked, and those beyond the limit of their class, with their mask.

    Equal records have equal hashes, so that it is counted whether enough are below a limit.
    """
    if not len(limits.keys):
        return drawn, None
    fn = functions()
    first = fn.conv(fn.substring("drawn", 1, FIRST), 16, 10).cast("long")
    counted = drawn.join(_limit_frame(drawn, limits), _same(keys)).filter(first < fn.col("below"))
    found = collected(counted.groupBy("tkey").agg(fn.count("*").alias("n")), most=len(limits.keys))
    number = dict(zip(found.column("tkey").to_pylist(), found.column("n").to_pylist(), strict=True))
    enough = np.array([number.get(int(key), 0) for key in limits.keys]) >= limits.wanted
    joined = drawn.join(_limit_frame(drawn, limits.some(enough)), _same(keys), how="left")
    is_late = fn.coalesce(first >= fn.col("below"), fn.lit(False))  # noqa: FBT003 - a value
    late = joined.filter(is_late).drop("tkey", "below", "drawn")
    return joined.filter(~is_late).drop("tkey", "below"), late.withColumn("mask", fn.lit(0).cast("long"))


def _limit_frame(rows: Frame, limits: DrawLimits) -> Frame:
    arrays = {"tkey": limits.keys, "below": limits.below}
    return sent(rows.sparkSession, {name: _integers(array) for name, array in arrays.items()})


def _by_tuple(rows: Frame, tuples: DistinctTuples, recode: TupleRecode, types: Sequence[Any]) -> Frame:
    """Every distinct tuple becomes another one of its own."""
    fn = functions()
    for place, (values, spark_type) in enumerate(zip(tuples.values, types, strict=True)):
        columns = {
            f"v{place}": (arrow_array(list(values), spark_type), spark_type),
            f"g{place}": _integers(np.arange(len(values), dtype=np.int32)),
        }
        rows = _joined(rows, place, columns)
    keys = TupleKeys(tuple(len(values) for values in tuples.values))
    rows = _with_key(rows, keys)
    columns = {}
    for place, (labels, kind) in enumerate(zip(recode.labels, recode.kinds, strict=True)):
        if labels is not None and kind is not None:
            new = label_array(list(labels), kind).take(_integers(recode.codes[:, place])[0])
            columns[f"l{place}"] = (new, of_labels(kind))
    named = _key_frame(rows, keys, tuples.codes, {"mask": recode.masks}, columns)
    rows = rows.join(named, _same(keys)).drop(*keys.columns("t"))
    same = {f"l{place}": fn.col(f"c{place}") for place, labels in enumerate(recode.labels) if labels is None}
    return rows.withColumns(same) if same else rows


def _with_key(rows: Frame, keys: TupleKeys) -> Frame:
    """One number for the codes of a row, if they fit into one."""
    if not keys.packed:
        return rows
    fn = functions()
    terms = [fn.col(f"g{place}").cast("long") * fn.lit(by) for place, by in enumerate(keys.strides)]
    return rows.withColumn("gkey", reduce(add, terms))


def _same(keys: TupleKeys) -> Expression:
    fn = functions()
    pairs = zip(keys.columns("g"), keys.columns("t"), strict=True)
    return reduce(and_, (fn.col(left) == fn.col(right) for left, right in pairs))


def _key_frame(
    rows: Frame,
    keys: TupleKeys,
    codes: NDArray[np.int32],
    numbers: dict[str, NDArray[np.int64]],
    more: dict[str, tuple[Any, Any]] | None = None,
) -> Frame:
    """Tuples by their key, with some numbers."""
    arrays = {**keys.arrays(codes, "t"), **numbers}
    return sent(rows.sparkSession, {name: _integers(array) for name, array in arrays.items()} | (more or {}))


def _integers(array: NDArray[Any]) -> tuple[Any, Any]:
    arrow, types = needed("pyarrow", extra="spark"), needed("pyspark.sql.types", extra="spark")
    kind = types.IntegerType() if array.dtype == np.int32 else types.LongType()
    return arrow.array(np.ascontiguousarray(array)), kind
