"""Cross products of a design, in which most terms of most records are 0."""

from __future__ import annotations

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.compiled import compiled


def products(design: Floats, weights: Floats) -> Floats:
    """The weighted cross products of all columns; one processor, whatever else it is busy with.

    >>> products(np.array([[1.0, 2.0], [1.0, 0.0]]), np.array([1.0, 3.0])).tolist()
    [[4.0, 2.0], [2.0, 4.0]]
    """
    found = np.zeros((design.shape[1], design.shape[1]))
    _add(np.ascontiguousarray(design), np.ascontiguousarray(weights), found)
    return found + np.tril(found, -1).T


@compiled
def _add(design: Floats, weights: Floats, found: Floats) -> None:
    """Below and on the diagonal, from the terms that are not 0."""
    width = design.shape[1]
    terms = np.empty(width, dtype=np.int64)
    for row in range(design.shape[0]):
        number = 0
        for column in range(width):
            if design[row, column] != 0.0:
                terms[number] = column
                number += 1
        for one in range(number):
            x = terms[one]
            scaled = design[row, x] * weights[row]
            for two in range(one + 1):
                found[x, terms[two]] += scaled * design[row, terms[two]]
