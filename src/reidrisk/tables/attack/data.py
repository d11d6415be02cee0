"""The tables of an attack, made comparable column by column."""

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
from reidrisk.stats.attack.columns import AttackColumn, Cover
from reidrisk.tables.attack.domain import Domain, domain_of
from reidrisk.tables.attack.persons import Persons
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.reading import Read, read_column
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Codes of all rows; those of people and control are places in the same domains."""

    names: tuple[str, ...]
    columns: tuple[AttackColumn, ...] = field(repr=False)
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

    def chosen(self, names: Sequence[str]) -> tuple[AttackColumn, ...]:
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
