"""Compare record layouts: how many records each would suppress at each threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.engine.plans import DistinctTuples
from reidrisk.engine.protocol import LeveledTuples
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped
from reidrisk.stats.lattice.sensitive import Flags
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions, NamedSolution
from reidrisk.tables.deidentify.problem import SearchProblem, classes_at, tuples_of
from reidrisk.tables.deidentify.search import LevelSolution
from reidrisk.tables.deidentify.sensitive import (
    SensitiveColumns,
    classes_within_limits,
    is_releasable,
    narrow,
)
from reidrisk.tables.hierarchy.levels import Levels


@dataclass(frozen=True, slots=True)
class Proposal:
    """One row of the comparison of solutions."""

    name: str
    layout: str | None
    levels: Mapping[str, str]
    """By variable; an absent variable is not released."""
    shares: Mapping[int, float]
    """By cell size, the share of records in smaller classes."""
    acceptable: Mapping[int, bool]
    """By cell size, whether it is within the limits on suppression and generalization."""
    chosen: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ProposalInputs:
    """The data and limits that proposals are measured with."""

    tuples: DistinctTuples
    """The tuples of all variables of all layouts."""
    levels: Mapping[str, Levels]
    ladder: Sequence[Threshold]
    limit: float
    options: DeidentifyOptions
    sensitive: SensitiveColumns = ()
    stored: LeveledTuples | None = None
    """All tuples, if they do not fit in memory."""


def proposals(
    ground: ProposalInputs,
    problems: Sequence[SearchProblem],
    named: Sequence[NamedSolution],
    found: Releasable | None,
) -> list[Proposal]:
    """Measure the user's proposals, or the most exact and general form of each layout, and the solution."""
    wanted = list(named) or [
        NamedSolution(f"{words}{_of(problem, problems)}", problem.named(node))
        for problem in problems
        for words, node in (
            ("As exact as allowed", problem.bottom),
            ("As general as acceptable", problem.top),
        )
    ]
    rows = [_measure_proposal(ground, solution) for solution in wanted]
    return rows if found is None else _with_answer(rows, _answer(ground, found, problems))


def _with_answer(rows: list[Proposal], answer: Proposal) -> list[Proposal]:
    """Put the solution in place of a proposal with the same levels, or last."""
    same = [place for place, row in enumerate(rows) if row.levels == answer.levels]
    if not same:
        return [*rows, answer]
    return [replace(answer, name=row.name) if place == same[0] else row for place, row in enumerate(rows)]


def _of(problem: SearchProblem, problems: Sequence[SearchProblem]) -> str:
    return f": {problem.layout.name}" if len(problems) > 1 else ""


def _measure_proposal(ground: ProposalInputs, solution: NamedSolution) -> Proposal:
    for column in solution.levels:
        if column not in ground.levels:
            raise InvalidSetting.among(f"A variable of the solution {solution.name!r}", column, ground.levels)
    levels = [ground.levels[column] for column in solution.levels]
    node = [one.number(level) for one, level in zip(levels, solution.levels.values(), strict=True)]
    if ground.stored is not None:
        return _measure_stored(ground, ground.stored, solution.name, levels, node)
    tuples = tuples_of(ground.tuples, tuple(solution.levels))
    classes = classes_at(tuples.codes, tuples.counts, levels, node)
    sensitive = narrow(ground.sensitive, ground.tuples, tuple(solution.levels))
    counts, within = classes.counts, classes_within_limits(sensitive, classes)
    general = all(number <= one.recoding.top for one, number in zip(levels, node, strict=True))
    return Proposal(
        name=solution.name,
        layout=None,
        levels={one.column: one.names[number] for one, number in zip(levels, node, strict=True)},
        shares=_shares(ground, counts, within),
        acceptable={
            rung.cell_size: general and _keeps(ground, classes, sensitive, rung) for rung in ground.ladder
        },
    )


def _measure_stored(
    ground: ProposalInputs, stored: LeveledTuples, name: str, levels: Sequence[Levels], node: Sequence[int]
) -> Proposal:
    """Measure a node of all columns by exact counts inside the engine."""
    sizes = stored.sizes([level - one.recoding.lowest for one, level in zip(levels, node, strict=True)])
    size, number = np.array(sizes, dtype=np.int64).reshape(-1, 2).T
    small = {rung.cell_size: size < rung.cell_size for rung in ground.ladder}
    return Proposal(
        name=name,
        layout=None,
        levels={one.column: one.names[level] for one, level in zip(levels, node, strict=True)},
        shares={cell_size: int(size[few] @ number[few]) / stored.records for cell_size, few in small.items()},
        acceptable={
            cell_size: _is_within(
                ground, int(size[few] @ number[few]), int(number[~few].sum()), stored.records
            )
            for cell_size, few in small.items()
        },
    )


def _shares(ground: ProposalInputs, counts: Ints, within: Flags) -> dict[int, float]:
    """Return, by cell size, the share of records in classes that are smaller or exceed a limit."""
    sizes = [rung.cell_size for rung in ground.ladder]
    return {size: int(counts[(counts < size) | ~within].sum()) / int(counts.sum()) for size in sizes}


def _keeps(ground: ProposalInputs, classes: Grouped, sensitive: SensitiveColumns, rung: Threshold) -> bool:
    """Whether the records of small or disclosing classes can be suppressed within all limits."""
    counts = classes.counts
    stay = (counts >= rung.cell_size) & classes_within_limits(sensitive, classes)
    suppressed, records = int(counts[~stay].sum()), int(counts.sum())
    within = _is_within(ground, suppressed, int(stay.sum()), records)
    return within and is_releasable(sensitive, classes, stay, rung.cell_size)


def _is_within(ground: ProposalInputs, suppressed: int, kept: int, records: int) -> bool:
    """Whether so many suppressed records and kept classes are within the limits."""
    limits = [share for share in (ground.limit, ground.options.max_cell_suppression) if share is not None]
    if suppressed > floor(min(limits) * records + 1e-9):
        return False
    average = ground.options.average
    return average is None or records == suppressed or kept / (records - suppressed) <= average * (1 + 1e-12)


def _answer(ground: ProposalInputs, found: Releasable, problems: Sequence[SearchProblem]) -> Proposal:
    """Return the solution as a proposal; at its own threshold the share is what was actually suppressed."""
    problem = found.problem
    classes = (
        problem.at(found.solution.levels) if isinstance(found, LevelSolution) else found.suppressed.after()
    )
    counts, within = classes.counts, classes_within_limits(problem.sensitive, classes)
    shares = _shares(ground, counts, within)
    shares[found.threshold.cell_size] = found.suppressed.records / problem.records
    return Proposal(
        name="Found by the search",
        layout=problem.layout.name if len(problems) > 1 else None,
        levels=found.levels(),
        shares=shares,
        acceptable={
            rung.cell_size: rung == found.threshold or _keeps(ground, classes, problem.sensitive, rung)
            for rung in ground.ladder
        },
        chosen=True,
    )
