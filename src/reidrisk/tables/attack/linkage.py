"""Linkage: which person is each released record?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.candidates import candidates, holds
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.stats.grouping import grouped
from reidrisk.tables.attack.data import Codes, Tables
from reidrisk.tables.attack.outcome import Outcome, Tally
from reidrisk.tables.attack.persons import Persons
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
    persons = None if tables.persons.is_rows else tables.persons.of
    found = candidates(tables.covers(plan.quasi), released, people, persons=persons)
    sizes = _sizes(released, truth.owners)
    tried = truth.owners.one_each(truth.released, rng)
    return Linkage(
        _exact(tables, plan, truth, found, tried, rng),
        _nearest(tables, plan, truth, tried, rng),
        sizes,
        _expected(sizes, found, tried, tables.persons),
        int((found == 0).sum()),
        found,
    )


def _sizes(released: Codes, owners: Persons) -> ClassSizes:
    """Classes of the release; somebody with several records in a class counts once."""
    classes = grouped(released, np.ones(len(released), dtype=np.int64))
    counts = classes.counts
    if not owners.is_rows:
        counts = np.bincount(np.unique(classes.of * owners.number + owners.of) // owners.number)
    size, number = np.unique(counts, return_counts=True)
    return ClassSizes(tuple(zip(size.tolist(), number.tolist(), strict=True)))


def _expected(sizes: ClassSizes, found: Ints, known: Ints, persons: Persons) -> float:
    """The sum of f / F over classes; where the release is everybody, F is f: the number of classes.

    Where it is known that some are not in the other table, the sum is over those who are.
    """
    if persons.is_rows and persons.number == len(found) == known.size:
        return float(sizes.classes)
    tried = found[known] if known.size else found
    return float((1 / tried[tried > 0]).sum())


def _exact(
    tables: Tables, plan: AttackPlan, truth: Truth, found: Ints, known: Ints, rng: np.random.Generator
) -> Outcome:
    """One of the people whom a record fits is named at random.

    The right one is as likely as any other, so that a draw of its place among them decides.
    """
    if truth.person is None or not known.size:
        return Outcome("exact linkage", plan.quasi, plan.level, reason=unjudged(truth))
    at = tables.places(plan.quasi)
    place, rows = tables.persons.all_rows(tables.persons.of[truth.person[known]])
    held = holds(tables.covers(plan.quasi), tables.released[known[place]][:, at], tables.people[rows][:, at])
    fits = np.bincount(place[held], minlength=known.size) > 0
    drawn = rng.random(known.size) * np.maximum(found[known], 1) < 1
    chance = rng.random(known.size) * tables.persons.number < 1
    return Outcome(
        "exact linkage",
        plan.quasi,
        plan.level,
        main=Tally(int((fits & drawn).sum()), known.size),
        baseline=Tally(int(chance.sum()), known.size),
    )


def _nearest(
    tables: Tables, plan: AttackPlan, truth: Truth, known: Ints, rng: np.random.Generator
) -> Outcome:
    """The nearest person is named; of several as near, one at random."""
    if truth.person is None or not known.size:
        return Outcome("nearest person", plan.quasi, plan.level, reason=unjudged(truth))
    at = tables.places(plan.quasi)
    tried = rng.choice(known, min(plan.guesses, known.size), replace=False)
    search = nearest_in(tables.chosen(plan.quasi), tables.people[:, at], wide=True, rng=rng)
    targets = tables.released[tried][:, at]
    best = search.find(targets)
    place, rows = tables.persons.all_rows(tables.persons.of[truth.person[tried]])
    own = search.distances(targets[place], rows) <= best.distance[place] + NEAR
    right = rng.random(tried.size) * best.ties < np.bincount(place[own], minlength=tried.size)
    chance = rng.random(tried.size) * tables.persons.number < 1
    return Outcome(
        "nearest person",
        plan.quasi,
        plan.level,
        main=Tally(int(right.sum()), tried.size),
        baseline=Tally(int(chance.sum()), tried.size),
    )
