"""Tables of a few records, and the fewest suppressed cells by trying every way to form classes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from reidrisk.stats.suppress.block import choose_sets
from reidrisk.stats.suppress.search import SuppressionState, enter, make_state
from reidrisk.stats.suppress.table import Request, SuppressionTable, TupleGroups, group_tuples, make_table

Class = list[int]
WEIGHTS = (1.0, 1.5, 0.5, 2.25)


def small_table(
    seed: int, *, k: int = 2, records: int = 6, columns: int = 3, values: int = 3, weighted: bool = False
) -> SuppressionTable:
    """Random rows; with few values, some occur twice."""
    rows = np.random.default_rng(seed).integers(0, values, (records, columns))
    codes, counts = np.unique(rows, axis=0, return_counts=True)
    return make_table(codes.astype(np.int32), counts, Request(k, WEIGHTS[:columns] if weighted else ()))


def cheaper(table: SuppressionTable, factor: float) -> SuppressionTable:
    """The same table with all weights multiplied."""
    return table._replace(weights=table.weights * factor)


def groups_of(table: SuppressionTable) -> TupleGroups:
    """The groups under all sets of columns."""
    sets = choose_sets(table, 1 << len(table.weights))
    return group_tuples(table.codes, table.counts, table.k, sets.masks, sets.costs)


def state_of(table: SuppressionTable, seed: int = 1) -> SuppressionState:
    """All records are free."""
    return make_state(groups_of(table), table.counts, table.k, seed)


def owners(table: SuppressionTable) -> list[int]:
    """The tuple of each record."""
    return np.repeat(np.arange(len(table.counts)), table.counts).tolist()


def partitions(records: Class, k: int) -> Iterator[list[Class]]:
    """Every way to form classes of at least k records."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for chosen in range(1 << len(rest)):
        own = [first, *(one for bit, one in enumerate(rest) if chosen >> bit & 1)]
        if len(own) >= k:
            left = [one for bit, one in enumerate(rest) if not chosen >> bit & 1]
            for others in partitions(left, k):
                yield [own, *others]


def suppressed(table: SuppressionTable, members: Class) -> list[int]:
    """The columns in which the records of a class differ."""
    codes = table.codes[np.array(owners(table))[members]]
    return [column for column in range(codes.shape[1]) if len(set(codes[:, column].tolist())) > 1]


def fewest(table: SuppressionTable, *, records: int | None = None, column: int | None = None) -> float:
    """The least weighted cells; at most `records` with any, and `column` in each column."""
    best = np.inf
    for classes in every_partition(table.records, table.k):
        cells = np.zeros(len(table.weights))
        touched = 0
        for members in classes:
            differ = suppressed(table, members)
            cells[differ] += len(members)
            touched += len(members) if differ else 0
        if (records is None or touched <= records) and (column is None or cells.max() <= column):
            best = min(best, float(cells @ table.weights) + table.entry * touched)
    return float(best)


def place_classes(table: SuppressionTable, state: SuppressionState, classes: list[Class]) -> None:
    """Put every record where its class has its cells suppressed; records are units if no tuple is large."""
    groups = groups_of(table)
    for members in classes:
        mask = sum(1 << column for column in suppressed(table, members))
        place = groups.masks.tolist().index(mask)
        for unit in members:
            enter(state, unit, place)


@cache
def every_partition(records: int, k: int) -> list[list[Class]]:
    """All ways to form classes of so many records."""
    return list(partitions(list(range(records)), k))


def random_classes(table: SuppressionTable, seed: int) -> list[Class]:
    """One of the ways to form classes."""
    every = every_partition(table.records, table.k)
    return every[np.random.default_rng(seed).integers(len(every))]


def check_state(state: SuppressionState) -> None:
    """Sizes and links of groups say the same as the places of units."""
    inside: dict[int, set[int]] = {}
    for unit, place in enumerate(state.place.tolist()):
        if place >= 0:
            inside.setdefault(int(state.of[state.tuple_of[unit], place]), set()).add(unit)
    assert -1 not in inside
    for group in range(len(state.pattern)):
        listed, unit, last = [], int(state.head[group]), -1
        while unit >= 0:
            assert state.before[unit] == last
            listed.append(unit)
            unit, last = int(state.after[unit]), unit
        assert len(listed) == len(set(listed))
        assert set(listed) == inside.get(group, set())
        assert state.size[group] == state.fixed[group] + len(listed)


def is_sound(state: SuppressionState) -> bool:
    """Whether every group has at least k records, or none."""
    return all(size == 0 or size >= state.k for size in state.size.tolist())
