"""Columns that a release fully suppresses, and the choice that would keep each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from reidrisk.core.shell import shell_word
from reidrisk.tables.deidentify.by_tuple import TupleSolution
from reidrisk.tables.deidentify.events import EventForm
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.problem import SearchProblem, below, classes_at
from reidrisk.tables.deidentify.search import LevelSolution
from reidrisk.tables.hierarchy.levels import Levels

EVERY_CELL = "every cell is suppressed"
OUTWEIGH = 10
"""A weight with which a column counts more than the others together, in most tables."""


@dataclass(frozen=True, slots=True)
class LostColumn:
    """A column of which nothing is left."""

    column: str
    reason: str
    choice: str
    """What would keep it."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return asdict(self)


def lost_columns(found: Releasable, form: EventForm | None) -> tuple[LostColumn, ...]:
    """Return the columns whose released cells are all suppressed, or all have the same general value."""
    places = range(len(found.problem.levels))
    varied = [place for place in places if len(found.problem.tuples.values[place]) > 1]
    lost = [one for place in varied if (one := _lost(found, place))]
    return (*lost, *(_lost_events(form) if form is not None else ()))


def is_constant(levels: Levels, level: int) -> bool:
    """Whether a level above the lowest gives all values of a column the same label."""
    return level > 0 and len(np.unique(levels.recoding.levels[level])) == 1


def _all_cells(found: Releasable, place: int) -> bool:
    suppressed, records = found.suppressed, found.problem.records
    return int(suppressed.by_column[place]) == records > suppressed.removed


def _lost(found: Releasable, place: int) -> LostColumn | None:
    if isinstance(found, TupleSolution):
        return _lost_by_tuple(found, place)
    return _lost_by_level(found, place)


def _lost_by_level(found: LevelSolution, place: int) -> LostColumn | None:
    levels, level = found.problem.levels[place], found.solution.levels[place]
    if _all_cells(found, place):
        return LostColumn(levels.column, EVERY_CELL, _less_suppression(levels))
    if not is_constant(levels, level):
        return None
    return LostColumn(levels.column, _same_value(levels, level), _lower_level(found, place))


def _lost_by_tuple(found: TupleSolution, place: int) -> LostColumn | None:
    levels, column = found.problem.levels[place], found.form.columns[place]
    if _all_cells(found, place):
        return LostColumn(levels.column, EVERY_CELL, _less_suppression(levels))
    kept = found.suppressed.bit(place) == 0
    if column.exact or len(np.unique(column.codes[kept])) > 1:
        return None
    choice = f"give it more weight, for example --weight {shell_word(levels.column)}={OUTWEIGH}"
    return LostColumn(levels.column, "every cell has the same value", choice)


def _lost_events(form: EventForm) -> Iterator[LostColumn]:
    gone = form.rows > 0 and form.found.rows == form.rows
    for levels, level in zip(form.events.levels, form.found.node, strict=True):
        if not gone and not is_constant(levels, level):
            continue
        reason = "every event is suppressed" if gone else _same_value(levels, level)
        choice = (
            "allow more rows to be suppressed (--max-event-suppression), assume fewer known events "
            "(--known), or give coarser levels for the other columns"
        )
        yield LostColumn(levels.column, reason, choice)


def _same_value(levels: Levels, level: int) -> str:
    return f"generalized to {levels.names[level]!r}: every cell has the same value"


def _less_suppression(levels: Levels) -> str:
    column = shell_word(levels.column)
    if len(levels.names) == 1:
        return "give it a generalization hierarchy; without one its values are exact or suppressed"
    return (
        f"give it more weight, for example --weight {column}={OUTWEIGH}, or limit the suppressed cells of "
        "each column with --max-cell-suppression"
    )


def _lower_level(found: LevelSolution, place: int) -> str:
    """Say which maximum level has a solution; if none has, what else would keep the column."""
    problem, levels = found.problem, found.problem.levels[place]
    useful = _useful_level(levels, found.solution.levels[place])
    if useful < levels.recoding.lowest:
        return f"allow its level {levels.names[useful]!r}: change min_level in its hierarchy"
    nodes = [node for node in found.minimal.nodes if node.levels[place] <= useful]
    if not nodes and found.sampled is not None:  # the classes at hand are those of the solution
        return (
            "allow more suppressed records (--max-suppression); or give "
            f"{levels.column} a level between {levels.names[useful]!r} and the next one"
        )
    if not nodes:
        return _other_limits(problem, place, useful, found.threshold.cell_size)
    best = min(nodes, key=lambda node: (node.score, node.levels))
    option = shell_word(f"{levels.column}={levels.names[useful]}")
    others = {name: level for name, level in problem.named(best.levels).items() if name != levels.column}
    then = "; ".join(f"{name} as {level!r}" for name, level in others.items())
    share = f"{100 * best.suppressed / problem.records:.1f} %"
    return (
        f"limit its generalization: --max-level {option}. A solution then releases it as "
        f"{levels.names[best.levels[place]]!r}{f', {then},' if then else ''} with {share} of the records "
        "suppressed"
    )


def _useful_level(levels: Levels, level: int) -> int:
    """Return the highest level below that tells values apart."""
    return next(number for number in range(level - 1, -1, -1) if not is_constant(levels, number))


def _other_limits(problem: SearchProblem, place: int, useful: int, cell_size: int) -> str:
    """Say what would keep a column at a useful level, with all others at their maximum."""
    level, column = problem.levels[place].names[useful], problem.levels[place].column
    node = [*problem.top[:place], useful, *problem.top[place + 1 :]]
    needed = below(problem.at(node).counts, cell_size) / problem.records
    enough = [
        problem.levels[other].column
        for other in range(len(node))
        if other != place and _below_without(problem, node, other, cell_size) <= problem.allowed
    ]
    ways = [f"allow at least {np.ceil(needed * 1000) / 10:.1f} % of suppressed records (--max-suppression)"]
    ways += [f"leave out {' or '.join(enough)}"] if enough else []
    ways.append(f"give {column} a level between {level!r} and the next one")
    return "; or ".join(ways)


def _below_without(problem: SearchProblem, node: list[int], other: int, cell_size: int) -> int:
    """Count the records in small classes at a node if one column were not released."""
    kept = [place for place in range(len(node)) if place != other]
    tuples, levels = problem.tuples, [problem.levels[place] for place in kept]
    classes = classes_at(tuples.codes[:, kept], tuples.counts, levels, [node[place] for place in kept])
    return below(classes.counts, cell_size)
