"""Plane geometry of PDF: matrices of six numbers, applied to row vectors."""

from __future__ import annotations

from math import hypot

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def times(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that applies `first` and afterwards `then`."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def at(matrix: Matrix, x: float, y: float) -> Point:
    """Where a point comes to lie."""
    a, b, c, d, e, f = matrix
    return (a * x + c * y + e, b * x + d * y + f)


def inverse(matrix: Matrix) -> Matrix | None:
    """The way back; None where the matrix flattens the plane."""
    a, b, c, d, e, f = matrix
    size = a * d - b * c
    if abs(size) < 1e-12:
        return None
    return (d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size)


def shifted(matrix: Matrix, x: float, y: float = 0.0) -> Matrix:
    """The matrix after a step within its own space."""
    a, b, c, d, e, f = matrix
    return (a, b, c, d, a * x + c * y + e, b * x + d * y + f)


def lengths(matrix: Matrix) -> Point:
    """How long a unit step to the right and a unit step upward become."""
    return hypot(matrix[0], matrix[1]), hypot(matrix[2], matrix[3])
