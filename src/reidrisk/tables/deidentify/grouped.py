"""Methods that part the distinct tuples into groups: what a group releases of each column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.engine.recode import REMOVED
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.local.search import STARRED
from reidrisk.stats.partition.mondrian import lowest_step, span
from reidrisk.tables.deidentify.by_tuple import Cells, Effort, FoundByTuple, TupleForm, labelled
from reidrisk.tables.deidentify.local import cells_at, within_limits
from reidrisk.tables.deidentify.problem import Problem
from reidrisk.tables.deidentify.search import Missing, Watch

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - moments of the database have no zone
Grouping = Callable[[Problem, int], Ints]
"""By tuple its group, for a cell size."""
Column = Callable[[Problem, Ints, int], tuple[Cells, Bools]]
"""What groups release of a column, and which tuples lose it."""


@dataclass(frozen=True, slots=True)
class Way:
    """How groups are made, in words, and who may stop it."""

    proof: str
    watch: Watch


def find_grouped(
    problem: Problem, threshold: Threshold, way: Way, grouping: Grouping, column: Column
) -> FoundByTuple | Missing:
    """Groups of the cell size; of a larger one if the average risk needs it, since it is at most 1 / size."""
    average = problem.options.average
    size = max(threshold.cell_size, 1 if average is None else int(np.ceil(1 / average - 1e-9)))
    group = grouping(problem, size)
    stopped = way.watch.stopped
    made = [column(problem, group, place) for place in range(len(problem.levels))]
    masks = np.zeros(len(group), dtype=np.int64)
    for place, (_, lost) in enumerate(made):
        masks[lost] |= 1 << place
    if problem.options.suppress == "records":
        masks[masks != 0] = (1 << len(made)) - 1
    if problem.records < threshold.cell_size:
        masks[:] = REMOVED
    form = TupleForm(tuple(cells for cells, _ in made), masks)
    return within_limits(FoundByTuple(problem, threshold, form, Effort(way.proof, 1, 1), stopped))


def category_cells(problem: Problem, group: Ints, place: int) -> tuple[Cells, Bools]:
    """The lowest level that is allowed on which a group is alike; tuples without one lose the value."""
    recoding = problem.levels[place].recoding
    steps = recoding.levels[recoding.lowest : recoding.top + 1]
    step = lowest_step(group, problem.tuples.codes[:, place], steps)
    lost: Bools = step == len(steps)
    return cells_at(problem, place, np.where(lost, STARRED, step + recoding.lowest)), lost


def is_number(values: Sequence[Any]) -> bool:
    """Whether values are numbers or dates, missing ones aside."""
    known = [value for value in values if value is not None]
    kinds = (int, float, Decimal, date)
    return bool(known) and all(isinstance(value, kinds) and not isinstance(value, bool) for value in known)


def missing_code(values: Sequence[Any]) -> int:
    """The code of a missing value; -1 if none is missing."""
    return len(values) - 1 if len(values) and values[-1] is None else -1


def mixes_missing(group: Ints, codes: Ints, missing: int) -> Bools:
    """By tuple: whether its group has a missing value and another."""
    low, high = span(group, (codes == missing).astype(np.int64))
    return np.asarray(low != high)


def number_cells(
    problem: Problem, group: Ints, place: int, labels: Sequence[Any], form: str
) -> tuple[Cells, Bools]:
    """A column of numbers with a label for each tuple; lost is the range of its group."""
    codes = problem.tuples.codes[:, place].astype(np.int64)
    values = problem.tuples.values[place]
    missing = missing_code(values.tolist())
    low, high = span(group, codes)
    found, of = labelled(labels, (low + high) / 2)
    changed = low != high
    domain = len(values) - (missing >= 0)
    cells = Cells(
        labels=found,
        codes=of,
        lost=np.where(changed, (high - low) / max(1, domain - 1), 0.0),
        forms=("exact", form),
        form=changed.astype(np.int64),
        exact=not changed.any(),
    )
    return cells, mixes_missing(group, codes, missing)


def as_numbers(values: Sequence[Any]) -> Floats:
    """Numbers as they are, dates as days, moments as seconds; a missing value is NaN."""
    return np.array([_as_number(value) for value in values], dtype=np.float64)


def _as_number(value: Any) -> float:
    if value is None:
        return float("nan")
    if isinstance(value, datetime):
        return (value.replace(tzinfo=None) - EPOCH).total_seconds()
    return float(value.toordinal()) if isinstance(value, date) else float(value)


def from_number(number: float, like: Any) -> Any:
    """A number as a value of the same kind."""
    if isinstance(like, datetime):
        return EPOCH + timedelta(seconds=round(number))
    if isinstance(like, date):
        return date.fromordinal(round(number))
    return float(f"{number:.10g}")
