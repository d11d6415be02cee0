"""How many people share their quasi-identifiers, and each of their events: counted by plain SQL.

The risk counts the same with codes of people and events. The proof compares both, so nothing here is shared
with `people.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.linked import EventTable, Histogram, KnownSets, Links, SetCount, TableColumn

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.linked.database import LinkedTables


FIRST_DAY = "DATE '1970-01-01'"


def class_sizes(tables: LinkedTables, person: TableColumn, quasi: Sequence[str]) -> Histogram:
    """How many classes of people there are of each size."""
    grouped = f"GROUP BY {', '.join(map(quoted, quasi))}" if quasi else ""
    classes = f"SELECT count(*) AS n FROM {tables.views[person.table]} {grouped}"
    return _counted(tables, classes, person.table)


def event_sizes(
    tables: LinkedTables, person: TableColumn, quasi: Sequence[str], owner: TableColumn, values: Sequence[str]
) -> Histogram:
    """How many events of a table there are by the number of people of a class who have them.

    `owner` is the column of the table with the key of the person.
    """
    shown = ", ".join(f"{quoted(name)} AS v{at}" for at, name in enumerate(values))
    filled = " OR ".join(f"{quoted(name)} IS NOT NULL" for name in values)
    own = f"SELECT DISTINCT CAST({quoted(owner.column)} AS VARCHAR) AS k, {shown}"
    events = f"{own} FROM {tables.views[owner.table]} WHERE {filled}"
    static = [f"{quoted(name)} AS q{at}" for at, name in enumerate(quasi)]
    key = f"CAST({quoted(person.column)} AS VARCHAR) AS k"
    people = f"SELECT {', '.join([key, *static])} FROM {tables.views[person.table]}"
    by = [f"q{at}" for at in range(len(quasi))] + [f"v{at}" for at in range(len(values))]
    joined = f"SELECT count(*) AS n FROM ({events}) JOIN ({people}) USING (k) GROUP BY {', '.join(by)}"
    return _counted(tables, joined, owner.table)


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
        few = None
        if sets <= most:
            [few] = tables.one(
                f"SELECT count(*) FILTER (n < {least}) FROM ({_fitting(name, asked, size)})", "sets"
            )
        found.append(SetCount(size, sets, None if few is None else int(few)))
    tables.all(f"DROP TABLE {name}", "sets")
    return tuple(found)


def _fitting(name: str, asked: KnownSets, size: int) -> str:
    """SQL of the different sets of so many events, and how many people fit each: the fewest at any time."""
    own = [f"a{at}" for at in range(size)]
    source = f"{name} AS a0"
    for one, after in pairwise(own):
        later = f"{one}.e < {after}.e OR ({one}.e = {after}.e AND {one}.d < {after}.d)"
        source += f" JOIN {name} AS {after} ON {one}.k = {after}.k AND ({later})"
    limits = [
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
    where = f"WHERE {' AND '.join(limits)}" if limits else ""
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
    static = [f"{quoted(name)} AS q{at}" for at, name in enumerate(asked.quasi)]
    person = asked.links.person
    key = f"CAST({quoted(person.column)} AS VARCHAR) AS k"
    people = f"SELECT {', '.join([key, *static])} FROM {tables.views[person.table]}"
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
