"""The tables of an attack, made comparable column by column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reidrisk.core.wording import plural
from reidrisk.engine.coded import RowCodes, coded_rows
from reidrisk.engine.table import Table, open_table
from reidrisk.errors import NothingToMeasure, UnknownColumn
from reidrisk.stats.arrays import Ints
from reidrisk.stats.attack.columns import Compared
from reidrisk.stats.attack.covers import Cover
from reidrisk.tables.attack.domain import Domain, domain_of
from reidrisk.tables.attack.plan import AttackPlan
from reidrisk.tables.attack.reading import Read, Released, read_column
from reidrisk.tables.hierarchy.chain import Objects
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

    values: Objects = field(repr=False)
    codes: Codes = field(repr=False)
    source: str


def read_tables(
    released: Any, against: Any, control: Any, plan: AttackPlan, hierarchies: Mapping[str, Hierarchy]
) -> Tables:
    """Read all columns that an attack looks at."""
    wanted = (*plan.columns, *((plan.id,) if plan.id else ()))
    given = [source for source in (released, against, control) if source is not None]
    rows: list[RowCodes] = []
    sources, notes = [], []
    for source in given:
        with open_table(source) as table:
            columns = plan.columns if len(rows) == 2 else wanted
            rows.append(_coded(table, columns))
            sources.append(table.source)
            notes += [f"{table.source}: {note}" for note in table.notes]
    return _joined(rows, plan, hierarchies, (tuple(sources), tuple(notes)))


def _coded(table: Table, columns: Sequence[str]) -> RowCodes:
    for name in columns:
        if name not in table.columns:
            raise UnknownColumn.among(name, table.columns, source=table.source)
    found = coded_rows(table, columns)
    if not len(found):
        raise NothingToMeasure(f"{table.source} has no records.", hint="Name a table with rows.")
    return found


def _joined(
    rows: Sequence[RowCodes],
    plan: AttackPlan,
    hierarchies: Mapping[str, Hierarchy],
    about: tuple[tuple[str, ...], tuple[str, ...]],
) -> Tables:
    released, people = rows[0], rows[1]
    others = [np.empty((len(one), len(plan.columns)), dtype=np.int32, order="F") for one in rows[1:]]
    read: list[Read] = []
    domains: list[Domain] = []
    for at, name in enumerate(plan.columns):
        domain, maps = domain_of([one.values[at] for one in rows[1:]])
        for out, one, places in zip(others, rows[1:], maps, strict=True):
            out[:, at] = places[one.codes[:, at]]
        read.append(read_column(_released(released, others[0], at, domain), domain, hierarchies.get(name)))
        domains.append(domain)
    many = len(plan.columns)
    ids = None
    if plan.id is not None:
        ids = (
            Ids(released.values[many], released.codes[:, many], about[0][0]),
            Ids(people.values[many], people.codes[:, many], about[0][1]),
        )
    filled = [_filled(values) for values in released.values[:many]]
    return Tables(
        plan.columns,
        tuple(one.compared for one in read),
        tuple(domains),
        np.asfortranarray(released.codes[:, :many]),
        others[0],
        others[1] if len(others) > 1 else None,
        np.array(filled, dtype=np.int64),
        ids,
        about[0],
        about[1],
        tuple(_doubts(plan.columns, read, released)),
    )


def _filled(values: Objects) -> int:
    return int(values.size - (values.size > 0 and values[-1] is None))


def _released(released: RowCodes, people: Codes, at: int, domain: Domain) -> Released:
    values = released.values[at]
    counts = np.bincount(people[:, at], minlength=len(domain.values))
    empty = np.count_nonzero(released.codes[:, at] >= _filled(values)) / len(released)
    return Released(
        released.columns[at],
        values,
        empty,
        len(released),
        float(counts[domain.present :].sum() / len(people)),
        counts.astype(np.int64),
    )


def _doubts(names: Sequence[str], read: Sequence[Read], released: RowCodes) -> Iterator[str]:
    for at, (name, one) in enumerate(zip(names, read, strict=True)):
        if one.unread:
            yield (
                f"{plural(one.unread, 'value')} of {name!r} in the release could not be read as anything "
                "that the other table has: they match nobody. Hierarchies would tell what they stand for."
            )
        if one.empty_is_suppressed and _filled(released.values[at]) < released.values[at].size:
            yield f"Empty cells of {name!r} in the release are taken for suppressed: any value."
