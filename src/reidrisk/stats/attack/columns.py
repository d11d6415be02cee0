"""A column of a release beside the same column of other tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from reidrisk.stats.arrays import Floats
from reidrisk.stats.attack.covers import Cover


class Extent(NamedTuple):
    """Numbers and intervals, in units of the column's whole range."""

    middle: Floats
    """NaN where there is no number."""
    half: Floats
    """Half the width; 0 for a number."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """What the released values stand for, and how far they are from those of the other tables."""

    cover: Cover
    released: Extent | None = field(default=None, repr=False)
    """Of each released value, in a column of numbers."""
    known: Extent | None = field(default=None, repr=False)
    """Of each value of the other tables."""
    is_ordered: bool = False
    """Whether released values are numbers as they are, smallest first, so that they can be compared."""
