"""A table the engine can count, whatever it came from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.file_set import now_at
from reidrisk.core.input_limits import COLUMNS
from reidrisk.core.places import POSTGRES
from reidrisk.core.reading import TableReading
from reidrisk.core.wording import path_text
from reidrisk.engine.duckdb.classes import (
    changed_sizes,
    class_sizes,
    count_distinct,
    count_nulls,
    count_rows,
    joined_sizes,
    smallest_class,
)
from reidrisk.engine.duckdb.collapse import collapse, units_with_variation
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.kinds import DATABASES, DELIMITED, files_of
from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.readers.dates import given_forms, missing_counts, missing_sql, reading_notes
from reidrisk.engine.duckdb.readers.frames import is_frame, read_frame
from reidrisk.engine.duckdb.readers.postgres import postgres_table, read_postgres
from reidrisk.engine.duckdb.scan import ROW, Form, Scan
from reidrisk.engine.duckdb.search import column_profiles
from reidrisk.engine.duckdb.session import Session, start_session
from reidrisk.engine.duckdb.tuple_sets import DuckTupleSets, tuple_sets
from reidrisk.engine.duckdb.tuples import distinct_tuples
from reidrisk.engine.duckdb.types import kind_of_type
from reidrisk.engine.plans import DistinctTuples, ReleasePlan
from reidrisk.engine.protocol import Check, ClosedAtEnd, JoinedSizes, Rule, Sizes, Table
from reidrisk.engine.results import CodedColumns, ColumnProfile, Kind, TextSearch
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

    from reidrisk.engine.duckdb.desks import DateDesk, EditDesk, RowDesk, SearchDesk


@dataclass(frozen=True, eq=False)
class DuckTable(ClosedAtEnd):
    """Columns and types are known; rows stay inside the database, and no `repr` shows one."""

    source: str
    """For messages."""
    columns: tuple[str, ...]
    types: Mapping[str, str] = field(repr=False)
    """As the database names them."""
    notes: tuple[str, ...]
    """What was detected: delimiter, encoding, sheet, columns that had to become text."""
    session: Session = field(repr=False)
    relation: DuckDBPyRelation = field(repr=False)
    form: Form = field(repr=False, default_factory=Form)
    """How the source writes its rows, for a file like it."""
    numbered: DuckDBPyRelation | None = field(repr=False, default=None)
    """The rows with their place in the file, if the file has that information."""

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """By column."""
        return MappingProxyType({name: kind_of_type(type_) for name, type_ in self.types.items()})

    @property
    def reading(self) -> TableReading:
        """What the user said about the cells."""
        return self.form.reading

    @property
    def connection(self) -> DuckDBPyConnection:
        """Where the relation lives."""
        return self.session.connection

    def with_numbers(self, columns: Sequence[str], name: str) -> DuckDBPyRelation:
        """Expressions of the columns, and the number of each row, from 1."""
        if self.numbered is None:
            return self.relation.project(", ".join([*columns, f"row_number() OVER () AS {name}"]))
        # Counting takes one processor, however many there are.
        return self.numbered.project(", ".join([*columns, f"{ROW} + 1 AS {name}"]))

    def derived(self, relation: DuckDBPyRelation, *, note: str) -> DuckTable:
        """Another table of the same session, made from this one."""
        return described(self.session, Scan(relation, (*self.notes, note), self.form), self.source)

    def as_stored(self, typed: Collection[str]) -> DuckTable:
        """The same rows, with columns that nobody computes with exactly as the file spells them."""
        if self.form.text is None:
            return self
        with without_values(self.source):
            scan = Scan(self.form.text.typed(typed), self.notes, self.form)
        return described(self.session, scan, self.source)

    def at_hand(self) -> DuckTable:
        """The same rows for those who scan them often: a text file is parsed but once."""
        if self.form.text is None:
            return self
        with without_values(self.source):
            return replace(self, relation=self.session.staged(self.relation), numbered=None)

    def with_notes(self, notes: tuple[str, ...]) -> DuckTable:
        """The same table with other notes."""
        return replace(self, notes=notes)

    def count(self) -> int:
        """How many rows there are."""
        return count_rows(self)

    def nulls(self, columns: Iterable[str]) -> dict[str, int]:
        """How many rows have no value, column by column."""
        return count_nulls(self, columns)

    def distinct(self, columns: Iterable[str]) -> dict[str, int]:
        """How many values each column has; null is one of them where it occurs."""
        return count_distinct(self, columns)

    def profiles(
        self, patterns: Mapping[str, TextSearch], *, sample_rows: int, only: Sequence[str] | None = None
    ) -> tuple[ColumnProfile, ...]:
        """Distinct values and empty cells over all rows, patterns over the first rows."""
        return column_profiles(self, patterns, sample_rows=sample_rows, only=only)

    def varying(self, unit: str, columns: Iterable[str], *, blanks: bool = True) -> dict[str, int]:
        """In how many units each column has more than one value."""
        return units_with_variation(self, unit, columns, blanks=blanks)

    def class_sizes(self, columns: Iterable[str]) -> Sizes:
        """The equivalence classes; null is a value."""
        return class_sizes(self, columns)

    def joined_sizes(self, population: Table, columns: Iterable[str]) -> JoinedSizes:
        """Every class of the table with its size in the population."""
        return joined_sizes(self, embedded(population), columns)

    def changed_sizes(self, other: Table, columns: Iterable[str]) -> JoinedSizes:
        """Every class of either table with its size in both."""
        return changed_sizes(self, embedded(other), columns)

    def tuples(self, columns: Iterable[str], *, recodable: bool = False) -> DistinctTuples:
        """The distinct combinations of values."""
        return distinct_tuples(self, columns, recodable=recodable)

    def tuple_sets(self, columns: Iterable[str]) -> AbstractContextManager[DuckTupleSets]:
        """The distinct tuples for many counts; what they take is freed at the end."""
        return tuple_sets(self, columns)

    def per_unit(
        self, unit: str, columns: Iterable[str], rules: Mapping[str, Rule] | None = None
    ) -> DuckTable:
        """One row a unit."""
        return collapse(self, unit, columns, rules)

    def sample(self, most: int, *, seed: int, unit: str | None = None) -> DuckTable:
        """The table itself, or about so many of its rows, or of those of whole units."""
        from reidrisk.engine.duckdb.rows import drawn_rows

        return drawn_rows(self, most, seed=seed, unit=unit)

    def removed_rows(self, records: Table, plan: ReleasePlan) -> int:
        """How many rows belong to units that do not go out."""
        from reidrisk.engine.duckdb.release import rows_of_removed

        return rows_of_removed(self, embedded(records), plan)

    def release(self, records: Table, plan: ReleasePlan, path: str | Path, check: Check) -> None:
        """Write every row as the plan says, complete or not at all, after the check of what was written."""
        from reidrisk.engine.duckdb.release import released
        from reidrisk.engine.duckdb.verify import written_table
        from reidrisk.engine.duckdb.write import known_suffix, lists_texts, write_table

        target = Path(path)
        rows = released(self, embedded(records), plan, short=lists_texts(target))

        def check_part(part: Path) -> None:
            with written_table(part, suffix=known_suffix(target), like=self.form) as written:
                check(written)
            self.session.watched.refuse_changed()

        write_table(rows, target, like=self.form, check=check_part)

    def smallest(self, columns: Sequence[str], *, unit: str | None = None) -> int | None:
        """Records in the smallest class, or units if a column identifies them; None without rows."""
        return smallest_class(self, columns, unit=unit)

    @property
    def dates(self) -> DateDesk:
        """Texts read as dates and numbers, and variables derived from dates."""
        from reidrisk.engine.duckdb.desks import DateDesk

        return DateDesk(self)

    @property
    def search(self) -> SearchDesk:
        """What the values look like: patterns, codes of a list, identifiers."""
        from reidrisk.engine.duckdb.desks import SearchDesk

        return SearchDesk(self)

    @property
    def edit(self) -> EditDesk:
        """Cells replaced, rows left out, events made coarser, another order."""
        from reidrisk.engine.duckdb.desks import EditDesk

        return EditDesk(self)

    @property
    def rows(self) -> RowDesk:
        """Rows as numbers and texts, for models, attacks, queries and small tables."""
        from reidrisk.engine.duckdb.desks import RowDesk

        return RowDesk(self)

    def close(self) -> None:
        """Free the memory and remove the work folder now, not when the last reference goes."""
        self.session.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the table; what was computed from files that changed meanwhile is refused."""
        self.close()
        if error is None:
            self.session.watched.refuse_changed()


