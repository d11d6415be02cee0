"""Probabilistic linkage: an adversary who reckons with errors on either side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from reidrisk.stats.arrays import Bools, Floats, Ints
from reidrisk.stats.attack.agreement import (
    LEVELS,
    PairComparison,
    agreement_column,
    comparison,
    pattern_counts,
    pattern_of,
)
from reidrisk.stats.attack.fellegi_sunter import TIE, BestMatches, LinkageModel, best_matches, fit, scores
from reidrisk.stats.grouping import grouped
from reidrisk.tables.attack.data import Codes, Tables
from reidrisk.tables.attack.outcome import Outcome, Tally
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.truth import Truth, unjudged

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
    found = pattern_counts(compared, targets.codes, others.codes, others.counts)
    fitted = fit(found, compared.levels, targets.counts, len(tables.people))
    likely = best_matches(fitted, found, compared.levels, len(tables.people))
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

    compared: PairComparison
    fitted: LinkageModel
    likely: BestMatches
    of: Ints = field(repr=False)
    """The distinct target that each tried record is."""
    tried: Ints = field(repr=False)
    sure: Bools = field(repr=False)


def _compared(tables: Tables, at: list[int]) -> PairComparison:
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


def _fits(columns: tuple[str, ...], fitted: LinkageModel) -> Iterator[LevelFit]:
    tables = (fitted.match, fitted.other, fitted.weights)
    for at, name in enumerate(columns):
        for level in np.flatnonzero(fitted.other[at]).tolist():
            yield LevelFit(name, LEVELS[level], *(float(table[at, level]) for table in tables))
