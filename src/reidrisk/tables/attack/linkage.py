"""Linkage: which person is each released record?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.candidates import candidates, holds
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.stats.grouping import grouped
from reidrisk.tables.attack.data import Tables
from reidrisk.tables.attack.outcome import Outcome, Tally
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.truth import Truth, unjudged

NEAR = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Linkage:
    """What was predicted from classes, and what linking achieved."""

    exact: Outcome
    nearest: Outcome
    sizes: ClassSizes
    """Classes of the release."""
    expected: float
    """Right links of an adversary who links every record: the marketer's."""
    unmatched: int
    """Released records that nobody fits."""
    found: Ints = field(repr=False)
    """How many people each released record may be."""


def link(tables: Tables, plan: AttackPlan, truth: Truth, rng: np.random.Generator) -> Linkage:
    """Link every record with one of the people it may be, and some with the nearest."""
    at = tables.places(plan.quasi)
    released, people = tables.released[:, at], tables.people[:, at]
    found = candidates(tables.covers(plan.quasi), released, people)
    classes = grouped(released, np.ones(len(released), dtype=np.int64))
    size, number = np.unique(classes.counts, return_counts=True)
    sizes = ClassSizes(tuple(zip(size.tolist(), number.tolist(), strict=True)))
    return Linkage(
        _exact(tables, plan, truth, found, rng),
        _nearest(tables, plan, truth, rng),
        sizes,
        _expected(sizes, found, truth, len(people)),
        int((found == 0).sum()),
        found,
    )


def _expected(sizes: ClassSizes, found: Ints, truth: Truth, people: int) -> float:
    """The sum of f / F over classes; where the release is everybody, F is f: the number of classes.

    Where it is known that some are not in the other table, the sum is over those who are.
    """
    known = truth.released
    if people == len(found) and known.size == people:
        return float(sizes.classes)
    tried = found[known] if known.size else found
    return float((1 / tried[tried > 0]).sum())


def _exact(tables: Tables, plan: AttackPlan, truth: Truth, found: Ints, rng: np.random.Generator) -> Outcome:
    """One of the people whom a record fits is named at random.

    The right one is as likely as any other, so that a draw of its place among them decides.
    """
    known = truth.released
    if truth.person is None or not known.size:
        return Outcome("exact linkage", plan.quasi, plan.level, reason=unjudged(truth))
    at = tables.places(plan.quasi)
    person = truth.person[known]
    fits = holds(tables.covers(plan.quasi), tables.released[known][:, at], tables.people[person][:, at])
    drawn = rng.random(known.size) * np.maximum(found[known], 1) < 1
    chance = rng.random(known.size) * len(tables.people) < 1
    return Outcome(
        "exact linkage",
        plan.quasi,
        plan.level,
        main=Tally(int((fits & drawn).sum()), known.size),
        baseline=Tally(int(chance.sum()), known.size),
    )


def _nearest(tables: Tables, plan: AttackPlan, truth: Truth, rng: np.random.Generator) -> Outcome:
    """The nearest person is named; of several as near, one at random."""
    known = truth.released
    if truth.person is None or not known.size:
        return Outcome("nearest person", plan.quasi, plan.level, reason=unjudged(truth))
    at = tables.places(plan.quasi)
    tried = rng.choice(known, min(plan.guesses, known.size), replace=False)
    search = nearest_in(tables.chosen(plan.quasi), tables.people[:, at], wide=True, rng=rng)
    targets = tables.released[tried][:, at]
    best = search.find(targets)
    own = search.distances(targets, truth.person[tried])
    right = (own <= best.distance + NEAR) & (rng.random(tried.size) * best.ties < 1)
    chance = rng.random(tried.size) * len(tables.people) < 1
    return Outcome(
        "nearest person",
        plan.quasi,
        plan.level,
        main=Tally(int(right.sum()), tried.size),
        baseline=Tally(int(chance.sum()), tried.size),
    )
