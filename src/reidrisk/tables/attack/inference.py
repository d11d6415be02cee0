"""Inference: does the nearest released record reveal a target's sensitive value?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.tables.attack.data import AttackTables, Codes, Truth
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.success import AttackResult, GuessCount

FEW = 20
"""Numbers with at most this many distinct values are categories, guessed exactly or not."""


def infer(
    tables: AttackTables, plan: AttackPlan, sensitive: str, truth: Truth, rng: np.random.Generator
) -> AttackResult:
    """Guess the sensitive value of the nearest released record."""
    name, known = f"inference of {sensitive}", plan.known_for(sensitive)
    among = truth.targets(tables.persons, rng)
    if not known or not among.size:
        reason = "No known columns are given." if not known else "Nobody in the other table is released."
        return AttackResult(name, known, plan.level, reason=reason)
    at, place = tables.places(known), tables.places([sensitive])[0]
    search = nearest_in(tables.chosen(known), tables.released[:, at], wide=False, rng=rng)

    def right(targets: Codes, rows: Ints) -> int:
        guesses = tables.released[rows, place]
        return int(is_right(tables, plan, place, guesses, targets[:, place]).sum())

    def attack(people: Codes, tried: Ints) -> GuessCount:
        targets = people[tried]
        return GuessCount(right(targets, search.find(targets[:, at]).row), tried.size)

    targets = rng.choice(among, min(plan.guesses, among.size), replace=False)
    control = None
    if tables.control is not None and tables.control_persons is not None:
        every = tables.control_persons.one_each(np.arange(len(tables.control)), rng)
        tried = rng.choice(every, min(plan.guesses, every.size), replace=False)
        control = attack(tables.control, tried)
    anybody = rng.integers(len(tables.released), size=targets.size)
    return AttackResult(
        name,
        known,
        plan.level,
        main=attack(tables.people, targets),
        control=control,
        baseline=GuessCount(right(tables.people[targets], anybody), targets.size),
    )


def is_right(
    tables: AttackTables, plan: AttackPlan, place: int, guesses: Codes, truths: Codes
) -> NDArray[np.bool_]:
    """Whether released sensitive values reveal the true ones: the same value, or a number near it.

    A generalized category does not count; for an interval, the midpoint is the guess.
    """
    column, domain = tables.columns[place], tables.domains[place]
    same: NDArray[np.bool_] = column.cover.holds(guesses, truths) & (column.cover.size[guesses] == 1)
    if domain.kind != "number" or domain.present <= FEW or column.known is None or column.released is None:
        return same
    guess, truth = column.released.middle[guesses], column.known.middle[truths]
    near = np.abs(guess - truth) <= plan.tolerance * np.abs(truth)
    return np.logical_or(same, near)
