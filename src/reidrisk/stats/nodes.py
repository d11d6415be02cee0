"""Points at which a distribution is evaluated, with their weights."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from reidrisk.stats.arrays import Floats
from reidrisk.stats.uncertain import Uncertain

RECOGNITION_NODES = 121
LATTICE = (233, 144)
"""Points of a Fibonacci lattice and its step, for two uncertain quantities at once."""


def midpoints(number: int) -> Floats:
    """Midpoints of equally likely parts."""
    return (np.arange(number) + 0.5) / number


def equal_nodes(number: int) -> tuple[Floats, Floats]:
    """Equally likely nodes, for functions with a jump."""
    return midpoints(number), np.full(number, 1 / number)


def normal_nodes(number: int, *, reach: float = 8.0) -> tuple[Floats, Floats]:
    """Nodes equally spaced in the normal score: they cover the tails and suit smooth functions."""
    score = np.linspace(-reach, reach, number)
    weights = np.exp(-(score**2) / 2)
    return np.clip(ndtr(score), 1e-15, 1 - 1e-15), weights / weights.sum()


def recognition_nodes(recognition: Uncertain) -> list[float]:
    """Equally likely values of a recognition; a single one if it is known."""
    points = 1 if recognition.is_constant else RECOGNITION_NODES
    return [float(value) for value in recognition.quantiles(midpoints(points))]


def joint_nodes(first: Uncertain, second: Uncertain) -> list[tuple[float, float]]:
    """Equally likely pairs of values of two independent quantities, spread evenly."""
    if second.is_constant:
        known = float(second.quantiles(midpoints(1))[0])
        return [(value, known) for value in recognition_nodes(first)]
    if first.is_constant:
        known = float(first.quantiles(midpoints(1))[0])
        return [(known, value) for value in recognition_nodes(second)]
    points, step = LATTICE
    ones = first.quantiles(midpoints(points))
    others = second.quantiles((np.arange(points) * step % points + 0.5) / points)
    return [(float(one), float(other)) for one, other in zip(ones, others, strict=True)]
