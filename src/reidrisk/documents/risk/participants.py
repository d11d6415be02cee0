"""The quasi-identifiers of every participant as numbers: as the trial has them, and as they are released."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.errors import InvalidSetting
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import packed

if TYPE_CHECKING:
    from reidrisk.documents.study.study import Study


@dataclass(frozen=True, slots=True, eq=False)
class Participants:
    """One row a participant, one column a variable; equal numbers are equal values, a missing one too."""

    variables: tuple[str, ...]
    original: Ints = field(repr=False)
    released: Ints = field(repr=False)
    """What stands in the released data; the same as `original` where nothing is said about them."""
    is_deidentified: bool

    def __len__(self) -> int:
        return len(self.original)

    @property
    def changed(self) -> tuple[str, ...]:
        """Variables that are released with fewer values than they have."""
        kept = [len(np.unique(codes)) for codes in self.original.T]
        left = [len(np.unique(codes)) for codes in self.released.T]
        return tuple(name for name, one, two in zip(self.variables, kept, left, strict=True) if two < one)

    def class_sizes(self, released: Iterable[str], original: Iterable[str] = ()) -> Ints:
        """For every participant: how many are alike on these variables, some as released, some as they are.

        Nothing known leaves everybody alike.
        """
        place = self.classes(released, original)
        return np.asarray(np.bincount(place)[place], dtype=np.int64)

    def classes(self, released: Iterable[str], original: Iterable[str] = ()) -> Ints:
        """For every participant: the number of the class on these variables."""
        columns = [self.released[:, self._at(name)] for name in released]
        columns += [self.original[:, self._at(name)] for name in original]
        if not columns:
            return np.zeros(len(self), dtype=np.int64)
        keys = packed(np.stack(columns, axis=1), range(len(columns)))
        return np.asarray(np.unique(keys, return_inverse=True)[1], dtype=np.int64)

    def _at(self, name: str) -> int:
        if name not in self.variables:
            raise InvalidSetting.among("A quasi-identifier of the study", name, self.variables)
        return self.variables.index(name)


def participants_of(study: Study) -> Participants:
    """Every participant of the study's first table, by the quasi-identifiers of its schema."""
    table, variables = study.data.participants, study.roles.quasi
    places = [table.columns.index(name) for name in variables]
    rows = [tuple(row[at] for at in places) for row in table.rows]
    released = study.released
    if released is None:
        new = rows
    else:
        new = [
            tuple(
                None if value is None else released.value(number, name, value)
                for name, value in zip(variables, row, strict=True)
            )
            for number, row in enumerate(rows, start=1)
        ]
    return coded(variables, rows, new, is_deidentified=released is not None)


def coded(
    variables: Sequence[str],
    rows: Sequence[Sequence[object]],
    released: Sequence[Sequence[object]] | None = None,
    *,
    is_deidentified: bool = False,
) -> Participants:
    """From the values themselves.

    >>> coded(["SEX", "AGE"], [("F", 26), ("M", 26), ("F", 26)]).class_sizes(["SEX"]).tolist()
    [2, 1, 2]
    """
    original = _codes(rows, len(variables))
    new = original if released is None else _codes(released, len(variables))
    return Participants(tuple(variables), original, new, is_deidentified)


def _codes(rows: Sequence[Sequence[object]], width: int) -> Ints:
    codes = np.zeros((len(rows), width), dtype=np.int64)
    for column in range(width):
        known: dict[object, int] = {}
        for at, row in enumerate(rows):
            codes[at, column] = known.setdefault(row[column], len(known))
    return codes
