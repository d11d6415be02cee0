"""Linkage attacks: link records of the original to the released table, exactly and by probability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import log2
from typing import Any

import numpy as np

from reidrisk.core.classes import ClassSizes
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.attack.agreement import (
    LEVELS,
    PairComparison,
    agreement_column,
    comparison,
    pattern_counts,
    pattern_of,
)
from reidrisk.stats.attack.candidates import candidates, holds
from reidrisk.stats.attack.fellegi_sunter import TIE, BestMatches, LinkageModel, best_matches, fit, scores
from reidrisk.stats.attack.nearest import nearest_in
from reidrisk.stats.grouping import grouped
from reidrisk.tables.attack.data import AttackTables, Codes, Persons, Truth, why_unjudged
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.success import AttackResult, GuessCount

NEAR = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Linkage:
    """The predicted and the actual success of linkage."""

    exact: AttackResult
    nearest: AttackResult
    sizes: ClassSizes
    """Classes of the release."""
    expected: float
    """Expected correct links of an adversary who links every record (marketer risk)."""
    unmatched: int
    """Number of released records that match nobody."""
    found: Ints = field(repr=False)
    """Number of people that each released record matches."""


def link(tables: AttackTables, plan: AttackPlan, truth: Truth, rng: np.random.Generator) -> Linkage:
    """Link every record to one of the people it matches, and some records to the nearest person."""
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
    """Return the classes of the release; a person with several records in a class counts once."""
    classes = grouped(released, np.ones(len(released), dtype=np.int64))
    counts = classes.counts
    if not owners.is_rows:
        counts = np.bincount(np.unique(classes.of * owners.number + owners.of) // owners.number)
    size, number = np.unique(counts, return_counts=True)
    return ClassSizes(tuple(zip(size.tolist(), number.tolist(), strict=True)))


def _expected(sizes: ClassSizes, found: Ints, known: Ints, persons: Persons) -> float:
    """Return the sum of f / F over classes; if the release is everybody, that is the number of classes.

    If some are known not to be in the other table, the sum is over those who are.
    """
    if persons.is_rows and persons.number == len(found) == known.size:
        return float(sizes.classes)
    tried = found[known] if known.size else found
    return float((1 / tried[tried > 0]).sum())


def _exact(
    tables: AttackTables, plan: AttackPlan, truth: Truth, found: Ints, known: Ints, rng: np.random.Generator
) -> AttackResult:
    """Guess one of the people whom a record matches at random.

    The right one is as likely as any other, so one random draw decides.
    """
    if truth.person is None or not known.size:
        return AttackResult("exact linkage", plan.quasi, plan.level, reason=why_unjudged(truth))
    at = tables.places(plan.quasi)
    place, rows = tables.persons.all_rows(tables.persons.of[truth.person[known]])
    held = holds(tables.covers(plan.quasi), tables.released[known[place]][:, at], tables.people[rows][:, at])
    fits = np.bincount(place[held], minlength=known.size) > 0
    drawn = rng.random(known.size) * np.maximum(found[known], 1) < 1
    chance = rng.random(known.size) * tables.persons.number < 1
    return AttackResult(
        "exact linkage",
        plan.quasi,
        plan.level,
        main=GuessCount(int((fits & drawn).sum()), known.size),
        baseline=GuessCount(int(chance.sum()), known.size),
    )


def _nearest(
    tables: AttackTables, plan: AttackPlan, truth: Truth, known: Ints, rng: np.random.Generator
) -> AttackResult:
    """Guess the nearest person; one at random if several are equally near."""
    if truth.person is None or not known.size:
        return AttackResult("nearest person", plan.quasi, plan.level, reason=why_unjudged(truth))
    at = tables.places(plan.quasi)
    tried = rng.choice(known, min(plan.guesses, known.size), replace=False)
    search = nearest_in(tables.chosen(plan.quasi), tables.people[:, at], wide=True, rng=rng)
    targets = tables.released[tried][:, at]
    best_matches = search.find(targets)
    place, rows = tables.persons.all_rows(tables.persons.of[truth.person[tried]])
    own = search.distances(targets[place], rows) <= best_matches.distance[place] + NEAR
    right = rng.random(tried.size) * best_matches.ties < np.bincount(place[own], minlength=tried.size)
    chance = rng.random(tried.size) * tables.persons.number < 1
    return AttackResult(
        "nearest person",
        plan.quasi,
        plan.level,
        main=GuessCount(int(right.sum()), tried.size),
        baseline=GuessCount(int(chance.sum()), tried.size),
    )


NAME = "probabilistic linkage"
ONE_COLUMN = (
    "With a single column, errors cannot be distinguished from absent people: no success can be predicted."
)
EVERYBODY = "if everybody is in the other table"
PAIRS, FEWEST = 2_000_000_000, 200
"""Largest number of pairs compared, and number of targets that are tried in any case."""


@dataclass(frozen=True, slots=True)
class LevelFit:
    """The weight of one level of agreement of a column."""

    column: str
    level: str
    match: float
    """m: how often a record and its own person agree at this level."""
    other: float
    """u: how often a record and a random person do, averaged over the values of the records."""
    weight: float
    """log2(m/u); agreeing on a rare value weighs more, on a common one less."""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types, with the symbols of the literature."""
        return {
            "column": self.column,
            "level": self.level,
            "m": self.match,
            "u": self.other,
            "weight": self.weight,
        }


