"""How many people share their quasi-identifiers, and each of their events: counted by plain SQL.

The risk counts the same with codes of people and events. The proof compares both, so nothing here is shared
with `people.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, comb
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.linked import EventTable, Histogram, KnownSets, Links, SetCount, TableColumn

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.linked.database import LinkedTables


FIRST_DAY = "DATE '1970-01-01'"
PART = 10_000_000
"""About how many sets are counted at once: those that begin with some of the events."""


def class_sizes(tables: LinkedTables, links: Links, quasi: Sequence[str]) -> Histogram:
    """How many classes of people there are of each size."""
    grouped = f"GROUP BY {', '.join(f'q{at}' for at in range(len(quasi)))}" if quasi else ""
    classes = f"SELECT count(*) AS n FROM ({_people(tables, links, quasi)}) {grouped}"
    return _counted(tables, classes, links.person.table)


def event_sizes(
    tables: LinkedTables, links: Links, quasi: Sequence[str], owner: TableColumn, values: Sequence[str]
) -> Histogram:
    """How many events of a table there are by the number of people of a class who have them.

    `owner` is the column of the table with the key of the person.
    """
    shown = ", ".join(f"{quoted(name)} AS v{at}" for at, name in enumerate(values))
    filled = " OR ".join(f"{quoted(name)} IS NOT NULL" for name in values)
    own = f"SELECT DISTINCT CAST({quoted(owner.column)} AS VARCHAR) AS k, {shown}"
    events = f"{own} FROM {tables.views[owner.table]} WHERE {filled}"
    people = _people(tables, links, quasi)
    by = [f"q{at}" for at in range(len(quasi))] + [f"v{at}" for at in range(len(values))]
    joined = f"SELECT count(*) AS n FROM ({events}) JOIN ({people}) USING (k) GROUP BY {', '.join(by)}"
    return _counted(tables, joined, owner.table)


def _people(tables: LinkedTables, links: Links, quasi: Sequence[str]) -> str:
    """SQL of the key of each person and the quasi-identifiers, which a person has once in all own rows."""
    person = links.person
    key = f"CAST({quoted(person.column)} AS VARCHAR) AS k"
    cells = [f"max({quoted(name)})" if links.repeats else quoted(name) for name in quasi]
    static = [f"{cell} AS q{at}" for at, cell in enumerate(cells)]
    grouped = " GROUP BY 1" if links.repeats else ""
    return f"SELECT {', '.join([key, *static])} FROM {tables.views[person.table]}{grouped}"


def set_sizes(tables: LinkedTables, asked: KnownSets, *, least: int, most: int) -> tuple[SetCount, ...]:
    """How many sets of 1, 2, … events of one person fit fewer than `least` people of the class.

    Events with a day are known by their distances. With `shifts`, somebody fits only whose dates are as near
    the true ones as offsets move them; otherwise it does not matter where in time the events are. More than
    `most` sets of a size are not counted.
    """
    name = _items_of_people(tables, asked)
    lengths = tables.all(
        f"SELECT n, count(*) FROM (SELECT count(*) AS n FROM {name} GROUP BY k) GROUP BY n", "sets"
    )
    found = []
    for size in range(1, asked.known + 1):
        sets = sum(comb(int(length), size) * int(people) for length, people in lengths)
        parts = ceil(sets / PART)
        queries = [_fitting(name, asked, size, f"a0.e % {parts} = {part}") for part in range(parts)]
        few = None
        if sets <= most:
            few = sum(
                int(tables.one(f"SELECT count(*) FILTER (n < {least}) FROM ({one})", "sets")[0])
                for one in queries
            )
        found.append(SetCount(size, sets, few))
    tables.all(f"DROP TABLE {name}", "sets")
    return tuple(found)


def _fitting(name: str, asked: KnownSets, size: int, first_events: str) -> str:
    """SQL of the different sets of so many events, and how many people fit each: the fewest at any time.

    `first_events` says with which events the sets begin.
    """
    own = [f"a{at}" for at in range(size)]
    source = f"{name} AS a0"
    for one, after in pairwise(own):
        later = f"{one}.e < {after}.e OR ({one}.e = {after}.e AND {one}.d < {after}.d)"
        source += f" JOIN {name} AS {after} ON {one}.k = {after}.k AND ({later})"
    limits = [first_events] + [
        f"{' + '.join(f'CAST({one}.t = {place} AS INTEGER)' for one in own)} <= {cap}"
        for place, (_, cap) in enumerate(asked.events)
        if cap < size
    ]
    first = f"coalesce({', '.join(f'{one}.d' for one in own)})"
    told = [f"a0.q{at}" for at in range(len(asked.quasi))] + [
        cell for one in own for cell in (f"{one}.e", f"{one}.d - {first}")
    ]
    cells = ", ".join(f"{cell} AS g{at}" for at, cell in enumerate(told))
    by = ", ".join(f"g{at}" for at in range(len(told)))
    where = f"WHERE {' AND '.join(limits)}"
    sets = f"SELECT a0.k AS k, {first} - {FIRST_DAY} AS x, a0.days AS days, {cells} FROM {source} {where}"
    if asked.shifts is None:
        return f"SELECT count(DISTINCT k) AS n FROM ({sets}) GROUP BY {by}"
    # of each set once the released day, and once the true day, which asks who is near it
    asks = f"SELECT CAST(NULL AS VARCHAR) AS k, coalesce(x - days, 0) AS x, true AS asks, {by} FROM sets"
    there = f"SELECT k, coalesce(x, 0) AS x, false AS asks, {by} FROM sets"
    near = f"RANGE BETWEEN {asked.shifts.most} PRECEDING AND {asked.shifts.most} FOLLOWING"
    counted = f"SELECT asks, {by}, count(DISTINCT k) OVER (PARTITION BY {by} ORDER BY x {near}) AS n"
    return (
        f"WITH sets AS ({sets}) SELECT min(n) AS n FROM ({counted} FROM ({there} UNION ALL {asks})) "
        f"WHERE asks GROUP BY {by}"
    )


def _items_of_people(tables: LinkedTables, asked: KnownSets) -> str:
    """A table of the numbered events of people, with their quasi-identifiers and offsets."""
    items = _items(tables, asked.links, [one for one, _ in asked.events])
    never = ", ".join(str(place) for place, (_, cap) in enumerate(asked.events) if cap < 1)
    kept = f"WHERE t NOT IN ({never})" if never else ""
    numbered = f"SELECT k, t, d, dense_rank() OVER (ORDER BY t, v, d IS NULL) AS e FROM ({items}) {kept}"
    people = _people(tables, asked.links, asked.quasi)
    moved = "(SELECT CAST(NULL AS VARCHAR) AS k, 0 AS days WHERE false)"
    if asked.shifts is not None:
        moved = tables.session.work_name()
        arrays = {"k": np.array(asked.shifts.keys, dtype=object), "days": asked.shifts.days}
        tables.session.from_arrays(arrays).create_view(moved)
    name = tables.session.work_name()
    tables.all(
        f"CREATE TEMP TABLE {name} AS SELECT i.*, p.* EXCLUDE (k), coalesce(m.days, 0) AS days "
        f"FROM ({numbered}) AS i JOIN ({people}) AS p ON p.k = i.k LEFT JOIN {moved} AS m ON m.k = i.k",
        "sets",
    )
    return name


def _items(tables: LinkedTables, links: Links, events: Sequence[EventTable]) -> str:
    """SQL of the distinct events of people: key, table, values as texts, and day."""
    parts = []
    for place, one in enumerate(events):
        texts = [f"CAST(c.{quoted(name)} AS VARCHAR)" for name in one.columns]
        day = "CAST(NULL AS DATE)"
        if one.day is not None:
            day = f"TRY_CAST(left(CAST(c.{quoted(one.day)} AS VARCHAR), 10) AS DATE)"
        filled = " OR ".join(f"{text} IS NOT NULL" for text in texts) or f"{day} IS NOT NULL"
        source, key = _led_to_people(tables, links, one.table)
        parts.append(
            f"SELECT DISTINCT {key} AS k, {place} AS t, [{', '.join(texts)}]::VARCHAR[] AS v, {day} AS d "
            f"FROM {source} WHERE {filled}"
        )
    return " UNION ALL ".join(parts)


def _led_to_people(tables: LinkedTables, links: Links, table: str) -> tuple[str, str]:
    """SQL of a table as `c`, joined by its keys until a column names the person, and of that column."""
    source, name = f"{tables.views[table]} AS c", "c"
    if table == links.person.table:
        return source, f"CAST(c.{quoted(links.person.column)} AS VARCHAR)"
    *between, last = links.owners[table]
    for step, link in enumerate(between):
        child, parent = f"{name}.{quoted(link.child.column)}", f"s{step}.{quoted(link.parent.column)}"
        source += (
            f" JOIN {tables.views[link.parent.table]} AS s{step} ON {child}::VARCHAR = {parent}::VARCHAR"
        )
        name = f"s{step}"
    return source, f"CAST({name}.{quoted(last.child.column)} AS VARCHAR)"


def _counted(tables: LinkedTables, sizes: str, place: str) -> Histogram:
    found = tables.all(f"SELECT n, count(*) FROM ({sizes}) GROUP BY n ORDER BY n", place)
    return tuple((int(size), int(number)) for size, number in found)
