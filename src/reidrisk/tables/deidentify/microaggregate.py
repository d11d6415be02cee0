"""Microaggregation: the numbers of a group of near records become their mean or median."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.local.tables import share_lost
from reidrisk.stats.partition.mdav import microaggregate
from reidrisk.tables.deidentify.by_tuple import Cells, FoundByTuple
from reidrisk.tables.deidentify.grouped import (
    Way,
    as_numbers,
    category_cells,
    find_grouped,
    from_number,
    is_number,
    number_cells,
)
from reidrisk.tables.deidentify.problem import Problem
from reidrisk.tables.deidentify.search import Missing, Watch
from reidrisk.tables.hierarchy.levels import Levels

PROOF = "MDAV, a heuristic: groups around the records farthest from the middle; no bound is proved"
APART = 2.0
"""Standard deviations of a number that two categories with nothing in common are apart; a missing one too."""


def find_microaggregate(problem: Problem, threshold: Threshold, watch: Watch) -> FoundByTuple | Missing:
    """Groups of near records; categories in them go up their hierarchies until they are alike."""
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
                f"{name!r} is a number: microaggregation gives it a mean, which has no level.",
                hint="Leave out its maximum level, or use the method local.",
            )

    def grouping(given: Problem, size: int) -> Ints:
        return microaggregate(_placed(given), given.tuples.counts, size, stop=watch.stop)

    return find_grouped(problem, threshold, Way(PROOF, watch), grouping, _cells)


def _placed(problem: Problem) -> Floats:
    """The tuples as points."""
    weights = np.sqrt(np.array(problem.weights))
    points = [_points(problem, place) * weight for place, weight in enumerate(weights)]
    return np.ascontiguousarray(np.stack(points, axis=1))


def _points(problem: Problem, place: int) -> Floats:
    """By tuple: where it lies in a column, in standard deviations."""
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
    """By value: its place on a line on which neighbours have the most in common."""
    recoding = levels.recoding
    order = np.lexsort(recoding.levels)
    gaps = np.ones(len(order))
    for level in range(recoding.height, -1, -1):
        codes = recoding.levels[level][order]
        alike = np.flatnonzero(codes[1:] == codes[:-1]) + 1
        gaps[alike] = share_lost(recoding, level)[order[alike]]
    gaps[:1] = 0.0
    found = np.empty(len(order))
    found[order] = np.cumsum(gaps)
    return found


def _cells(problem: Problem, group: Ints, place: int) -> tuple[Cells, Bools]:
    values: list[Any] = problem.tuples.values[place].tolist()
    if not is_number(values):
        return category_cells(problem, group, place)
    codes, counts = problem.tuples.codes[:, place].astype(np.int64), problem.tuples.counts
    aggregate = problem.options.aggregate
    if aggregate == "median":
        labels = [values[code] for code in _medians(group, codes, counts)[group].tolist()]
    else:
        labels = _means(group, codes, counts, values)
    cells, lost = number_cells(problem, group, place, labels, f"group {aggregate}")
    return replace(cells, within=_within(codes, values, labels, counts)), lost


def _means(group: Ints, codes: Ints, counts: Ints, values: list[Any]) -> list[Any]:
    """By tuple: the mean of its group; of a group with one value that value as it is."""
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
    """By group: the code of its lower median."""
    order = np.lexsort((codes, group))
    upto = np.cumsum(counts[order])
    ends = np.cumsum(np.bincount(group, weights=counts)).astype(np.int64)
    starts = np.concatenate([[0], ends[:-1]])
    middle = starts + (ends - starts + 1) // 2
    return np.asarray(codes[order[np.searchsorted(upto, middle)]], dtype=np.int64)


def _within(codes: Ints, values: list[Any], labels: list[Any], counts: Ints) -> float | None:
    """The share of the variance that is lost within groups; None if nothing varied."""
    before, after = as_numbers(values)[codes], as_numbers(labels)
    known = ~np.isnan(before) & ~np.isnan(after)
    if not known.any():
        return None
    mean = np.average(before[known], weights=counts[known])
    total = counts[known] @ (before[known] - mean) ** 2
    return float(counts[known] @ (before[known] - after[known]) ** 2 / total) if total > 0 else None
