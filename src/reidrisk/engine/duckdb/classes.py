"""Equivalence classes: the database counts, small results leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from reidrisk.core.wording import plural
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.many_columns import aggregated
from reidrisk.engine.duckdb.names import chosen, quoted
from reidrisk.engine.results import MOMENTS, NUMBERS, GroupSizes, Kind
from reidrisk.errors import BadData

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable


def counted(table: DuckTable, names: Sequence[str]) -> DuckDBPyRelation:
    """The classes as columns c0, c1, … and their size; own names cannot collide with the table's."""
    keys = ", ".join(f"{quoted(name)} AS c{place}" for place, name in enumerate(names))
    groups = ", ".join(quoted(name) for name in names)
    return table.relation.aggregate(f"{keys}, count(*) AS size", groups)


def count_rows(table: DuckTable) -> int:
    """How many rows there are."""
    with without_values(table.source):
        found = table.relation.aggregate("count(*)").fetchone()
    return int(found[0]) if found else 0


def count_nulls(table: DuckTable, columns: Iterable[str]) -> dict[str, int]:
    """How many rows have no value, column by column."""
    return _per_column(table, columns, "count(*) - count({0})")


def count_distinct(table: DuckTable, columns: Iterable[str]) -> dict[str, int]:
    """How many values each column has; null is one of them where it occurs."""
    names = chosen(columns, table.columns, place=table.source)
    spans = _spans(table, names)
    values = [_distinct(quoted(name), spans.get(name)) for name in names]
    parts = [
        f"{value} + CAST(count(*) > count({quoted(name)}) AS INTEGER)"
        for name, value in zip(names, values, strict=True)
    ]
    with without_values(table.source):
        found = table.relation.aggregate(", ".join(parts)).fetchone() if parts else ()
    return dict(zip(names, map(int, found or ()), strict=True))


def are_all_different(table: DuckTable, column: str) -> bool:
    """Whether no value occurs twice, where that is quick to see: whole numbers that lie close together."""
    spans = _spans(table, [column])
    if column not in spans:
        return False
    with without_values(table.source):
        found = table.relation.aggregate(f"{_distinct(quoted(column), spans[column])} = count(*)").fetchone()
    return bool(found and found[0])


WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
FEW_VALUES, MOST_BITS, BITS_A_ROW = 1 << 12, 1 << 27, 16
"""Values are marked in a map of bits if there may be more than a few, and the map is small: the database
counts them seven times as fast as by sets of values."""