def embedded(table: Table) -> DuckTable:
    """A table of this engine; one of another engine cannot be joined with it."""
    if isinstance(table, DuckTable):
        return table
    raise InvalidSetting(
        "Two tables that are compared must be opened by the same engine.", hint="Open both in the same way."
    )


def described(session: Session, scan: Scan, source: str) -> DuckTable:
    """The table of a scan."""
    with without_values(source):
        columns = tuple(scan.relation.columns)
        types = {name: str(kind) for name, kind in zip(columns, scan.relation.types, strict=True)}
    if not columns:
        raise BadData(f"{source} has no columns.", hint="Name another table.")
    COLUMNS.check(len(columns), source)
    return DuckTable(
        source,
        columns,
        MappingProxyType(types),
        scan.notes,
        session,
        scan.relation,
        scan.form,
        scan.numbered,
    )


def open_embedded(
    source: Any, *, settings: ScanSettings | None = None, reading: TableReading | None = None
) -> DuckTable:
    """Make a source countable: a path, a folder, a pattern, a PostgreSQL URL or a frame.

    Files are scanned where they lie if the database can do that, and otherwise copied in
    chunks to the work folder, so that none has to fit in memory. `reading` says how to read the cells.
    """
    chosen = _with_reading(settings or ScanSettings(), reading)
    session = start_session(chosen)
    try:
        place, scan = scanned(session, source, chosen)
        found = described(session, scan, place)
        return replace(found, form=replace(found.form, types=found.types))
    except BaseException:
        session.close()
        raise


