"""Logistic regression, for many features that are seldom there and for few that always are."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit

from reidrisk.stats.arrays import Bools, Floats

RATE = 1.0


def sparse_weights(matrix: Any, labels: Bools, *, strength: float, steps: int) -> Floats:
    """By steps along the slope, each feature at its own pace (Duchi, Hazan and Singer 2011, AdaGrad)."""
    wanted = labels.astype(float)
    weights: Floats = np.zeros(matrix.shape[1])
    squares = np.full(matrix.shape[1], 1e-12)
    turned = matrix.T.tocsr()
    for _ in range(steps):
        slope = turned @ (expit(matrix @ weights) - wanted) / wanted.size + strength * weights
        squares += slope * slope
        weights -= RATE * slope / np.sqrt(squares)
    return weights


def dense_weights(features: Floats, labels: Bools, *, strength: float, steps: int) -> Floats:
    """By Newton's method; weights are held back by the square of their size."""
    wanted = labels.astype(float)
    size = features.shape[1]
    weights: Floats = np.zeros(size)
    for _ in range(steps):
        chances = expit(features @ weights)
        slope = features.T @ (chances - wanted) / wanted.size + strength * weights
        bend = (features * (chances * (1 - chances))[:, None]).T @ features / wanted.size
        step = np.linalg.solve(bend + strength * np.eye(size), slope)
        weights -= step * min(1.0, 5.0 / (float(np.abs(step).max()) + 1e-12))
    return weights
