"""Random classes with their values, and the same as plain lists."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from reidrisk.stats.disclosure.classes import SensitiveClasses

Row = tuple[int, int, int]
"""Class, value, records."""


def of_lists(*classes: list[int]) -> SensitiveClasses:
    """Each class by the values of its records."""
    rows = [(number, value, 1) for number, values in enumerate(classes) for value in values]
    return of_rows(rows)


def of_rows(rows: list[Row]) -> SensitiveClasses:
    group, value, counts = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return SensitiveClasses.count_up(group, value, counts)


def shares(rows: list[Row]) -> tuple[dict[int, dict[int, float]], dict[int, float]]:
    """By class and value, and by value in the whole table."""
    inside: dict[int, dict[int, float]] = {}
    whole: dict[int, float] = {}
    for group, value, count in rows:
        inside.setdefault(group, {})
        inside[group][value] = inside[group].get(value, 0) + count
        whole[value] = whole.get(value, 0) + count
    total = sum(whole.values())
    by_class = {
        group: {value: count / sum(found.values()) for value, count in found.items()}
        for group, found in sorted(inside.items())
    }
    return by_class, {value: count / total for value, count in whole.items()}


ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6), st.integers(1, 9)), min_size=1, max_size=25)
