"""A table on Spark: the verbs that every engine has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from reidrisk.core.reading import TableReading
from reidrisk.engine.plans import DistinctTuples, ReleasePlan
from reidrisk.engine.protocol import Check, ClosedAtEnd, JoinedSizes, Rule, Sizes, Table, TupleSets
from reidrisk.engine.results import ColumnProfile, Kind, TextSearch
from reidrisk.engine.spark import classes, units
from reidrisk.engine.spark.jobs import Expression, Frame, functions, spark_errors
from reidrisk.engine.spark.types import kind_of, refuse_others
from reidrisk.errors import BadData, InvalidSetting

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.desks import DateDesk, EditDesk, RowDesk, SearchDesk


@dataclass(frozen=True, slots=True)
class Input:
    """A file of the source, by which a changed source is known."""

    path: str
    size: int
    changed: int
    """As the file system counts time."""


@dataclass(frozen=True, eq=False)
class SparkTable(ClosedAtEnd):
    """Columns and kinds are known; rows stay inside Spark, and no `repr` shows one."""

    source: str
    columns: tuple[str, ...]
    types: tuple[Any, ...] = field(repr=False)
    """Of Spark, by column."""
    frame: Frame = field(repr=False)
    """With columns c0, c1, … of our own, which no name of the source can confuse."""
    notes: tuple[str, ...] = ()
    reading: TableReading = field(default_factory=TableReading)
    inputs: tuple[Input, ...] = field(default=(), repr=False)
    """The files that it was read from; empty if it comes from elsewhere."""

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """By column."""
        pairs = zip(self.columns, map(kind_of, self.types), strict=True)
        return MappingProxyType(dict(pairs))

    @property
    def session(self) -> Any:
        """Of Spark, with our settings."""
        return self.frame.sparkSession

    def column(self, name: str) -> Expression:
        """A column of the frame."""
        return functions().col(f"c{self.columns.index(name)}")

    def type_of(self, name: str) -> Any:
        """Of Spark."""
        return self.types[self.columns.index(name)]

    def derived(self, frame: Frame, columns: Sequence[str], *, note: str) -> SparkTable:
        """Another table made from this one, whose frame has columns c0, c1, … too."""
        types = tuple(one.dataType for one in frame.schema.fields)
        return replace(self, frame=frame, columns=tuple(columns), types=types, notes=(*self.notes, note))

    def count(self) -> int:
        """How many rows there are."""
        with spark_errors(self.source):
            return int(self.frame.count())

    def nulls(self, columns: Iterable[str]) -> dict[str, int]:
        """How many rows have no value, column by column."""
        return classes.count_each(self, columns, what="nulls")

    def distinct(self, columns: Iterable[str]) -> dict[str, int]:
        """How many values each column has; null is one of them where it occurs."""
        return classes.count_each(self, columns, what="distinct")

    def profiles(
        self, patterns: Mapping[str, TextSearch], *, sample_rows: int, only: Sequence[str] | None = None
    ) -> tuple[ColumnProfile, ...]:
        """Distinct values and empty cells over all rows, patterns over rows that are drawn."""
        from reidrisk.engine.spark.sample import column_profiles

        return column_profiles(self, patterns, sample_rows=sample_rows, only=only)

    def varying(self, unit: str, columns: Iterable[str], *, blanks: bool = True) -> dict[str, int]:
        """In how many units each column has more than one value; with `blanks`, an empty cell is a value."""
        return units.varying(self, unit, columns, blanks=blanks)

    def class_sizes(self, columns: Iterable[str]) -> Sizes:
        """The equivalence classes; null is a value."""
        return classes.class_sizes(self, columns)

    def joined_sizes(self, population: Table, columns: Iterable[str]) -> JoinedSizes:
        """Every class of the table with its size in the population, 0 where that lacks it."""
        return classes.joined_sizes(self, population, columns)

    def changed_sizes(self, other: Table, columns: Iterable[str]) -> JoinedSizes:
        """Every class of either table with its size in both."""
        return classes.changed_sizes(self, other, columns)

    def tuples(self, columns: Iterable[str], *, recodable: bool = False) -> DistinctTuples:  # noqa: ARG002
        """The distinct combinations of values; rows can always be recoded, by the values themselves."""
        return classes.distinct_tuples(self, columns)

    @contextmanager
    def tuple_sets(self, columns: Iterable[str]) -> Iterator[TupleSets]:
        """The distinct tuples for many counts, on the driver."""
        from reidrisk.engine.spark.tuple_sets import DriverTupleSets

        yield DriverTupleSets(self.tuples(columns))

    def with_notes(self, notes: tuple[str, ...]) -> SparkTable:
        """The same table with other notes."""
        return replace(self, notes=notes)

    def as_stored(self, typed: Collection[str]) -> SparkTable:  # noqa: ARG002
        """The same rows: Spark reads the cells of text files as texts, just as they are spelled."""
        return self

    def at_hand(self) -> SparkTable:
        """The same rows, which stay where they are."""
        return self

    def per_unit(
        self, unit: str, columns: Iterable[str], rules: Mapping[str, Rule] | None = None
    ) -> SparkTable:
        """One row a unit: the unit and its columns, which must not vary unless a rule reduces them."""
        return units.per_unit(self, unit, columns, rules)

    def sample(self, most: int, *, seed: int, unit: str | None = None) -> Table:
        """All or about so many rows, in the embedded engine: those that it would draw itself."""
        from reidrisk.engine.spark.sample import drawn_rows

        return drawn_rows(self, most, seed=seed, unit=unit)

    def removed_rows(self, records: Table, plan: ReleasePlan) -> int:
        """How many rows belong to units that do not go out."""
        from reidrisk.engine.spark.release import removed_rows

        return removed_rows(self, on_spark(records), plan)

    def release(self, records: Table, plan: ReleasePlan, path: str | Path, check: Check) -> None:
        """Write every row as the plan says, complete or not at all, after the check of what was written.

        The path is a folder for Parquet files, or a table of PostgreSQL.
        """
        from reidrisk.engine.spark.commit import write_release

        write_release(self, on_spark(records), plan, path, check)

    def smallest(self, columns: Sequence[str], *, unit: str | None = None) -> int | None:
        """Records in the smallest class, or units if a column identifies them; None without rows."""
        return classes.smallest(self, columns, unit)

    @property
    def dates(self) -> DateDesk:
        """Needs the rows at hand."""
        embedded_only("Reading texts as dates, and variables derived from dates,")

    @property
    def search(self) -> SearchDesk:
        """Needs the rows at hand."""
        embedded_only("Searching for patterns, codes and identifiers")

    @property
    def edit(self) -> EditDesk:
        """Needs the rows at hand."""
        embedded_only("Changing cells, rows or events")

    @property
    def rows(self) -> RowDesk:
        """Needs the rows at hand."""
        embedded_only("A model, an attack or a query")

    def close(self) -> None:
        """Nothing is kept: the session belongs to whoever started it."""


def embedded_only(what: str) -> NoReturn:
    """Refuse what Spark does not do."""
    raise InvalidSetting(
        f"{what} needs the embedded engine.", hint="Leave out --master, or work on a sample of the table."
    )


def on_spark(table: Table) -> SparkTable:
    """The table, if it is on Spark."""
    if not isinstance(table, SparkTable):
        raise InvalidSetting(f"{table.source} is not on Spark.", hint="Open both with the same engine.")
    return table


def described(
    frame: Frame,
    source: str,
    *,
    notes: Sequence[str] = (),
    reading: TableReading | None = None,
    inputs: Sequence[Input] = (),
) -> SparkTable:
    """The table of a data frame, whose columns may have any name."""
    columns, types = tuple(frame.columns), tuple(one.dataType for one in frame.schema.fields)
    if not columns:
        raise BadData(f"{source} has no columns.", hint="Name another table.")
    refuse_others(columns, types, place=source)
    own = frame.toDF(*(f"c{place}" for place in range(len(columns))))
    return SparkTable(source, columns, types, own, tuple(notes), reading or TableReading(), tuple(inputs))
