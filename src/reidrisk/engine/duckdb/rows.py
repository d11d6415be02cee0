"""Rows at hand: texts of small tables, and a sample of large ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reidrisk.engine.duckdb.classes import count_rows
from reidrisk.engine.duckdb.failures import without_values
from reidrisk.engine.duckdb.names import quoted
from reidrisk.engine.duckdb.types import FLOATS, chance_of, row_hash

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

    from reidrisk.engine.duckdb.table import DuckTable


def text_rows(table: DuckTable) -> list[tuple[str | None, ...]]:
    """Every row in the order of the source, as its cells are spelled; an empty cell is None."""
    stored = table.as_stored(())
    cells = [f"nullif(trim(CAST({quoted(name)} AS VARCHAR)), '')" for name in stored.columns]
    with without_values(table.source):
        numbered = stored.with_numbers([f"{cell} AS c{at}" for at, cell in enumerate(cells)], "i")
        found = numbered.order("i").fetchall()
    return [row[:-1] for row in found]


def drawn_rows(table: DuckTable, most: int, *, seed: int, unit: str | None = None) -> DuckTable:
    """The table itself, or about so many of its rows: the same rows in the same order on every engine.

    With a unit, all rows of a unit are drawn or none. Without one, each content keeps its share of its rows:
    equal rows cannot be told apart, and it makes no difference which of them are drawn.
    """
    rows = count_rows(table)
    if rows <= most:
        return table
    names = [f"c{place}" for place in range(len(table.columns))]
    pairs = list(zip(table.columns, names, strict=True))
    with without_values(table.source):
        own = table.relation.project(", ".join(f"{quoted(column)} AS {name}" for column, name in pairs))
        kept = (
            _shares_of_contents(own, names, most / rows, str(seed))
            if unit is None
            else _whole_units(own, names, names[table.columns.index(unit)], most / rows, str(seed))
        )
        # Rows that share a hash differ at most in numbers that their text leaves open.
        open_numbers = [
            name for name, type_ in zip(own.columns, own.types, strict=True) if str(type_) in FLOATS
        ]
        ordered = kept.order(", ".join(["h", *(f"{name} NULLS LAST" for name in open_numbers)]))
        named = ", ".join(f"{name} AS {quoted(column)}" for column, name in pairs)
        relation = table.session.kept(ordered.project(named))
    return table.derived(relation, note=f"about {most:,} rows drawn")


def _shares_of_contents(
    rows: DuckDBPyRelation, names: Sequence[str], share: float, salt: str
) -> DuckDBPyRelation:
    """Of a content with n rows n times the share, rounded up or down by chance."""
    every = ", ".join(names)
    counted = rows.aggregate(f"{every}, count(*) AS n", every)
    hashed = counted.project(
        f"{every}, n * CAST({share!r} AS DOUBLE) AS x, {row_hash(rows, names, salt)} AS h"
    )
    copies = f"CAST(floor(x) AS BIGINT) + CASE WHEN {chance_of('h')} < x - floor(x) THEN 1 ELSE 0 END"
    return hashed.project(f"{every}, h, unnest(range({copies}))").project(f"{every}, h")


def _whole_units(
    rows: DuckDBPyRelation, names: Sequence[str], unit: str, share: float, salt: str
) -> DuckDBPyRelation:
    drawn = rows.filter(f"{chance_of(row_hash(rows, [unit], salt))} < CAST({share!r} AS DOUBLE)")
    return drawn.project(f"{', '.join(names)}, {row_hash(rows, names, salt)} AS h")
