"""Gauss quadrature over a weighted set of numbers: few points replace many."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats


def gauss_points(points: Floats, weights: Floats, number: int) -> tuple[Floats, Floats]:
    """Points and weights of Gauss's rule for a finite set; exact for polynomials of degree 2 number - 1.

    These are the eigenvalues of the tridiagonal Lanczos matrix, with every step orthogonalized against all
    previous ones (Golub and Welsch 1969). A set with no more than `number` points is returned unchanged.
    """
    if len(points) <= number:
        return points, weights
    middle, scale = points.mean(), np.ptp(points) / 2
    x = (points - middle) / scale
    total = weights.sum()
    basis = [np.sqrt(weights / total)]
    diagonal, beside = [], []
    for step in range(number):
        moved = x * basis[-1]
        diagonal.append(float(moved @ basis[-1]))
        so_far = np.array(basis)
        for _ in range(2):
            moved = moved - so_far.T @ (so_far @ moved)
        length = float(np.linalg.norm(moved))
        if step == number - 1 or length < 1e-14:
            break
        beside.append(length)
        basis.append(moved / length)
    size = len(diagonal)
    inner = np.diag(diagonal) + np.diag(beside[: size - 1], 1) + np.diag(beside[: size - 1], -1)
    values, vectors = np.linalg.eigh(inner)
    return values * scale + middle, total * vectors[0] ** 2
