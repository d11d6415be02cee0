"""The tables of an attack: released, original and control, and who is who in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.engine.coded import CodedColumn, coded_rows, row_marks
from reidrisk.engine.table import Table, open_table
from reidrisk.errors import BadData, NothingToMeasure, UnknownColumn
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.candidates import holds
from reidrisk.stats.attack.columns import Compared
from reidrisk.stats.attack.covers import Cover
from reidrisk.tables.attack.domain import Domain, domain_of
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.reading import Read, read_column
from reidrisk.tables.hierarchy.hierarchy import Hierarchy


@dataclass(frozen=True, slots=True, eq=False)
class Persons:
    """The person of every row, by number."""

    of: Ints = field(repr=False)
    number: int
    """How many there are."""
    is_rows: bool = False
    """Whether every row is a person of its own."""

    @classmethod
    def rows(cls, number: int) -> Persons:
        """One row a person."""
        return cls(np.arange(number, dtype=np.int64), number, is_rows=True)

    @classmethod
    def marked(cls, marks: NDArray[np.uint64]) -> Persons:
        """Rows with the same mark are one person."""
        values, of = np.unique(marks, return_inverse=True)
        return cls(of.astype(np.int64), values.size)

    def one_each(self, rows: Ints, rng: np.random.Generator) -> Ints:
        """Of every person among these rows one row, drawn at random."""
        if self.is_rows:
            return rows
        drawn = rng.permutation(rows)
        _, first = np.unique(self.of[drawn], return_index=True)
        return np.sort(drawn[first])

    def all_rows(self, persons: Ints) -> tuple[Ints, Ints]:
        """All rows of each of these persons: the place of the person among them, and the row."""
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
class Tables:
    """Codes of all rows; those of people and control are places in the same domains."""

    names: tuple[str, ...]
    columns: tuple[Compared, ...] = field(repr=False)
    domains: tuple[Domain, ...] = field(repr=False)
    released: Codes = field(repr=False)
    people: Codes = field(repr=False)
    control: Codes | None = field(repr=False)
    filled: Ints = field(repr=False)
    """How many released values of each column are no empty cell."""
    ids: tuple[Ids, Ids] | None = field(repr=False)
    persons: Persons
    """Of the rows of people."""
    control_persons: Persons | None
    units: Persons
    """Of the released rows, by the same column, if the release has it; new pseudonyms may be in it."""
    sources: tuple[str, ...]
    notes: tuple[str, ...]
    """What was detected in the files."""
    doubts: tuple[str, ...]
    """How values were read that could be read otherwise, or not at all."""

    def places(self, names: Sequence[str]) -> list[int]:
        """Where the columns are."""
        return [self.names.index(name) for name in names]

    def chosen(self, names: Sequence[str]) -> tuple[Compared, ...]:
        """Some of the columns."""
        return tuple(self.columns[at] for at in self.places(names))

    def covers(self, names: Sequence[str]) -> tuple[Cover, ...]:
        """What the released values of some of the columns stand for."""
        return tuple(column.cover for column in self.chosen(names))


@dataclass(frozen=True, slots=True, eq=False)
class Ids:
    """Who is who in a table."""

    marks: NDArray[np.uint64] = field(repr=False)
    """Of every row; the same for the same person."""
    empty: NDArray[np.bool_] = field(repr=False)
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    """What was read of one table."""

    columns: tuple[CodedColumn, ...]
    ids: Ids | None
    units: Ids | None
    source: str
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.columns[0].codes)


def read_tables(
    released: Any, against: Any, control: Any, plan: AttackPlan, hierarchies: Mapping[str, Hierarchy]
) -> Tables:
    """Read all columns that an attack looks at."""
    sources = [source for source in (released, against, control) if source is not None]
    tables = [_opened(source, plan, at) for at, source in enumerate(sources)]
    own, others = tables[0], tables[1:]
    codes = [np.empty((len(one), len(plan.columns)), dtype=np.int32, order="F") for one in others]
    read: list[Read] = []
    domains: list[Domain] = []
    for at, name in enumerate(plan.columns):
        domain, maps = domain_of([one.columns[at] for one in others])
        for out, one, places in zip(codes, others, maps, strict=True):
            out[:, at] = places[one.columns[at].codes]
        counts = np.bincount(codes[0][:, at], minlength=len(domain)).astype(np.int64)
        read.append(read_column(own.columns[at], domain, counts, hierarchies.get(name)))
        domains.append(domain)
    return Tables(
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
    )


def _who(own: _Opened, other: _Opened) -> tuple[Ids, Ids] | None:
    """By the column that tells who is who, or by that of persons if the tables share any value of it."""
    if own.ids is not None and other.ids is not None:
        return own.ids, other.ids
    if own.units is None or other.units is None:
        return None
    return (own.units, other.units) if np.isin(own.units.marks, other.units.marks).any() else None


def _persons(opened: _Opened) -> Persons:
    return Persons.rows(len(opened)) if opened.units is None else Persons.marked(opened.units.marks)


def _opened(source: Any, plan: AttackPlan, place: int) -> _Opened:
    """Released records come first, then people, then a control; people must have the column of persons."""
    id_column = plan.id if place < 2 else None
    with open_table(source) as table:
        needed = (id_column, plan.unit if place == 1 else None)
        for name in (*plan.columns, *(one for one in needed if one)):
            if name not in table.columns:
                raise UnknownColumn.among(name, table.columns, source=table.source)
        columns = coded_rows(table, plan.columns)
        if not len(columns[0].codes):
            raise NothingToMeasure(f"{table.source} has no records.", hint="Name a table with rows.")
        ids = Ids(*row_marks(table, id_column), table.source) if id_column else None
        return _Opened(columns, ids, _units(table, plan.unit), table.source, table.notes)


def _units(table: Table, column: str | None) -> Ids | None:
    if column is None or column not in table.columns:
        return None
    found = Ids(*row_marks(table, column), table.source)
    empty = int(found.empty.sum())
    if empty:
        raise BadData(
            f"{table.source}: {column!r}, which tells persons apart, is empty in {plural(empty, 'row')}.",
            hint="Fill it, or leave these rows out.",
        )
    return found


def _doubts(names: Sequence[str], read: Sequence[Read]) -> Iterator[str]:
    for name, one in zip(names, read, strict=True):
        if one.unread:
            yield (
                f"{plural(one.unread, 'value')} of {name!r} in the release could not be read as anything "
                "that the other table has: they match nobody. Hierarchies would tell what they stand for."
            )
    empty = [name for name, one in zip(names, read, strict=True) if one.empty_is_suppressed]
    if empty:
        yield f"Empty cells of {', '.join(empty)} in the release are taken for suppressed: any value."


SAME_ORDER = 0.99
"""Share of records that must fit the person in the same row before rows are taken to be in one order."""


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """For each released record the row of its person."""

    person: Ints | None = field(repr=False)
    """-1 for a record whose person is not in the other table; None if nothing is known."""
    by: str
    """How it is known, or why not."""
    owners: Persons
    """Of the released records: people of the other table by their numbers there, others by new ones."""

    @property
    def released(self) -> Ints:
        """The released records whose person is known."""
        return np.empty(0, dtype=np.int64) if self.person is None else np.flatnonzero(self.person >= 0)

    def targets(self, persons: Persons, rng: np.random.Generator) -> Ints:
        """One row of every person of the other table who is in the release, or of all if that is unknown."""
        rows = np.arange(persons.of.size, dtype=np.int64)
        if self.person is not None:
            is_released = np.zeros(persons.number, dtype=np.bool_)
            is_released[persons.of[self.person[self.released]]] = True
            rows = np.flatnonzero(is_released[persons.of])
        return persons.one_each(rows, rng)


def unjudged(truth: Truth) -> str:
    """Why nobody can say which links are right."""
    if truth.person is None:
        return f"Who is who is {truth.by}, so that nobody can say which links are right."
    return "No released record belongs to anybody in the other table."


def find_truth(tables: Tables, plan: AttackPlan) -> Truth:
    """By the column that tells who is who, or by the order of rows where that fits."""
    person, by = _found(tables, plan)
    own = tables.persons.number + tables.units.of
    if person is not None:
        own = np.where(person >= 0, tables.persons.of[np.maximum(person, 0)], own)
    number = tables.persons.number + tables.units.number
    return Truth(person, by, Persons(own, number, is_rows=plan.unit is None))


def _found(tables: Tables, plan: AttackPlan) -> tuple[Ints | None, str]:
    """The row of each released record's person, and how it is known."""
    if tables.ids is not None:
        return _by_id(*tables.ids, tables.persons), f"by the column {plan.id or plan.unit}"
    if len(tables.released) != len(tables.people):
        return (
            None,
            "unknown: the tables differ in length and no column was named that tells who is who (--id)",
        )
    columns = tables.places(plan.quasi)
    fits = holds(tables.covers(plan.quasi), tables.released[:, columns], tables.people[:, columns])
    if fits.mean() < SAME_ORDER:
        return (
            None,
            "unknown: the rows do not fit each other in order, and no column was named that tells who is who "
            "(--id)",
        )
    return np.arange(len(fits), dtype=np.int64), "by the order of rows"


def _by_id(released: Ids, people: Ids, persons: Persons) -> Ints:
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


def _refuse_shared(table: Ids, persons: Persons) -> None:
    """A value that tells who is who may stand in several rows, but of one person only."""
    filled = ~table.empty
    pairs = np.unique(np.stack([table.marks[filled], persons.of[filled].astype(np.uint64)]), axis=1)
    shared = pairs.shape[1] - np.unique(pairs[0]).size
    if shared:
        raise BadData(
            f"{table.source}: {plural(shared, 'value')} of the column that tells who is who belong to "
            "several persons.",
            hint="Name a column whose values belong to one person each (--id), or another unit (--unit).",
        )


def _refuse_repeated(table: Ids) -> None:
    _, times = np.unique(table.marks[~table.empty], return_counts=True)
    repeated = int((times > 1).sum())
    if repeated:
        raise BadData(
            f"{table.source}: {plural(repeated, 'value')} of the column that tells who is who occur more "
            "than once.",
            hint="If persons have several rows, name the column that tells persons apart (--unit); otherwise "
            "name a column that is different in every row.",
        )
