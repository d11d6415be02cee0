"""Group equal rows of codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Ints


class Grouped(NamedTuple):
    """The distinct rows in order, the number of records of each, and the distinct row of each input row."""

    codes: NDArray[np.int32]
    counts: Ints
    of: Ints


def grouped(codes: NDArray[np.int32], counts: Ints) -> Grouped:
    """Merge equal rows and add up their counts.

    >>> grouped(np.array([[1, 0], [0, 2], [1, 0]], dtype=np.int32), np.array([2, 1, 3])).counts.tolist()
    [1, 5]
    """
    _, first, of = np.unique(packed(codes, range(codes.shape[1])), return_index=True, return_inverse=True)
    total = np.bincount(of, weights=counts, minlength=len(first)).astype(np.int64)
    return Grouped(np.asfortranarray(codes[first], dtype=np.int32), total, of.astype(np.int64))


def packed(codes: NDArray[Any], columns: Sequence[int]) -> Ints:
    """One number for each combination of values, in their order; ranked again before it could overflow."""
    key = np.zeros(len(codes), dtype=np.int64)
    span = 1
    for column in columns:
        width = int(codes[:, column].max(initial=0)) + 1
        if span > 2**62 // width:
            values, key = np.unique(key, return_inverse=True)
            span = int(values.size)
        key = key * width + codes[:, column]
        span *= width
    return key
