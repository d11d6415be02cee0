"""Desks of a table: what needs its rows at hand, by what it is for. Each calls a function of this package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.schema import Derived
from reidrisk.engine.budget import rows_that_fit
from reidrisk.engine.duckdb import (
    blocks,
    classes,
    coded,
    collapse,
    dates,
    event_release,
    leveled,
    queries,
    release,
    replacing,
    search,
    tuples,
    verify,
    write,
)
from reidrisk.engine.duckdb import rows as row_texts
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.readers.dates import reading_notes
from reidrisk.engine.plans import (
    DateShift,
    DistinctTuples,
    EventPlan,
    LevelsOf,
    Merge,
    ReleasedOrder,
    ReleasePlan,
)
from reidrisk.engine.results import (
    AboveCounts,
    Ask,
    Code,
    CodedColumn,
    CodedColumns,
    ComparedAs,
    CountedColumn,
    GroupSizes,
    ListedCodes,
    PostalCounts,
    TextSearch,
)

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.table import DuckTable
    from reidrisk.engine.protocol import Check, LeveledTuples, Table

Numbers = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class DateDesk:
    """Texts read as dates and numbers, and variables derived from dates."""

    table: DuckTable

    def read(self, names: Sequence[str]) -> DuckTable:
        """The table with dates in these columns; an ambiguous column is refused, and one with other cells."""
        return dates.with_dates(self.table, names)

    def read_likely(self, names: Sequence[str]) -> DuckTable:
        """The table with dates in columns of texts that are mostly dates; other texts may be categories."""
        return dates.with_likely_dates(self.table, names)

    def read_ordered(self, names: Sequence[str]) -> DuckTable:
        """The table with dates in columns that are mostly dates, for steps that need numbers or dates."""
        return dates.with_order(self.table, names)

    def refuse_words(self, names: Sequence[str]) -> None:
        """Refuse texts that are not numbers, with the number of such cells and their rows."""
        dates.refuse_words(self.table, names)

    def ambiguous(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Columns of texts that can be read as dates in several ways, with the formats of these ways."""
        found = dates.ambiguous_dates(self.table, names)
        return {name: tuple(form.format for form in forms) for name, forms in found.items()}

    def is_iso(self, name: str) -> bool:
        """Whether every cell is a date of ISO 8601 as a text, or a year as a whole number."""
        return dates.is_iso_text(self.table, name)

    def partial(self, name: str) -> int:
        """How many texts of ISO 8601 do not say the day."""
        return dates.count_partial(self.table, name)

    def derived(self, derived: Sequence[Derived]) -> DuckTable:
        """The table with each derived variable as one more column, after those it is made from."""
        return dates.with_derived(self.table, derived)

    def like_source(self, columns: Sequence[str]) -> DuckTable:
        """A written table with columns of texts as the source had them, where no value is lost by that."""
        return verify.like_source(self.table, columns)

    def notes(self) -> tuple[str, ...]:
        """How dates were read."""
        return tuple(reading_notes(self.table.form.dates, {}))


@dataclass(frozen=True, slots=True)
class SearchDesk:
    """What the values look like: counts leave, values do not, but for those that match a list of codes."""

    table: DuckTable

    def matches(
        self, columns: Sequence[str], patterns: Mapping[str, TextSearch]
    ) -> dict[str, tuple[int, dict[str, int]]]:
        """For each column the cells looked at, and how many have each pattern."""
        return search.count_matches(self.table, columns, patterns)

    def visible(self, columns: tuple[str, ...]) -> dict[str, int]:
        """Count the cells of each column that contain a value."""
        return search.count_visible(self.table, columns)

    def above(self, column: str, limit: float) -> AboveCounts:
        """Numbers above a limit, also at the start of a text."""
        return search.count_above(self.table, column, limit)

    def exact_dates(self, column: str) -> int:
        """Dates that tell more than a year."""
        return search.count_exact_dates(self.table, column)

    def postal(self, column: str, restricted: Sequence[str]) -> PostalCounts:
        """Postal codes by how much they tell."""
        return search.count_postal(self.table, column, restricted)

    def listed(self, wanted: Mapping[str, Sequence[Code]], *, unit: str | None) -> ListedCodes:
        """Count the records with a listed code; `wanted` has the codes to look for in each column."""
        return search.count_listed(self.table, wanted, unit=unit)

    def listed_values(self, name: str, codes: Sequence[Code]) -> list[str]:
        """The values of a column, as texts, that match a code; they must not be shown."""
        return search.listed_values(self.table, name, codes)

    def listed_texts(self, texts: Sequence[str], codes: Sequence[Code]) -> set[str]:
        """Those of the texts that match a code."""
        return search.listed_texts(self.table, texts, codes)

    def listed_rows(self, name: str, values: Sequence[str]) -> int:
        """How many rows of a column have one of these values, given as texts."""
        return replacing.listed_rows(self.table, name, values)

    def distinct_values(self, name: str) -> int:
        """How many different values a column has, missing ones aside."""
        return replacing.distinct_of(self.table, name)


