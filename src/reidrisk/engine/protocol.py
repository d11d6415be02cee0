"""What every engine can do with a table: the only door through which data are counted and released.

Two tiers. Counting verbs return small results: numbers, class sizes, distinct tuples. Releasing verbs return
tables whose rows stay inside the engine, or write them. What needs the rows at hand (reading texts as dates,
perturbing, attacks, queries) is a desk of the embedded engine; another engine refuses it in words, or hands
over a sample that was drawn.

Engines agree because they only scan, group, join, blank and write: labels, parsing and hierarchies are made
in Python from distinct values. Where chance decides, it is the SHA-256 of a record's key or content.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, get_args

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.reading import TableReading
from reidrisk.engine.plans import DistinctTuples, ReleasePlan
from reidrisk.engine.results import ColumnProfile, Kind, TextSearch
from reidrisk.errors import InvalidSetting, UnknownColumn

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.desks import DateDesk, EditDesk, RowDesk, SearchDesk


Rule = Literal["first", "min", "max", "set"]
"""How the values of a unit's rows become one: first as stored, least, greatest, or all of them as a text."""
RULES: tuple[str, ...] = get_args(Rule)
Sizes = tuple[tuple[int, int], ...]
"""Pairs (size of class, number of such classes), smallest first."""
Places = tuple[int, ...]
"""Columns by their place among those that were named."""
JoinedSizes = tuple[tuple[int, int, int], ...]
"""Triples (size here, size there, number of such classes)."""
Check = Callable[["Table"], None]
"""Sees what was written, read again from the file; if it raises, nothing is left."""


class TupleSets(Protocol):
    """The distinct tuples of a table, counted once, ready to be counted by any set of their columns."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All of them."""

    @property
    def sizes(self) -> Sizes:
        """The classes of all columns together."""

    @property
    def records(self) -> int:
        """Of the whole table."""

    @property
    def tuples(self) -> int:
        """Distinct ones."""

    @property
    def telling(self) -> Places:
        """Columns with more than one value."""

    def alone(self, places: Iterable[int]) -> Sizes:
        """The classes if only these columns are known."""

    def has_unique(self, places: Iterable[int]) -> bool:
        """Whether these columns single somebody out: faster than the classes, but takes memory."""

    def sampled(self, places: Iterable[int], one_in: int, *, seed: int = 0) -> Sizes:
        """The same of a sample: each class is in it with a chance of one in so many, whole or not at all."""

    def glimpsed(self, places: Iterable[int], one_in: int, *, seed: int = 0) -> Sizes:
        """Some whole classes, in no fair sample."""

    def possible(self, places: Iterable[int]) -> int:
        """How many classes there can be, at most, if only these columns are known."""


