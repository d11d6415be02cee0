"""Formats that know only floating point, or only moments, hold whole numbers and days all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reidrisk.engine.names import quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

EXACT = 2**53
"""Beyond this a double no longer holds every integer."""


def whole_numbers(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """The relation with doubles as integers where every value is whole, so that 34.0 reads 34."""
    return _narrowed(relation, "DOUBLE", "BIGINT", f"{{0}} = trunc({{0}}) AND abs({{0}}) < {EXACT}")


def whole_days(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """The relation with moments as dates where every one is a midnight."""
    return _narrowed(relation, "TIMESTAMP", "DATE", "{0} = date_trunc('day', {0})")


def times_of_day(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """The relation with moments as times where every one is on the day that spreadsheets call 0."""
    return _narrowed(relation, "TIMESTAMP", "TIME", "CAST({0} AS DATE) = DATE '1899-12-31'")


def _narrowed(relation: DuckDBPyRelation, wide: str, narrow: str, fits: str) -> DuckDBPyRelation:
    kinds = zip(relation.columns, relation.types, strict=True)
    doubtful = [name for name, kind in kinds if str(kind).startswith(wide)]
    if not doubtful:
        return relation
    tests = [f"bool_and({fits.format(quoted(name))})" for name in doubtful]
    answers = relation.aggregate(", ".join(tests)).fetchone() or ()
    whole = {name for name, answer in zip(doubtful, answers, strict=True) if answer}
    return relation.project(
        ", ".join(
            f"CAST({quoted(name)} AS {narrow}) AS {quoted(name)}" if name in whole else quoted(name)
            for name in relation.columns
        )
    )