@dataclass(frozen=True, slots=True)
class EditDesk:
    """Other tables made from this one: cells replaced, rows left out, events made coarser, another order."""

    table: DuckTable

    def take_from(self, name: str, sources: Codes, *, note: str) -> DuckTable:
        """A column whose rows get the values of other rows, by their places from 0."""
        return replacing.with_sources(self.table, name, sources, note=note)

    def numbers(self, columns: Mapping[str, Numbers], *, note: str) -> DuckTable:
        """Columns of other numbers; NaN is missing, and whole numbers stay whole."""
        return replacing.with_numbers(self.table, columns, note=note)

    def number_blocks(self, names: Sequence[str], found: Iterable[Numbers], *, note: str) -> DuckTable:
        """Columns of other numbers, which come in the blocks of `rows.number_blocks`."""
        return blocks.with_number_blocks(self.table, names, found, note=note)

    def code_blocks(self, name: str, found: Iterable[Codes], *, note: str) -> DuckTable:
        """A column of other values, in the blocks and by the codes of `rows.code_blocks`."""
        return blocks.with_code_blocks(self.table, name, found, note=note)

    def texts(self, name: str, texts: Sequence[str], *, note: str) -> DuckTable:
        """A column whose distinct values, in the order of `rows.values`, are replaced by other texts."""
        return replacing.with_texts(self.table, name, texts, note=note)

    def replaced(self, name: str, labels: Mapping[str, str | None], *, note: str) -> DuckTable:
        """A column in which some values, given as texts, become others; None empties the cell."""
        return replacing.with_replaced(self.table, name, labels, note=note)

    def pseudonyms(self, named: Mapping[str, str], key: bytes, *, note: str) -> DuckTable:
        """Columns of keyed pseudonyms; a value has another one under another name."""
        return replacing.with_pseudonyms(self.table, named, key, note=note)

    def shifted_dates(self, names: Sequence[str], person: str, shift: DateShift, *, note: str) -> DuckTable:
        """Columns of dates, or of ISO 8601 texts, moved by the days of their person."""
        return replacing.with_shifted_dates(self.table, names, person, shift, note=note)

    def sampled(self, share: float, person: str | None, salt: str, *, note: str) -> tuple[DuckTable, Codes]:
        """The rows, or all rows of the people, whose hash is below the share; and their places from 0."""
        return replacing.sampled(self.table, share, person, salt, note=note)

    def without_columns(self, names: Sequence[str]) -> DuckTable:
        """The same rows without some columns."""
        return replacing.without_columns(self.table, names)

    def without_listed(
        self, values: Mapping[str, Sequence[str]], *, unit: str | None, note: str
    ) -> DuckTable:
        """The rows, or all rows of the units, that have none of these values."""
        return replacing.without_listed_rows(self.table, values, unit=unit, note=note)

    def events(self, plan: EventPlan) -> DuckTable:
        """The rows that stay, with their new events."""
        return event_release.with_events(self.table, plan)

    def released_units(self, plan: ReleasePlan) -> DuckTable:
        """The unit, `gone` if it does not go out, and its quasi-identifiers as they go out: s0, s1, …"""
        return release.released_units(self.table, plan)

    def released(self, records: Table, plan: ReleasePlan, check: Check) -> Any:
        """Every row as the plan says, as an Arrow table, after the check."""
        from reidrisk.engine.duckdb.table import embedded

        with without_values("The released table"):
            frame = release.released(self.table, embedded(records), plan).to_arrow_table()
        with verify.table_in_memory(frame, self.table.form) as made:
            check(made)
        return frame

    def reordered(self, order: ReleasedOrder, salt: str) -> DuckTable:
        """The rows in an order that follows from their values alone."""
        return self.table.derived(release.reordered(self.table, order, salt), note=f"order: {order}")

    def write(self, path: str | Path, *, like: Table | None = None) -> None:
        """Write the rows as they are, complete or not at all; spelled as the source of another table was."""
        from reidrisk.engine.duckdb.table import embedded

        write.write_table(
            self.table.relation,
            path,
            like=None if like is None else embedded(like).form,
            check=lambda _: self.table.session.watched.refuse_changed(),
        )

    def write_by_row(
        self, tuples_of: DistinctTuples, figures: Mapping[str, NDArray[Any]], path: str | Path
    ) -> None:
        """Write the number of every row and the figures of its tuple; no value of the table is written."""
        tuples.write_by_row(self.table, tuples_of, figures, path)


