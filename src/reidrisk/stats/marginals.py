"""The distribution of one column before and after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.stats.arrays import Floats
from reidrisk.stats.released import Released


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Shares of all records."""

    before: Floats
    """By value code."""
    generalized: Floats
    """By code of the chosen level, before any cell is starred."""
    after: Floats
    """By code of the chosen level, as released; with `starred` they add up to 1."""
    starred: float


def distribution(released: Released, column: int) -> Distribution:
    """How the records are spread over the values of a column."""
    records, lost = released.by_value(column)
    total = int(records.sum())
    codes = released.general(column)
    size = released.recodings[column].leaves[released.levels[column]].size

    def shares(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
        return np.bincount(codes, weights=counts, minlength=size) / total

    return Distribution(records / total, shares(records), shares(records - lost), int(lost.sum()) / total)
