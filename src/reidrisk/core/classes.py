"""Equivalence classes: groups of records with the same quasi-identifiers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reidrisk.errors import NothingToMeasure


@dataclass(frozen=True, slots=True)
class ClassSizes:
    """How many equivalence classes there are of each size."""

    counts: tuple[tuple[int, int], ...]
    """Pairs (size of class, number of such classes), smallest size first."""

    def __post_init__(self) -> None:
        pairs = tuple(sorted((int(size), int(number)) for size, number in self.counts if number))
        if not pairs or pairs[0][0] < 1:
            raise NothingToMeasure(
                "The table has no records.", hint="Check the file, or the filter that produced it."
            )
        object.__setattr__(self, "counts", pairs)

    @classmethod
    def of(cls, sizes: Iterable[int]) -> ClassSizes:
        """Count classes by size, given the size of each class."""
        from collections import Counter

        return cls(tuple(Counter(sizes).items()))

    @property
    def records(self) -> int:
        """Number of records in all classes."""
        return sum(size * number for size, number in self.counts)

    @property
    def classes(self) -> int:
        """Number of classes."""
        return sum(number for _, number in self.counts)

    @property
    def smallest(self) -> int:
        """Size of the smallest class."""
        return self.counts[0][0]

    @property
    def unique_share(self) -> float:
        """Share of records that are alone in their class."""
        return (self.counts[0][1] if self.smallest == 1 else 0) / self.records

    def records_below(self, cell_size: int) -> int:
        """Number of records in classes smaller than the cell size."""
        return sum(size * number for size, number in self.counts if size < cell_size)
