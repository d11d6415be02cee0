"""Try thresholds and layouts in turn until one has a solution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural
from reidrisk.errors import Interrupted
from reidrisk.stats.arrays import Ints
from reidrisk.tables.deidentify.events import EventForm, EventGuard
from reidrisk.tables.deidentify.grouped import METHODS, Releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.problem import Node, Problem, below
from reidrisk.tables.deidentify.result import Rung
from reidrisk.tables.deidentify.search import Missing, Watch


@dataclass(frozen=True, slots=True)
class GivesWay:
    """One limit that, changed alone, allows a solution."""

    limit: str
    """Which: the suppression, a variable, the cell size."""
    text: str
    share: float
    """Records that would lose something then."""


def relaxations(missing: Missing) -> list[GivesWay]:
    """The single changes that would help, the one with the fewest lost records first."""
    problem, cell_size = missing.problem, missing.threshold.cell_size
    counts, needed = missing.at_most, missing.needed
    if missing.cause is not None or below(counts, cell_size) <= problem.allowed:
        return []  # The share of records is not what stands in the way.
    found = [way for place in range(len(problem.levels)) if (way := _variable(problem, place, cell_size))]
    smaller = _cell_size(problem, counts, cell_size)
    if smaller is not None:
        found.append(smaller)
    found.sort(key=lambda way: way.share)
    if problem.limit < needed < 1:
        share = f"{np.ceil(needed * 1000) / 10:.1f} %"
        found.append(GivesWay("suppression", f"a suppression limit of {share}", needed))
    return found


def explained(missing: Missing, ways: list[GivesWay]) -> str:
    """In words: how far from a solution, and what is nearest to giving way."""
    problem, cell_size = missing.problem, missing.threshold.cell_size
    needed = below(missing.at_most, cell_size)
    if problem.records < cell_size:
        return (
            f"There are {plural(problem.records, 'record')}, fewer than the cell size {cell_size}: "
            "no class can be large enough."
        )
    share = f"{100 * needed / problem.records:.1f} %"
    start = (
        f"At the maximum acceptable generalization {share} of the records are in classes smaller than "
        f"{cell_size}; {100 * problem.limit:.1f} % may lose a value."
    )
    if missing.cause is not None:
        start = f"{start} {missing.cause}"
    elif problem.options.average is not None and needed <= problem.allowed:
        start = f"{start} The average risk stays above {problem.options.average:g}."
    if not ways:
        return start
    return f"{start} Nearest to giving way: {'; or '.join(way.text for way in ways)}."


def _variable(problem: Problem, place: int, cell_size: int) -> GivesWay | None:
    """The least level above the maximum of one variable that suffices with all others at theirs."""
    levels = problem.levels[place]
    for level in range(problem.top[place] + 1, levels.recoding.height + 1):
        node: Node = (*problem.top[:place], level, *problem.top[place + 1 :])
        lost = below(problem.at(node).counts, cell_size)
        if lost <= problem.allowed:
            name = levels.names[level]
            share = lost / problem.records
            words = "not released" if name == "suppressed" else f"up to {name!r}"
            return GivesWay(levels.column, f"{levels.column} {words} ({100 * share:.1f} % lost)", share)
    return None


def _cell_size(problem: Problem, counts: Ints, cell_size: int) -> GivesWay | None:
    for smaller in range(cell_size - 1, 1, -1):
        lost = below(counts, smaller)
        if lost <= problem.allowed:
            share = lost / problem.records
            return GivesWay("cell size", f"a cell size of {smaller} ({100 * share:.1f} % lost)", share)
    return None


def ladder_of(baseline: Threshold, options: DeidentifyOptions) -> tuple[Threshold, ...]:
    """The baseline, then the thresholds of the ladder that accept more."""
    return (baseline, *(rung for rung in options.ladder if rung.cell_size < baseline.cell_size))


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """How far the loop went."""

    found: Releasable | None
    rungs: tuple[Rung, ...]
    problem: Problem
    """Of the solution, or the first."""
    lattice: tuple[int, int]
    events: EventForm | None = None
    """What is done to events, where the table is one of events."""


def walk(
    problems: list[Problem], ladder: tuple[Threshold, ...], watch: Watch, guard: EventGuard | None
) -> Walked:
    """Every threshold that is allowed, every layout in order of preference, until there is a solution."""
    rungs: list[Rung] = []
    nodes = evaluated = 0
    for place, threshold in enumerate(ladder):
        permission = problems[0].options.gate(threshold, place)
        if not permission.allowed:
            rungs.append(Rung(threshold, "not allowed", requires=permission.requires))
            continue
        refused: list[Missing] = []
        exposed: list[str] = []
        for problem in problems:
            tried = METHODS[problem.options.method](problem, threshold, watch)
            nodes, evaluated = nodes + tried.outcome.lattice, evaluated + tried.outcome.evaluated
            if isinstance(tried, Missing):
                refused.append(tried)
            else:
                form = None if guard is None else guard.form(tried)
                if not isinstance(form, str):
                    rungs.append(_solved(tried, len(problems) > 1, permission.requires))
                    left = [Rung(later, "not tried") for later in ladder[place + 1 :]]
                    return Walked(tried, (*rungs, *left), problem, (nodes, evaluated), form)
                exposed.append(form)
            if watch.stopped:
                raise Interrupted(
                    "The search was interrupted before it had found any solution.",
                    hint="Let it run longer, or restrict the levels of some variables.",
                )
        if exposed:
            rungs.append(Rung(threshold, "no solution", nearest=exposed[0], requires=permission.requires))
        else:
            rungs.append(_unsolved(refused, permission.requires))
    return Walked(None, tuple(rungs), problems[0], (nodes, evaluated))


def _solved(found: Releasable, several: bool, requires: str | None) -> Rung:  # noqa: FBT001 - private
    return Rung(
        found.threshold,
        "solution",
        share=found.lost.records / found.problem.records,
        layout=found.problem.layout.name if several else None,
        requires=requires,
    )


def _unsolved(refused: list[Missing], requires: str | None) -> Rung:
    """The layout that came nearest speaks for the threshold."""
    nearest = min(refused, key=lambda missing: missing.needed)
    several = len(refused) > 1
    text = explained(nearest, relaxations(nearest))
    return Rung(
        nearest.threshold,
        "no solution",
        share=nearest.needed,
        layout=nearest.problem.layout.name if several else None,
        nearest=f"{nearest.problem.layout.name}: {text}" if several else text,
        requires=requires,
    )
