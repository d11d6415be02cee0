"""People and events of linked tables as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from reidrisk.core.wording import plural
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.readers.dates import full_iso_day
from reidrisk.engine.duckdb.types import TEXT
from reidrisk.engine.linked import NO_DAY, EventTable, Links, PeopleCodes, PersonAttribute, TableColumn
from reidrisk.engine.results import MOMENTS
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reidrisk.engine.duckdb.linked.database import LinkedTables

FIRST_DAY = "DATE '1970-01-01'"


def people_codes(
    tables: LinkedTables, links: Links, attributes: Sequence[PersonAttribute], events: Sequence[EventTable]
) -> PeopleCodes:
    """Number people by their key, attributes by their values and events by table and values."""
    number = number_people(tables, links.person, repeats=links.repeats)
    [people] = tables.one(f"SELECT count(*) FROM {number}", links.person.table)
    columns: dict[str, NDArray[np.int64]] = {}
    labels: dict[str, tuple[str | None, ...]] = {}
    for attribute in attributes:
        columns[attribute.name], labels[attribute.name] = _coded(tables, links, attribute, number)
    parts: dict[str, list[NDArray[np.int64]]] = {"person": [], "table": [], "event": [], "day": []}
    listed: list[tuple[int, tuple[str | None, ...]]] = []
    for at, one in enumerate(events):
        found, values = _events(tables, links, one, number)
        parts["person"].append(found["person"])
        parts["table"].append(np.full(len(found["person"]), at, dtype=np.int64))
        parts["event"].append(found["event"] + len(listed))
        parts["day"].append(found["day"])
        listed += [(at, row) for row in values]
    arrays = {
        name: np.concatenate(some) if some else np.zeros(0, dtype=np.int64) for name, some in parts.items()
    }
    dated = any(one.day is not None for one in events)
    return PeopleCodes(
        people=int(people),
        columns=columns,
        labels=labels,
        person=arrays["person"],
        table=arrays["table"],
        event=arrays["event"],
        day=arrays["day"] if dated else None,
        events=tuple(listed),
    )


def number_people(tables: LinkedTables, person: TableColumn, *, repeats: bool = False) -> str:
    """A table of keys as texts, numbered from 0 in their order; missing and double keys are refused."""
    tables.table(person)
    view, key = tables.views[person.table], f"CAST({quoted(person.column)} AS VARCHAR)"
    rows, filled, distinct = tables.one(
        f"SELECT count(*), count({key}), count(DISTINCT {key}) FROM {view}",
        person.table,
    )
    if not rows:
        raise BadData(f"The table {person.table} has no rows.", hint="Name the table of people.")
    if filled < rows:
        raise BadData(
            f"{plural(rows - filled, 'row')} of {person.table} without {person.column}.",
            hint="Every person needs a key: complete it, or leave the rows out.",
        )
    if distinct < rows and not repeats:
        raise BadData(
            f"{person.table} has {rows:,} rows but only {distinct:,} different values of {person.column}.",
            hint="The table of people has one row per person. Name another table or key in person:.",
        )
    name = tables.session.work_name()
    with without_values(person.table):
        tables.connection.execute(
            f"CREATE TABLE {name} AS SELECT k, row_number() OVER (ORDER BY k) - 1 AS i "
            f"FROM (SELECT DISTINCT {key} AS k FROM {view})"
        )
    return name


def owned(tables: LinkedTables, links: Links, table: str) -> tuple[str, str]:
    """SQL of a table as `t` joined up to its people, and of the key of its person as a text."""
    sql, last = f"{tables.views[table]} AS t", "t"
    chain = links.owners.get(table, ())
    if table == links.person.table:
        return sql, f"CAST(t.{quoted(links.person.column)} AS VARCHAR)"
    if not chain:
        return sql, "CAST(NULL AS VARCHAR)"
    for step, link in enumerate(chain[:-1]):
        here = f"p{step}"
        sql += (
            f" LEFT JOIN {tables.views[link.parent.table]} AS {here} ON "
            f"CAST({last}.{quoted(link.child.column)} AS VARCHAR) = "
            f"CAST({here}.{quoted(link.parent.column)} AS VARCHAR)"
        )
        last = here
    return sql, f"CAST({last}.{quoted(chain[-1].child.column)} AS VARCHAR)"


def _coded(
    tables: LinkedTables, links: Links, attribute: PersonAttribute, number: str
) -> tuple[NDArray[np.int64], tuple[str | None, ...]]:
    value = _per_person(tables, links, attribute)
    with without_values(attribute.column.table):
        connection = tables.connection
        mine, codes = tables.session.work_name(), tables.session.work_name()
        # Values of a person in order, then a dictionary of the values.
        connection.execute(
            f"CREATE TEMP TABLE {mine} AS SELECT n.i, a.v FROM {number} AS n LEFT JOIN ({value}) AS a "
            "ON a.k = n.k"
        )
        connection.execute(
            f"CREATE TEMP TABLE {codes} AS SELECT v, row_number() OVER (ORDER BY v NULLS LAST) - 1 AS c "
            f"FROM (SELECT DISTINCT v FROM {mine})"
        )
        found = connection.execute(
            f"SELECT c.c FROM {mine} AS m JOIN {codes} AS c ON m.v IS NOT DISTINCT FROM c.v ORDER BY m.i"
        ).fetchnumpy()["c"]
        texts = connection.execute(f"SELECT CAST(v AS VARCHAR) FROM {codes} ORDER BY c").fetchall()
        connection.execute(f"DROP TABLE {mine}")
        connection.execute(f"DROP TABLE {codes}")
    return np.asarray(found, dtype=np.int64), tuple(row[0] for row in texts)


def _per_person(tables: LinkedTables, links: Links, attribute: PersonAttribute) -> str:
    """SQL of the key of each person and one value."""
    at, rule = attribute.column, attribute.rule
    tables.table(at)
    source, key = owned(tables, links, at.table)
    column = f"t.{quoted(at.column)}"
    if rule == "value":
        if at.table != links.person.table or links.repeats:
            _refuse_varying(tables, links, attribute)
            return f"SELECT {key} AS k, any_value({column}) AS v FROM {source} GROUP BY k"
        return f"SELECT {key} AS k, {column} AS v FROM {source}"
    if rule == "years":
        return _years(tables, links, attribute, source, key)
    made = {
        "exists": f"count({column}) > 0",
        "count": f"count({column})",
        "min": f"min({column})",
        "max": f"max({column})",
        "first": f"arg_min({column}, t.reidrisk_row)",
    }[rule]
    if rule == "first":
        source = _numbered(tables, source, at.table)
    return f"SELECT {key} AS k, {made} AS v FROM {source} GROUP BY k"


def _years(tables: LinkedTables, links: Links, attribute: PersonAttribute, source: str, key: str) -> str:
    """SQL of whole years from a date or year of the person to the first date of a table."""
    since = attribute.since
    if since is None:
        raise BadData(f"{attribute.name} needs the date to count from.", hint="Write since: TABLE.COLUMN.")
    start = day_sql(tables, since, "s")
    if tables.kind(since) == "whole number":
        start = f"make_date(CAST(s.{quoted(since.column)} AS INTEGER), 7, 1)"
    of = f"CAST(s.{quoted(links.person.column)} AS VARCHAR)"
    first = f"SELECT {key} AS k, min({day_sql(tables, attribute.column, 't')}) AS d FROM {source} GROUP BY k"
    return (
        f"SELECT {of} AS k, date_sub('year', {start}, f.d) AS v "
        f"FROM {tables.views[links.person.table]} AS s LEFT JOIN ({first}) AS f ON f.k = {of}"
    )


def _refuse_varying(tables: LinkedTables, links: Links, attribute: PersonAttribute) -> None:
    source, key = owned(tables, links, attribute.column.table)
    column = f"t.{quoted(attribute.column.column)}"
    several = f"SELECT {key} AS k FROM {source} GROUP BY k HAVING count(DISTINCT {column}) > 1"
    [number] = tables.one(f"SELECT count(*) FROM ({several})", attribute.column.table)
    if number:
        raise BadData(
            f"{attribute.column} has more than one value in {plural(number, 'person')}.",
            hint="Write derive: {NAME: {column: TABLE.COLUMN, rule: first}}, or name it in events.",
        )


def day_sql(tables: LinkedTables, at: TableColumn, alias: str) -> str:
    """SQL of a column as a date; of texts in ISO 8601 only those that say the day."""
    table, column = tables.table(at), f"{alias}.{quoted(at.column)}"
    if table.kinds[at.column] in MOMENTS:
        return f"CAST({column} AS DATE)"
    if table.types[at.column] == TEXT:
        return full_iso_day(column)
    return "CAST(NULL AS DATE)"


def _events(
    tables: LinkedTables, links: Links, event: EventTable, number: str
) -> tuple[dict[str, NDArray[np.int64]], list[tuple[str | None, ...]]]:
    """The distinct events of people in a table, and the values behind their codes."""
    source, key = owned(tables, links, event.table)
    for name in (*event.columns, *((event.day,) if event.day else ())):
        tables.table(TableColumn(event.table, name))
    day = (
        "CAST(NULL AS DATE)"
        if event.day is None
        else day_sql(tables, TableColumn(event.table, event.day), "t")
    )
    cells = [f"t.{quoted(name)} AS v{at}" for at, name in enumerate(event.columns)]
    names = [f"v{at}" for at in range(len(event.columns))]
    filled = " OR ".join(f"{name} IS NOT NULL" for name in names) or "d IS NOT NULL"
    own, codes = tables.session.work_name(), tables.session.work_name()
    same = " AND ".join(f"o.{name} IS NOT DISTINCT FROM c.{name}" for name in names) or "true"
    with without_values(event.table):
        run = tables.connection.execute
        run(
            f"CREATE TEMP TABLE {own} AS SELECT DISTINCT n.i, {', '.join(['d', *names])} FROM "
            f"(SELECT {', '.join([f'{key} AS k', f'{day} AS d', *cells])} FROM {source}) AS e "
            f"JOIN {number} AS n ON n.k = e.k WHERE {filled}"
        )
        listed = ", ".join(names) or "1 AS one"
        order = ", ".join(f"{name} NULLS LAST" for name in names) or "one"
        run(
            f"CREATE TEMP TABLE {codes} AS SELECT *, row_number() OVER (ORDER BY {order}) - 1 AS c "
            f"FROM (SELECT DISTINCT {listed} FROM {own})"
        )
        found = run(
            f"SELECT o.i AS person, c.c AS event, coalesce(o.d - {FIRST_DAY}, {NO_DAY}) AS day "
            f"FROM {own} AS o JOIN {codes} AS c ON {same} ORDER BY 1, 2, 3"
        ).fetchnumpy()
        texts = ", ".join(f"CAST({name} AS VARCHAR)" for name in names) or "NULL"
        values = run(f"SELECT {texts} FROM {codes} ORDER BY c").fetchall()
        run(f"DROP TABLE {own}")
        run(f"DROP TABLE {codes}")
    listed_values: list[tuple[str | None, ...]] = (
        values if names else [()] * len(values)
    )  # an event that is only a date has no value
    return {name: np.asarray(array, dtype=np.int64) for name, array in found.items()}, listed_values


def owned_values(tables: LinkedTables, links: Links, at: TableColumn) -> list[tuple[str, str]]:
    """The distinct values of a column as texts, each with the key of a person in whose rows it stands."""
    source, key = owned(tables, links, at.table)
    value = f"CAST(t.{quoted(at.column)} AS VARCHAR)"
    return tables.all(
        f"SELECT DISTINCT {value} AS v, {key} AS k FROM {source} "
        f"WHERE {value} IS NOT NULL AND {key} IS NOT NULL",
        at.table,
    )


def first_rows(tables: LinkedTables, links: Links, table: str) -> dict[str, int]:
    """By key of a person: the number of the first row in a table, in the order of its file."""
    source, key = owned(tables, links, table)
    ordered = _numbered(tables, source, table)
    rows = tables.all(
        f"SELECT {key} AS k, min(t.reidrisk_row) FROM {ordered} WHERE {key} IS NOT NULL GROUP BY k", table
    )
    return {str(row[0]): int(row[1]) for row in rows}


def _numbered(tables: LinkedTables, source: str, table: str) -> str:
    """The source with the number of each row of the table `t`, in the order of its file."""
    view = tables.views[table]
    numbered = f"(SELECT *, row_number() OVER () AS reidrisk_row FROM {view})"
    return source.replace(f"{view} AS t", f"{numbered} AS t", 1)
