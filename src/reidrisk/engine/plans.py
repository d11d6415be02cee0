"""What crosses the seam: distinct tuples on the way up, and what is to be done to rows on the way down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.schema import Treatment

REMOVED = -1
"""The mask of a record that is left out as a whole."""
ReleasedOrder = Literal["random", "content"]
"""Of rows: by a hash of each released row, or by the released values themselves."""
Order = Literal["source", "random", "content"]
"""Of rows: as they came; by a hash of what is released; or by the released values."""
LabelKind = Literal["text", "whole number", "number", "date", "time"]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class DistinctTuples:
    """Every combination of values that occurs, once, with the number of its rows."""

    columns: tuple[str, ...]
    values: tuple[NDArray[np.object_], ...] = field(repr=False)
    """The distinct values of each column in order; None, where it occurs, is the last."""
    codes: NDArray[np.int32] = field(repr=False)
    """One row a tuple, one column a column: the place in `values`. Sorted; columns are contiguous."""
    counts: NDArray[np.int64] = field(repr=False)
    """How many rows of the table have the tuple."""
    kept: tuple[str, ...] = field(default=(), repr=False)
    """Where the engine keeps the codes of each column's values; empty if rows are not recoded."""
    value_counts: tuple[NDArray[np.int64], ...] = field(default=(), repr=False)
    """How many rows have each value of each column, if values were merged before the tuples were counted:
    `codes` then stand for the first value of several. Empty if nothing was merged."""

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def records(self) -> int:
        """The rows of the table."""
        return int(self.counts.sum())


Merge = Callable[[str, NDArray[np.object_], NDArray[np.int64]], NDArray[np.int32]]
"""Takes a column, its values and how many rows have each; gives the code of the value to count it as."""
LevelsOf = Callable[[str, NDArray[np.object_], NDArray[np.int64]], tuple[NDArray[np.int32], ...]]
"""Takes the same; gives, for each permitted level from the lowest, the code of every value."""


@dataclass(frozen=True, slots=True, eq=False)
class Recode:
    """What each value of one quasi-identifier becomes."""

    codes: NDArray[np.int32] = field(repr=False)
    """The code of the generalized value, for each code of the distinct tuples."""
    labels: NDArray[np.object_] | None = field(repr=False)
    """The generalized value, for each code of the distinct tuples; None leaves the column, and its codes, as
    they are."""

    @property
    def only(self) -> str | None:
        """The one label that every value has; None if there are several."""
        if self.labels is None or not len(self.labels) or self.kind != "text":
            return None
        first = self.labels[0]
        return first if first is not None and all(label == first for label in self.labels) else None

    @property
    def kind(self) -> LabelKind:
        """The kind of the labels."""
        whole = self.labels is not None and all(
            isinstance(label, int | np.integer) for label in self.labels if label is not None
        )
        return "whole number" if whole else "text"


@dataclass(frozen=True, slots=True, eq=False)
class Blanks:
    """Which cells are lost, by generalized tuple; tuples that are not named lose none."""

    codes: NDArray[np.int32] = field(repr=False)
    """One row for each tuple and mask, one column for each quasi-identifier."""
    masks: NDArray[np.int64]
    """Bit i is the i-th quasi-identifier; REMOVED is the whole record."""
    numbers: NDArray[np.int64]
    """Records of the tuple with this mask; the rows of one tuple follow each other."""

    def leave_every_value(self, place: int, recode: Recode, tuples: DistinctTuples) -> bool:
        """Whether each generalized value of a quasi-identifier still stands in some record."""
        had = np.bincount(recode.codes[tuples.codes[:, place]], tuples.counts)
        gone = (self.masks == REMOVED) | ((self.masks >> place) & 1 == 1)
        lost = np.bincount(self.codes[gone, place], self.numbers[gone], had.size)
        return bool((lost[had > 0] < had[had > 0]).all())

    def divided(self) -> tuple[RankedBlanks, RankedBlanks]:
        """Tuples whose records all have one mask, and those whose records do not."""
        new = np.ones(len(self.masks), dtype=bool)
        new[1:] = (self.codes[1:] != self.codes[:-1]).any(axis=1)
        tuple_of = np.cumsum(new) - 1
        after = np.cumsum(self.numbers)
        start = (after - self.numbers)[new]
        first = after - self.numbers - start[tuple_of] + 1
        last = after - start[tuple_of]
        alone = np.bincount(tuple_of)[tuple_of] == 1

        def part(which: NDArray[np.bool_]) -> RankedBlanks:
            return RankedBlanks(self.codes[which], self.masks[which], first[which], last[which])

        return part(alone), part(~alone)

    def with_constants(self, recodes: tuple[Recode, ...]) -> Blanks:
        """The same with the code 0 in a column that has one label, whatever its hierarchy says."""
        codes = self.codes.copy()
        for place, recode in enumerate(recodes):
            if recode.only is not None:
                codes[:, place] = 0
        return replace(self, codes=codes)


