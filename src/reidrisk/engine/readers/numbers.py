"""Formats that know only floating point hold whole numbers all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reidrisk.engine.names import quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

EXACT = 2**53
"""Beyond this a double no longer holds every integer."""


def whole_numbers(relation: DuckDBPyRelation) -> DuckDBPyRelation:
    """The relation with doubles as integers where every value is whole, so that 34.0 reads 34."""
    doubles = [
        name for name, kind in zip(relation.columns, relation.types, strict=True) if str(kind) == "DOUBLE"
    ]
    if not doubles:
        return relation
    tests = [
        f"bool_and({quoted(name)} = trunc({quoted(name)}) AND abs({quoted(name)}) < {EXACT})"
        for name in doubles
    ]
    answers = relation.aggregate(", ".join(tests)).fetchone() or ()
    whole = {name for name, answer in zip(doubles, answers, strict=True) if answer}
    return relation.project(
        ", ".join(
            f"CAST({quoted(name)} AS BIGINT) AS {quoted(name)}" if name in whole else quoted(name)
            for name in relation.columns
        )
    )
