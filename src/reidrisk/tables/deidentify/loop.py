"""Try thresholds and layouts in turn until one has a solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reidrisk.core.threshold import Threshold
from reidrisk.core.wording import plural
from reidrisk.errors import Interrupted
from reidrisk.stats.arrays import Ints
from reidrisk.tables.deidentify.by_tuple import TupleSolution
from reidrisk.tables.deidentify.events import EventForm, EventGuard
from reidrisk.tables.deidentify.grouped import METHODS, Releasable
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.problem import Node, SearchProblem, below
from reidrisk.tables.deidentify.result import LadderStep
from reidrisk.tables.deidentify.search import FailedSearch, SampledSearch, Watch


@dataclass(frozen=True, slots=True)
class Relaxation:
    """One limit whose change alone would allow a solution."""

    limit: str
    """The limit: suppression, a variable, or the cell size."""
    text: str
    share: float
    """The share of records that would then be suppressed."""


def relaxations(missing: FailedSearch) -> list[Relaxation]:
    """Return single changes that would allow a solution, fewest suppressed records first."""
    problem, cell_size = missing.problem, missing.threshold.cell_size
    counts, needed = missing.at_most, missing.needed
    if missing.cause is not None or below(counts, cell_size) <= problem.allowed:
        return []  # The share of records is not the obstacle.
    found = [way for place in range(len(problem.levels)) if (way := _variable(problem, place, cell_size))]
    smaller = _cell_size(problem, counts, cell_size)
    if smaller is not None:
        found.append(smaller)
    found.sort(key=lambda way: way.share)
    if problem.limit < needed < 1 and not without_hierarchy(missing):
        share = f"{np.ceil(needed * 1000) / 10:.1f} %"
        found.append(Relaxation("suppression", f"a suppression limit of {share}", needed))
    return found


MANY_VALUES = 10
"""Exact values of a variable with fewer of them are rarely the reason that there is no solution."""


def without_hierarchy(missing: FailedSearch) -> tuple[str, ...]:
    """Return the variables that stay exact for lack of a hierarchy and so put records into small classes."""
    problem, cell_size = missing.problem, missing.threshold.cell_size
    if missing.cause is not None or below(missing.at_most, cell_size) <= problem.allowed:
        return ()
    exact = [place for place, levels in enumerate(problem.levels) if levels.recoding.height == 0]
    wide = [place for place in exact if len(problem.tuples.values[place]) >= MANY_VALUES]
    return tuple(problem.layout.quasi[place] for place in wide)


def _explain_missing(missing: FailedSearch, columns: Sequence[str]) -> str:
    """Name the variables without a hierarchy, and what to do about them."""
    problem = missing.problem
    named = [
        f"{name} ({plural(len(problem.tuples.values[problem.layout.quasi.index(name)]), 'distinct value')})"
        for name in columns
    ]
    have, them = ("has", "it") if len(columns) == 1 else ("have", "them")
    return (
        f"The cause: {', '.join(named)} {have} no hierarchy, so only exact values can be released. Give "
        f"{them} a hierarchy, which reidrisk table suggest can draft, or leave {them} out."
    )


def explain(missing: FailedSearch, ways: list[Relaxation]) -> str:
    """Explain how far away a solution is, and which limits could be relaxed."""
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
        f"{cell_size}; at most {100 * problem.limit:.1f} % may be suppressed."
    )
    if missing.cause is not None:
        start = f"{start} {missing.cause}"
    elif problem.options.average is not None and needed <= problem.allowed:
        start = f"{start} The average risk stays above {problem.options.average:g}."
    if columns := without_hierarchy(missing):
        start = f"{start} {_explain_missing(missing, columns)}"
    if not ways:
        return start
    return f"{start} Closest limit to relax: {'; or '.join(way.text for way in ways)}."


def _variable(problem: SearchProblem, place: int, cell_size: int) -> Relaxation | None:
    """Return the lowest level above the maximum of one variable that is enough with all others at theirs."""
    levels = problem.levels[place]
    for level in range(problem.top[place] + 1, levels.recoding.height + 1):
        node: Node = (*problem.top[:place], level, *problem.top[place + 1 :])
        suppressed = below(problem.at(node).counts, cell_size)
        if suppressed <= problem.allowed:
            name = levels.names[level]
            share = suppressed / problem.records
            words = "not released" if name == "suppressed" else f"up to {name!r}"
            return Relaxation(
                levels.column, f"{levels.column} {words} ({100 * share:.1f} % suppressed)", share
            )
    return None


def _cell_size(problem: SearchProblem, counts: Ints, cell_size: int) -> Relaxation | None:
    for smaller in range(cell_size - 1, 1, -1):
        suppressed = below(counts, smaller)
        if suppressed <= problem.allowed:
            share = suppressed / problem.records
            return Relaxation(
                "cell size", f"a cell size of {smaller} ({100 * share:.1f} % suppressed)", share
            )
    return None


def ladder_of(baseline: Threshold, options: DeidentifyOptions) -> tuple[Threshold, ...]:
    """Return the baseline, then the thresholds of the ladder that accept more risk."""
    return (baseline, *(rung for rung in options.ladder if rung.cell_size < baseline.cell_size))


@dataclass(frozen=True, slots=True, eq=False)
class LadderSearch:
    """The search over all thresholds of the ladder and its solution, if any."""

    found: Releasable | None
    rungs: tuple[LadderStep, ...]
    problem: SearchProblem
    """The problem of the solution, or else the first one."""
    lattice: tuple[int, int]
    events: EventForm | None = None
    """The form of events, if the table has events."""
    sampled: SampledSearch | None = None
    """What the last search rests on, if the tuples did not fit in memory."""


def search_ladder(
    problems: list[SearchProblem], ladder: tuple[Threshold, ...], watch: Watch, guard: EventGuard | None
) -> LadderSearch:
    """Try each allowed threshold, and each layout in order of preference, until there is a solution."""
    rungs: list[LadderStep] = []
    nodes = evaluated = 0
    sampled: SampledSearch | None = None
    for place, threshold in enumerate(ladder):
        permission = problems[0].options.gate(threshold, place)
        if not permission.allowed:
            rungs.append(LadderStep(threshold, "not allowed", requires=permission.requires))
            continue
        refused: list[FailedSearch] = []
        exposed: list[str] = []
        for problem in problems:
            tried = METHODS[problem.options.method](problem, threshold, watch)
            nodes, evaluated = nodes + tried.outcome.lattice, evaluated + tried.outcome.evaluated
            sampled = None if isinstance(tried, TupleSolution) else tried.sampled
            if isinstance(tried, FailedSearch):
                refused.append(tried)
            else:
                form = None if guard is None else guard.form(tried)
                if not isinstance(form, str):
                    rungs.append(_solved(tried, len(problems) > 1, permission.requires))
                    left = [LadderStep(later, "not tried") for later in ladder[place + 1 :]]
                    return LadderSearch(tried, (*rungs, *left), problem, (nodes, evaluated), form, sampled)
                exposed.append(form)
            if watch.stopped:
                raise Interrupted(
                    "The search was interrupted before it had found any solution.",
                    hint="Let it run longer, or restrict the levels of some variables.",
                )
        if exposed:
            rungs.append(
                LadderStep(threshold, "no solution", nearest=exposed[0], requires=permission.requires)
            )
        else:
            rungs.append(_unsolved(refused, permission.requires))
    return LadderSearch(None, tuple(rungs), problems[0], (nodes, evaluated), sampled=sampled)


def _solved(found: Releasable, several: bool, requires: str | None) -> LadderStep:  # noqa: FBT001 - private
    return LadderStep(
        found.threshold,
        "solution",
        share=found.suppressed.records / found.problem.records,
        layout=found.problem.layout.name if several else None,
        requires=requires,
    )


def _unsolved(refused: list[FailedSearch], requires: str | None) -> LadderStep:
    """Describe the threshold by the layout that came closest to a solution."""
    nearest = min(refused, key=lambda missing: missing.needed)
    several = len(refused) > 1
    text = explain(nearest, relaxations(nearest))
    return LadderStep(
        nearest.threshold,
        "no solution",
        share=nearest.needed,
        layout=nearest.problem.layout.name if several else None,
        nearest=f"{nearest.problem.layout.name}: {text}" if several else text,
        requires=requires,
        without_hierarchy=without_hierarchy(nearest),
    )