@dataclass(frozen=True, slots=True, eq=False)
class RankedBlanks:
    """Some rows of the blanks, with the ranks of the records that they are for.

    Records of one tuple are ranked, from 1, by the SHA-256 of the salt and their key or content.
    """

    codes: NDArray[np.int32] = field(repr=False)
    masks: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TupleKeys:
    """How a generalized tuple is looked up: by one number if its codes fit into one, else by all of them."""

    sizes: tuple[int, ...]
    """By column: how many codes there are."""

    @property
    def packed(self) -> bool:
        """Whether one number does."""
        return prod(self.sizes) < 2**62

    @property
    def strides(self) -> list[int]:
        """What each code counts in it."""
        return [prod(self.sizes[place + 1 :]) for place in range(len(self.sizes))]

    def columns(self, name: str) -> list[str]:
        """The columns of the key in a table whose columns begin with this name."""
        return [f"{name}key"] if self.packed else [f"{name}{place}" for place in range(len(self.sizes))]

    def arrays(self, codes: NDArray[np.int32], name: str) -> dict[str, NDArray[Any]]:
        """The key of each tuple, by these columns."""
        if self.packed:
            return {f"{name}key": codes.astype(np.int64) @ np.array(self.strides, dtype=np.int64)}
        return {f"{name}{place}": column for place, column in enumerate(codes.T)}


@dataclass(frozen=True, eq=False)
class TupleRecode:
    """What each distinct tuple becomes: what no recoding of single columns can do."""

    labels: tuple[NDArray[np.object_] | None, ...] = field(repr=False)
    """For each column the values that are released; None leaves the column as it is."""
    codes: NDArray[np.int32] = field(repr=False)
    """One row a tuple, one column a column: the place in `labels`."""
    masks: NDArray[np.int64] = field(repr=False)
    """For each tuple the cells that are lost: bit i is the i-th column; REMOVED is the whole record."""

    @cached_property
    def kinds(self) -> tuple[LabelKind | None, ...]:
        """The kind of each column; None if it is as it was."""
        return tuple(None if labels is None else kind_of(labels) for labels in self.labels)


def kind_of(labels: NDArray[np.object_]) -> LabelKind:
    """The narrowest kind that holds all labels."""
    known = [label for label in labels if label is not None]
    return next((kind for kind, fits in _FITS.items() if all(map(fits, known))), "text")


def _is_whole(label: Any) -> bool:
    return isinstance(label, int | np.integer) and not isinstance(label, bool)


def is_float(label: Any) -> bool:
    """Whether a label is a number with a fraction."""
    return isinstance(label, float | np.floating)


_FITS: dict[LabelKind, Callable[[Any], bool]] = {
    "whole number": _is_whole,
    "number": lambda label: _is_whole(label) or is_float(label),
    "date": lambda label: isinstance(label, date) and not isinstance(label, datetime),
    "time": lambda label: isinstance(label, datetime) and label.tzinfo is None,
}


@dataclass(frozen=True, slots=True)
class DateShift:
    """By how many days the dates of a person move: it follows from the key, the name and the person."""

    key: bytes = field(repr=False)
    name: str
    """Another name has other shifts."""
    steps: int
    """Largest shift in either direction, in units; never 0."""
    unit: int = 1
    """Days of a unit."""


@dataclass(frozen=True, slots=True, eq=False)
class EventPlan:
    """What is done to the events of a table."""

    tuples: DistinctTuples = field(repr=False)
    """Of the unit and the columns of events, the unit first; rows can be recoded by their numbers."""
    recodes: tuple[Recode, ...] = field(repr=False)
    """By column of events."""
    dropped: NDArray[np.bool_] = field(repr=False)
    """By tuple: rows that are left out."""
    left: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False)
    """Codes of the units that leave no row at all."""


@dataclass(frozen=True, slots=True, eq=False)
class ReleasePlan:
    """What is done to each column and to the cells."""

    tuples: DistinctTuples = field(repr=False)
    """Of the records: their columns are the quasi-identifiers."""
    recodes: tuple[Recode, ...] = field(repr=False)
    blanks: Blanks = field(repr=False)
    treatments: Mapping[str, Treatment]
    """For columns that name people or units, and for all that must go; others stay as they are."""
    unit: str | None = None
    key: bytes | None = field(default=None, repr=False)
    """For pseudonyms."""
    order: Order = "source"
    """Rows as they came; or by a hash of what is released, or by the released values: a function of the
    released rows alone, so that nobody can join two releases by row number."""
    salt: str = field(default="", repr=False)
    """Mixed into the hashes of rows."""
    told: tuple[str, ...] = ()
    """Variables that the order of the source reveals."""
    by_tuple: TupleRecode | None = field(default=None, repr=False)
    """What each tuple becomes, in place of the recodes and blanks."""

    def kind_of(self, place: int) -> LabelKind | None:
        """The kind of a quasi-identifier as it goes out; None if it is as it was."""
        if self.by_tuple is not None:
            return self.by_tuple.kinds[place]
        recode = self.recodes[place]
        return None if recode.labels is None else recode.kind

    def keeps_values(self, place: int) -> bool:
        """Whether each value of a quasi-identifier that could be listed still stands in some record."""
        if self.by_tuple is not None:
            return False
        return self.blanks.leave_every_value(place, self.recodes[place], self.tuples)

    def on(self, tuples: DistinctTuples) -> ReleasePlan:
        """The same for the same tuples of another session."""
        return replace(self, tuples=tuples)
