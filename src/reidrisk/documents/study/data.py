"""The individual participant data of a trial, as texts by participant; no `repr` shows one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from reidrisk.core.wording import plural
from reidrisk.engine.opening import open_table
from reidrisk.errors import BadData, UnknownColumn

Row = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class StudyTable:
    """One table, and whose each of its rows is."""

    name: str
    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...] = field(repr=False)
    subjects: tuple[int | None, ...] = field(repr=False)
    """The participant of each row by number from 1; None for people who are not among them."""

    def values(self, variable: str) -> Iterator[tuple[int, str]]:
        """Participants and values of a variable that are there."""
        at = self.columns.index(variable)
        for subject, row in zip(self.subjects, self.rows, strict=True):
            value = row[at]
            if subject is not None and value is not None:
                yield subject, value


@dataclass(frozen=True, slots=True)
class StudyData:
    """All tables; the first has one row a participant, whose number is the number of that row."""

    subject: str
    tables: Mapping[str, StudyTable]
    notes: tuple[str, ...] = ()
    _values: dict[str, dict[int, tuple[str, ...]]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def participants(self) -> StudyTable:
        """The table with one row a participant."""
        return next(iter(self.tables.values()))

    def __len__(self) -> int:
        return len(self.participants.rows)

    def of(self, subject: int, variable: str) -> tuple[str, ...]:
        """All values of a variable that a participant has, in any table, each once."""
        return self.by_subject(variable).get(subject, ())

    def all_of(self, variable: str) -> set[str]:
        """All values of a variable."""
        return {value for values in self.by_subject(variable).values() for value in values}

    def by_subject(self, variable: str) -> Mapping[int, tuple[str, ...]]:
        """The values of a variable by participant."""
        if variable not in self._values:
            found: dict[int, dict[str, None]] = {}
            for table in self.tables.values():
                for subject, value in table.values(variable) if variable in table.columns else ():
                    found.setdefault(subject, {})[value] = None
            self._values[variable] = {subject: tuple(values) for subject, values in found.items()}
        return self._values[variable]

    def table_of(self, variable: str) -> StudyTable | None:
        """The first table that has a variable."""
        return next((table for table in self.tables.values() if variable in table.columns), None)


def load_data(paths: Mapping[str, Path], subject: str) -> StudyData:
    """Read every table; participants are told apart by `subject` alone."""
    tables: dict[str, StudyTable] = {}
    numbers: dict[str, int] = {}
    notes: list[str] = []
    for name, path in paths.items():
        columns, rows = _read(path)
        if subject not in columns:
            raise UnknownColumn.among(subject, columns, source=f"The table {name}")
        ids = [row[columns.index(subject)] for row in rows]
        if not tables:
            numbers = _numbered(ids, name, subject)
        owners = tuple(None if one is None else numbers.get(one) for one in ids)
        strangers = owners.count(None)
        if strangers:
            notes.append(f"{plural(strangers, 'row')} of {name} of people who are not in {next(iter(paths))}")
        tables[name] = StudyTable(name, path, columns, tuple(rows), owners)
    return StudyData(subject, MappingProxyType(tables), tuple(notes))


def _read(path: Path) -> tuple[tuple[str, ...], list[Row]]:
    with open_table(path) as table:
        return table.columns, table.rows.texts()


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """The rows of a table in some of its columns, as texts."""
    there, rows = _read(path)
    places = [there.index(name) for name in columns]
    for row in rows:
        yield tuple(row[at] for at in places)


def _numbered(ids: list[str | None], table: str, subject: str) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for row, one in enumerate(ids, 1):
        if one is None:
            raise BadData(
                f"Row {row} of {table} has no {subject}.", hint="Every participant needs one: complete it."
            )
        if one in numbers:
            raise BadData(
                f"Row {row} of {table} repeats the {subject} of row {numbers[one]}.",
                hint="Name a table with one row a participant first, such as DM or ADSL.",
            )
        numbers[one] = row
    if not numbers:
        raise BadData(f"The table {table} has no rows.", hint="Name the table of participants.")
    return numbers
