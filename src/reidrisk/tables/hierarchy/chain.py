"""What a rule makes of the values of a column: labels, level by level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reidrisk.core.wording import plural
from reidrisk.errors import BadData
from reidrisk.stats.arrays import Ints

Objects = NDArray[np.object_]

EXACT = "exact"
"""The name of level 0 unless the rule has a better one."""
SUPPRESSED = "suppressed"
"""The name of the level where nothing is told."""
STAR = "*"
"""What every value becomes there."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One level above the values."""

    name: str
    labels: Objects = field(repr=False)
    """What each value becomes: all texts or all whole numbers."""
    leaves: Ints | None = field(default=None, repr=False)
    """Rows of a listed hierarchy under each value's label; None if the values are the rows."""
    tells_nothing: bool = False
    """Whether every value, a missing one too, becomes the star."""


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The levels of a hierarchy on the values of a column."""

    steps: tuple[Step, ...]
    base: str = EXACT
    """The name of level 0, the values themselves."""
    rows: int | None = None
    """All rows of a listed hierarchy, whether or not the data hold them."""


class Values(Protocol):
    """The distinct values of a column, and how often each occurs."""

    @property
    def column(self) -> str:
        """The name of the column."""

    @property
    def present(self) -> Objects:
        """The values; None among them only for rules that list what is missing."""

    @property
    def counts(self) -> Ints | None:
        """Rows of the table with each value, where known."""


class Rule(Protocol):
    """How values become more general."""

    @property
    def lists_missing(self) -> bool:
        """Whether the rule says what a missing value becomes."""

    def chain(self, values: Values) -> Chain:
        """The levels above these values."""


def objects(items: Sequence[Any]) -> Objects:
    """An array of things, whatever they are."""
    found = np.empty(len(items), dtype=np.object_)
    found[:] = items
    return found


def labelled(keys: ArrayLike, label: Callable[[Any], str | int]) -> Objects:
    """A label for every key; each different key is put into words once."""
    different, places = np.unique(np.asarray(keys), return_inverse=True)
    return objects([label(key) for key in different.tolist()])[places.reshape(-1)]


def suppressed(size: int) -> Step:
    """The level where nothing is told."""
    return Step(SUPPRESSED, np.full(size, STAR, dtype=np.object_), tells_nothing=True)


def refuse(values: Values, odd: NDArray[np.bool_], what: str, *, hint: str) -> None:
    """Say how many values a rule cannot take; never which."""
    number = int(odd.sum())
    if not number:
        return
    rows = "" if values.counts is None else f" ({plural(int(values.counts[odd].sum()), 'row')})"
    raise BadData(f"Column {values.column!r} holds {plural(number, 'value')}{rows} {what}.", hint=hint)
