"""Nodes counted inside the database, against the same nodes counted in plain Python."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from reidrisk.engine.duckdb.leveled import TreeNumbers
from reidrisk.engine.opening import open_table

ROWS = 400
AGES = [None if n % 41 == 0 else n * 37 % 60 for n in range(ROWS)]
ZIPS = [f"{n * n % 97:03d}" for n in range(ROWS)]
ONE = ["same"] * ROWS


def general(name: str, value: Any) -> tuple[Any, ...]:
    """Return a value at all its levels, from the lowest that is permitted."""
    if name == "age":
        return ("none",) * 3 if value is None else (value // 5, value // 10, value // 30)
    return (value, value[:2], value[:1], "*") if name == "zip" else (value,)


def levels(
    name: str, values: NDArray[np.object_], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int32], ...]:
    assert int(counts.sum()) == ROWS
    wide = list(zip(*(general(name, value) for value in values), strict=True))
    return tuple(
        np.unique([str(label) for label in level], return_inverse=True)[1].astype(np.int32) for level in wide
    )


@pytest.fixture
def stored() -> Any:
    with open_table(pa.table({"age": AGES, "one": ONE, "zip": ZIPS})) as table:
        yield table.rows.leveled_tuples(("age", "one", "zip"), levels)


NODES = list(product(range(3), range(1), range(4)))


def rows_at(node: tuple[int, ...]) -> list[tuple[Any, ...]]:
    rows = zip(AGES, ONE, ZIPS, strict=True)
    names = ("age", "one", "zip")
    return [
        tuple(str(general(name, value)[level]) for name, value, level in zip(names, row, node, strict=True))
        for row in rows
    ]


def test_every_node_is_counted_as_in_plain_python(stored: Any) -> None:
    assert (stored.records, stored.top) == (ROWS, (2, 0, 3))
    assert stored.tuples == len(set(rows_at((0, 0, 0))))
    for node in [*NODES, *reversed(NODES)]:
        sizes = Counter(Counter(rows_at(node)).values())
        assert stored.sizes(node) == tuple(sorted(sizes.items()))


def test_lost_records_are_counted_by_the_codes_of_the_level(stored: Any) -> None:
    for node in NODES:
        classes = Counter(rows_at(node))
        small = {key: size for key, size in classes.items() if size < 5}
        for place, lost in enumerate(stored.lost(node, 5)):
            expected: Counter[str] = Counter()
            for key, size in small.items():
                expected[key[place]] += size
            assert sorted(lost[lost > 0].tolist()) == sorted(expected.values())


def test_all_classes_of_a_node_have_the_first_of_the_joined_values(stored: Any) -> None:
    for node in NODES:
        tuples = stored.at(node)
        values = [tuples.values[place][tuples.codes[:, place]] for place in range(3)]
        names = ("age", "one", "zip")
        found = {
            tuple(
                str(general(name, value)[level]) for name, value, level in zip(names, row, node, strict=True)
            ): n
            for row, n in zip(zip(*values, strict=True), tuples.counts.tolist(), strict=True)
        }
        assert found == Counter(rows_at(node))


def test_a_cell_is_in_the_sample_as_a_whole(stored: Any) -> None:
    cell = (1, 0, 2)
    tuples = stored.cells(cell, 4, seed=3)
    values = [tuples.values[place][tuples.codes[:, place]] for place in range(3)]
    seen: Counter[tuple[str, str]] = Counter()
    for age, zip_, number in zip(values[0], values[2], tuples.counts.tolist(), strict=True):
        seen[str(general("age", age)[1]), str(general("zip", zip_)[2])] += number
    every = Counter((row[0], row[2]) for row in rows_at(cell))
    assert 0 < len(seen) < len(every)
    assert all(every[key] == number for key, number in seen.items())
    again = stored.cells(cell, 4, seed=3)
    assert np.array_equal(again.codes, tuples.codes)


def test_leading_bits_tell_the_levels() -> None:
    fine = np.array([0, 1, 2, 3, 4], dtype=np.int32)
    coarse = np.array([1, 0, 1, 0, 1], dtype=np.int32)
    tree = TreeNumbers.of((fine, coarse))
    assert len(set(tree.numbers.tolist())) == 5
    assert tree.bits == 3
    top = tree.numbers >> tree.below[1]
    assert np.array_equal(top == top[0], coarse == coarse[0])
