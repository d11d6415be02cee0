"""Points at which a distribution is evaluated, with their weights."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.special import ndtr

from reidrisk.stats.arrays import Floats
from reidrisk.stats.uncertain import Triangular, Uncertain

RECOGNITION_NODES = 121
LATTICE = (233, 144)
"""Points of a Fibonacci lattice and its step, for two uncertain quantities at once."""
SIDE_NODES, SCORE_NODES, FARTHEST_SCORE = 32, 41, 6.0
"""Gauss-Legendre nodes on each side of a mode; nodes in the normal score, and how far they reach."""


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


def density_nodes(given: Uncertain, *, side: int = SIDE_NODES) -> tuple[Floats, Floats]:
    """Values of an uncertain probability with their weights, for smooth functions of it.

    Triangular: Gauss-Legendre nodes on each side of the mode, times the density. Otherwise nodes that are
    equally spaced in the normal score.
    """
    if given.is_constant:
        return given.quantiles(np.array([0.5])), np.ones(1)
    if not isinstance(given, Triangular):
        u, weights = normal_nodes(SCORE_NODES if side == SIDE_NODES else 2 * side + 1, reach=FARTHEST_SCORE)
        return given.quantiles(u), weights
    points, masses = _legendre(side)
    values: list[Floats] = []
    parts: list[Floats] = []
    for start, end in ((given.low, given.mode), (given.high, given.mode)):
        if start != end:
            place = (points + 1) / 2  # from the end of the range, where the density is 0, to the mode
            values.append(start + (end - start) * place)
            parts.append(masses * place * abs(end - start) / (given.high - given.low))
    return np.concatenate(values), np.concatenate(parts)


@cache
def _legendre(number: int) -> tuple[Floats, Floats]:
    points, masses = np.polynomial.legendre.leggauss(number)
    return points, masses
