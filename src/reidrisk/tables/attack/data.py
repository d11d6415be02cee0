"""The tables of an attack: released, original and control, and who is who in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.reading import TableReading
from reidrisk.core.wording import plural
from reidrisk.engine.opening import open_table
from reidrisk.engine.protocol import Table
from reidrisk.engine.results import CodedColumn
from reidrisk.errors import BadData, NothingToMeasure, UnknownColumn
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.candidates import holds
from reidrisk.stats.attack.columns import AttackColumn, Cover
from reidrisk.tables.attack.domain import Domain, domain_of
from reidrisk.tables.attack.draw import AttackDraw, plan_draw, refuse_draw
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.reading import ReadableColumn, read_column
from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.readable import with_readable


@dataclass(frozen=True, slots=True, eq=False)
class Persons:
    """The number of the person of every row."""

    of: Ints = field(repr=False)
    number: int
    """Number of persons."""
    is_rows: bool = False
    """Whether every row is a separate person."""

    @classmethod
    def rows(cls, number: int) -> Persons:
        """Treat each row as one person."""
        return cls(np.arange(number, dtype=np.int64), number, is_rows=True)

    @classmethod
    def marked(cls, marks: NDArray[np.uint64]) -> Persons:
        """Treat rows with the same mark as one person."""
        values, of = np.unique(marks, return_inverse=True)
        return cls(of.astype(np.int64), values.size)

    def one_each(self, rows: Ints, rng: np.random.Generator) -> Ints:
        """Return one random row of every person among these rows."""
        if self.is_rows:
            return rows
        drawn = rng.permutation(rows)
        _, first = np.unique(self.of[drawn], return_index=True)
        return np.sort(drawn[first])

    def all_rows(self, persons: Ints) -> tuple[Ints, Ints]:
        """Return all rows of these persons: the index of the person, and the row."""
        if self.is_rows:
            return np.arange(persons.size, dtype=np.int64), persons
        order = np.argsort(self.of, kind="stable")
        first, last = (np.searchsorted(self.of[order], persons, side) for side in ("left", "right"))
        many = last - first
        place = np.repeat(np.arange(persons.size, dtype=np.int64), many)
        within = np.arange(place.size) - np.repeat(np.cumsum(many) - many, many)
        return place, order[np.repeat(first, many) + within]


Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class AttackTables:
    """The codes of all rows; those of people and control are indexes in the same domains."""

    names: tuple[str, ...]
    columns: tuple[AttackColumn, ...] = field(repr=False)
    domains: tuple[Domain, ...] = field(repr=False)
    released: Codes = field(repr=False)
    people: Codes = field(repr=False)
    control: Codes | None = field(repr=False)
    filled: Ints = field(repr=False)
    """Number of distinct released values of each column, without the empty cell."""
    ids: tuple[PersonIds, PersonIds] | None = field(repr=False)
    persons: Persons
    """The persons of the rows of people."""
    control_persons: Persons | None
    units: Persons
    """The persons of the released rows, if the release has the column; it may contain new pseudonyms."""
    sources: tuple[str, ...]
    notes: tuple[str, ...]
    """How the files were read."""
    doubts: tuple[str, ...]
    """Values that could not be read, or could be read in another way."""
    draw: AttackDraw | None = None
    """How persons were drawn; None if all rows are here."""

    def places(self, names: Sequence[str]) -> list[int]:
        """Return the indexes of the columns."""
        return [self.names.index(name) for name in names]

    def chosen(self, names: Sequence[str]) -> tuple[AttackColumn, ...]:
        """Return some of the columns."""
        return tuple(self.columns[at] for at in self.places(names))

    def covers(self, names: Sequence[str]) -> tuple[Cover, ...]:
        """Return the values that the released values of some columns cover."""
        return tuple(column.cover for column in self.chosen(names))


@dataclass(frozen=True, slots=True, eq=False)
class PersonIds:
    """The identity of each row of a table."""

    marks: NDArray[np.uint64] = field(repr=False)
    """A mark for every row; the same for the same person."""
    empty: NDArray[np.bool_] = field(repr=False)
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class _ReadTable:
    """The columns and identities of one table."""

    columns: tuple[CodedColumn, ...]
    ids: PersonIds | None
    units: PersonIds | None
    source: str
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.columns[0].codes)


def read_tables(  # noqa: PLR0913 - the tables, then how to attack and read them
    released: Any,
    against: Any,
    control: Any,
    plan: AttackPlan,
    hierarchies: Mapping[str, Hierarchy],
    reading: TableReading | None = None,
    *,
    seed: int = 7,
) -> AttackTables:
    """Read all columns that an attack uses; of tables that are too large, those of persons who are drawn."""
    tables, draw = _read_all((released, against, control), plan, hierarchies, reading, seed=seed)
    own, others = tables[0], tables[1:]
    codes = [np.empty((len(one), len(plan.columns)), dtype=np.int32, order="F") for one in others]
    read: list[ReadableColumn] = []
    domains: list[Domain] = []
    for at, name in enumerate(plan.columns):
        domain, maps = domain_of([one.columns[at] for one in others])
        for out, one, places in zip(codes, others, maps, strict=True):
            out[:, at] = places[one.columns[at].codes]
        counts = np.bincount(codes[0][:, at], minlength=len(domain)).astype(np.int64)
        read.append(read_column(own.columns[at], domain, counts, hierarchies.get(name)))
        domains.append(domain)
    return AttackTables(
        plan.columns,
        tuple(one.compared for one in read),
        tuple(domains),
        np.asfortranarray(np.stack([one.codes for one in own.columns], axis=1)),
        codes[0],
        codes[1] if len(codes) > 1 else None,
        np.array([one.values.size for one in own.columns], dtype=np.int64),
        _who(own, others[0]),
        _persons(others[0]),
        _persons(others[1]) if len(others) > 1 else None,
        _persons(own),
        tuple(one.source for one in tables),
        tuple(f"{one.source}: {note}" for one in tables for note in one.notes),
        tuple(_doubts(plan.columns, read)),
        draw,
    )


def _read_all(
    sources: Sequence[Any],
    plan: AttackPlan,
    hierarchies: Mapping[str, Hierarchy],
    reading: TableReading | None,
    *,
    seed: int,
) -> tuple[list[_ReadTable], AttackDraw | None]:
    with ExitStack() as at_end:
        opened = []
        for place, source in enumerate(one for one in sources if one is not None):
            how = reading if reading is None or place == 1 else reading.for_other()
            table = at_end.enter_context(open_table(source, reading=how))
            opened.append(table if place == 0 else with_readable(table, hierarchies, plan.columns))
        for place, table in enumerate(opened):
            _check_columns(table, plan, place)
        draw = plan_draw(opened, plan, seed=seed)
        drawn = opened if draw is None else [draw.of(table, place) for place, table in enumerate(opened)]
        tables = [_read_table(table, plan, place) for place, table in enumerate(drawn)]
        if draw is not None and draw.is_release and plan.unit is not None:
            units = [one.units.marks for one in tables[:2] if one.units is not None]
            if len(units) < 2 or not np.isin(units[0], units[1]).any():
                refuse_draw(opened, draw.rows, draw.most, f"they share no value of {plan.unit}")
        return tables, draw


def _check_columns(table: Table, plan: AttackPlan, place: int) -> None:
    """Refuse a table that lacks a column; only the people need the column of persons."""
    needed = (plan.id if place < 2 else None, plan.unit if place == 1 else None)
    for name in (*plan.columns, *(one for one in needed if one)):
        if name not in table.columns:
            raise UnknownColumn.among(name, table.columns, source=table.source)


def _who(own: _ReadTable, other: _ReadTable) -> tuple[PersonIds, PersonIds] | None:
    """Identify people by the ID column, or by the column of persons if both tables share a value of it."""
    if own.ids is not None and other.ids is not None:
        return own.ids, other.ids
    if own.units is None or other.units is None:
        return None
    return (own.units, other.units) if np.isin(own.units.marks, other.units.marks).any() else None


def _persons(opened: _ReadTable) -> Persons:
    return Persons.rows(len(opened)) if opened.units is None else Persons.marked(opened.units.marks)


def _read_table(table: Table, plan: AttackPlan, place: int) -> _ReadTable:
    """Read one table: 0 is the release, 1 the people, 2 the control."""
    id_column = plan.id if place < 2 else None
    columns = table.rows.coded(plan.columns)
    if not len(columns[0].codes):
        raise NothingToMeasure(f"{table.source} has no records.", hint="Name a table with rows.")
    ids = PersonIds(*table.rows.marks(id_column), table.source) if id_column else None
    return _ReadTable(columns, ids, _units(table, plan.unit), table.source, table.notes)


def _units(table: Table, column: str | None) -> PersonIds | None:
    if column is None or column not in table.columns:
        return None
    found = PersonIds(*table.rows.marks(column), table.source)
    empty = int(found.empty.sum())
    if empty:
        raise BadData(
            f"{table.source}: {column!r}, which identifies persons, is empty in {plural(empty, 'row')}.",
            hint="Fill it in, or leave out these rows.",
        )
    return found


def _doubts(names: Sequence[str], read: Sequence[ReadableColumn]) -> Iterator[str]:
    for name, one in zip(names, read, strict=True):
        if one.unread:
            yield (
                f"{plural(one.unread, 'value')} of {name!r} in the release match no value of the other "
                "table, and therefore nobody. Give its hierarchy to match them."
            )
    empty = [name for name, one in zip(names, read, strict=True) if one.empty_is_suppressed]
    if empty:
        yield f"Empty cells of {', '.join(empty)} in the release count as suppressed: they match any value."


SAME_ORDER = 0.99
"""Share of records that must match the person in the same row to assume the same order of rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The true person of each released record."""

    person: Ints | None = field(repr=False)
    """The row of the person; -1 if not in the other table; None if nothing is known."""
    by: str
    """How the truth is known, or why not."""
    owners: Persons
    """The persons of the released records: their numbers in the other table, or new ones."""

    @property
    def released(self) -> Ints:
        """The released records whose person is known."""
        return np.empty(0, dtype=np.int64) if self.person is None else np.flatnonzero(self.person >= 0)

    def targets(self, persons: Persons, rng: np.random.Generator) -> Ints:
        """Return one row of every person of the other table who is released, or of all if unknown."""
        rows = np.arange(persons.of.size, dtype=np.int64)
        if self.person is not None:
            is_released = np.zeros(persons.number, dtype=np.bool_)
            is_released[persons.of[self.person[self.released]]] = True
            rows = np.flatnonzero(is_released[persons.of])
        return persons.one_each(rows, rng)


def why_unjudged(truth: Truth) -> str:
    """Explain why links cannot be judged."""
    if truth.person is None:
        return f"The identity of records is {truth.by}, so links cannot be judged."
    return "No released record belongs to a person in the other table."


def find_truth(tables: AttackTables, plan: AttackPlan) -> Truth:
    """Find the person of each record by the ID column, or by the order of rows if that fits."""
    person, by = _find_person(tables, plan)
    if person is None and tables.draw is not None and tables.draw.is_release:
        raise BadData(
            f"{tables.sources[0]} is too large to attack whole, and no sample of the same persons can be "
            f"drawn from both tables: the identity of records is {by}.",
            hint="Name a column that identifies persons in both tables (--id), or allow more rows (--set "
            "rows=N) and memory (--memory).",
        )
    return Truth(person, by, owners_of(tables, person, plan))


def owners_of(tables: AttackTables, person: Ints | None, plan: AttackPlan) -> Persons:
    """Return the persons of the released records: their numbers in the other table, or new ones."""
    own = tables.persons.number + tables.units.of
    if person is not None:
        own = np.where(person >= 0, tables.persons.of[np.maximum(person, 0)], own)
    number = tables.persons.number + tables.units.number
    return Persons(own, number, is_rows=plan.unit is None)


def _find_person(tables: AttackTables, plan: AttackPlan) -> tuple[Ints | None, str]:
    """Return the row of each released record's person, and how it is known."""
    if tables.ids is not None:
        return _by_id(*tables.ids, tables.persons), f"by the column {plan.id or plan.unit}"
    if len(tables.released) != len(tables.people):
        return (
            None,
            "unknown: the tables differ in length and no ID column was given (--id)",
        )
    columns = tables.places(plan.quasi)
    fits = holds(tables.covers(plan.quasi), tables.released[:, columns], tables.people[:, columns])
    if fits.mean() < SAME_ORDER:
        return (
            None,
            "unknown: the rows of the tables do not match in order, and no ID column was given (--id)",
        )
    return np.arange(len(fits), dtype=np.int64), "by the order of rows"