@dataclass(frozen=True, slots=True)
class RowDesk:
    """Rows as numbers and texts, for models, attacks, queries and small tables."""

    table: DuckTable

    def coded(self, columns: Iterable[str]) -> tuple[CodedColumn, ...]:
        """Every row as numbers, in the order of the table."""
        return coded.coded_rows(self.table, columns)

    def merged_tuples(self, columns: Iterable[str], merge: Merge) -> DistinctTuples:
        """The distinct tuples after values were merged, for those that do not fit in memory otherwise."""
        return tuples.merged_tuples(self.table, columns, merge)

    def leveled_tuples(self, columns: Iterable[str], levels: LevelsOf) -> LeveledTuples:
        """The distinct tuples inside the database, where they stay because they do not fit in memory."""
        return leveled.leveled_tuples(self.table, columns, levels)

    def marks(self, column: str) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """A number for every row's value, the same for the same value, and which rows are empty."""
        return coded.row_marks(self.table, column)

    def fitting(self, columns: int) -> int:
        """How many rows of so many columns can become numbers at once, in the memory that is allowed."""
        return rows_that_fit(columns)

    def keyed_sample(self, column: str | None, share: float, *, seed: int) -> DuckTable:
        """The rows whose key is drawn, in their order: the same keys in every table that spells them alike.

        Without a column, the place of a row is its key.
        """
        return coded.keyed_sample(self.table, column, share, seed=seed)

    def compared_as(self, column: str) -> ComparedAs:
        """What the values of a column are compared as."""
        return coded.compared_as(self.table, column)

    def counted(self, column: str) -> CountedColumn:
        """The distinct values of one column with their numbers of rows."""
        return coded.counted_column(self.table, column)

    def columns(self, texts: Iterable[str], numbers: Iterable[str]) -> CodedColumns:
        """Whole columns, for tables that are counts already and not rows of people."""
        return coded.coded_columns(self.table, texts, numbers)

    def numbers(self, names: Sequence[str]) -> Numbers:
        """Rows in order, one column a name; dates count in days, and what is missing is NaN."""
        return replacing.numbers_of(self.table, names)

    def number_blocks(self, names: Sequence[str]) -> Iterator[Numbers]:
        """The same in blocks of rows."""
        return blocks.number_blocks(self.table, names)

    def value_counts(self, name: str) -> tuple[Codes, list[Any]]:
        """How many rows have each value, and the values in order, without what is missing."""
        return blocks.value_counts(self.table, name)

    def code_blocks(self, name: str) -> Iterator[Codes]:
        """In blocks of rows: the place of each value among those of `value_counts`, -1 if it is missing."""
        return blocks.code_blocks(self.table, name)

    def drawn_places(self, share: float, *, seed: int) -> Codes:
        """The places, from 0, of a share of the rows, drawn by their place."""
        return blocks.drawn_places(self.table, share, seed=seed)

    def at(self, places: Codes) -> DuckTable:
        """The rows at some places, from 0, which are in order."""
        return blocks.rows_at(self.table, places)

    def values(self, name: str) -> tuple[Codes, list[Any]]:
        """Rows in order: the code of each value, -1 where it is missing; and the values in order."""
        return replacing.values_of(self.table, name)

    def texts(self) -> list[tuple[str | None, ...]]:
        """Every row in the order of the source, as its cells are spelled; an empty cell is None."""
        return row_texts.text_rows(self.table)

    def overwritten(self, records: Table, unit: str, rules: Mapping[str, str]) -> dict[str, int]:
        """How many rows get a value other than their own if each unit has the value of its record."""
        from reidrisk.engine.duckdb.table import embedded

        return collapse.rows_overwritten(self.table, embedded(records), unit, rules)

    def subgroup_sizes(self, columns: Sequence[str], by: str, *, cell_size: int) -> tuple[GroupSizes, ...]:
        """One entry for each value of `by`, the largest first; small groups come last as one."""
        return classes.subgroup_sizes(self.table, columns, by, cell_size=cell_size)

    def weighted_sizes(self, columns: Iterable[str], weight: str) -> tuple[tuple[int, float, int], ...]:
        """Triples (size of class, sum of its weights, number of such classes), smallest first."""
        return classes.weighted_sizes(self.table, columns, weight)

    def told_by_order(
        self, columns: Sequence[str], *, records: int, unit: str | None = None
    ) -> tuple[str, ...]:
        """The columns whose values the order of the rows reveals; `records` is how many the rows describe."""
        return release.told_columns(self.table, columns, records=records, unit=unit)

    @contextmanager
    def queries(self, *, seconds: float) -> Iterator[Ask]:
        """Ask the table; the copy that is asked can reach nothing else."""
        with queries.query_desk(self.table, seconds=seconds) as ask:
            yield ask