def _with_reading(settings: ScanSettings, reading: TableReading | None) -> ScanSettings:
    if reading is None:
        return settings
    if reading.is_lenient:
        return replace(settings, reading=reading)
    delimiter, encoding = (
        reading.delimiter or settings.csv.delimiter,
        reading.encoding or settings.csv.encoding,
    )
    csv = replace(settings.csv, delimiter=delimiter, encoding=encoding)
    return replace(settings, csv=csv, reading=reading)


def scanned(session: Session, source: Any, settings: ScanSettings) -> tuple[str, Scan]:
    """A source as a scan of this session, and its place for messages."""
    if isinstance(source, str) and source.startswith(POSTGRES):
        table = postgres_table(source, settings)
        return table.place, _as_read(
            read_postgres(session, table), settings.reading, table.place, "a database"
        )
    if isinstance(source, str | Path):
        kind, paths = files_of(now_at(source))  # a release may wait for its codebook
        if kind not in DATABASES:
            session.watched.watch(paths)
        place, scan = path_text(source), kind.read(session, paths, settings)
        if kind is DELIMITED:
            return place, scan
        return place, _as_read(scan, settings.reading, place, f"a {kind.name} file")
    if is_frame(source):
        return "The frame", _as_read(
            read_frame(session, source), settings.reading, "The frame", "a data frame"
        )
    raise InvalidSetting(
        f"A table cannot be made from an object of type {type(source).__name__}.",
        hint="Give a path, a PostgreSQL URL, or a frame of pandas, Polars, Arrow or DuckDB.",
    )


def _as_read(scan: Scan, reading: TableReading, place: str, what: str) -> Scan:
    """The scan of a source with types of its own: what the user said applies to its columns of text."""
    if reading.text_only and not reading.is_lenient:
        raise InvalidSetting(
            f"{place}: only CSV and TSV files have the setting {', '.join(reading.text_only)}, and this is "
            f"{what}.",
            hint="Leave it out.",
        )
    for name in reading.formats:
        if name and name not in scan.relation.columns and not reading.is_lenient:
            raise UnknownColumn.among(name, scan.relation.columns, source=place)
    if not (reading.null or reading.formats):
        return scan
    with without_values(place):
        return _with_cells_read(scan, reading, place)


def _with_cells_read(scan: Scan, reading: TableReading, place: str) -> Scan:
    rows = scan.relation
    kinds = dict(zip(rows.columns, map(str, rows.types), strict=True))
    texts = [name for name, kind in kinds.items() if kind == "VARCHAR"]
    missing = missing_counts(rows, texts, reading.null)
    cells = {name: missing_sql(quoted(name), reading.null) for name in missing}
    plain = _projected(rows, cells)
    maybe = [name for name in kinds if name in texts or (name in reading.formats and "INT" in kinds[name])]
    dates = given_forms(plain, maybe, reading.formats, place=place, lenient=reading.is_lenient)
    cells |= {
        name: form.read(f"CAST({cells.get(name, quoted(name))} AS VARCHAR)") for name, form in dates.items()
    }
    return replace(
        scan,
        relation=_projected(rows, cells),
        numbered=None if scan.numbered is None else _projected(scan.numbered, cells),
        notes=(*scan.notes, *reading_notes(dates, missing, reading.null)),
        form=replace(scan.form, dates=dates, reading=reading),
    )


def _projected(rows: DuckDBPyRelation, cells: Mapping[str, str]) -> DuckDBPyRelation:
    if not cells:
        return rows
    return rows.project(
        ", ".join(
            f"{cells[name]} AS {quoted(name)}" if name in cells else quoted(name) for name in rows.columns
        )
    )


def table_of(columns: CodedColumns, *, source: str, settings: ScanSettings | None = None) -> DuckTable:
    """The other way round: a table with the texts written out, and whole numbers as such."""
    session = start_session(settings or ScanSettings())
    try:
        with without_values(source):
            arrays: dict[str, NDArray[Any]] = {
                f"k{at}": code for at, code in enumerate(columns.codes.values())
            }
            arrays |= {
                f"x{at}": _whole_if_whole(number) for at, number in enumerate(columns.numbers.values())
            }
            whole = session.from_arrays({"nth": np.arange(len(columns)), **arrays})
            for at, labels in enumerate(columns.labels.values()):
                texts = np.array(labels, dtype=np.object_)
                codes = np.arange(len(labels), dtype=np.int32)
                named = session.from_arrays({f"c{at}": codes, f"v{at}": texts})
                whole = whole.join(named, f"k{at} = c{at}")
            parts = [f"v{at} AS {quoted(name)}" for at, name in enumerate(columns.codes)]
            parts += [f"x{at} AS {quoted(name)}" for at, name in enumerate(columns.numbers)]
            relation = session.kept(whole.order("nth").project(", ".join(parts)))
        return described(session, Scan(relation), source)
    except BaseException:
        session.close()
        raise


def _whole_if_whole(numbers: NDArray[np.float64]) -> NDArray[np.float64] | NDArray[np.int64]:
    whole = bool(np.all(np.isfinite(numbers))) and bool(np.all(numbers == np.trunc(numbers)))
    return numbers.astype(np.int64) if whole else numbers