def _spans(table: DuckTable, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The least and the greatest value of the columns whose values are counted in a map of bits."""
    whole = [name for name in names if table.types[name] in WHOLE]
    if not whole:
        return {}
    ends = ", ".join(f"min({quoted(name)}), max({quoted(name)})" for name in whole)
    with without_values(table.source):
        rows, *found = table.relation.aggregate(f"count(*), {ends}").fetchone() or (0,)
    pairs = zip(whole, found[::2], found[1::2], strict=True)
    most = min(MOST_BITS, BITS_A_ROW * rows)
    return {
        name: (low, high) for name, low, high in pairs if low is not None and FEW_VALUES < high - low < most
    }


def _distinct(column: str, span: tuple[int, int] | None) -> str:
    if span is None:
        return f"count(DISTINCT {column})"
    return f"coalesce(bit_count(bitstring_agg({column}, {span[0]}, {span[1]})), 0)"


def class_sizes(table: DuckTable, columns: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Pairs (size of equivalence class, number of such classes), smallest first; null is a value."""
    names = chosen(columns, table.columns, place=table.source)
    with without_values(table.source):
        pairs = counted(table, names).aggregate("size, count(*)", "size").order("size").fetchall()
    return tuple((int(size), int(classes)) for size, classes in pairs)


def joined_sizes(
    table: DuckTable, population: DuckTable, columns: Iterable[str]
) -> tuple[tuple[int, int, int], ...]:
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


def changed_sizes(
    table: DuckTable, other: DuckTable, columns: Iterable[str]
) -> tuple[tuple[int, int, int], ...]:
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


def smallest_class(table: DuckTable, columns: Sequence[str], *, unit: str | None = None) -> int | None:
    """Records in the smallest class, or units if a column identifies them; None if there are no rows."""
    size = "count(*)" if unit is None else f"count(DISTINCT {quoted(unit)})"
    with without_values(table.source):
        classes = table.relation.aggregate(f"{size} AS size", ", ".join(quoted(name) for name in columns))
        found = classes.aggregate("min(size)").fetchone()
    return None if found is None or found[0] is None else int(found[0])


def _per_column(table: DuckTable, columns: Iterable[str], pattern: str) -> dict[str, int]:
    names = chosen(columns, table.columns, place=table.source)
    with without_values(table.source):
        found = aggregated(table.relation, [pattern.format(quoted(name)) for name in names])
    return {name: int(number) for name, number in zip(names, found, strict=True)}


def _comparable(table: DuckTable, population: DuckTable, names: Sequence[str]) -> None:
    """A number never equals a text: silently every class would be missing in the population."""
    for name in names:
        ours, theirs = table.kinds[name], population.kinds[name]
        if _family(ours) != _family(theirs):
            raise BadData(
                f"Column {name!r} is {ours} in {table.source} but {theirs} in {population.source}.",
                hint="Give the column the same type in both.",
            )


MOST_GROUPS = 50


def subgroup_sizes(
    table: DuckTable, columns: Sequence[str], by: str, *, cell_size: int
) -> tuple[GroupSizes, ...]:
    """One entry for each value of `by`, the largest first; groups below the cell size come last as one."""
    names = chosen(columns, table.columns, place=table.source)
    chosen([by], table.columns, place=table.source)
    keys = ", ".join(f"{quoted(name)} AS c{place}" for place, name in enumerate(names))
    groups = ", ".join(dict.fromkeys(quoted(name) for name in (*names, by)))
    parts = ", ".join(f"c{place}" for place in range(len(names)))
    slot = f"CASE WHEN records >= {int(cell_size)} AND place <= {MOST_GROUPS} THEN place ELSE 0 END"
    with without_values(table.source):
        rows = (
            table.relation.aggregate(f"{keys}, {quoted(by)} AS b, count(*) AS n", groups)
            .project(f"b, n, sum(n) OVER (PARTITION BY {parts}) AS size")
            .aggregate("b, size, sum(n) AS n", "b, size")
            .project("*, sum(n) OVER (PARTITION BY b) AS records")
            .project("*, dense_rank() OVER (ORDER BY records DESC, b NULLS LAST) AS place")
            .project(f"*, {slot} AS slot, max(place) OVER () AS places")
            .aggregate(
                "slot, size, sum(n) AS n, any_value(places) AS places, "
                "any_value(CASE WHEN slot > 0 THEN CAST(b AS VARCHAR) END) AS label",
                "slot, size",
            )
            .order("slot = 0, slot, size")
            .fetchall()
        )
    return _grouped(rows)


def _grouped(rows: Sequence[tuple[int, int, int, int, str | None]]) -> tuple[GroupSizes, ...]:
    records: dict[int, dict[int, int]] = {}
    labels: dict[int, str | None] = {}
    places = 0
    for slot, size, number, places, label in rows:  # noqa: B007 - the number of groups is in every row
        records.setdefault(slot, {})[int(size)] = int(number)
        labels[slot] = label
    left = places - sum(slot > 0 for slot in records)
    return tuple(
        GroupSizes(labels[slot], 1 if slot else left, slot == 0, sizes) for slot, sizes in records.items()
    )


DIGITS = 6
"""Sums of weights are rounded: the order in which threads add would show in the last digits."""


def weighted_sizes(
    table: DuckTable, columns: Iterable[str], weight: str
) -> tuple[tuple[int, float, int], ...]:
    """Triples (size of class, sum of its weights, number of such classes), smallest first."""
    names = chosen(columns, table.columns, place=table.source)
    chosen([weight], table.columns, place=table.source)
    _refuse_odd(table, weight)
    groups = ", ".join(quoted(name) for name in names)
    people = f"round(sum(CAST({quoted(weight)} AS DOUBLE)), {DIGITS}) AS people"
    with without_values(table.source):
        rows = (
            table.relation.aggregate(f"count(*) AS size, {people}", groups)
            .aggregate("size, people, count(*)", "size, people")
            .order("size, people")
            .fetchall()
        )
    return tuple((int(size), float(people), int(number)) for size, people, number in rows)


def _refuse_odd(table: DuckTable, weight: str) -> None:
    """A weight says how many people a record stands for: a number above 0."""
    hint = "Weights say how many people of the population each record stands for."
    if table.kinds[weight] not in ("number", "whole number"):
        raise BadData(f"{table.source}: the weights in column {weight!r} are no numbers.", hint=hint)
    number = f"CAST({quoted(weight)} AS DOUBLE)"
    with without_values(table.source):
        found = table.relation.filter(
            f"{quoted(weight)} IS NULL OR NOT isfinite({number}) OR {number} <= 0"
        ).aggregate("count(*)")
        odd = found.fetchone()
    if odd and odd[0]:
        raise BadData(
            f"{table.source}: {plural(int(odd[0]), 'record')} without a weight above 0 in column {weight!r}.",
            hint=hint,
        )


def _family(kind: Kind) -> str:
    return "number" if kind in NUMBERS else "moment" if kind in MOMENTS else kind
