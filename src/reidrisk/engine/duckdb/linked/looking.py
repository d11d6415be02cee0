"""Keys of linked tables: which rows have no parent, and keys that nobody named, found by looking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reidrisk.engine.duckdb.linked.people import owned
from reidrisk.engine.duckdb.names import literal, quoted
from reidrisk.engine.duckdb.readers.dates import ISO_TEXT
from reidrisk.engine.linked import FoundLink, Links, NamedValues, OrphanCount, TableColumn, TableLink

if TYPE_CHECKING:
    from reidrisk.engine.duckdb.linked.database import LinkedTables

ENOUGH = 0.99
"""Share of the distinct values of a child that must be keys of the parent."""
KEYS = ("text", "whole number", "number")


def orphan_count(tables: LinkedTables, link: TableLink) -> OrphanCount:
    """How many rows name a key that is not in the table that it refers to."""
    tables.table(link.child)
    tables.table(link.parent)
    cell = f"CAST(c.{quoted(link.child.column)} AS VARCHAR)"
    key, view = quoted(link.parent.column), tables.views[link.parent.table]
    parent = f"SELECT DISTINCT CAST({key} AS VARCHAR) AS k FROM {view}"
    rows, filled, found = tables.one(
        f"SELECT count(*), count({cell}), count(p.k) FROM {tables.views[link.child.table]} AS c "
        f"LEFT JOIN ({parent}) AS p ON p.k = {cell}",
        link.child.table,
    )
    return OrphanCount(link, int(filled), int(filled - found), int(rows - filled))


def found_links(tables: LinkedTables) -> tuple[FoundLink, ...]:
    """Columns whose values are keys of another table that has a column of that name, with the evidence."""
    keys = list(_unique(tables))
    found: dict[TableColumn, FoundLink] = {}
    for parent in keys:
        for table, opened in tables.tables.items():
            for column in opened.columns:
                child = TableColumn(table, column)
                if child == parent or not _may_refer(tables, child, parent):
                    continue
                one = _compared(tables, TableLink(child, parent))
                if one.share >= ENOUGH and (child not in found or one.inside > found[child].inside):
                    found[child] = one
    return tuple(one for one in found.values() if not _both_ways(one, found))


def _both_ways(one: FoundLink, found: dict[TableColumn, FoundLink]) -> bool:
    """Two tables with one row per key name each other: the one with fewer keys is the child."""
    back = found.get(one.link.parent)
    if back is None or back.link.parent != one.link.child:
        return False
    return (one.values, str(one.link.child)) > (back.values, str(back.link.child))


def _unique(tables: LinkedTables) -> Iterator[TableColumn]:
    """Columns that tell the rows of their table apart, and whose names look like keys."""
    for table, opened in tables.tables.items():
        names = [name for name in opened.columns if opened.kinds[name] in KEYS and _is_key(name, table)]
        for name in names:
            cell = quoted(name)
            rows, distinct = tables.one(
                f"SELECT count(*), count(DISTINCT {cell}) FROM {tables.views[table]}",
                table,
            )
            if rows and rows == distinct:
                yield TableColumn(table, name)


def _is_key(column: str, table: str) -> bool:
    name = column.lower()
    return name.endswith(("id", "key", "number", "_no", "nr", "code")) or name in (
        table.lower(),
        table.lower().rstrip("s"),
    )


def _may_refer(tables: LinkedTables, child: TableColumn, parent: TableColumn) -> bool:
    """Whether types and names agree: the same name, or the name of the table before it."""
    mine, theirs = child.column.lower(), parent.column.lower()
    named = mine == theirs or mine in (f"{parent.table}_{theirs}", f"{parent.table}{theirs}")
    suffixed = len(theirs) > 3 and mine.endswith(f"_{theirs}")
    if not named and not suffixed:
        return False
    kinds = {tables.kind(child), tables.kind(parent)}
    return len(kinds) == 1


def _compared(tables: LinkedTables, link: TableLink) -> FoundLink:
    child, parent = quoted(link.child.column), quoted(link.parent.column)
    values, inside = tables.one(
        f"SELECT count(*), count(p.k) FROM (SELECT DISTINCT {child} AS k FROM "
        f"{tables.views[link.child.table]} "
        f"WHERE {child} IS NOT NULL) AS c LEFT JOIN (SELECT DISTINCT {parent} AS k FROM "
        f"{tables.views[link.parent.table]}) AS p ON p.k = c.k",
        link.child.table,
    )
    return FoundLink(link, int(values), int(inside))


def named_values(tables: LinkedTables, links: Links, at: TableColumn, name: str) -> tuple[NamedValues, ...]:
    """What the values of a column look like, by the name in another column of the table."""
    source, key = owned(tables, links, at.table)
    cell = f"nullif(trim(CAST(t.{quoted(at.column)} AS VARCHAR)), '')"
    by_value = (
        f"SELECT trim(CAST(t.{quoted(name)} AS VARCHAR)) AS n, {cell} AS v, count(*) AS rows, "
        f"count(DISTINCT {key}) AS people FROM {source} WHERE {cell} IS NOT NULL GROUP BY n, v"
    )
    dates = f"regexp_full_match(v, {literal(ISO_TEXT)}) AND length(v) >= 7"
    found = tables.all(
        f"SELECT n, sum(rows), coalesce(sum(rows) FILTER (WHERE {dates}), 0), min(people), max(length(v)) "
        f"FROM ({by_value}) WHERE n IS NOT NULL GROUP BY n ORDER BY n",
        at.table,
    )
    return tuple(NamedValues(str(row[0]), *(int(one) for one in row[1:])) for row in found)
