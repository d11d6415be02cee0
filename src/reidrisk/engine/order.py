"""The order of rows: one that follows from what is released, and what the order of the source reveals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import literal, quoted
from reidrisk.engine.table import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

ReleasedOrder = Literal["random", "content"]
"""By a hash of each released row, or by the released values themselves."""
TEXTS = ("VARCHAR", "ENUM")
DIGITS = 32
"""Hexadecimal digits kept of a hash: 128 bits, so that two different rows never share them."""

ROWS = 10_000
"""Rows looked at, from the first on."""
TELLS, ERRORS = 0.2, 3
"""Correlation of neighbouring rows from which on an order tells something, and more than chance would."""


def row_hash(rows: DuckDBPyRelation, names: Sequence[str], salt: str) -> str:
    """SQL of the hash of a row: SHA-256 of the salt and of the values of these columns.

    The lengths of texts follow the values, so that no two rows are written alike.
    """
    kinds = dict(zip(rows.columns, map(str, rows.types), strict=True))
    values = [f"coalesce(CAST({name} AS VARCHAR), chr(30))" for name in names]
    lengths = [f"strlen(CAST({name} AS VARCHAR))" for name in names if kinds[name].startswith(TEXTS)]
    text = f"concat_ws(chr(31), {', '.join([literal(salt), *values, *lengths])})"
    return f"left(sha256({text}), {DIGITS})"


def reordered(table: Table, order: ReleasedOrder, salt: str) -> DuckDBPyRelation:
    """The rows in an order that follows from their values alone; equal rows cannot be told apart."""
    names = [f"o{place}" for place in range(len(table.columns))]
    pairs = list(zip(table.columns, names, strict=True))
    with without_values(table.source):
        rows = table.relation.project(", ".join(f"{quoted(column)} AS {name}" for column, name in pairs))
        if order == "random":
            ordered = rows.project(f"*, {row_hash(rows, names, salt)} AS h").order("h")
        else:
            ordered = rows.order(", ".join(names))
        return ordered.project(", ".join(f"{name} AS {quoted(column)}" for column, name in pairs))


def told_columns(
    table: Table, columns: Sequence[str], *, records: int, unit: str | None = None
) -> tuple[str, ...]:
    """The columns that the order of the rows, which are of so many records, gives away."""
    bound = max(TELLS, ERRORS / max(1, records) ** 0.5)
    along = serial_correlation(table, columns, unit=unit)
    return tuple(name for name, strength in along.items() if abs(strength) >= bound)


def serial_correlation(
    table: Table, columns: Sequence[str], *, unit: str | None = None, rows: int = ROWS
) -> dict[str, float]:
    """For each column the correlation of its ranks in neighbouring rows: 0 if the order tells nothing.

    With a unit neighbours are units, in the order of their first rows.
    """
    if not columns:
        return {}
    names = [f"{quoted(name)} AS c{place}" for place, name in enumerate(columns)]
    unit_column = [] if unit is None else [f"{quoted(unit)} AS u"]
    ranks = ", ".join(f"dense_rank() OVER (ORDER BY c{place}) AS k{place}" for place in range(len(columns)))
    pairs = ", ".join(
        f"k{place}, lag(k{place}) OVER (ORDER BY i) AS b{place}" for place in range(len(columns))
    )
    strengths = ", ".join(f"corr(k{place}, b{place})" for place in range(len(columns)))
    with without_values(table.source):
        some = table.relation.limit(rows).project(
            ", ".join([*names, *unit_column, "row_number() OVER () AS i"])
        )
        if unit is not None:
            firsts = ", ".join(f"arg_min(c{place}, i) AS c{place}" for place in range(len(columns)))
            some = some.aggregate(f"{firsts}, min(i) AS i", "u")
        found = some.project(f"i, {ranks}").project(pairs).aggregate(strengths).fetchone()
    return {
        name: 0.0 if value is None or value != value else float(value)  # noqa: PLR0124 - NaN differs from itself
        for name, value in zip(columns, found or (), strict=True)
    }
