"""Columns of the few types that spreadsheets and statistical programs know."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from reidrisk.engine.names import quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

DIGITS = 15
"""Decimal digits that a double holds for certain, and that spreadsheets show."""
SMALL = ("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER")
LARGE = ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT")
UNCHANGED = (*SMALL, "FLOAT", "DOUBLE", "BOOLEAN", "VARCHAR", "DATE", "TIME", "TIMESTAMP")
MOMENTS = ("TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")
DECIMAL = re.compile(r"DECIMAL\((\d+),\s*\d+\)")


def plain(
    relation: DuckDBPyRelation, *, largest: int = 10**DIGITS, kept: Collection[str] = ()
) -> DuckDBPyRelation:
    """The relation with whole numbers, doubles, booleans, dates, times and texts only.

    Numbers that would lose digits become texts, all of their column, and so does every other type
    that is not in `kept`.
    """
    types = {name: str(kind) for name, kind in zip(relation.columns, relation.types, strict=True)}
    wide = _too_wide(relation, [name for name, kind in types.items() if kind in LARGE], largest)
    changed = {name: _target(kind, kept, wide=name in wide) for name, kind in types.items()}
    return relation.project(
        ", ".join(
            quoted(name) if target is None else f"CAST({quoted(name)} AS {target}) AS {quoted(name)}"
            for name, target in changed.items()
        )
    )


def _target(kind: str, kept: Collection[str], *, wide: bool) -> str | None:
    if kind in UNCHANGED or kind in kept:
        return None
    if kind in LARGE:
        return "VARCHAR" if wide else "BIGINT"
    if kind in MOMENTS:
        return "TIMESTAMP"
    decimal = DECIMAL.fullmatch(kind)
    return "DOUBLE" if decimal and int(decimal[1]) <= DIGITS else "VARCHAR"


def _too_wide(relation: DuckDBPyRelation, names: list[str], largest: int) -> set[str]:
    if not names:
        return set()
    tests = [f"bool_or({quoted(name)} NOT BETWEEN -{largest} AND {largest})" for name in names]
    found = relation.aggregate(", ".join(tests)).fetchone() or ()
    return {name for name, answer in zip(names, found, strict=True) if answer}
