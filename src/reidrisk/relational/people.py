"""What a release tells about each person, as numbers: classes, attributes and events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from reidrisk.engine.linked import NO_DAY, EventTable, PersonAttribute, TableColumn
from reidrisk.relational.config import RelationalConfig
from reidrisk.relational.database import Database
from reidrisk.stats.arrays import Ints
from reidrisk.stats.grouping import packed

Values = tuple[str | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """What a release tells about each person: numbers for classes and events."""

    static: Ints
    """Class of each person by the person-level quasi-identifiers, 0 to classes - 1; as long as there are
    people, who are in the order of their keys as texts."""
    columns: dict[str, Ints]
    """By attribute: the code of each person's value."""
    tables: tuple[str, ...]
    """Tables of events."""
    person: Ints = field(repr=False)
    """One row per event: the person, by place."""
    table: Ints = field(repr=False)
    """The place of the event's table in `tables`."""
    event: Ints = field(repr=False)
    """The code of the event's values; tables share no code."""
    day: Ints | None = field(repr=False)
    """The day of the event from 1970-01-01, or NO_DAY; None if no table has days."""
    labels: Mapping[str, Values] = field(default_factory=dict, repr=False)
    """By attribute: the values behind the codes, as texts."""
    events: tuple[tuple[int, Values], ...] = field(default=(), repr=False)
    """By code of an event: the place of its table, and its values as texts."""
    event_columns: tuple[tuple[str, ...], ...] = ()
    """By table of events: the columns of these values."""

    def __len__(self) -> int:
        return len(self.static)


def people_of(database: Database, config: RelationalConfig) -> People:
    """Number the people of a database, original or released.

    With `know: intervals` the date of an event is its day and no part of its value, and with `know: nothing`
    it is left out. Columns that the release does not have tell nothing.
    """
    attributes = tuple(_attribute(database, one) for one in config.attributes() if _is_there(database, one))
    events = tuple(
        event_table(database, config, table, columns)
        for table, columns in config.events.items()
        if table.lower() in database.names
    )
    found = database.tables.people(database.owners(config), attributes, events)
    codes = np.stack(list(found.columns.values()), axis=1) if found.columns else None
    if codes is None:
        static = np.zeros(found.people, dtype=np.int64)
    else:
        _, static = np.unique(packed(codes, range(codes.shape[1])), return_inverse=True)
    return People(
        static=static.astype(np.int64),
        columns=dict(found.columns),
        tables=tuple(one.table for one in events),
        person=found.person,
        table=found.table,
        event=found.event,
        day=found.day,
        labels=found.labels,
        events=found.events,
        event_columns=tuple(one.columns for one in events),
    )


def _is_there(database: Database, attribute: PersonAttribute) -> bool:
    """A column that was removed reveals nothing."""
    return database.has(attribute.column) and (attribute.since is None or database.has(attribute.since))


def _attribute(database: Database, given: PersonAttribute) -> PersonAttribute:
    since = None if given.since is None else database.at(given.since)
    return PersonAttribute(given.name, database.at(given.column), given.rule, since)


def event_table(
    database: Database, config: RelationalConfig, table: str, columns: tuple[str, ...]
) -> EventTable:
    """The columns of a table's events that are there, and the one that dates them if distances are known."""
    there = [
        database.at(TableColumn(table, name)) for name in columns if database.has(TableColumn(table, name))
    ]
    if config.dates.know == "days":
        return EventTable(table.lower(), tuple(one.column for one in there))
    dates = [one for one in there if database.tables.is_date(one)]
    values = tuple(one.column for one in there if one not in dates)
    tells = config.dates.know == "intervals" and dates
    return EventTable(table.lower(), values, dates[0].column if tells else None)


__all__ = ["NO_DAY", "People", "people_of"]
