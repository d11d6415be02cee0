"""Probabilistic linkage: the weight of agreement, estimated from the tables alone.

Fellegi & Sunter (1969, doi:10.1080/01621459.1969.10501049): a column that agrees adds log2(m/u) to the weight
of a link. m is the probability that it agrees for a record and its own person, u for a record and anybody
else. u depends on the value of the record (Winkler 1989, Proceedings of the Section on Survey Research
Methods, American Statistical Association): agreeing on a rare value says more than agreeing on a common one.
m is estimated by expectation-maximization, as in Winkler (1988) and Jaro (1989,
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
RAREST = 0.5
"""Number of people that a level is taken to have at least, so that u is never 0."""
ROUNDS, ENOUGH = 500, 1e-6
"""Maximum number of iterations, and the change in any probability below which iteration stops."""
TIE = 1e-9


class LinkageModel(NamedTuple):
    """The estimated weight of each level of agreement."""

    match: Floats
    """m by column and level."""
    other: Floats
    """u by target, column and level; 0 where nobody is informative."""
    present: float
    """The share of records that are in the other table."""
    rounds: int

    def mean_other(self, times: Ints) -> Floats:
        """u by column and level: the mean over targets for which the column is informative."""
        informative = self.other.sum(axis=2) > 0
        mass = informative * times[:, np.newaxis]
        whole = np.einsum("tjl,tj->jl", self.other, mass)
        said = mass.sum(axis=0)[:, np.newaxis]
        shares: Floats = np.divide(whole, said, out=np.zeros_like(whole), where=said > 0)
        return shares


class BestMatches(NamedTuple):
    """The most likely person for each target."""

    score: Floats
    """The weight of the best person."""
    ties: Ints
    """Number of people with this weight."""
    posterior: Floats
    """The probability that one of them, chosen at random, is the right one."""


def chances(counted: PatternCounts, levels: Ints, people: int) -> Floats:
    """u: by target, the share of people on each level, among those for whom the column is informative.

    It is at least that of half a person, because a value that nobody has is rare, not impossible.
    """
    targets = int(counted.target[-1]) + 1
    found = np.zeros((targets, levels.shape[1], len(LEVELS)))
    for at in range(levels.shape[1]):
        place = counted.target * len(LEVELS) + levels[counted.pattern, at]
        found[:, at] = np.bincount(place, counted.people, minlength=targets * len(LEVELS)).reshape(
            targets, -1
        )
    occurs = found.sum(axis=0) > 0
    found[:, :, NOTHING] = 0.0
    said = found.sum(axis=2, keepdims=True)
    shares = np.divide(found, said, out=np.zeros_like(found), where=said > 0)
    occurs[:, NOTHING] = False
    least: Floats = np.where((said > 0) & occurs, RAREST / people, 0.0)
    at_least: Floats = np.maximum(shares, least)
    return at_least


def fit(
    counted: PatternCounts, levels: Ints, times: Ints, people: int, present: float | None = None
) -> LinkageModel:
    """Estimate m, and the share of records that are in the table unless it is given.

    `times` is the number of records that each target represents.
    """
    other = chances(counted, levels, people)
    believed = np.where(other.max(axis=0) > 0, START, 0.0)
    believed /= np.maximum(believed.sum(axis=1, keepdims=True), LEAST)
    found = LinkageModel(believed, other, PRESENT if present is None else present, 0)
    starts = np.flatnonzero(np.r_[True, np.diff(counted.target) > 0])
    rare: Floats = counted.people.astype(np.float64) * np.exp2(
        rarity(other, levels, counted.target, counted.pattern)
    )
    for rounds in range(1, ROUNDS + 1):
        share: Floats = rare * np.exp2(_agreement(found, levels))[counted.pattern] * (found.present / people)
        whole = np.add.reduceat(share, starts)
        share *= (times / (1 - found.present + whole))[counted.target]
        match = _blend_with_prior(_shares(counted.pattern, share, levels), believed)
        before, found = found, LinkageModel(match, other, _present(share, times, present), rounds)
        change = float(np.abs(found.match - before.match).max(initial=0.0))
        if max(change, abs(found.present - before.present)) < ENOUGH:
            break
    return found


def _present(share: Floats, times: Ints, given: float | None) -> float:
    """The share of records in the table: as given, or estimated with a little of the prior that all are."""
    if given is not None:
        return given
    return min((float(share.sum() / times.sum()) + BELIEF) / (1 + BELIEF), 1 - LEAST)


def _blend_with_prior(seen: Floats, believed: Floats) -> Floats:
    """The observed shares combined with a little of the prior, so that nothing becomes impossible."""
    return (seen + BELIEF * believed) / (1 + BELIEF)


def _agreement(fitted: LinkageModel, levels: Ints) -> Floats:
    """log2 of m of each pattern: the sum over its columns."""
    found: Floats = np.take_along_axis(_logarithm(fitted.match).T, levels, axis=0).sum(axis=1)
    return found


def rarity(other: Floats, levels: Ints, target: Ints, pattern: Ints) -> Floats:
    """-log2 of u of each pair of a target and a pattern: the sum over the pattern's columns."""
    surprise = -_logarithm(other)
    found = np.zeros(target.size)
    for at in range(levels.shape[1]):
        found += surprise[:, at].ravel()[target * len(LEVELS) + levels[pattern, at]]
    return found


def _logarithm(shares: Floats) -> Floats:
    """log2; 0 where it is undefined, so that nothing is added to a weight."""
    found: Floats = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return found


def scores(fitted: LinkageModel, levels: Ints, target: Ints, pattern: Ints) -> Floats:
    """The weight of each pair of a target and a pattern: the sum of log2(m/u) over its columns."""
    return _agreement(fitted, levels)[pattern] + rarity(fitted.other, levels, target, pattern)


def best_matches(fitted: LinkageModel, counted: PatternCounts, levels: Ints, people: int) -> BestMatches:
    """The most likely person for each target, and the probability that the match is right.

    Before anything is compared, a record that is in the table is equally likely to be each person.
    """
    starts = np.flatnonzero(np.r_[True, np.diff(counted.target) > 0])
    score = scores(fitted, levels, counted.target, counted.pattern)
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
