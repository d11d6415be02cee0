"""The tables of an attack, made comparable column by column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.engine.coded import CodedColumn, coded_rows, row_marks
from reidrisk.engine.table import open_table
from reidrisk.errors import NothingToMeasure, UnknownColumn
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.columns import Compared
from reidrisk.stats.attack.covers import Cover
from reidrisk.tables.attack.domain import Domain, domain_of
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.reading import Read, read_column
from reidrisk.tables.hierarchy.hierarchy import Hierarchy

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
    source: str
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.columns[0].codes)


def read_tables(
    released: Any, against: Any, control: Any, plan: AttackPlan, hierarchies: Mapping[str, Hierarchy]
) -> Tables:
    """Read all columns that an attack looks at."""
    sources = [source for source in (released, against, control) if source is not None]
    tables = [_opened(source, plan, plan.id if at < 2 else None) for at, source in enumerate(sources)]
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
    ids = (own.ids, others[0].ids)
    return Tables(
        plan.columns,
        tuple(one.compared for one in read),
        tuple(domains),
        np.asfortranarray(np.stack([one.codes for one in own.columns], axis=1)),
        codes[0],
        codes[1] if len(codes) > 1 else None,
        np.array([one.values.size for one in own.columns], dtype=np.int64),
        (ids[0], ids[1]) if ids[0] is not None and ids[1] is not None else None,
        tuple(one.source for one in tables),
        tuple(f"{one.source}: {note}" for one in tables for note in one.notes),
        tuple(_doubts(plan.columns, read)),
    )


def _opened(source: Any, plan: AttackPlan, id_column: str | None) -> _Opened:
    with open_table(source) as table:
        for name in (*plan.columns, *((id_column,) if id_column else ())):
            if name not in table.columns:
                raise UnknownColumn.among(name, table.columns, source=table.source)
        columns = coded_rows(table, plan.columns)
        if not len(columns[0].codes):
            raise NothingToMeasure(f"{table.source} has no records.", hint="Name a table with rows.")
        ids = Ids(*row_marks(table, id_column), table.source) if id_column else None
        return _Opened(columns, ids, table.source, table.notes)


def _doubts(names: Sequence[str], read: Sequence[Read]) -> Iterator[str]:
    for name, one in zip(names, read, strict=True):
        if one.unread:
            yield (
                f"{plural(one.unread, 'value')} of {name!r} in the release could not be read as anything "
                "that the other table has: they match nobody. Hierarchies would tell what they stand for."
            )
        if one.empty_is_suppressed:
            yield f"Empty cells of {name!r} in the release are taken for suppressed: any value."
