from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reidrisk.stats.drivers import columns_alone, smallest_singling_sets, without_each

tables = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=25)


def coded(rows: list[tuple[int, ...]]) -> tuple[np.ndarray, np.ndarray]:
    tally = Counter(rows)
    return np.array(list(tally), dtype=np.int64), np.array(list(tally.values()), dtype=np.int64)


def uniques(rows: list[tuple[int, ...]], columns: tuple[int, ...]) -> int:
    return sum(n == 1 for n in Counter(tuple(row[c] for c in columns) for row in rows).values())


@given(tables)
def test_columns_alone_against_a_count_in_python(rows: list[tuple[int, ...]]) -> None:
    codes, counts = coded(rows)
    for columns in ((0,), (1, 3), (0, 1, 2, 3)):
        found = columns_alone(codes, counts, columns, cell_size=3)
        sizes = Counter(tuple(row[c] for c in columns) for row in rows)
        assert found.unique_records == uniques(rows, columns)
        assert found.small_class_records == sum(n for n in sizes.values() if n < 3)
        assert found.classes == len(sizes)
    assert [one.columns for one in without_each(codes, counts, cell_size=3)] == [
        *((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))
    ]


@given(tables)
def test_the_smallest_sets_are_minimal_and_complete(rows: list[tuple[int, ...]]) -> None:
    found = {one.columns for one in smallest_singling_sets(*coded(rows), cell_size=3)}
    every = [columns for size in range(1, 5) for columns in combinations(range(4), size)]
    singling = [columns for columns in every if uniques(rows, columns)]
    minimal = {a for a in singling if not any(set(b) < set(a) for b in singling)}
    assert found == minimal


def test_wide_keys_are_ranked_anew_before_they_overflow() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2**30, (50, 5))
    assert columns_alone(codes, np.ones(50, dtype=np.int64), (0, 1, 2, 3, 4), cell_size=2).classes == 50


def test_no_column_leaves_one_class() -> None:
    codes, counts = coded([(0, 0, 0, 0), (1, 1, 1, 1)])
    assert columns_alone(codes, counts, (), cell_size=2).classes == 1
