"""Inference: does the nearest released record tell a target's secret?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.tables.attack.data import Codes, Tables, Truth
from reidrisk.tables.attack.outcome import Outcome, Tally
from reidrisk.tables.attack.plan import AttackPlan

FEW = 20
"""Numbers with at most so many different values are categories, which are guessed right or wrong."""


def infer(tables: Tables, plan: AttackPlan, secret: str, truth: Truth, rng: np.random.Generator) -> Outcome:
    """The secret of the nearest released record is the guess."""
    name, known = f"inference of {secret}", plan.known_for(secret)
    among = truth.targets(tables.persons, rng)
    if not known or not among.size:
        reason = "Nothing is known to start from." if not known else "Nobody of the other table is released."
        return Outcome(name, known, plan.level, reason=reason)
    at, place = tables.places(known), tables.places([secret])[0]
    search = nearest_in(tables.chosen(known), tables.released[:, at], wide=False, rng=rng)

    def right(targets: Codes, rows: Ints) -> int:
        guesses = tables.released[rows, place]
        return int(is_right(tables, plan, place, guesses, targets[:, place]).sum())

    def attack(people: Codes, tried: Ints) -> Tally:
        targets = people[tried]
        return Tally(right(targets, search.find(targets[:, at]).row), tried.size)

    targets = rng.choice(among, min(plan.guesses, among.size), replace=False)
    control = None
    if tables.control is not None and tables.control_persons is not None:
        every = tables.control_persons.one_each(np.arange(len(tables.control)), rng)
        tried = rng.choice(every, min(plan.guesses, every.size), replace=False)
        control = attack(tables.control, tried)
    anybody = rng.integers(len(tables.released), size=targets.size)
    return Outcome(
        name,
        known,
        plan.level,
        main=attack(tables.people, targets),
        control=control,
        baseline=Tally(right(tables.people[targets], anybody), targets.size),
    )


def is_right(
    tables: Tables, plan: AttackPlan, place: int, guesses: Codes, truths: Codes
) -> NDArray[np.bool_]:
    """Whether released secrets tell the true ones: the same value, or a number near it.

    A generalized category tells nothing exactly; of an interval the middle is guessed.
    """
    column, domain = tables.columns[place], tables.domains[place]
    same: NDArray[np.bool_] = column.cover.holds(guesses, truths) & (column.cover.size[guesses] == 1)
    if domain.kind != "number" or domain.present <= FEW or column.known is None or column.released is None:
        return same
    guess, truth = column.released.middle[guesses], column.known.middle[truths]
    near = np.abs(guess - truth) <= plan.tolerance * np.abs(truth)
    return np.logical_or(same, near)