class LeveledTuples(Protocol):
    """Distinct tuples that stay inside the engine; a node is counted on all records.

    A node has one number per column: 0 is the lowest level that is permitted.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        """All of them."""

    @property
    def value_counts(self) -> tuple[NDArray[np.int64], ...]:
        """By column: how many records have each value."""

    @property
    def records(self) -> int:
        """Of the whole table."""

    @property
    def tuples(self) -> int:
        """Distinct ones, at the lowest levels."""

    @property
    def top(self) -> tuple[int, ...]:
        """The highest node."""

    @property
    def room(self) -> int:
        """How many tuples would fit in the budget now."""

    def sizes(self, node: Sequence[int]) -> Sizes:
        """The classes of a node."""

    def lost(self, node: Sequence[int], smallest: int) -> tuple[NDArray[np.int64], ...]:
        """Records in classes below a size: for each column, by the code of its level."""

    def cells(self, node: Sequence[int], one_in: int, *, seed: int) -> DistinctTuples:
        """The tuples of a sample: each class of the node is in it, whole or not at all."""

    def at(self, node: Sequence[int]) -> DistinctTuples:
        """All classes of a node, if they fit in the budget."""

    def close(self) -> None:
        """Free what the tuples take."""


class Table(Protocol):
    """Columns and kinds are known; rows stay inside the engine, and no `repr` shows one."""

    @property
    def source(self) -> str:
        """For messages."""

    @property
    def columns(self) -> tuple[str, ...]:
        """In the order of the source."""

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """By column."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was detected: delimiter, encoding, sheet, columns that had to become text."""

    @property
    def reading(self) -> TableReading:
        """What the user said about the cells."""

    # Counting: small results leave.

    def count(self) -> int:
        """How many rows there are."""

    def nulls(self, columns: Iterable[str]) -> dict[str, int]:
        """How many rows have no value, column by column."""

    def distinct(self, columns: Iterable[str]) -> dict[str, int]:
        """How many values each column has; null is one of them where it occurs."""

    def profiles(
        self, patterns: Mapping[str, TextSearch], *, sample_rows: int, only: Sequence[str] | None = None
    ) -> tuple[ColumnProfile, ...]:
        """Distinct values and empty cells over all rows, patterns over the first rows.

        `patterns` are searches by name, in texts and whole numbers. `only` names the columns to look at, if
        not all.
        """

    def varying(self, unit: str, columns: Iterable[str], *, blanks: bool = True) -> dict[str, int]:
        """In how many units each column has more than one value; with `blanks`, an empty cell is a value."""

    def class_sizes(self, columns: Iterable[str]) -> Sizes:
        """The equivalence classes; null is a value."""

    def joined_sizes(self, population: Table, columns: Iterable[str]) -> JoinedSizes:
        """Every class of the table with its size in the population, 0 where that lacks it."""

    def changed_sizes(self, other: Table, columns: Iterable[str]) -> JoinedSizes:
        """Every class of either table with its size in both."""

    def tuples(self, columns: Iterable[str], *, recodable: bool = False) -> DistinctTuples:
        """The distinct combinations of values; with `recodable`, rows can be recoded by their numbers."""

    def tuple_sets(self, columns: Iterable[str]) -> AbstractContextManager[TupleSets]:
        """The distinct tuples for many counts; what they take is freed at the end."""

    # Releasing: rows stay inside.

    def with_notes(self, notes: tuple[str, ...]) -> Table:
        """The same table with other notes."""

    def as_stored(self, typed: Collection[str]) -> Table:
        """The same rows, with columns that nobody computes with exactly as the file spells them."""

    def at_hand(self) -> Table:
        """The same rows for those who scan them often: a text file is parsed but once."""

    def per_unit(self, unit: str, columns: Iterable[str], rules: Mapping[str, Rule] | None = None) -> Table:
        """One row a unit: the unit and its columns, which must not vary unless a rule reduces them."""

    def sample(self, most: int, *, seed: int, unit: str | None = None) -> Table:
        """The table itself, or about so many of its rows at hand: the same on every engine, in one order.

        SHA-256 of the seed and of a row's content decides, or of its unit, which then has all its rows drawn
        or none.
        """

    def removed_rows(self, records: Table, plan: ReleasePlan) -> int:
        """How many rows belong to units that do not go out."""

    def release(self, records: Table, plan: ReleasePlan, path: str | Path, check: Check) -> None:
        """Write every row as the plan says, complete or not at all, after the check of what was written.

        `records` has one row a unit; it is the table without one.
        """

    def smallest(self, columns: Sequence[str], *, unit: str | None = None) -> int | None:
        """Records in the smallest class, or units if a column identifies them; None without rows."""

    # Desks: what needs the rows at hand.

    @property
    def dates(self) -> DateDesk:
        """Texts read as dates and numbers, and variables derived from dates."""

    @property
    def search(self) -> SearchDesk:
        """What the values look like: patterns, codes of a list, identifiers."""

    @property
    def edit(self) -> EditDesk:
        """Cells replaced, rows left out, events made coarser, another order."""

    @property
    def rows(self) -> RowDesk:
        """Rows as numbers and texts, for models, attacks, queries and small tables."""

    def close(self) -> None:
        """Free the memory and remove the work folder now, not when the last reference goes."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class ClosedAtEnd(ABC):
    """A table that is closed at the end of its `with` block."""

    @abstractmethod
    def close(self) -> None:
        """Free what the table holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Engine(Protocol):
    """Opens sources; the tables that it makes do the rest."""

    @property
    def name(self) -> str:
        """For messages and results."""

    def scan(self, source: Any, *, reading: TableReading | None = None) -> Table:
        """Make a source countable."""


def known_columns(wanted: Iterable[str], columns: Sequence[str], *, source: str) -> tuple[str, ...]:
    """The wanted columns, all of them known and at least one."""
    names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    if not names:
        raise InvalidSetting("No column was named.", hint=f"Columns are: {', '.join(columns)}.")
    for name in names:
        if name not in columns:
            raise UnknownColumn.among(name, columns, source=source)
    return names
