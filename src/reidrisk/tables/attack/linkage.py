"""Linkage attacks: link records of the original to the released table, exactly and by probability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.attack.agreement import LEVELS, Comparison, compared_column, comparison, pattern_of
from reidrisk.stats.attack.agreement_counts import counted
from reidrisk.stats.attack.candidates import candidates, holds
from reidrisk.stats.attack.fellegi_sunter import TIE, Best, Fitted, best, fit, scores
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.stats.grouping import grouped
from reidrisk.tables.attack.data import Codes, Persons, Tables, Truth, unjudged
from reidrisk.tables.attack.outcome import Outcome, Tally
from reidrisk.tables.attack.plan import AttackPlan

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


NAME = "probabilistic linkage"
ONE_COLUMN = (
    "By a single column nobody can tell errors from people who are not there: no success can be foreseen."
)
PAIRS, FEWEST = 2_000_000_000, 200
"""Pairs that are compared at most, and targets that are tried nevertheless."""


@dataclass(frozen=True, slots=True)
class LevelFit:
    """What one level of agreement of a column is worth."""

    column: str
    level: str
    match: float
    """m: how often a record and its own person are on this level."""
    other: float
    """u: how often a record and anybody are."""
    weight: float
    """log2(m/u)."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON, with the letters of the literature."""
        return {
            "column": self.column,
            "level": self.level,
            "m": self.match,
            "u": self.other,
            "weight": self.weight,
        }


@dataclass(frozen=True, slots=True)
class Probabilistic:
    """What was learned without knowing who is who, and what linking by it achieved."""

    outcome: Outcome
    records: int
    """Records that were tried; those whose person is not in the other table are among them."""
    expected: float
    """Right links that the adversary itself expects, not knowing who is who."""
    present: float
    """The share of records that the adversary believes to be in the other table."""
    confidence: float
    """From which posterior on a link is claimed."""
    claims: Tally | None
    """Links that are claimed, and how many are right; None if nobody knows or nothing is claimed."""
    claimed: int
    fits: tuple[LevelFit, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON; the outcome stands with the other linkages."""
        main, claims, level = self.outcome.main, self.claims, self.outcome.level
        right = None if main is None else Tally(claims.successes if claims else 0, main.guesses)
        learned = len(self.outcome.columns) > 1
        return {
            "columns": list(self.outcome.columns),
            "records": self.records,
            "expected": self.expected / self.records if learned else None,
            "expected_matches": self.expected if learned else None,
            "present": self.present if learned else None,
            "reason": None if learned else ONE_COLUMN,
            "confidence": self.confidence,
            "claimed": self.claimed,
            "precision": None if claims is None else claims.to_dict(level),
            "recall": None if right is None else right.to_dict(level),
            "levels": [one.to_dict() for one in self.fits],
        }


def link_probably(tables: Tables, plan: AttackPlan, truth: Truth, rng: np.random.Generator) -> Probabilistic:
    """Learn what agreement is worth, name the most likely person of each target, and be sure of some."""
    at = tables.places(plan.quasi)
    others = grouped(tables.people[:, at], np.ones(len(tables.people), dtype=np.int64))
    compared = _compared(tables, at)
    columns = plan.quasi[: len(compared.columns)]
    most = min(plan.guesses, max(FEWEST, PAIRS // len(others.codes)))
    every = truth.owners.one_each(np.arange(len(tables.released)), rng)
    tried = rng.choice(every, min(most, every.size), replace=False)
    targets = grouped(tables.released[tried][:, at[: len(columns)]], np.ones(len(tried), dtype=np.int64))
    found = counted(compared, targets.codes, others.codes, others.counts)
    fitted = fit(found, compared.levels, targets.counts, len(tables.people))
    likely = best(fitted, found, compared.levels, len(tables.people))
    of = targets.of
    sure = likely.posterior[of] >= plan.confidence
    outcome, claims = _judged(tables, plan, truth, _Guess(compared, fitted, likely, of, tried, sure), rng)
    return Probabilistic(
        outcome,
        len(tried),
        float(likely.posterior[of].sum()),
        fitted.present,
        plan.confidence,
        claims,
        int(sure.sum()),
        tuple(_fits(columns, fitted)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    """Whom the adversary names."""

    compared: Comparison
    fitted: Fitted
    likely: Best
    of: Ints = field(repr=False)
    """The distinct target that each tried record is."""
    tried: Ints = field(repr=False)
    sure: Bools = field(repr=False)


def _compared(tables: Tables, at: list[int]) -> Comparison:
    return comparison(
        [
            compared_column(
                tables.columns[place],
                tables.people[:, place],
                present=tables.domains[place].present,
                has_missing=tables.domains[place].has_missing,
            )
            for place in at
        ]
    )


def _judged(
    tables: Tables, plan: AttackPlan, truth: Truth, guess: _Guess, rng: np.random.Generator
) -> tuple[Outcome, Tally | None]:
    """The right person must be among the most likely, and be drawn from them."""
    columns = plan.quasi[: len(guess.compared.columns)]
    person = None if truth.person is None else truth.person[guess.tried]
    known = np.zeros(0, dtype=np.int64) if person is None else np.flatnonzero(person >= 0)
    if person is None or not known.size:
        return Outcome(NAME, columns, plan.level, reason=unjudged(truth)), None
    at = tables.places(columns)
    place, rows = tables.persons.all_rows(tables.persons.of[person[known]])
    own = _own(guess, tables.released[guess.tried[known[place]]][:, at], tables.people[rows][:, at])
    likely = guess.likely
    first = own >= likely.score[guess.of[known[place]]] - TIE
    ties = np.bincount(place[first], minlength=known.size)
    right = rng.random(known.size) * likely.ties[guess.of[known]] < ties
    chance = rng.random(known.size) * tables.persons.number < 1
    outcome = Outcome(
        NAME,
        columns,
        plan.level,
        main=Tally(int(right.sum()), known.size),
        baseline=Tally(int(chance.sum()), known.size),
    )
    claimed = int(guess.sure.sum())
    return outcome, Tally(int(right[guess.sure[known]].sum()), claimed) if claimed else None


def _own(guess: _Guess, released: Codes, people: Codes) -> Floats:
    """The weight of each record and its own person."""
    pattern = pattern_of(guess.compared, released, people)
    return scores(guess.fitted, guess.compared.levels)[pattern]


def _fits(columns: tuple[str, ...], fitted: Fitted) -> Iterator[LevelFit]:
    tables = (fitted.match, fitted.other, fitted.weights)
    for at, name in enumerate(columns):
        for level in np.flatnonzero(fitted.other[at]).tolist():
            yield LevelFit(name, LEVELS[level], *(float(table[at, level]) for table in tables))
