"""A table the engine can count, whatever it came from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any

from reidrisk.core.reading import TableReading
from reidrisk.core.wording import path_text
from reidrisk.engine.failures import without_values
from reidrisk.engine.kinds import DELIMITED, files_of
from reidrisk.engine.names import quoted
from reidrisk.engine.readers.dates import given_forms, missing_counts, missing_sql, reading_notes
from reidrisk.engine.readers.frames import is_frame, read_frame
from reidrisk.engine.readers.postgres import SCHEMES, postgres_table, read_postgres
from reidrisk.engine.scan import ROW, Form, Scan
from reidrisk.engine.session import Session, start_session
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, InvalidSetting, UnknownColumn

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


@dataclass(frozen=True, eq=False)
class Table:
    """Columns and types are known; rows stay inside the engine, and no `repr` shows one."""

    source: str
    """For messages."""
    columns: tuple[str, ...]
    types: Mapping[str, str]
    notes: tuple[str, ...]
    """What was detected: delimiter, encoding, sheet, columns that had to become text."""
    session: Session = field(repr=False)
    relation: DuckDBPyRelation = field(repr=False)
    form: Form = field(repr=False, default_factory=Form)
    """How the source writes its rows, for a file like it."""
    numbered: DuckDBPyRelation | None = field(repr=False, default=None)
    """The rows with their place in the file, if that tells it."""

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

    def derived(self, relation: DuckDBPyRelation, *, note: str) -> Table:
        """Another table of the same session, made from this one."""
        return described(self.session, Scan(relation, (*self.notes, note), self.form), self.source)

    def as_stored(self, typed: Collection[str]) -> Table:
        """The same rows, with columns that nobody computes with exactly as the file spells them."""
        if self.form.text is None:
            return self
        with without_values(self.source):
            scan = Scan(self.form.text.typed(typed), self.notes, self.form)
        return described(self.session, scan, self.source)

    def at_hand(self) -> Table:
        """The same rows for those who scan them often: a text file is parsed but once."""
        if self.form.text is None:
            return self
        with without_values(self.source):
            return replace(self, relation=self.session.staged(self.relation), numbered=None)

    def close(self) -> None:
        """Free the memory and remove the work folder now, not when the last reference goes."""
        self.session.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def described(session: Session, scan: Scan, source: str) -> Table:
    """The table of a scan."""
    with without_values(source):
        columns = tuple(scan.relation.columns)
        types = {name: str(kind) for name, kind in zip(columns, scan.relation.types, strict=True)}
    if not columns:
        raise BadData(f"{source} has no columns.", hint="Name another table.")
    return Table(
        source,
        columns,
        MappingProxyType(types),
        scan.notes,
        session,
        scan.relation,
        scan.form,
        scan.numbered,
    )


def open_table(
    source: Any, *, settings: ScanSettings | None = None, reading: TableReading | None = None
) -> Table:
    """Make a source countable: a path, a folder, a pattern, a PostgreSQL URL or a frame.

    Files are scanned where they lie if the database can do that, and otherwise copied in
    chunks to the work folder, so that none has to fit in memory. `reading` says how to read the cells.
    """
    chosen = _with_reading(settings or ScanSettings(), reading)
    session = start_session(chosen)
    try:
        place, scan = _scanned(session, source, chosen)
        return described(session, scan, place)
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


def _scanned(session: Session, source: Any, settings: ScanSettings) -> tuple[str, Scan]:
    if isinstance(source, str) and source.startswith(SCHEMES):
        table = postgres_table(source, settings)
        return table.place, _as_read(
            read_postgres(session, table), settings.reading, table.place, "a database"
        )
    if isinstance(source, str | Path):
        kind, paths = files_of(source)
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
