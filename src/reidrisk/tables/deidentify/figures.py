"""The risk before and after, and the release for measures of utility, from distinct tuples alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.plans import REMOVED
from reidrisk.stats.arrays import Ints
from reidrisk.stats.class_risk import prosecutor
from reidrisk.stats.utility import ReleasedTuples
from reidrisk.tables.deidentify.problem import SearchProblem, SuppressionPlan
from reidrisk.tables.deidentify.search import LevelSolution
from reidrisk.tables.result import TableRisk


@dataclass(frozen=True, slots=True)
class TableContext:
    """Schema, size, source and notes of a table whose risk is computed."""

    schema: Schema
    rows: int
    source: str
    notes: tuple[str, ...]


def risk_of(counts: Ints, quasi: tuple[str, ...], threshold: Threshold, setting: TableContext) -> TableRisk:
    """Compute the risk of records in classes of these sizes."""
    size, number = np.unique(counts, return_counts=True)
    pairs = tuple(zip(size.tolist(), number.tolist(), strict=True))
    return risk_of_sizes(ClassSizes(pairs), quasi, threshold, setting)


def risk_of_sizes(
    sizes: ClassSizes, quasi: tuple[str, ...], threshold: Threshold, setting: TableContext
) -> TableRisk:
    """Compute the same from the number of classes of each size."""
    size, number = np.array(sizes.counts, dtype=np.int64).reshape(-1, 2).T
    schema = setting.schema
    kept = {name: rule for name, rule in schema.reduce.items() if name in quasi}
    return TableRisk(
        sizes=sizes,
        schema=replace(schema, quasi=quasi, reduce=kept),
        threshold=threshold,
        prosecutor=prosecutor(size, number, cell_size=threshold.cell_size),
        journalist=None,
        expected_matches=float(number.sum()),
        without=(),
        singling_sets=(),
        rows=setting.rows,
        inputs=(("table", setting.source),),
        notes=setting.notes,
    )


def released_of(found: LevelSolution) -> ReleasedTuples:
    """Return the release in the form that measures of utility need: by original tuple.

    Which records of a class have a cell suppressed is decided at random when the table is written; here
    it is the first tuples. No measure of released values depends on it, and the entropy only slightly.
    """
    problem, suppressed = found.problem, found.suppressed
    order = np.argsort(suppressed.classes.of, kind="stable")
    tuple_ends = np.cumsum(problem.tuples.counts[order])
    by_class = np.argsort(suppressed.tuples, kind="stable")
    move_ends = np.cumsum(suppressed.numbers[by_class])
    ends = np.sort(np.concatenate([tuple_ends, move_ends]), kind="stable")
    ends = ends[np.diff(ends, prepend=0) > 0]
    numbers = np.diff(ends, prepend=0)
    tuples = order[np.searchsorted(tuple_ends, ends)]
    masks = _whole(suppressed)[by_class][np.searchsorted(move_ends, ends)]
    return ReleasedTuples(
        problem.search_tuples(),
        problem.recodings,
        found.solution.levels,
        (tuples, masks, numbers),
        problem.tuples.value_counts,
    )


def _whole(suppressed: SuppressionPlan) -> Ints:
    return np.where(suppressed.masks == REMOVED, (1 << suppressed.width) - 1, suppressed.masks)


def missing_values(problem: SearchProblem, place: int) -> int:
    """Count the records that had no value of a variable in the source."""
    values, tuples = problem.tuples.values[place], problem.tuples
    if not len(values) or values[-1] is not None:
        return 0
    if tuples.value_counts:
        return int(tuples.value_counts[place][-1])
    return int(tuples.counts[tuples.codes[:, place] == len(values) - 1].sum())
