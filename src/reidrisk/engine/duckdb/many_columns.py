"""Aggregates over tables of many columns.

A query with an aggregate for each of 5,000 columns took 13 GB and a minute before it read the first row;
fifty queries with a hundred each take nothing to speak of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

MOST_AT_ONCE = 100


def aggregated(relation: DuckDBPyRelation, expressions: Sequence[str]) -> tuple[Any, ...]:
    """The values of aggregates over a relation, asked for in several queries if there are many."""
    found: list[Any] = []
    for start in range(0, len(expressions), MOST_AT_ONCE):
        part = expressions[start : start + MOST_AT_ONCE]
        found += relation.aggregate(", ".join(part)).fetchone() or (None,) * len(part)
    return tuple(found)
