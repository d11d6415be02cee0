"""Post-randomisation: a category stays or becomes another with known chances (Gouweleeuw et al. 1998)."""

from __future__ import annotations

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Floats, Ints

WELL_CONDITIONED = 1e6
"""Condition of a matrix from which on its inverse is mostly error."""


def drawn_anew(counts: Ints, keep: float) -> Floats:
    """The matrix by which a value stays with chance `keep`, and is otherwise drawn from all values.

    The shares of the values stay, in expectation, as they were.

    >>> drawn_anew(np.array([3, 1]), 0.8).round(2).tolist()
    [[0.95, 0.05], [0.15, 0.85]]
    """
    if not 0 <= keep <= 1:
        raise InvalidSetting(f"A chance to stay of {keep}.", hint="It is a number from 0 to 1, such as 0.8.")
    shares = counts / counts.sum()
    return np.asarray(keep * np.eye(len(counts)) + (1 - keep) * shares[None, :])


def checked(matrix: Floats) -> Floats:
    """A matrix of chances: square, none negative, every row adding up to 1."""
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1]
    if not square or not np.isfinite(matrix).all() or matrix.min(initial=0) < 0:
        raise InvalidSetting("The matrix is not square, or not of chances.", hint="One row a value, 0 to 1.")
    if np.abs(matrix.sum(axis=1) - 1).max(initial=0) > 1e-9:
        raise InvalidSetting("A row of the matrix does not add up to 1.", hint="A value becomes something.")
    return matrix


def invariant(matrix: Floats, counts: Ints) -> Floats:
    """The matrix followed by its own reversal: it leaves the shares as they were, in expectation.

    The two-stage form of Kooiman, Willenborg and Gouweleeuw 1997. Values that no record has stay.
    """
    shares = counts / counts.sum()
    after = shares @ matrix
    back = np.where(
        after[:, None] > 0, (shares[:, None] * matrix).T / np.maximum(after, 1e-300)[:, None], 0.0
    )
    unseen = after == 0
    back[unseen, unseen] = 1.0
    return np.asarray(matrix @ back)


def randomised(codes: Ints, matrix: Floats, rng: np.random.Generator) -> Ints:
    """Draw every value anew by its row of the matrix; codes below 0 stay."""
    limits = np.cumsum(checked(matrix), axis=1)
    limits[:, -1] = 1.0
    drawn = rng.random(len(codes))
    found = codes.copy()
    for value in range(len(matrix)):
        rows = codes == value
        found[rows] = np.searchsorted(limits[value], drawn[rows], side="right")
    return found


def least_certain(matrix: Floats, counts: Ints) -> float:
    """The least chance, over the values, that a released value was the original one.

    >>> round(least_certain(drawn_anew(np.array([3, 1]), 0.8), np.array([3, 1])), 2)
    0.85
    """
    shares = counts / counts.sum()
    after = shares @ matrix
    seen = after > 0
    return float((shares[seen] * np.diag(matrix)[seen] / after[seen]).min())


def expected_change(matrix: Floats, counts: Ints) -> float:
    """The share of values that become another, in expectation.

    >>> round(expected_change(drawn_anew(np.array([3, 1]), 0.8), np.array([3, 1])), 3)
    0.075
    """
    return float(1 - (counts / counts.sum()) @ np.diag(matrix))


def is_correctable(matrix: Floats) -> bool:
    """Whether the shares of the original values follow from those of the released: the matrix has an inverse.

    One that is nearly without is none: the error of the shares would be larger than the shares.

    >>> is_correctable(drawn_anew(np.array([3, 1]), 0.8)), is_correctable(drawn_anew(np.array([3, 1]), 0.0))
    (True, False)
    """
    return bool(np.linalg.cond(matrix) < WELL_CONDITIONED)
