"""Equivalence classes: the database counts, small results leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reidrisk.engine.collapse import RULES, Rule, collapse
from reidrisk.engine.failures import without_values
from reidrisk.engine.grouping import counted
from reidrisk.engine.names import chosen, quoted
from reidrisk.engine.table import Table
from reidrisk.engine.tuples import DistinctTuples, distinct_tuples
from reidrisk.errors import BadData

__all__ = [
    "RULES",
    "DistinctTuples",
    "Rule",
    "changed_sizes",
    "class_sizes",
    "collapse",
    "count_distinct",
    "count_nulls",
    "count_rows",
    "distinct_tuples",
    "joined_sizes",
]

NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL")
MOMENTS = ("DATE", "TIMESTAMP")
TEXTS = ("VARCHAR", "ENUM", "UUID")


def count_rows(table: Table) -> int:
    """How many rows there are."""
    with without_values(table.source):
        found = table.relation.aggregate("count(*)").fetchone()
    return int(found[0]) if found else 0


def count_nulls(table: Table, columns: Iterable[str]) -> dict[str, int]:
    """How many rows have no value, column by column."""
    return _per_column(table, columns, "count(*) - count({0})")


def count_distinct(table: Table, columns: Iterable[str]) -> dict[str, int]:
    """How many values each column has; null is one of them where it occurs."""
    return _per_column(table, columns, "count(DISTINCT {0}) + CAST(count(*) > count({0}) AS INTEGER)")


def class_sizes(table: Table, columns: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Pairs (size of equivalence class, number of such classes), smallest first; null is a value."""
    names = chosen(columns, table.columns, place=table.source)
    with without_values(table.source):
        pairs = counted(table, names).aggregate("size, count(*)", "size").order("size").fetchall()
    return tuple((int(size), int(classes)) for size, classes in pairs)


def joined_sizes(table: Table, population: Table, columns: Iterable[str]) -> tuple[tuple[int, int, int], ...]:
    """Triples (size in the table, size in the population, number of such classes).

    Every class of the table is there; one the population lacks has size 0 in it.
    """
    names = chosen(columns, table.columns, place=table.source)
    chosen(names, population.columns, place=population.source)
    _comparable(table, population, names)
    with without_values(population.source):
        # The two tables have connections of their own, and only the classes have to cross.
        others = table.session.staged(counted(population, names))
    renamed = ", ".join(f"c{place} AS p{place}" for place in range(len(names)))
    same = " AND ".join(f"c{place} IS NOT DISTINCT FROM p{place}" for place in range(len(names)))
    with without_values(table.source):
        triples = (
            counted(table, names)
            .join(others.project(f"{renamed}, size AS known"), same, how="left")
            .aggregate("size, coalesce(known, 0) AS known, count(*)", "size, coalesce(known, 0)")
            .order("size, known")
            .fetchall()
        )
    return tuple((int(size), int(known), int(classes)) for size, known, classes in triples)


def changed_sizes(table: Table, other: Table, columns: Iterable[str]) -> tuple[tuple[int, int, int], ...]:
    """Triples (size in the table, size in the other, number of such classes); classes of either are there."""
    names = chosen(columns, table.columns, place=table.source)
    chosen(names, other.columns, place=other.source)
    _comparable(table, other, names)
    with without_values(other.source):
        theirs = table.session.staged(counted(other, names))
    own = counted(table, names).project("*, size AS here, 0 AS there")
    keys = ", ".join(f"c{place}" for place in range(len(names)))
    with without_values(table.source):
        triples = (
            own.project(f"{keys}, here, there")
            .union(theirs.project(f"{keys}, 0 AS here, size AS there"))
            .aggregate(f"{keys}, sum(here) AS here, sum(there) AS there", keys)
            .aggregate("here, there, count(*)", "here, there")
            .order("here, there")
            .fetchall()
        )
    return tuple((int(here), int(there), int(classes)) for here, there, classes in triples)


def _per_column(table: Table, columns: Iterable[str], pattern: str) -> dict[str, int]:
    names = chosen(columns, table.columns, place=table.source)
    with without_values(table.source):
        found = table.relation.aggregate(", ".join(pattern.format(quoted(name)) for name in names)).fetchone()
    return {name: int(number) for name, number in zip(names, found or (), strict=True)}


def _comparable(table: Table, population: Table, names: Sequence[str]) -> None:
    """A number never equals a text: silently every class would be missing in the population."""
    for name in names:
        ours, theirs = table.types[name], population.types[name]
        if _family(ours) != _family(theirs):
            raise BadData(
                f"Column {name!r} is {ours} in {table.source} but {theirs} in {population.source}.",
                hint="Give the column the same type in both.",
            )


def _family(kind: str) -> str:
    for family in (NUMBERS, MOMENTS, TEXTS):
        if kind.removeprefix("U").startswith(family) or kind.startswith(family):
            return family[0]
    return kind
