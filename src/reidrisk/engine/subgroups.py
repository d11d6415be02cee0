"""Classes of the whole table, summed up over the records of each subgroup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reidrisk.engine.failures import without_values
from reidrisk.engine.names import chosen, quoted
from reidrisk.engine.table import Table

MOST_GROUPS = 50


@dataclass(frozen=True, slots=True)
class GroupSizes:
    """The records of one subgroup by the size of the class that they are in."""

    label: str | None
    """The value of the column; None for an empty cell, and for groups too small to be named."""
    groups: int
    """How many values are meant."""
    lumped: bool
    """Whether the values are too rare, or too many, to be named."""
    records: Mapping[int, int]
    """Number of records by size of class."""


def subgroup_sizes(
    table: Table, columns: Sequence[str], by: str, *, cell_size: int
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
