"""The features of a model: which combinations of properties it knows, and what they weigh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reidrisk.detect.model.templates import TEMPLATES, Grid
from reidrisk.stats.arrays import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """For each template the known keys, ascending; they are numbered from 1 through all templates."""

    keys: tuple[Ints, ...]

    @classmethod
    def learn(cls, grids: Sequence[Grid], *, min_documents: int) -> Features:
        """The keys that at least so many texts have."""
        found = []
        for template in TEMPLATES:
            every = np.concatenate([np.unique(grid.keys(template)) for grid in grids])
            keys, documents = np.unique(every, return_counts=True)
            found.append(keys[documents >= min_documents])
        return cls(tuple(found))

    @property
    def size(self) -> int:
        """The number of features."""
        return sum(keys.size for keys in self.keys)

    def rows(self, grid: Grid) -> Ints:
        """Numbers of the features of each token (rows), by template (columns); 0 where it is not known."""
        columns, base = [], 1
        for template, known in zip(TEMPLATES, self.keys, strict=True):
            columns.append(places(known, grid.keys(template), base))
            base += known.size
        return np.stack(columns, axis=1)

    def kept(self, wanted: NDArray[np.bool_]) -> Features:
        """With only some of the features; `wanted` has one entry a feature."""
        kept, at = [], 0
        for keys in self.keys:
            kept.append(keys[wanted[at : at + keys.size]])
            at += keys.size
        return Features(tuple(kept))


def places(known: Ints, wanted: Ints, base: int) -> Ints:
    """Where the wanted keys stand among the known ones, counted from `base`; 0 where they do not."""
    if not known.size:
        return np.zeros_like(wanted)
    place = np.minimum(np.searchsorted(known, wanted), known.size - 1)
    return np.where(known[place] == wanted, base + place, 0)
