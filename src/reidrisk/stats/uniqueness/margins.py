"""Columns of a sample as ordered categories with shares of the population.

A Gaussian copula joins the columns (`copula.py`). For each column it needs the share of every category among
people outside the sample, and an order of the categories.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.stats.arrays import Floats, Ints
from reidrisk.stats.uniqueness.class_models import SampledClasses, fit_pitman

ROUNDS = 30
"""Rounds of reciprocal averaging."""
SHRINK = 2.0
"""Added to the count of a category, so that the score of a rare one stays near the middle."""


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """The chance that another person has each category that occurs, and one that does not occur."""

    seen: Floats
    unseen: float

    @property
    def bounds(self) -> Floats:
        """The limits of the categories on a scale from 0 to 1; what is unseen is above the last one."""
        return np.concatenate([[0.0], np.cumsum(self.seen[:-1]), [1.0 - self.unseen]])


def margin_shares(counts: Ints) -> Shares:
    """Shares by the Ewens-Pitman partition of the column: (c - alpha) / (n + theta), theta at most n.

    Rare categories in a sample show that there are others outside it. Without a singleton, or if all
    categories are equally frequent, the shares are those of the sample.

    >>> margin_shares(np.array([50, 30, 20])).seen.tolist()
    [0.5, 0.3, 0.2]
    """
    records = int(counts.sum())
    plain = Shares(np.asarray(counts / records, dtype=np.float64), 0.0)
    if counts.min() > 1 or counts.min() == counts.max():
        return plain
    sizes, number = np.unique(counts, return_counts=True)
    model = fit_pitman(SampledClasses(sizes, number, records))
    if model is None:
        return plain
    seen = (counts - model.alpha) / (records + min(model.theta, float(records)))
    return Shares(np.asarray(seen, dtype=np.float64), max(0.0, 1.0 - float(seen.sum())))


def singleton_ratio(counts: Ints, shares: Shares) -> float:
    """How much rarer a category of one record may be than its share says; at most 1.

    Turing's estimate of its share is 2 s2 / (s1 n), with s1 categories of one record and s2 of two (Good
    1953, doi:10.1093/biomet/40.3-4.237). One is added to both, so that a single rare category says nothing.
    Many categories of one record and few of two mean that these are rarer than a smooth curve suggests.
    """
    single, double = int((counts == 1).sum()), int((counts == 2).sum())
    if single == 0:
        return 1.0
    turing = 2 * (double + 1) / ((single + 1) * int(counts.sum()))
    return min(1.0, turing / float(shares.seen[counts == 1][0]))


def order_categories(codes: Ints, number: Ints, *, ordinal: tuple[bool, ...]) -> tuple[Ints, ...]:
    """For each column, its categories in order.

    `codes` has one row per distinct tuple, `number` the records of each. An ordinal column keeps its order.
    The others are ordered by reciprocal averaging: a category is placed by the mean of the other columns over
    its records.
    """
    counts = [np.bincount(column, weights=number).astype(np.float64) for column in codes.T]
    scores = [_start(one, is_ordinal=own) for one, own in zip(counts, ordinal, strict=True)]
    total = sum((score[column] for score, column in zip(scores, codes.T, strict=True)), np.zeros(len(codes)))
    nominal = [place for place, own in enumerate(ordinal) if not own]
    for _ in range(ROUNDS if codes.shape[1] > 1 else 0):
        for place in nominal:
            column = codes[:, place]
            others = total - scores[place][column]
            means = np.bincount(column, weights=number * others) / (counts[place] + SHRINK)
            scores[place] = _standardised(means, counts[place])
            total = others + scores[place][column]
    natural = [np.arange(len(one)) for one in counts]
    return tuple(
        codes_of if own else np.argsort(np.round(score, 12), kind="stable")
        for codes_of, score, own in zip(natural, scores, ordinal, strict=True)
    )


def _start(counts: Floats, *, is_ordinal: bool) -> Floats:
    """Normal scores of the middle rank of an ordinal category; the rank by frequency of a nominal one."""
    from scipy.special import ndtri

    if is_ordinal:
        start = ndtri((np.cumsum(counts) - counts / 2) / counts.sum())
    else:
        start = np.empty(len(counts))
        start[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return _standardised(start, counts)


def _standardised(score: Floats, counts: Floats) -> Floats:
    """Mean 0 and variance 1 over the records; 0 if there is no spread."""
    share = counts / counts.sum()
    centred = score - float(share @ score)
    spread = float(np.sqrt(share @ centred**2))
    return np.asarray(centred / spread) if spread > 1e-12 else np.zeros(len(score))