@dataclass(frozen=True, slots=True)
class ProbabilisticLinkage:
    """The fitted model, learned without true identities, and the success of linking by it."""

    result: AttackResult
    records: int
    """Number of records tried, including those whose person is not in the other table."""
    expected: float
    """Correct links that the adversary expects, without knowing the truth.

    If the share of records in the other table is not given, the expectation is that all of them are in it.
    """
    present: float
    """The share of records in the other table: given, or learned, which is often close to 1 in any case."""
    present_is_given: bool
    confidence: float
    """Smallest posterior probability of a claimed link."""
    claims: GuessCount | None
    """Claimed links, and how many are correct; None if unknown or if nothing is claimed."""
    claimed: int
    fits: tuple[LevelFit, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types; the result itself is listed with the other linkages."""
        main, claims, level = self.result.main, self.claims, self.result.level
        right = None if main is None else GuessCount(claims.successes if claims else 0, main.guesses)
        learned = len(self.result.columns) > 1
        return {
            "columns": list(self.result.columns),
            "records": self.records,
            "expected": self.expected / self.records if learned else None,
            "expected_matches": self.expected if learned else None,
            "present": self.present if learned else None,
            "present_is_given": self.present_is_given,
            "condition": EVERYBODY if learned and not self.present_is_given else None,
            "reason": None if learned else ONE_COLUMN,
            "confidence": self.confidence,
            "claimed": self.claimed,
            "precision": None if claims is None else claims.to_dict(level),
            "recall": None if right is None else right.to_dict(level),
            "levels": [one.to_dict() for one in self.fits],
        }


def link_probably(
    tables: AttackTables, plan: AttackPlan, truth: Truth, rng: np.random.Generator
) -> ProbabilisticLinkage:
    """Learn the weights of agreement, guess the most likely person of each target, and claim sure links."""
    at = tables.places(plan.quasi)
    others = grouped(tables.people[:, at], np.ones(len(tables.people), dtype=np.int64))
    compared = _comparison(tables, at)
    columns = plan.quasi[: len(compared.columns)]
    most = min(plan.guesses, max(FEWEST, PAIRS // len(others.codes)))
    every = truth.owners.one_each(np.arange(len(tables.released)), rng)
    tried = rng.choice(every, min(most, every.size), replace=False)
    targets = grouped(tables.released[tried][:, at[: len(columns)]], np.ones(len(tried), dtype=np.int64))
    found = pattern_counts(compared, targets.codes, others.codes, others.counts)
    fitted = fit(found, compared.levels, targets.counts, len(tables.people), plan.present)
    likely = best_matches(fitted, found, compared.levels, len(tables.people))
    expecting = fitted if plan.present is not None else fitted._replace(present=1.0)
    expected = best_matches(expecting, found, compared.levels, len(tables.people)).posterior
    of = targets.of
    sure = likely.posterior[of] >= plan.confidence
    outcome, claims = _judge(tables, plan, truth, _Guess(compared, fitted, likely, of, tried, sure), rng)
    return ProbabilisticLinkage(
        outcome,
        len(tried),
        float(expected[of].sum()),
        fitted.present,
        plan.present is not None,
        plan.confidence,
        claims,
        int(sure.sum()),
        tuple(_fits(columns, fitted, targets.counts)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    """The guesses of the adversary."""

    compared: PairComparison
    fitted: LinkageModel
    likely: BestMatches
    of: Ints = field(repr=False)
    """The distinct target of each tried record."""
    tried: Ints = field(repr=False)
    sure: Bools = field(repr=False)


def _comparison(tables: AttackTables, at: list[int]) -> PairComparison:
    return comparison(
        [
            agreement_column(
                tables.columns[place],
                tables.people[:, place],
                present=tables.domains[place].present,
                has_missing=tables.domains[place].has_missing,
            )
            for place in at
        ]
    )


def _judge(
    tables: AttackTables, plan: AttackPlan, truth: Truth, guess: _Guess, rng: np.random.Generator
) -> tuple[AttackResult, GuessCount | None]:
    """Judge the guesses: the right person must be among the most likely and be drawn from them."""
    columns = plan.quasi[: len(guess.compared.columns)]
    person = None if truth.person is None else truth.person[guess.tried]
    known = np.zeros(0, dtype=np.int64) if person is None else np.flatnonzero(person >= 0)
    if person is None or not known.size:
        return AttackResult(NAME, columns, plan.level, reason=why_unjudged(truth)), None
    at = tables.places(columns)
    place, rows = tables.persons.all_rows(tables.persons.of[person[known]])
    released, people = tables.released[guess.tried[known[place]]][:, at], tables.people[rows][:, at]
    target, likely = guess.of[known[place]], guess.likely
    pattern = pattern_of(guess.compared, released, people)
    own = scores(guess.fitted, guess.compared.levels, target, pattern)
    first = own >= likely.score[target] - TIE
    ties = np.bincount(place[first], minlength=known.size)
    right = rng.random(known.size) * likely.ties[guess.of[known]] < ties
    chance = rng.random(known.size) * tables.persons.number < 1
    outcome = AttackResult(
        NAME,
        columns,
        plan.level,
        main=GuessCount(int(right.sum()), known.size),
        baseline=GuessCount(int(chance.sum()), known.size),
    )
    claimed = int(guess.sure.sum())
    return outcome, GuessCount(int(right[guess.sure[known]].sum()), claimed) if claimed else None


def _fits(columns: tuple[str, ...], fitted: LinkageModel, times: Ints) -> Iterator[LevelFit]:
    other = fitted.mean_other(times)
    for at, name in enumerate(columns):
        for level in np.flatnonzero(other[at]).tolist():
            match, anybody = float(fitted.match[at, level]), float(other[at, level])
            yield LevelFit(name, LEVELS[level], match, anybody, log2(match / anybody))
