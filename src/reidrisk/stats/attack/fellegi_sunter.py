"""Probabilistic linkage: the weight of agreement, estimated from the tables alone.

Fellegi & Sunter (1969, doi:10.1080/01621459.1969.10501049): a column that agrees adds log2(m/u) to the weight
of a link. m is the probability that it agrees for a record and its own person, u for a record and anybody
else. m is estimated by expectation-maximization, as in Winkler (1988) and Jaro (1989,
doi:10.1080/01621459.1989.10478785): errors in columns are independent, and each record belongs to at most one
person.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.attack.agreement import LEVELS, NOTHING, PatternCounts

START = (0.95, 0.025, 0.025, 0.0)
"""Prior probabilities that a column agrees, is near, or is far."""
PRESENT = 0.95
"""Share of records in the other table with which the estimation starts."""
BELIEF = 0.01
"""Weight of the prior relative to the data. Without it, columns with little information leave m undetermined.
"""
LEAST = 1e-6
ROUNDS, ENOUGH = 500, 1e-6
"""Maximum number of iterations, and the change in any probability below which iteration stops."""
TIE = 1e-9


class LinkageModel(NamedTuple):
    """The estimated weight of each level of agreement."""

    match: Floats
    """m by column and level."""
    other: Floats
    """u by column and level."""
    present: float
    """The share of records that are in the other table."""
    rounds: int

    @property
    def weights(self) -> Floats:
        """log2(m/u); 0 where it is undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = np.where((self.other > 0) & (self.match > 0), np.log2(self.match / self.other), 0)
        return found


class BestMatches(NamedTuple):
    """The most likely person for each target."""

    score: Floats
    """The weight of the best person."""
    ties: Ints
    """Number of people with this weight."""
    posterior: Floats
    """The probability that one of them, chosen at random, is the right one."""


def chances(counted: PatternCounts, levels: Ints, times: Ints) -> Floats:
    """u: how often each level occurs among all pairs of a target and a person.

    `times` is the number of records that each target represents.
    """
    pairs = (counted.people * times[counted.target]).astype(np.float64)
    return _shares(counted.pattern, pairs, levels)


def fit(counted: PatternCounts, levels: Ints, times: Ints, people: int) -> LinkageModel:
    """Estimate m and the share of records that are in the table."""
    other = chances(counted, levels, times)
    believed = np.where(other > 0, START, 0.0)
    believed /= np.maximum(believed.sum(axis=1, keepdims=True), LEAST)
    found = LinkageModel(believed, other, PRESENT, 0)
    starts = np.flatnonzero(np.r_[True, np.diff(counted.target) > 0])
    for rounds in range(1, ROUNDS + 1):
        odds = np.exp2(scores(found, levels))
        share = counted.people.astype(np.float64) * odds[counted.pattern] * (found.present / people)
        whole = np.add.reduceat(share, starts)
        share *= (times / (1 - found.present + whole))[counted.target]
        seen = _shares(counted.pattern, share, levels)
        present = (float(share.sum() / times.sum()) + BELIEF) / (1 + BELIEF)
        before, found = (
            found,
            LinkageModel(_blend_with_prior(seen, believed), other, min(present, 1 - LEAST), rounds),
        )
        change = float(np.abs(found.match - before.match).max(initial=0.0))
        if max(change, abs(found.present - before.present)) < ENOUGH:
            break
    return found


def _blend_with_prior(seen: Floats, believed: Floats) -> Floats:
    """The observed shares combined with a little of the prior, so that nothing becomes impossible."""
    return (seen + BELIEF * believed) / (1 + BELIEF)


def scores(fitted: LinkageModel, levels: Ints) -> Floats:
    """The weight of each pattern: the sum over its columns."""
    found: Floats = np.take_along_axis(fitted.weights.T, levels, axis=0).sum(axis=1)
    return found


def best_matches(fitted: LinkageModel, counted: PatternCounts, levels: Ints, people: int) -> BestMatches:
    """The most likely person for each target, and the probability that the match is right.

    Before anything is compared, a record that is in the table is equally likely to be each person.
    """
    starts = np.flatnonzero(np.r_[True, np.diff(counted.target) > 0])
    score = scores(fitted, levels)[counted.pattern]
    highest = np.maximum.reduceat(score, starts)
    first: NDArray[np.bool_] = score >= highest[counted.target] - TIE
    ties = np.add.reduceat(np.where(first, counted.people, 0), starts)
    before = fitted.present / people
    whole = np.add.reduceat(counted.people * np.exp2(score), starts) * before
    return BestMatches(highest, ties, np.exp2(highest) * before / (1 - fitted.present + whole))


def _shares(pattern: Ints, mass: Floats, levels: Ints) -> Floats:
    """By column and level: the share of the mass, among pairs where the column is informative."""
    whole = np.bincount(pattern, mass, minlength=len(levels))
    found = np.zeros((levels.shape[1], len(LEVELS)))
    for at in range(levels.shape[1]):
        found[at] = np.bincount(levels[:, at], whole, minlength=len(LEVELS))
    found[:, NOTHING] = 0.0
    said = found.sum(axis=1, keepdims=True)
    shares: Floats = np.divide(found, said, out=np.zeros_like(found), where=said > 0)
    return shares
