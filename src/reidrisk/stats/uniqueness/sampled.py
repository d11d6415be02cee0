"""Equivalence classes of a sample, counted by their size, and the population that it was drawn from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reidrisk.errors import InvalidSetting, NothingToMeasure
from reidrisk.stats.arrays import Ints


@dataclass(frozen=True, eq=False)
class SampledClasses:
    """A simple random sample: `number[i]` classes have `sizes[i]` records each."""

    sizes: Ints
    number: Ints
    population: int

    def __post_init__(self) -> None:
        if self.sizes.size == 0:
            raise NothingToMeasure("There are no records.", hint="Give a table with at least one record.")
        if np.any(self.sizes < 1) or np.any(self.number < 1):
            raise InvalidSetting(
                "A class has no records, or a size no classes.", hint="Count only what is there."
            )
        if self.population < self.records:
            raise InvalidSetting(
                f"A population of {self.population:,} cannot hold a sample of {self.records:,} records.",
                hint="The population size counts everybody whom the sample was drawn from.",
            )

    @property
    def records(self) -> int:
        """Records of the sample."""
        return int(self.sizes @ self.number)

    @property
    def classes(self) -> int:
        """Equivalence classes of the sample."""
        return int(self.number.sum())

    @property
    def fraction(self) -> float:
        """The share of the population that is in the sample."""
        return self.records / self.population

    def of_size(self, size: int) -> int:
        """How many classes have this size."""
        return int(self.number[self.sizes == size].sum())

    @property
    def uniques(self) -> int:
        """Records that are alone in their class."""
        return self.of_size(1)
