"""The methods of de-identification, and those that group records: Mondrian and microaggregation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.engine.plans import REMOVED
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.local.search import SUPPRESSED_CELL
from reidrisk.stats.local.tables import share_lost
from reidrisk.stats.partition.mdav import microaggregate
from reidrisk.stats.partition.mondrian import MondrianAxis, lowest_step, mondrian, span
from reidrisk.tables.deidentify.beyond_memory import find_levels
from reidrisk.tables.deidentify.by_tuple import (
    Effort,
    ReleasedColumn,
    TupleForm,
    TupleSolution,
    cells_at,
    distinct_labels,
    find_local,
    within_limits,
)
from reidrisk.tables.deidentify.problem import SearchProblem
from reidrisk.tables.deidentify.search import FailedSearch, LevelSolution, Watch
from reidrisk.tables.deidentify.settings import Method
from reidrisk.tables.hierarchy.levels import Levels

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - times in the database have no zone
Grouping = Callable[[SearchProblem, int], Ints]
"""Returns the group of each tuple, for a cell size."""
ColumnRelease = Callable[[SearchProblem, Ints, int], tuple[ReleasedColumn, Bools]]
"""Returns a column as released for the groups, and which tuples have it suppressed."""


@dataclass(frozen=True, slots=True)
class GroupingMethod:
    """A description of how groups are formed, and how to stop it."""

    proof: str
    watch: Watch


def find_grouped(
    problem: SearchProblem,
    threshold: Threshold,
    way: GroupingMethod,
    grouping: Grouping,
    column: ColumnRelease,
) -> TupleSolution | FailedSearch:
    """Form groups of the cell size, or larger if the average risk, which is at most 1 / size, needs it."""
    average = problem.options.average
    size = max(threshold.cell_size, 1 if average is None else int(np.ceil(1 / average - 1e-9)))
    group = grouping(problem, size)
    stopped = way.watch.stopped
    made = [column(problem, group, place) for place in range(len(problem.levels))]
    masks = np.zeros(len(group), dtype=np.int64)
    for place, (_, suppressed) in enumerate(made):
        masks[suppressed] |= 1 << place
    if problem.options.suppress == "records":
        masks[masks != 0] = REMOVED if problem.options.removes_records else (1 << len(made)) - 1
    if problem.records < threshold.cell_size:
        masks[:] = REMOVED
    form = TupleForm(tuple(cells for cells, _ in made), masks)
    return within_limits(TupleSolution(problem, threshold, form, Effort(way.proof, 1, 1), stopped))


def category_cells(problem: SearchProblem, group: Ints, place: int) -> tuple[ReleasedColumn, Bools]:
    """Use the lowest allowed level at which a group has one value; suppress the value if there is none."""
    recoding = problem.levels[place].recoding
    steps = recoding.levels[recoding.lowest : recoding.top + 1]
    step = lowest_step(group, problem.tuples.codes[:, place], steps)
    suppressed: Bools = step == len(steps)
    return cells_at(problem, place, np.where(suppressed, SUPPRESSED_CELL, step + recoding.lowest)), suppressed


def is_number(values: Sequence[Any]) -> bool:
    """Whether all values that are not missing are numbers or dates."""
    known = [value for value in values if value is not None]
    kinds = (int, float, Decimal, date)
    return bool(known) and all(isinstance(value, kinds) and not isinstance(value, bool) for value in known)


def missing_code(values: Sequence[Any]) -> int:
    """Return the code of a missing value; -1 if none is missing."""
    return len(values) - 1 if len(values) and values[-1] is None else -1


def mixes_missing(group: Ints, codes: Ints, missing: int) -> Bools:
    """Return, by tuple, whether its group has both missing and other values."""
    low, high = span(group, (codes == missing).astype(np.int64))
    return np.asarray(low != high)


def number_cells(
    problem: SearchProblem, group: Ints, place: int, labels: Sequence[Any], form: str
) -> tuple[ReleasedColumn, Bools]:
    """Build a column of numbers with a label for each tuple; the loss is the range of its group."""
    codes = problem.tuples.codes[:, place].astype(np.int64)
    values = problem.tuples.values[place]
    missing = missing_code(values.tolist())
    low, high = span(group, codes)
    found, of = distinct_labels(labels, (low + high) / 2)
    changed = low != high
    domain = len(values) - (missing >= 0)
    cells = ReleasedColumn(
        labels=found,
        codes=of,
        loss=np.where(changed, (high - low) / max(1, domain - 1), 0.0),
        forms=("exact", form),
        form=changed.astype(np.int64),
        exact=not changed.any(),
    )
    return cells, mixes_missing(group, codes, missing)


def as_numbers(values: Sequence[Any]) -> Floats:
    """Return numbers unchanged, dates as days, times as seconds; a missing value is NaN."""
    return np.array([_as_number(value) for value in values], dtype=np.float64)


def _as_number(value: Any) -> float:
    if value is None:
        return float("nan")
    if isinstance(value, datetime):
        return (value.replace(tzinfo=None) - EPOCH).total_seconds()
    return float(value.toordinal()) if isinstance(value, date) else float(value)


def from_number(number: float, like: Any) -> Any:
    """Convert a number to a value of the same type as `like`."""
    if isinstance(like, datetime):
        return EPOCH + timedelta(seconds=round(number))
    if isinstance(like, date):
        return date.fromordinal(round(number))
    return float(f"{number:.10g}")


MONDRIAN_PROOF = (
    "strict Mondrian, a heuristic: cut the least exact column as long as all parts are large enough"
)


def find_mondrian(problem: SearchProblem, threshold: Threshold, watch: Watch) -> TupleSolution | FailedSearch:
    """Find a solution by Mondrian: numbers without levels become ranges, all else follows its hierarchy."""

    def grouping(given: SearchProblem, cell_size: int) -> Ints:
        axes = [_axis(given, place) for place in range(len(given.levels))]
        return mondrian(given.search_tuples(), axes, cell_size, stop=watch.stop)

    return find_grouped(problem, threshold, GroupingMethod(MONDRIAN_PROOF, watch), grouping, _mondrian_cells)


def _is_halved(problem: SearchProblem, place: int) -> bool:
    return problem.levels[place].recoding.height == 0 and is_number(problem.tuples.values[place].tolist())


def _axis(problem: SearchProblem, place: int) -> MondrianAxis:
    recoding, weight = problem.levels[place].recoding, problem.weights[place]
    levels = range(recoding.lowest, recoding.top + 1)
    return MondrianAxis(
        weight,
        tuple(recoding.levels[level] for level in levels),
        tuple(share_lost(recoding, level) for level in levels),
        _is_halved(problem, place),
        missing_code(problem.tuples.values[place].tolist()),
    )


def _mondrian_cells(problem: SearchProblem, group: Ints, place: int) -> tuple[ReleasedColumn, Bools]:
    if not _is_halved(problem, place):
        return category_cells(problem, group, place)
    values = problem.tuples.values[place]
    low, high = span(group, problem.tuples.codes[:, place])
    pairs = dict.fromkeys(zip(low.tolist(), high.tolist(), strict=True))
    names = {pair: _range(values[pair[0]], values[pair[1]]) for pair in pairs}
    labels = [names[pair] for pair in zip(low.tolist(), high.tolist(), strict=True)]
    return number_cells(problem, group, place, labels, "range")


def _range(low: Any, high: Any) -> Any:
    """Label a range; a single value stays itself.

    >>> _range(20, 34), _range(-1.5, 2), _range(7, 7)
    ('20-34', '-1.5 to 2', 7)
    """
    if high is None or low == high:
        return low
    plain = isinstance(low, int | float | np.number) and low >= 0
    return f"{low}-{high}" if plain else f"{low} to {high}"


MICROAGGREGATE_PROOF = (
    "MDAV, a heuristic: groups around the records farthest from the center; no bound is proved"
)
APART = 2.0
"""Distance, in standard deviations, between unrelated categories, and of a missing value."""


def find_microaggregate(
    problem: SearchProblem, threshold: Threshold, watch: Watch
) -> TupleSolution | FailedSearch:
    """Find a solution by microaggregation: group similar records; generalize categories until they agree."""
    numbers = [
        name
        for name, values in zip(problem.layout.quasi, problem.tuples.values, strict=True)
        if is_number(values.tolist())
    ]
    if not numbers:
        raise InvalidSetting(
            "No quasi-identifier is a number or a date.", hint="Use the method local for categories."
        )
    for name in problem.options.max_level:
        if name in numbers:
            raise InvalidSetting(
                f"{name!r} is a number: microaggregation replaces it by a mean, which has no level.",
                hint="Leave out its maximum level, or use the method local.",
            )

    def grouping(given: SearchProblem, size: int) -> Ints:
        return microaggregate(_tuple_points(given), given.tuples.counts, size, stop=watch.stop)

    return find_grouped(
        problem, threshold, GroupingMethod(MICROAGGREGATE_PROOF, watch), grouping, _microaggregate_cells
    )


def _tuple_points(problem: SearchProblem) -> Floats:
    """Return the tuples as points."""
    weights = np.sqrt(np.array(problem.weights))
    points = [_points(problem, place) * weight for place, weight in enumerate(weights)]
    return np.ascontiguousarray(np.stack(points, axis=1))


def _points(problem: SearchProblem, place: int) -> Floats:
    """Return the position of each tuple in a column, in standard deviations."""
    codes, counts = problem.tuples.codes[:, place], problem.tuples.counts
    values = problem.tuples.values[place].tolist()
    if not is_number(values):
        return APART * _positions(problem.levels[place])[codes]
    numbers = as_numbers(values)
    known = ~np.isnan(numbers)
    records = np.bincount(codes, weights=counts, minlength=len(values))
    mean = np.average(numbers[known], weights=records[known])
    deviation = np.sqrt(np.average((numbers[known] - mean) ** 2, weights=records[known])) or 1.0
    scaled = (numbers - mean) / deviation
    return np.where(known, scaled, np.nanmax(scaled) + APART)[codes]


def _positions(levels: Levels) -> Floats:
    """Return the position of each value on a line where neighbors have the most in common."""
    recoding = levels.recoding
    order = np.lexsort(recoding.levels)
    gaps = np.ones(len(order))
    for level in range(recoding.height, -1, -1):
        codes = recoding.levels[level][order]
        same = np.flatnonzero(codes[1:] == codes[:-1]) + 1
        gaps[same] = share_lost(recoding, level)[order[same]]
    gaps[:1] = 0.0
    found = np.empty(len(order))
    found[order] = np.cumsum(gaps)
    return found


def _microaggregate_cells(problem: SearchProblem, group: Ints, place: int) -> tuple[ReleasedColumn, Bools]:
    values: list[Any] = problem.tuples.values[place].tolist()
    if not is_number(values):
        return category_cells(problem, group, place)
    codes, counts = problem.tuples.codes[:, place].astype(np.int64), problem.tuples.counts
    aggregate = problem.options.aggregate
    if aggregate == "median":
        labels = [values[code] for code in _medians(group, codes, counts)[group].tolist()]
    else:
        labels = _means(group, codes, counts, values)
    cells, suppressed = number_cells(problem, group, place, labels, f"group {aggregate}")
    return replace(cells, within=_within(codes, values, labels, counts)), suppressed


def _means(group: Ints, codes: Ints, counts: Ints, values: list[Any]) -> list[Any]:
    """Return, by tuple, the mean of its group; a group with one value keeps that value."""
    numbers = as_numbers(values)
    like = next(value for value in values if value is not None)
    records = np.bincount(group, weights=counts)
    mean = np.bincount(group, weights=counts * np.nan_to_num(numbers[codes])) / np.maximum(1, records)
    shown: list[Any] = [from_number(each, like) for each in mean.tolist()]
    first, least = np.unique(group, return_index=True)
    highest = np.zeros(len(records), dtype=np.int64)
    lowest = np.full(len(records), len(values), dtype=np.int64)
    np.maximum.at(highest, group, codes)
    np.minimum.at(lowest, group, codes)
    for each, row in zip(first.tolist(), least.tolist(), strict=True):
        if highest[each] == lowest[each]:
            shown[each] = values[codes[row]]
    return [shown[each] for each in group.tolist()]


def _medians(group: Ints, codes: Ints, counts: Ints) -> Ints:
    """Return, by group, the code of its lower median."""
    order = np.lexsort((codes, group))
    upto = np.cumsum(counts[order])
    ends = np.cumsum(np.bincount(group, weights=counts)).astype(np.int64)
    starts = np.concatenate([[0], ends[:-1]])
    middle = starts + (ends - starts + 1) // 2
    return np.asarray(codes[order[np.searchsorted(upto, middle)]], dtype=np.int64)


def _within(codes: Ints, values: list[Any], labels: list[Any], counts: Ints) -> float | None:
    """Return the share of the variance lost within groups; None if there was no variance."""
    before, after = as_numbers(values)[codes], as_numbers(labels)
    known = ~np.isnan(before) & ~np.isnan(after)
    if not known.any():
        return None
    mean = np.average(before[known], weights=counts[known])
    total = counts[known] @ (before[known] - mean) ** 2
    return float(counts[known] @ (before[known] - after[known]) ** 2 / total) if total > 0 else None


Releasable = LevelSolution | TupleSolution
Search = Callable[[SearchProblem, Threshold, Watch], Releasable | FailedSearch]

METHODS: dict[Method, Search] = {
    "global": find_levels,
    "local": find_local,
    "mondrian": find_mondrian,
    "microaggregate": find_microaggregate,
}
