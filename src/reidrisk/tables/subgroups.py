"""The risk of the records of each subgroup, in the classes of the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import fsum
from typing import Any

from reidrisk.engine.subgroups import GroupSizes, subgroup_sizes
from reidrisk.engine.table import Table

NO_VALUE = "(no value)"


@dataclass(frozen=True, slots=True)
class Subgroup:
    """The records with one value of a column, or those of all values that are too rare to be named."""

    column: str
    label: str | None
    """None if groups smaller than the cell size, or beyond the fifty largest, were lumped."""
    groups: int
    """How many values are meant."""
    records: int
    smallest_class: int
    highest: float
    average: float
    share_above_threshold: float
    unique_records: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON types."""
        return asdict(self)


def subgroups(
    records: Table, quasi: Sequence[str], by: Sequence[str], *, cell_size: int
) -> tuple[Subgroup, ...]:
    """For each column in `by`, its groups from the largest to the lumped small ones."""
    return tuple(
        _subgroup(name, group, cell_size)
        for name in by
        for group in subgroup_sizes(records, quasi, name, cell_size=cell_size)
    )


def _subgroup(column: str, group: GroupSizes, cell_size: int) -> Subgroup:
    label = NO_VALUE if group.label is None else group.label
    sizes, number = group.records, sum(group.records.values())
    smallest = min(sizes)
    below = sum(records for size, records in sizes.items() if size < cell_size)
    return Subgroup(
        column,
        None if group.lumped else label,
        group.groups,
        number,
        smallest,
        1 / smallest,
        fsum(records / size for size, records in sizes.items()) / number,
        below / number,
        sizes.get(1, 0),
    )
