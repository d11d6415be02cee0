"""Tables of one session that SQL can join."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from reidrisk.core.places import POSTGRES
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.linked.sources import DATABASES, MARK
from reidrisk.engine.duckdb.names import distinct_names, quoted
from reidrisk.engine.duckdb.readers.dataset_json import SUFFIXES as JSON
from reidrisk.engine.duckdb.readers.dataset_json import read_dataset_json
from reidrisk.engine.duckdb.readers.dates import ISO_TEXT
from reidrisk.engine.duckdb.readers.fhir import is_fhir, read_fhir
from reidrisk.engine.duckdb.readers.stored import attached_tables
from reidrisk.engine.duckdb.scan import Scan
from reidrisk.engine.duckdb.session import Session, start_session
from reidrisk.engine.duckdb.table import DuckTable, described, scanned
from reidrisk.engine.duckdb.types import TEXT
from reidrisk.engine.linked import (
    EventTable,
    FoundLink,
    Histogram,
    KnownSets,
    LinkedPlan,
    Links,
    NamedValues,
    OrphanCount,
    PeopleCodes,
    PersonAttribute,
    SetCount,
    TableColumn,
    TableLink,
    WrittenRelease,
)
from reidrisk.engine.protocol import ClosedAtEnd
from reidrisk.engine.results import MOMENTS, Kind
from reidrisk.engine.settings import ScanSettings
from reidrisk.errors import BadData, UnknownColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

EXPRESSION = re.compile(r"\w+\(\s*(\w+)\s*(?:,.*)?\)")
"""A header that an export left as an expression, such as date(visit_start_date,'unixepoch')."""


@dataclass(frozen=True, eq=False)
class LinkedTables(ClosedAtEnd):
    """Tables by name; rows stay inside the database, and no `repr` shows one."""

    session: Session = field(repr=False)
    tables: Mapping[str, DuckTable] = field(repr=False)
    views: Mapping[str, str] = field(repr=False)
    """By table: the name under which SQL finds it."""
    paths: Mapping[str, str]
    """By table: the file that it was read from."""

    @property
    def connection(self) -> DuckDBPyConnection:
        """Where the tables live."""
        return self.session.connection

    @property
    def columns(self) -> Mapping[str, tuple[str, ...]]:
        """The columns of each table."""
        return {name: table.columns for name, table in self.tables.items()}

    @property
    def labels(self) -> Mapping[TableColumn, str]:
        """What the files say about their variables, if they say it."""
        return {
            TableColumn(name, column): label
            for name, table in self.tables.items()
            for column, label in table.form.labels.items()
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """What was detected, with the table."""
        return tuple(f"{name}: {note}" for name, table in self.tables.items() for note in table.notes)

    def kind(self, at: TableColumn) -> Kind:
        """What the values of a column are."""
        return self.table(at).kinds[at.column]

    def table(self, at: TableColumn) -> DuckTable:
        """The table of a column, which must be there."""
        if at.table not in self.tables:
            raise BadData(f"There is no table {at.table!r}.", hint=f"Tables are: {', '.join(self.tables)}.")
        table = self.tables[at.table]
        if at.column not in table.columns:
            raise UnknownColumn.among(at.column, table.columns, source=f"The table {at.table}")
        return table

    def rows(self, name: str) -> int:
        """How many rows a table has."""
        return self.tables[name].count()

    def filled(self, at: TableColumn) -> int:
        """How many cells of a column have a value."""
        return self.rows(at.table) - self.table(at).nulls([at.column])[at.column]

    def one(self, sql: str, place: str) -> tuple[Any, ...]:
        """The one row that a query gives."""
        with without_values(place):
            return self.connection.execute(sql).fetchone() or ()

    def all(self, sql: str, place: str) -> list[tuple[Any, ...]]:
        """The few rows that a query gives."""
        with without_values(place):
            return self.connection.execute(sql).fetchall()

    def is_date(self, at: TableColumn) -> bool:
        """Whether the values are dates, also as texts of ISO 8601 that may lack the day."""
        table = self.table(at)
        if table.kinds[at.column] in MOMENTS:
            return True
        if table.types[at.column] != TEXT:
            return False
        cell = f"nullif(trim({quoted(at.column)}), '')"
        fits = f"regexp_full_match({cell}, '{ISO_TEXT}')"
        found = self.one(
            f"SELECT count({cell}), count(*) FILTER (WHERE {fits}), "
            f"count(*) FILTER (WHERE length({cell}) >= 7) FROM {self.views[at.table]}",
            at.table,
        )
        return bool(found[0] and found[0] == found[1] and found[2])

    def people(
        self, links: Links, attributes: Sequence[PersonAttribute], events: Sequence[EventTable]
    ) -> PeopleCodes:
        """People and events as codes, in the order of the person key."""
        from reidrisk.engine.duckdb.linked.people import people_codes

        return people_codes(self, links, attributes, events)

    def person_keys(self, person: TableColumn, *, repeats: bool = False) -> list[str]:
        """The keys of all people as texts, in their order; `repeats`: a person may have several rows."""
        from reidrisk.engine.duckdb.linked.people import number_people

        number = number_people(self, person, repeats=repeats)
        return [row[0] for row in self.all(f"SELECT k FROM {number} ORDER BY i", person.table)]

    def owned_values(self, links: Links, at: TableColumn) -> list[tuple[str, str]]:
        """The distinct values of a column as texts, each with the key of a person in whose rows it stands."""
        from reidrisk.engine.duckdb.linked.people import owned_values

        return owned_values(self, links, at)

    def first_rows(self, links: Links, table: str) -> dict[str, int]:
        """By key of a person: the number of the first row in a table, in the order of its file."""
        from reidrisk.engine.duckdb.linked.people import first_rows

        return first_rows(self, links, table)

    def latest_year(self, columns: Sequence[TableColumn]) -> int | None:
        """The latest year of some columns of dates."""
        from reidrisk.engine.duckdb.linked.people import day_sql

        years = [
            self.one(
                f"SELECT max(year({day_sql(self, at, 't')})) FROM {self.views[at.table]} AS t", at.table
            )[0]
            for at in columns
        ]
        return max((int(year) for year in years if year is not None), default=None)

    def has_above(self, at: TableColumn, limit: int) -> bool:
        """Whether a column has a number above a limit."""
        self.table(at)
        cell = f"TRY_CAST({quoted(at.column)} AS DOUBLE)"
        [found] = self.one(
            f"SELECT coalesce(max({cell}) > {limit}, false) FROM {self.views[at.table]}", at.table
        )
        return bool(found)

    def refuse_unreadable_dates(self, columns: Sequence[TableColumn]) -> None:
        """Refuse texts that are to be moved as dates but cannot be read as dates."""
        from reidrisk.engine.duckdb.linked.dates import refuse_unreadable

        refuse_unreadable(self, columns)

    def values(self, at: TableColumn) -> list[str]:
        """The distinct values of a column as texts, in order; they must not be shown."""
        self.table(at)
        cell = f"CAST({quoted(at.column)} AS VARCHAR)"
        found = self.all(
            f"SELECT DISTINCT {cell} FROM {self.views[at.table]} WHERE {cell} IS NOT NULL ORDER BY 1",
            at.table,
        )
        return [row[0] for row in found]

    def combinations(self, table: str, columns: Sequence[str]) -> list[tuple[tuple[str | None, ...], int]]:
        """The distinct rows of some columns as texts, in order, and how often each occurs."""
        shown = ", ".join(f"nullif(trim(CAST({quoted(name)} AS VARCHAR)), '')" for name in columns[1:])
        first = f"CAST({quoted(columns[0])} AS VARCHAR)"
        found = self.all(
            f"SELECT {', '.join(filter(None, (first, shown)))}, count(*) FROM {self.views[table]} "
            "GROUP BY ALL ORDER BY ALL",
            table,
        )
        return [(row[:-1], int(row[-1])) for row in found]

    def named_values(self, links: Links, at: TableColumn, name: str) -> tuple[NamedValues, ...]:
        """What the values of a column look like, by the name in another column of the table."""
        from reidrisk.engine.duckdb.linked.looking import named_values

        return named_values(self, links, at, name)

    def orphans(self, links: Sequence[TableLink]) -> tuple[OrphanCount, ...]:
        """For each link how many rows name a key that is not there."""
        from reidrisk.engine.duckdb.linked.looking import orphan_count

        return tuple(orphan_count(self, link) for link in links)

    def found_links(self) -> tuple[FoundLink, ...]:
        """Keys by looking: names agree, the key is unique, and nearly all values are in it."""
        from reidrisk.engine.duckdb.linked.looking import found_links

        return found_links(self)

    def class_sizes(self, links: Links, quasi: Sequence[str]) -> Histogram:
        """How many classes of people there are of each size, by plain SQL."""
        from reidrisk.engine.duckdb.linked.recount import class_sizes

        return class_sizes(self, links, quasi)

    def event_sizes(
        self, links: Links, quasi: Sequence[str], owner: TableColumn, values: Sequence[str]
    ) -> Histogram:
        """How many events there are by the number of people of a class who have them, by plain SQL."""
        from reidrisk.engine.duckdb.linked.recount import event_sizes

        return event_sizes(self, links, quasi, owner, values)

    def set_sizes(self, asked: KnownSets, *, least: int, most: int) -> tuple[SetCount, ...]:
        """How many sets of events of one person fit fewer than `least` people, by size and plain SQL."""
        from reidrisk.engine.duckdb.linked.recount import set_sizes

        return set_sizes(self, asked, least=least, most=most)

    def write(self, plan: LinkedPlan, folder: Path) -> WrittenRelease:
        """Write every table as the plan says."""
        from reidrisk.engine.duckdb.linked.release import LinkedRelease

        return LinkedRelease(self, plan).write(folder)

    def refuse_changed(self) -> None:
        """Refuse to go on if a file is not what it was."""
        self.session.watched.refuse_changed()

    def close(self) -> None:
        """Free the memory and remove the work folder."""
        self.session.close()


def open_linked(sources: Mapping[str, str | Path], *, settings: ScanSettings | None = None) -> LinkedTables:
    """Open every table in one session; headers that are expressions get the name of their column."""
    session = start_session(settings or ScanSettings())
    try:
        return opened_in(session, sources, settings or ScanSettings())
    except BaseException:
        session.close()
        raise


def opened_in(session: Session, sources: Mapping[str, str | Path], settings: ScanSettings) -> LinkedTables:
    """Open tables in a session that is there."""
    attached: dict[str, dict[str, Scan]] = {}
    tables, views = {}, {}
    for name, source in sources.items():
        place, scan = _scan(session, str(source), attached, settings)
        table = _renamed(described(session, scan, place))
        tables[name] = replace(table, form=replace(table.form, types=table.types))
        views[name] = session.work_name()
        with without_values(place):
            tables[name].relation.create_view(views[name])
    paths = MappingProxyType({name: str(source) for name, source in sources.items()})
    return LinkedTables(session, MappingProxyType(tables), MappingProxyType(views), paths)


def _scan(
    session: Session, source: str, attached: dict[str, dict[str, Scan]], settings: ScanSettings
) -> tuple[str, Scan]:
    path, mark, inside = source.rpartition(MARK)
    if not source.startswith(POSTGRES) and mark and path.lower().endswith(DATABASES):
        if path not in attached:
            attached[path] = attached_tables(session, Path(path))
        return f"{path}, table {inside}", attached[path][inside]
    if is_fhir(Path(source)):
        session.watched.watch([Path(source)])
        return source, read_fhir(session, Path(source))
    if source.lower().endswith(JSON):
        return source, read_dataset_json(session, Path(source))
    return scanned(session, source, settings)


def _renamed(table: DuckTable) -> DuckTable:
    """Headers that are expressions become the name of the column that they are made from."""
    names = {name: match[1] for name in table.columns if (match := EXPRESSION.fullmatch(name))}
    if not names:
        return table
    new = [names.get(name, name) for name in table.columns]
    distinct_names(new, place=table.source)
    parts = [f"{quoted(name)} AS {quoted(to)}" for name, to in zip(table.columns, new, strict=True)]
    listed = ", ".join(names.values())
    note = f"headers that were expressions: {listed}"
    return replace(
        described(
            table.session, Scan(table.relation.project(", ".join(parts)), (), table.form), table.source
        ),
        notes=(*table.notes, note),
        form=replace(table.form, text=None),
    )
