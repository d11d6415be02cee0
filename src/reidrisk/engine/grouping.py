"""The group-by that everything else is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reidrisk.engine.names import quoted
from reidrisk.engine.table import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation


def counted(table: Table, names: Sequence[str]) -> DuckDBPyRelation:
    """The classes as columns c0, c1, … and their size; own names cannot collide with the table's."""
    keys = ", ".join(f"{quoted(name)} AS c{place}" for place, name in enumerate(names))
    groups = ", ".join(quoted(name) for name in names)
    return table.relation.aggregate(f"{keys}, count(*) AS size", groups)
