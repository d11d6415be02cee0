"""The loop: thresholds in turn, layouts in turn, until one has a solution."""

from __future__ import annotations

from dataclasses import dataclass

from reidrisk.core.threshold import Threshold
from reidrisk.errors import Interrupted
from reidrisk.tables.deidentify.event_form import EventForm
from reidrisk.tables.deidentify.event_guard import EventGuard
from reidrisk.tables.deidentify.methods import METHODS, Releasable
from reidrisk.tables.deidentify.nearest import explained, relaxations
from reidrisk.tables.deidentify.options import DeidentifyOptions
from reidrisk.tables.deidentify.problem import Problem
from reidrisk.tables.deidentify.result import Rung
from reidrisk.tables.deidentify.search import Missing, Watch


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
