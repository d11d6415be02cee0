"""All attacks at once: what they say together, weighed by what was right in other documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reidrisk.resynthesis.attack.instances import Attacked
from reidrisk.resynthesis.attack.logistic import dense_weights
from reidrisk.resynthesis.kinds import kind_of
from reidrisk.stats.arrays import Bools, Floats, Ints

STRENGTH, STEPS = 1e-3, 12
LEAST = 3
"""Leaks of a kind from which weights can be learnt."""


def combined(attacked: Attacked, scores: Sequence[Floats], folds: Ints) -> Floats:
    """How likely an original, from all scores; learnt on the other folds, each kind on its own."""
    leaked = np.array([one.leaked for one in attacked.instances], dtype=bool)
    kinds = np.array([kind_of(one.type) for one in attacked.instances])
    own = folds[np.array([one.document for one in attacked.instances], dtype=np.int64)]
    found = np.zeros(leaked.size)
    for kind in np.unique(kinds):
        same = kinds == kind
        features = _features([one[same] for one in scores])
        found[same] = _chances(features, leaked[same], own[same])
    return found


def _chances(features: Floats, leaked: Bools, own: Ints) -> Floats:
    chances = np.zeros(leaked.size)
    for fold in np.unique(own):
        learn, judge = own != fold, own == fold
        if np.count_nonzero(leaked[learn]) >= LEAST:
            weights = dense_weights(features[learn], leaked[learn], strength=STRENGTH, steps=STEPS)
            chances[judge] = features[judge] @ weights
        else:
            chances[judge] = -np.inf
    return chances


def _features(scores: Sequence[Floats]) -> Floats:
    """Scores in one measure, their squares and products, and a constant."""
    scaled = [(one - one.mean()) / (one.std() or 1.0) for one in scores]
    products = [one * other for at, one in enumerate(scaled) for other in scaled[at:]]
    return np.column_stack([*scaled, *products, np.ones(scores[0].size)])
