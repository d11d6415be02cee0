"""Input of a lattice search: hierarchies as codes, distinct records, and the acceptance criterion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Ints

Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Recoding:
    """The generalization hierarchy of one quasi-identifier, as codes."""

    levels: tuple[Codes, ...]
    """For each level the code of every value: level 0 is 0, 1, ...; each level merges codes of the last."""
    leaves: tuple[Ints, ...]
    """For each level and code: the hierarchy rows under it, whether or not they occur in the data."""
    domain: int
    """Number of rows of the hierarchy."""
    lowest: int = 0
    """The lowest level that may be chosen."""
    highest: int | None = None
    """The maximum acceptable generalization; None is the top of the hierarchy."""

    def __post_init__(self) -> None:
        if not self.levels or len(self.levels) != len(self.leaves):
            raise InvalidSetting(
                f"A hierarchy has {len(self.levels)} levels and leaf counts for {len(self.leaves)}.",
                hint="Give at least level 0, and one array of leaf counts for each level.",
            )
        if not 0 <= self.lowest <= self.top <= self.height:
            raise InvalidSetting(
                f"Levels {self.lowest} to {self.top} are not within 0 to {self.height}.",
                hint="The lowest level must not be above the highest, nor the highest above the height.",
            )
        if not np.array_equal(self.levels[0], np.arange(self.levels[0].size)):
            raise InvalidSetting(
                "Level 0 of a hierarchy changes values.", hint="Level 0 must map each code to itself."
            )
        for level in range(len(self.levels)):
            self._check_level(level)

    @classmethod
    def of_rows(cls, levels: Sequence[ArrayLike], *, lowest: int = 0, highest: int | None = None) -> Recoding:
        """A hierarchy whose rows are the values themselves: code i is row i."""
        codes = tuple(np.asarray(level, dtype=np.int32) for level in levels)
        leaves = tuple(np.bincount(level).astype(np.int64) for level in codes)
        return cls(codes, leaves, codes[0].size if codes else 0, lowest, highest)

    @property
    def height(self) -> int:
        """The level at the top of the hierarchy."""
        return len(self.levels) - 1

    @property
    def top(self) -> int:
        """The highest level that may be chosen."""
        return self.height if self.highest is None else self.highest

    def _check_level(self, level: int) -> None:
        codes, leaves = self.levels[level], self.leaves[level]
        if codes.shape != self.levels[0].shape or codes.min(initial=0) < 0:
            raise InvalidSetting(
                f"Level {level} does not have a code for every value.", hint="Codes must be 0 or more."
            )
        if codes.max(initial=-1) >= leaves.size:
            raise InvalidSetting(
                f"Level {level} has codes without a leaf count.",
                hint="Give the number of hierarchy rows under every code of the level.",
            )
        used = leaves[codes]
        if used.min(initial=1) < 1 or used.max(initial=0) > self.domain:
            raise InvalidSetting(
                f"Leaf counts of level {level} are not within 1 to {self.domain}.",
                hint="They count rows of the hierarchy; the domain is the number of all rows.",
            )
        if level and not _is_function(self.levels[level - 1], codes):
            raise InvalidSetting(
                f"Level {level} splits values that level {level - 1} has joined.",
                hint="Each level of a hierarchy must be a coarsening of the one before.",
            )


def _is_function(before: Codes, after: Codes) -> bool:
    """Whether equal codes before are equal codes after."""
    image = np.zeros(int(before.max(initial=-1)) + 1, dtype=after.dtype)
    image[before] = after
    return bool(np.array_equal(image[before], after))


@dataclass(frozen=True, slots=True, eq=False)
class Tuples:
    """The distinct combinations of quasi-identifiers, and the number of records of each."""

    codes: Codes
    """One row for each combination, one column for each quasi-identifier."""
    counts: Ints

    def __post_init__(self) -> None:
        if self.codes.ndim != 2 or self.counts.shape != self.codes.shape[:1]:
            raise InvalidSetting(
                f"Codes of shape {self.codes.shape} do not match {self.counts.size} counts.",
                hint="Give codes with one row for each count and one column for each quasi-identifier.",
            )
        if not self.codes.size:
            raise NothingToMeasure("There are no records or no quasi-identifiers.", hint="Check the filter.")
        if self.counts.min() < 1 or self.codes.min() < 0:
            raise InvalidSetting(
                "A count is less than 1 or a code less than 0.", hint="Leave out tuples that do not occur."
            )

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())


@dataclass(frozen=True, slots=True)
class Criterion:
    """When a table is acceptable, and how many records may be suppressed to get there."""

    cell_size: int = 1
    """Smaller classes are suppressed."""
    average: float | None = None
    """Strict average risk: the mean of 1 / class size over the kept records is at most this."""
    cap: float | None = None
    """The highest risk of one record, in addition to the strict average; 0.5 is customary."""
    limit: float = 0.0
    """The share of records that may be suppressed; exceeding it by one record is too many."""

    def __post_init__(self) -> None:
        if self.cell_size < 1:
            raise InvalidSetting(
                f"The cell size cannot be {self.cell_size}.", hint="Give a cell size of 1 or more."
            )
        for name in ("average", "cap"):
            risk = getattr(self, name)
            if risk is not None and not 0 < risk <= 1:
                raise InvalidSetting(f"The {name} risk is {risk}.", hint="It must be above 0 and at most 1.")
        if not 0 <= self.limit <= 1:
            raise InvalidSetting(
                f"The suppression limit cannot be {self.limit}.", hint="Give a share from 0 to 1."
            )

    @property
    def smallest(self) -> int:
        """The smallest class that may be kept: the cell size, or 1 / cap if that is greater."""
        by_cap = 1 if self.cap is None else math.ceil(1 / self.cap - 1e-9)
        return max(self.cell_size, by_cap)

    def may_suppress(self, records: int) -> int:
        """The number of records that may be suppressed among `records`."""
        return math.floor(self.limit * records + 1e-9)
