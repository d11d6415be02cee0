"""Record layouts side by side: how many records each would have to touch at each threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor

from reidrisk.core.threshold import Threshold
from reidrisk.engine.tuples import DistinctTuples
from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import Grouped
from reidrisk.stats.lattice.secrets import Flags
from reidrisk.tables.deidentify.grouped import Releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions, NamedSolution
from reidrisk.tables.deidentify.problem import Problem, classes_at, only
from reidrisk.tables.deidentify.search import Found
from reidrisk.tables.deidentify.secrets import Secrets, is_releasable, narrowed, telling_little
from reidrisk.tables.hierarchy.levels import Levels


@dataclass(frozen=True, slots=True)
class Proposal:
    """One row of the table of solutions."""

    name: str
    layout: str | None
    levels: Mapping[str, str]
    """By variable; a variable that is not there is not released."""
    shares: Mapping[int, float]
    """By cell size: records in smaller classes."""
    acceptable: Mapping[int, bool]
    """By cell size: whether within the limits on suppression and generalization."""
    chosen: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What proposals are measured on."""

    tuples: DistinctTuples
    """Of all variables of all layouts."""
    levels: Mapping[str, Levels]
    ladder: Sequence[Threshold]
    limit: float
    options: DeidentifyOptions
    secrets: Secrets = ()


def proposals(
    ground: Ground, problems: Sequence[Problem], named: Sequence[NamedSolution], found: Releasable | None
) -> list[Proposal]:
    """The user's own, or the most exact and the most general form of each layout; then the answer."""
    wanted = list(named) or [
        NamedSolution(f"{words}{_of(problem, problems)}", problem.named(node))
        for problem in problems
        for words, node in (
            ("As exact as allowed", problem.bottom),
            ("As general as acceptable", problem.top),
        )
    ]
    rows = [_measured(ground, solution) for solution in wanted]
    return rows if found is None else _with_answer(rows, _answer(ground, found, problems))


def _with_answer(rows: list[Proposal], answer: Proposal) -> list[Proposal]:
    """The answer takes the place of a proposal that has the same levels; otherwise it comes last."""
    same = [place for place, row in enumerate(rows) if row.levels == answer.levels]
    if not same:
        return [*rows, answer]
    return [replace(answer, name=row.name) if place == same[0] else row for place, row in enumerate(rows)]


def _of(problem: Problem, problems: Sequence[Problem]) -> str:
    return f": {problem.layout.name}" if len(problems) > 1 else ""


def _measured(ground: Ground, solution: NamedSolution) -> Proposal:
    for column in solution.levels:
        if column not in ground.levels:
            raise InvalidSetting.among(f"A variable of the solution {solution.name!r}", column, ground.levels)
    levels = [ground.levels[column] for column in solution.levels]
    node = [one.number(level) for one, level in zip(levels, solution.levels.values(), strict=True)]
    tuples = only(ground.tuples, tuple(solution.levels))
    classes = classes_at(tuples.codes, tuples.counts, levels, node)
    secrets = narrowed(ground.secrets, ground.tuples, tuple(solution.levels))
    counts, little = classes.counts, telling_little(secrets, classes)
    general = all(number <= one.recoding.top for one, number in zip(levels, node, strict=True))
    return Proposal(
        name=solution.name,
        layout=None,
        levels={one.column: one.names[number] for one, number in zip(levels, node, strict=True)},
        shares=_shares(ground, counts, little),
        acceptable={
            rung.cell_size: general and _keeps(ground, classes, secrets, rung) for rung in ground.ladder
        },
    )


def _shares(ground: Ground, counts: Ints, little: Flags) -> dict[int, float]:
    """By cell size: records of classes that are smaller, or tell too much."""
    sizes = [rung.cell_size for rung in ground.ladder]
    return {size: int(counts[(counts < size) | ~little].sum()) / int(counts.sum()) for size in sizes}


def _keeps(ground: Ground, classes: Grouped, secrets: Secrets, rung: Threshold) -> bool:
    """Whether whole records of classes that are small, or tell much, can go without breaking any limit."""
    counts = classes.counts
    stay = (counts >= rung.cell_size) & telling_little(secrets, classes)
    lost, records = int(counts[~stay].sum()), int(counts.sum())
    limits = [share for share in (ground.limit, ground.options.max_cell_suppression) if share is not None]
    if lost > floor(min(limits) * records + 1e-9):
        return False
    if not is_releasable(secrets, classes, stay, rung.cell_size):
        return False
    kept, average = int(stay.sum()), ground.options.average
    return average is None or records == lost or kept / (records - lost) <= average * (1 + 1e-12)


def _answer(ground: Ground, found: Releasable, problems: Sequence[Problem]) -> Proposal:
    """The chosen form; at its own threshold the share is what was really suppressed."""
    problem = found.problem
    classes = problem.at(found.solution.levels) if isinstance(found, Found) else found.lost.after()
    counts, little = classes.counts, telling_little(problem.secrets, classes)
    shares = _shares(ground, counts, little)
    shares[found.threshold.cell_size] = found.lost.records / problem.records
    return Proposal(
        name="Found by the search",
        layout=problem.layout.name if len(problems) > 1 else None,
        levels=found.levels(),
        shares=shares,
        acceptable={
            rung.cell_size: rung == found.threshold or _keeps(ground, classes, problem.secrets, rung)
            for rung in ground.ladder
        },
        chosen=True,
    )
