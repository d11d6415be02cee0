"""Mondrian: the table is cut in parts as long as every part is large enough; a comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.local.tables import share_lost
from reidrisk.stats.partition.mondrian import MondrianAxis, mondrian, span
from reidrisk.tables.deidentify.by_tuple import Cells, FoundByTuple
from reidrisk.tables.deidentify.grouped import (
    Way,
    category_cells,
    find_grouped,
    is_number,
    missing_code,
    number_cells,
)
from reidrisk.tables.deidentify.problem import Problem
from reidrisk.tables.deidentify.search import Missing, Watch

PROOF = "strict Mondrian, a heuristic: cut where a part is least exact, as long as all parts are large enough"


def find_mondrian(problem: Problem, threshold: Threshold, watch: Watch) -> FoundByTuple | Missing:
    """Numbers without levels are halved and released as ranges; all else follows its hierarchy."""

    def grouping(given: Problem, cell_size: int) -> Ints:
        axes = [_axis(given, place) for place in range(len(given.levels))]
        return mondrian(given.searched(), axes, cell_size, stop=watch.stop)

    return find_grouped(problem, threshold, Way(PROOF, watch), grouping, _cells)


def _is_halved(problem: Problem, place: int) -> bool:
    return problem.levels[place].recoding.height == 0 and is_number(problem.tuples.values[place].tolist())


def _axis(problem: Problem, place: int) -> MondrianAxis:
    recoding, weight = problem.levels[place].recoding, problem.weights[place]
    levels = range(recoding.lowest, recoding.top + 1)
    return MondrianAxis(
        weight,
        tuple(recoding.levels[level] for level in levels),
        tuple(share_lost(recoding, level) for level in levels),
        _is_halved(problem, place),
        missing_code(problem.tuples.values[place].tolist()),
    )


def _cells(problem: Problem, group: Ints, place: int) -> tuple[Cells, Bools]:
    if not _is_halved(problem, place):
        return category_cells(problem, group, place)
    values = problem.tuples.values[place]
    low, high = span(group, problem.tuples.codes[:, place])
    pairs = dict.fromkeys(zip(low.tolist(), high.tolist(), strict=True))
    names = {pair: _range(values[pair[0]], values[pair[1]]) for pair in pairs}
    labels = [names[pair] for pair in zip(low.tolist(), high.tolist(), strict=True)]
    return number_cells(problem, group, place, labels, "range")


def _range(low: Any, high: Any) -> Any:
    """The label of a range; of a single value that value.

    >>> _range(20, 34), _range(-1.5, 2), _range(7, 7)
    ('20-34', '-1.5 to 2', 7)
    """
    if high is None or low == high:
        return low
    plain = isinstance(low, int | float | np.number) and low >= 0
    return f"{low}-{high}" if plain else f"{low} to {high}"