def _by_id(released: PersonIds, people: PersonIds, persons: Persons) -> Ints:
    if persons.is_rows:
        for table in (released, people):
            _refuse_repeated(table)
    else:
        _refuse_shared(people, persons)
    order = np.argsort(people.marks, kind="stable")
    order = order[~people.empty[order]]
    if not order.size:
        return np.full(released.marks.size, -1, dtype=np.int64)
    known = people.marks[order]
    place = np.minimum(np.searchsorted(known, released.marks), order.size - 1)
    same = (known[place] == released.marks) & ~released.empty
    return np.where(same, order[place], -1)


def _refuse_shared(table: PersonIds, persons: Persons) -> None:
    """Refuse an ID column with a value that several persons share."""
    filled = ~table.empty
    pairs = np.unique(np.stack([table.marks[filled], persons.of[filled].astype(np.uint64)]), axis=1)
    shared = pairs.shape[1] - np.unique(pairs[0]).size
    if shared:
        raise BadData(
            f"{table.source}: {plural(shared, 'value')} of the ID column belong to several persons.",
            hint="Name a column whose values belong to one person each (--id), or another unit (--unit).",
        )


def _refuse_repeated(table: PersonIds) -> None:
    _, times = np.unique(table.marks[~table.empty], return_counts=True)
    repeated = int((times > 1).sum())
    if repeated:
        raise BadData(
            f"{table.source}: {plural(repeated, 'value')} of the ID column occur more than once.",
            hint="If persons have several rows, name the column that identifies persons (--unit); otherwise "
            "name a column that is different in every row.",
        )
