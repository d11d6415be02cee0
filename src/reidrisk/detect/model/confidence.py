"""Calibrated confidence: the share of tokens with similar evidence that are identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reidrisk.detect.model.layout import TokenLayout, same_words
from reidrisk.detect.model.lexicon import CAPITAL, NUMBER, SMALL
from reidrisk.stats.arrays import Bools, Floats

EDGE = 1e-4
"""Probabilities closer to 0 or 1 than this are clipped."""
_KINDS = (NUMBER, SMALL, CAPITAL)
COLUMNS = 2 + 2 * len(_KINDS)
_RIDGE = 1.0
_STEPS, _SMALL = 50, 1e-9


@dataclass(frozen=True, slots=True)
class Confidence:
    """A logistic model of the chain's odds for a token and for the same word elsewhere in the text.

    A word that is a name after "Dr." is a name in the next sentence too. The model is fitted to predictions
    for documents that the chain was not trained on (Platt 1999), so that confidences are calibrated.
    """

    coefficients: tuple[float, ...] = (0.0, 1.0, *(0.0,) * (COLUMNS - 2))
    """The default returns the chain's own probability."""

    def of(self, layout: TokenLayout, masses: Floats) -> Floats:
        """The confidence that each token belongs to an identifier."""
        return self.sure(evidence(layout, masses))

    def sure(self, columns: Floats) -> Floats:
        """The same, from the evidence columns."""
        return _logistic(columns @ np.array(self.coefficients))

    @classmethod
    def learn(cls, columns: Sequence[Floats], wanted: Sequence[Bools]) -> Confidence:
        """Fit to the evidence of many documents and to whether each token is an identifier."""
        every, right = np.concatenate(columns), np.concatenate(wanted).astype(float)
        if every.size == 0 or right.min() == right.max():
            return cls()
        return cls(tuple(_fit(every, right).tolist()))


def evidence(layout: TokenLayout, masses: Floats) -> Floats:
    """Tokens x columns: 1, the chain's log odds, and per kind of word: does it recur, best log odds there."""
    clipped = np.clip(masses, EDGE, 1 - EDGE)
    odds = np.log(clipped) - np.log1p(-clipped)
    elsewhere, recurs = _best_elsewhere(layout, odds)
    columns = [np.ones(layout.size), odds]
    for kind in _KINDS:
        counts = recurs & (layout.kind == kind) & (layout.end - layout.start > 2)
        columns += [counts.astype(float), np.where(counts, elsewhere, 0.0)]
    return np.stack(columns, axis=1)


def _best_elsewhere(layout: TokenLayout, odds: Floats) -> tuple[Floats, Bools]:
    """The highest log odds of the same word elsewhere in the text, and whether it occurs elsewhere."""
    same = same_words(layout)
    order = np.lexsort((odds, same))
    words = same[order]
    last = np.ones(words.size, dtype=bool)
    last[:-1] = words[1:] != words[:-1]
    group = np.cumsum(last) - last
    ends = np.flatnonzero(last)
    best = odds[order][ends[group]]
    second = odds[order][np.maximum(ends[group] - 1, 0)]
    alone = np.bincount(group)[group] == 1 if group.size else last
    found = np.empty(words.size)
    recurs = np.empty(words.size, dtype=bool)
    found[order] = np.where(last, second, best)
    recurs[order] = ~alone
    return found, recurs


def _logistic(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))))


def _fit(columns: Floats, right: Floats) -> Floats:
    """Maximize the ridge-penalized likelihood by Newton steps; the penalty pulls toward the default."""
    usual = np.array(Confidence().coefficients)
    found, loss = usual.copy(), _loss(columns, right, usual, usual)
    for _ in range(_STEPS):
        chance = _logistic(columns @ found)
        slope = columns.T @ (chance - right) + _RIDGE * (found - usual)
        bend = (columns * (chance * (1 - chance))[:, None]).T @ columns + _RIDGE * np.eye(usual.size)
        step = np.linalg.solve(bend, slope)
        new = found - step
        while (now := _loss(columns, right, new, usual)) > loss and np.abs(step).max() > _SMALL:
            step = step / 2
            new = found - step
        if loss - now < _SMALL * loss:
            break
        found, loss = new, now
    return found


def _loss(columns: Floats, right: Floats, found: Floats, usual: Floats) -> float:
    odds = columns @ found
    return float(np.sum(np.logaddexp(0, odds) - right * odds) + _RIDGE / 2 * np.sum((found - usual) ** 2))
