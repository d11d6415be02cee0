"""A sample of the classes of a large table, for models that take long for each class.

Small classes decide about the risk, so the smallest sizes are examined whole as far as half of the room goes.
Of every other size a simple random sample is drawn, and each class that was drawn stands for as many as there
are of its size for each one drawn: the numbers of classes and of records stay exact for every size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from reidrisk.stats.arrays import Floats, Ints

WHOLE = 0.5
"""Share of the room for sizes that are examined whole."""
DOUBT = 0.05
"""With this chance, all classes that matter are missed although there are as many as `missed` says."""


@dataclass(frozen=True, slots=True)
class DrawnClasses:
    """How many classes of each size were drawn, for the sizes of which not all were."""

    sizes: tuple[tuple[int, int, int], ...]
    """Size of class, classes drawn, and all classes of this size; smallest size first."""

    def weights(self, size: Ints) -> Floats:
        """How many classes each class of these sizes stands for."""
        found = np.ones(len(size))
        own = {one: every / drawn for one, drawn, every in self.sizes}
        for place in np.flatnonzero(np.isin(size, list(own))):
            found[place] = own[int(size[place])]
        return found

    def missed(self, cell_size: int) -> float:
        """How many classes below the cell size may all have been missed: with a chance of 5 %, no more.

        A class of which one in w was drawn is missed with the chance 1 - 1/w; x of them with that to the
        power of x. So a sample never shows that there is no exceptional class: if not all classes below the
        cell size were examined, such a number is added to the expected ones.

        >>> drawn = DrawnClasses(((3, 10, 20), (4, 10, 100)))
        >>> drawn.missed(3), round(drawn.missed(4), 1), round(drawn.missed(5), 1)
        (0.0, 4.3, 28.4)
        """
        most = max((every / drawn for size, drawn, every in self.sizes if size < cell_size), default=1.0)
        return log(DOUBT) / log(1 - 1 / most) if most > 1 else 0.0

    def to_list(self) -> list[list[int]]:
        """Return JSON types."""
        return [list(one) for one in self.sizes]


def draw_classes(codes: Ints, size: Ints, *, most: int, seed: int = 0) -> tuple[Ints, DrawnClasses | None]:
    """The places of about so many classes, in order; None as second if these are all.

    Within a size, classes with the least SHA-256 of the seed and their codes are drawn.
    """
    if len(size) <= most:
        return np.arange(len(size)), None
    wanted = _wanted(size, most)
    kept, drawn = [], []
    for one, number in wanted.items():
        own = np.flatnonzero(size == one)
        if number < own.size:
            drawn.append((one, number, own.size))
            own = own[np.argsort(_digests(codes[own], seed), kind="stable")[:number]]
        kept.append(own)
    return np.sort(np.concatenate(kept)), DrawnClasses(tuple(drawn))


def _wanted(size: Ints, most: int) -> Mapping[int, int]:
    """How many classes of each size are examined."""
    sizes, number = np.unique(size, return_counts=True)
    whole = np.cumsum(number) <= WHOLE * most
    share = (most - number[whole].sum()) / max(1, number[~whole].sum())
    return {
        one: many if all_of_it else min(many, ceil(many * share))
        for one, many, all_of_it in zip(sizes.tolist(), number.tolist(), whole.tolist(), strict=True)
    }


def _digests(codes: Ints, seed: int) -> NDArray[np.bytes_]:
    start = sha256(f"classes:{seed}:".encode())
    found = np.empty(len(codes), dtype="S16")
    for place, row in enumerate(np.ascontiguousarray(codes, dtype="<i8")):
        own = start.copy()
        own.update(row.tobytes())
        found[place] = own.hexdigest()[:16].encode()
    return found
