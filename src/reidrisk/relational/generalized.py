"""What each value of an attribute becomes on a level of its hierarchy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from reidrisk.tables.hierarchy.hierarchy import Hierarchy
from reidrisk.tables.hierarchy.levels import Levels


def labels_of(hierarchy: Hierarchy, values: Iterable[str], level: str | int) -> dict[str, str]:
    """The label of each value on a level; values that are all numbers are compared as numbers."""
    present, levels = levels_of(hierarchy, values)
    labels = levels.labels[levels.number(level)].tolist()
    return {value: str(label) for value, label in zip(present, labels, strict=True)}


def levels_of(hierarchy: Hierarchy, values: Iterable[str]) -> tuple[list[str], Levels]:
    """The values in the order of their codes, and all levels on them."""
    present = sorted(set(values))
    given = typed_values(present)
    order = sorted(range(len(given)), key=lambda at: given[at])
    return [present[at] for at in order], hierarchy.on([given[at] for at in order])


def typed_values(values: Sequence[str]) -> list[Any]:
    """The values as numbers, if all are numbers."""
    numbers = [_number(value) for value in values]
    return list(values) if None in numbers else numbers


def _number(text: str) -> int | float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else number
