"""What is released of a table: values at the chosen levels, and stars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Bools, Ints
from reidrisk.stats.lattice.inputs import Codes, Recoding, Tuples


@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """The distinct tuples of a table, the level of each column, and which records are starred where."""

    tuples: Tuples
    recodings: Sequence[Recoding]
    levels: tuple[int, ...]
    moves: tuple[Ints, Ints, Ints]
    """(tuple, starred columns as bit mask, number of records); every record occurs once."""

    def __post_init__(self) -> None:
        columns = self.tuples.codes.shape[1]
        if not columns == len(self.recodings) == len(self.levels):
            raise InvalidSetting(
                f"{columns} columns, {len(self.recodings)} hierarchies and {len(self.levels)} levels.",
                hint="Give one hierarchy and one level for each column.",
            )
        for recoding, level in zip(self.recodings, self.levels, strict=True):
            if not 0 <= level <= recoding.height:
                raise InvalidSetting(
                    f"Level {level} of a hierarchy of {recoding.height}.", hint="The lowest level is 0."
                )
        rows, masks, numbers = self.moves
        if np.any(masks >> columns):
            raise InvalidSetting("A mask stars a column beyond the last.", hint="Bit j stands for column j.")
        placed = np.zeros(len(self.tuples.counts), dtype=np.int64)
        np.add.at(placed, rows, numbers)
        if not np.array_equal(placed, self.tuples.counts):
            raise InvalidSetting(
                "The moves do not place every record once.", hint="Records without a star have the mask 0."
            )

    @classmethod
    def unstarred(cls, tuples: Tuples, recodings: Sequence[Recoding], levels: tuple[int, ...]) -> Released:
        """Generalized only."""
        rows = np.arange(len(tuples.counts))
        return cls(tuples, recodings, levels, (rows, np.zeros_like(rows), tuples.counts))

    @property
    def columns(self) -> int:
        """How many quasi-identifiers there are."""
        return len(self.levels)

    def general(self, column: int) -> Codes:
        """By value code: the code at the chosen level."""
        return self.recodings[column].levels[self.levels[column]]

    def starred(self, column: int) -> Bools:
        """By move: whether the column is starred."""
        return np.asarray((self.moves[1] >> column) & 1, dtype=np.bool_)

    def by_value(self, column: int) -> tuple[Ints, Ints]:
        """By value code: records, and those of them that are starred in this column."""
        rows, _, numbers = self.moves
        values = self.tuples.codes[:, column][rows]
        starred = self.starred(column)
        records = np.zeros(self.recodings[column].levels[0].size, dtype=np.int64)
        lost = np.zeros_like(records)
        np.add.at(records, values, numbers)
        np.add.at(lost, values[starred], numbers[starred])
        return records, lost
