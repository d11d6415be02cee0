"""What an engine tells about a table beside classes and tuples: small things, as plain numbers and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Kind = Literal["text", "whole number", "number", "date", "time", "yes or no", "other"]
"""Of a column. A number may have a fraction; a time is a moment, with or without a zone."""
NUMBERS: tuple[Kind, ...] = ("whole number", "number")
MOMENTS: tuple[Kind, ...] = ("date", "time")
ComparedAs = Literal["number", "date", "text"]
"""What the values of a column are compared as."""


@dataclass(frozen=True, slots=True)
class TextSearch:
    """Regular expressions, and one for what is left out of the text before."""

    expressions: tuple[str, ...]
    """One of them is enough."""
    ignore: str = ""
    only: tuple[str, ...] = ()
    """Short expressions, all of which a value must match to be searched: it saves preparing the long ones."""

    among: tuple[str, ...] = ()
    """Words in small letters, one of which is the whole value; in place of expressions."""


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """One column in counts."""

    name: str
    kind: Kind
    rows: int
    distinct: int
    """Values that differ; an empty cell is none."""
    missing: int
    looked_at: int = 0
    """Filled cells of the sample in which patterns were sought."""
    patterns: Mapping[str, int] = field(default_factory=dict)
    """How many of them have each pattern."""

    @property
    def filled(self) -> int:
        """Cells with a value."""
        return self.rows - self.missing

    @property
    def shape(self) -> Kind:
        """The kind, with times among the dates."""
        return "date" if self.kind == "time" else self.kind

    @property
    def distinct_share(self) -> float:
        """Distinct values for each filled cell; 1 if no two cells are alike, 0 without any."""
        return self.distinct / self.filled if self.filled else 0.0

    def share(self, pattern: str) -> float:
        """Share of the cells looked at that have the pattern."""
        return self.patterns.get(pattern, 0) / self.looked_at if self.looked_at else 0.0


@dataclass(frozen=True, slots=True)
class GroupSizes:
    """The records of one subgroup by the size of the class that they are in."""

    label: str | None
    """The value of the column; None for an empty cell, and for groups too small to be named."""
    groups: int
    """How many values are meant."""
    lumped: bool
    """Whether the values are too rare, or too many, to be named."""
    records: Mapping[int, int]
    """Number of records by size of class."""


Match = Literal["whole", "start", "structure", "decimal"]
Code = tuple[str, Match]
"""A code in upper case without blanks, and how it is compared.

whole: with the whole value. start: with the beginning of it. structure: like whole, and with the more
exact codes below it, as E84 with E84.0 and E840. decimal: the same for codes of digits, which have a dot
before what is more exact, as 277 with 277.0 but not with 2770. Dots count only in decimal codes."""


@dataclass(frozen=True, slots=True)
class ListedCodes:
    """What of a list occurs in a table."""

    records: int
    """Rows, or units, with a listed code in any of the columns."""
    present: int
    """Codes of the list that occur."""
    by_column: Mapping[str, tuple[int, int]]
    """Records and codes of each column."""


@dataclass(frozen=True, slots=True)
class AboveCounts:
    """Numbers above a limit."""

    cells: int
    distinct: int
    """If it is one, that value may stand for everything larger."""


@dataclass(frozen=True, slots=True)
class PostalCounts:
    """How much postal codes reveal."""

    longer: int
    """More than three characters."""
    restricted: int
    """Three digits that begin the codes of few people."""
    other: int
    """Of no more than three characters, and no initial three digits of a ZIP code."""


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumn:
    """The distinct values of a column in order, and for every row the place of its value among them."""

    name: str
    kind: ComparedAs
    values: NDArray[Any] = field(repr=False)
    """Numbers, days since the first of the year 1 (a time of day is a fraction), or texts."""
    codes: NDArray[np.int32] = field(repr=False)
    """As stored; an empty cell has the code after the last value."""

    @property
    def missing(self) -> int:
        """Rows without a value."""
        return int(np.count_nonzero(self.codes == self.values.size))

    @property
    def rows(self) -> int:
        """All of them."""
        return len(self.codes)


@dataclass(frozen=True, slots=True, eq=False)
class CountedColumn:
    """As a coded column, with counts in the place of rows."""

    name: str
    kind: ComparedAs
    values: NDArray[Any] = field(repr=False)
    """Numbers, days since the first of the year 1, or texts; in order."""
    counts: NDArray[np.int64] = field(repr=False)
    """Of each value, then of empty cells."""

    @property
    def missing(self) -> int:
        """Rows without a value."""
        return int(self.counts[-1])

    @property
    def rows(self) -> int:
        """All of them."""
        return int(self.counts.sum())


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumns:
    """Columns of a table: texts as codes, numbers as they are, all of one length."""

    labels: Mapping[str, tuple[str | None, ...]] = field(repr=False)
    """For each column of texts its distinct values in order; None, where a cell is empty, is the last."""
    codes: Mapping[str, NDArray[np.int32]] = field(repr=False)
    """For each column of texts the place of every row's value in `labels`."""
    numbers: Mapping[str, NDArray[np.float64]] = field(repr=False)
    """Columns of numbers; an empty cell is NaN."""

    def __post_init__(self) -> None:
        for name in ("labels", "codes", "numbers"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __len__(self) -> int:
        lengths = [len(code) for code in self.codes.values()]
        lengths += [len(number) for number in self.numbers.values()]
        return lengths[0] if lengths else 0


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """The rows that a query gave."""

    names: tuple[str, ...]
    kinds: tuple[Literal["number", "group"], ...]
    rows: tuple[tuple[Any, ...], ...] = field(repr=False)
    """Numbers or texts; None for empty cells and NaN."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a query gave nothing, without a word of the table."""

    reason: str
    hint: str


Ask = Callable[[str], Answer | Failed]
"""Asks a table, in SQL of the user's own."""


class SqlGroups(NamedTuple):
    """Places among the columns of a query's answer."""

    records: int
    """How many records of the table each row stands for."""
    shared: frozenset[int]
    """Columns whose value all these records have in common."""
