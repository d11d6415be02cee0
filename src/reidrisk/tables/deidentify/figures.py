"""The risk before and after, and what the release is worth, from distinct tuples alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.core.schema import Schema
from reidrisk.core.threshold import Threshold
from reidrisk.engine.recode import REMOVED
from reidrisk.stats.arrays import Ints
from reidrisk.stats.class_risk import prosecutor
from reidrisk.stats.utility import ReleasedTuples
from reidrisk.tables.deidentify.cells import Lost
from reidrisk.tables.deidentify.problem import Problem
from reidrisk.tables.deidentify.search import Found
from reidrisk.tables.result import TableRisk


@dataclass(frozen=True, slots=True)
class Setting:
    """What the figures of a table are printed with."""

    schema: Schema
    rows: int
    source: str
    notes: tuple[str, ...]


def risk_of(counts: Ints, quasi: tuple[str, ...], threshold: Threshold, setting: Setting) -> TableRisk:
    """The risk of records in classes of these sizes."""
    size, number = np.unique(counts, return_counts=True)
    schema = setting.schema
    kept = {name: rule for name, rule in schema.reduce.items() if name in quasi}
    return TableRisk(
        sizes=ClassSizes(tuple(zip(size.tolist(), number.tolist(), strict=True))),
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


def released_of(found: Found) -> ReleasedTuples:
    """The release as the measures of utility take it: by original tuple.

    Which records of a class lose a cell is decided when the table is written, by chance; here those with
    the first tuples do. No measure by released values depends on it, the entropy only slightly.
    """
    problem, lost = found.problem, found.lost
    order = np.argsort(lost.classes.of, kind="stable")
    tuple_ends = np.cumsum(problem.tuples.counts[order])
    by_class = np.argsort(lost.tuples, kind="stable")
    move_ends = np.cumsum(lost.numbers[by_class])
    ends = np.sort(np.concatenate([tuple_ends, move_ends]), kind="stable")
    ends = ends[np.diff(ends, prepend=0) > 0]
    numbers = np.diff(ends, prepend=0)
    tuples = order[np.searchsorted(tuple_ends, ends)]
    masks = _whole(lost)[by_class][np.searchsorted(move_ends, ends)]
    return ReleasedTuples(
        problem.searched(), problem.recodings, found.solution.levels, (tuples, masks, numbers)
    )


def _whole(lost: Lost) -> Ints:
    return np.where(lost.masks == REMOVED, (1 << lost.width) - 1, lost.masks)


def missing_values(problem: Problem, place: int) -> int:
    """Records that had no value in a variable to begin with."""
    values, tuples = problem.tuples.values[place], problem.tuples
    if not len(values) or values[-1] is not None:
        return 0
    return int(tuples.counts[tuples.codes[:, place] == len(values) - 1].sum())
